"""What the workspace logs."""

from __future__ import annotations


def warn(message: str, *arguments: object) -> None:
    """Log a warning, with the arguments for its `%s`."""
    import logging  # most commands log nothing, and do not pay for it

    logging.getLogger("kro_ls.workspace").warning(message, *arguments)
