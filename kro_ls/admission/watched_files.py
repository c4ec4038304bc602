"""The files with definitions that a webhook knows, as they are at a moment: who asks again sees what has changed."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from kro_ls.workspace.patterns import files_named

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kro_ls.admission.reviewing_process import Stamps
    from kro_ls.workspace.files import UnreadableFileError


def stamps_of(patterns: Iterable[Path]) -> Stamps:
    """Return the files that paths of files, folders and globs name, with what tells whether they have changed."""
    found: dict[str, tuple[int, int]] = {}
    for pattern in patterns:
        for path in files_named(pattern, _ignore):
            if any(part.startswith("..") and part != ".." for part in path.parts):
                continue  # where a kubelet keeps the files of a ConfigMap, to which the links beside it lead
            with suppress(OSError):
                stat = os.stat(path)
                found[str(path)] = stat.st_mtime_ns, stat.st_size
    return found


def _ignore(_: UnreadableFileError) -> None:
    """A folder that comes and goes, as those of mounted ConfigMaps do, is looked at again soon."""
