"""Writes new expectations of tests into their file, for `kro-ls test --update`."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.cli.inputs import STANDARD_INPUT
from kro_ls.render.changed_values import with_value
from kro_ls.workspace.rewriting import UnwritableFileError, rewrite
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path as NodePath
    from kro_ls.cli.written import Written
    from kro_ls.openapi.json_values import JsonObject


class UnupdatableTestError(Exception):
    """The expectations of a test cannot be written into its file; the text says why and what to do."""


class UpdatedFile:
    """A test file below the folder `root`; each change is written at once."""

    def __init__(self, path: Path, content: str, root: Path) -> None:
        self._path = path
        self._content = content
        self._root = root

    def change(self, written: Written, path: NodePath, value: JsonObject) -> str:
        """Replace the value at a path of a document, and return the changed lines as a unified diff.

        Raises UnupdatableTestError, and then leaves the file unchanged.
        """
        _require_own_file(self._path, self._root)
        before = self._content
        after = with_value(before, _number(written), path, value)
        if after is None:
            raise UnupdatableTestError(
                "this cannot be updated: an anchor, a merge key or a tag is in the way; change it by hand"
            )
        try:
            rewrite(self._path, before, after, (self._root,))
        except UnwritableFileError as error:
            raise UnupdatableTestError(f"this cannot be updated: {error.reason}") from error
        self._content = after
        return "\n".join([*unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)][2:])


def _number(written: Written) -> int:
    """Return the 0-based number of a document in its file."""
    starts = [each.start for each in parse_stream(written.text).documents]
    return starts.index(written.document.start)


def _require_own_file(path: Path, root: Path) -> None:
    """Raise UnupdatableTestError for a test file that is reached through a symbolic link below the root."""
    if path == STANDARD_INPUT:
        raise UnupdatableTestError("this cannot be updated: the test file is standard input; name a file")
    step = Path(os.path.abspath(root))
    file = Path(os.path.abspath(path))
    parts = file.relative_to(step).parts if file.is_relative_to(step) else (file.name,)
    step = step if file.is_relative_to(step) else file.parent
    for part in parts:
        step /= part
        if os.path.islink(step):
            raise UnupdatableTestError(f"this cannot be updated: {part!r} is a symbolic link; name what it leads to")
