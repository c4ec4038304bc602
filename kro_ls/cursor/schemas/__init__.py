"""The OpenAPI schema behind a place in YAML or a part of an expression, and the keys that templates add to it."""
