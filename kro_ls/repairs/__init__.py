"""Fixes that take work: they are computed on request and proved by applying them."""
