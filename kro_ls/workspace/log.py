"""What the workspace logs."""

from __future__ import annotations

from kro_ls.printable import printable


def warn(message: str, *arguments: object) -> None:
    """Log a warning, with the arguments for its `%s`, which are made printable."""
    import logging  # most commands log nothing, and do not pay for it

    logging.getLogger("kro_ls.workspace").warning(message, *(printable(str(each)) for each in arguments))
