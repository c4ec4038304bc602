"""Previews, the values of expressions in them, and the texts made of them."""
