"""The numbers of kro-ls, each measured by a command: `python -m benchmarks.NAME [--json]`. See README.md here."""
