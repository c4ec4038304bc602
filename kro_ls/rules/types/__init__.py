"""Types: of expressions, and of what a template gives its fields."""
