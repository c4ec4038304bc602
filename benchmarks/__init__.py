"""Measures what users of kro-ls notice: `python -m benchmarks`. See README.md in this folder."""
