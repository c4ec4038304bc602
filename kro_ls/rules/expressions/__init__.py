"""Expressions before types: their place, their syntax and the names in them."""
