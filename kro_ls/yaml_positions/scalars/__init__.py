"""Scalars: their values, where each character of a value is written, and how to write a value."""
