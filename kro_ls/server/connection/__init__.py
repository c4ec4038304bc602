"""The connection with a client: how messages travel, what the client can do, and what it is told."""
