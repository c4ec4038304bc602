"""How a command says that it cannot use what it was given."""

from __future__ import annotations

import click


class InputError(click.ClickException):
    """The user named something that cannot be used; the process ends with 2."""

    exit_code = 2
