"""When diagnostics are sent, and which of them."""
