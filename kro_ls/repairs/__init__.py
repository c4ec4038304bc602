"""Fixes that take work: made when somebody asks for them, and proved by applying them."""
