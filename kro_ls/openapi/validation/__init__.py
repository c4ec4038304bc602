"""The API server's rules for values."""
