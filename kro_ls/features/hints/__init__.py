"""Inlay hints, code lenses and signature help."""
