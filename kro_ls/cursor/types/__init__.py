"""The types in an expression, those that are expected in it, and how people read them."""
