"""Definitions, references, symbols and folding."""
