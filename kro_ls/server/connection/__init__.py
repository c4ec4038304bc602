"""The connection with a client: the transport of messages, the client's capabilities, and what is reported to it."""
