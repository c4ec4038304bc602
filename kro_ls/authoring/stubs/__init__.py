"""Stubs: what type checkers and editors read about kinds and about the functions of CEL."""
