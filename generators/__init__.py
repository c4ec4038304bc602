"""What is committed and made by a program; `scripts/generate` writes it."""
