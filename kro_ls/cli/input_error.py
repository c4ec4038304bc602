"""The error of a command that cannot use its input."""

from __future__ import annotations

import click

from kro_ls.printable import printable


class InputError(click.ClickException):
    """The user named something that cannot be used; the process ends with 2.

    The message is made printable, unless it is to be `shown` as it is: printable lines with colours.
    """

    exit_code = 2

    def __init__(self, message: str, *, shown: bool = False) -> None:
        super().__init__(message if shown else printable(message))
