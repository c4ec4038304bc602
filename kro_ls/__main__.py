"""Runs the command line: `python -m kro_ls` and `kro-ls`."""

from __future__ import annotations

from kro_ls.garbage import importing

with importing():
    from kro_ls.cli.main import main

if __name__ == "__main__":
    main()
