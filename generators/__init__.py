"""The generators of committed files; `scripts/generate` runs them."""
