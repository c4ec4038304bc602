"""Measures what a person feels who works with kro-ls: `python -m benchmarks`. See README.md here."""
