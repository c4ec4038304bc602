"""The error of a command that cannot use its input."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from kro_ls.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator


class InputError(click.ClickException):
    """The user named something that cannot be used; the process ends with 2.

    The message is made printable, unless it is to be `shown` as it is: printable lines with colours.
    """

    exit_code = 2

    def __init__(self, message: str, *, shown: bool = False) -> None:
        super().__init__(message if shown else printable(message))


@contextmanager
def input_errors() -> Iterator[None]:
    """Raise InputError in place of errors of other rooms whose text tells the user which input cannot be used."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        # Imported here, because many commands raise none of these.
        from kro_ls.analysis.crd.compatibility import CompatibilityError
        from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError
        from kro_ls.openapi.named_kind import UnknownKindError
        from kro_ls.openapi.sources.bundled import UnknownMinorError
        from kro_ls.workspace.files import UnreadableFileError
        from kro_ls.workspace.gathering.part import UnusableError
        from kro_ls.workspace.git import GitError
        from kro_ls.workspace.rewriting import UnwritableFileError

        files = UnreadableFileError, UnwritableFileError, GitError
        objects = CompatibilityError, UnknownKindError, UnknownMinorError, UnusableError, UnusableObjectsError
        if not isinstance(error, files + objects):
            raise
        raise InputError(str(error)) from error
