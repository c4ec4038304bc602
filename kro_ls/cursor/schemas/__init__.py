"""The OpenAPI schema of a place in YAML or of a part of an expression, and the keys that templates add to it."""
