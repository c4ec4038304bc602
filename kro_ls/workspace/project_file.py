"""The file `.kro-ls.yaml`, by which a folder says for all who work in it which version of kro its files are for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.kro.versions.version import parse_version
from kro_ls.workspace.files import UnreadableFileError, decode, read
from kro_ls.yaml_positions.access import entries, resolved
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from pathlib import Path

    from kro_ls.kro.versions.version import Version

PROJECT_FILE: Final = ".kro-ls.yaml"
_KEY = "version"


def kro_version(file: Path) -> Version | None:
    """Return the version that the nearest `.kro-ls.yaml` above a file names, None where there is none.

    Raises UnreadableFileError, with what to do, where that file cannot be understood.
    """
    for folder in file.absolute().parents:
        project = folder / PROJECT_FILE
        if project.is_file():
            return _read(project)
    return None


def _read(project: Path) -> Version | None:
    documents = parse_stream(Text(decode(project, read(project)))).documents
    root = documents[0].frame.chunk.root if documents else None
    found = None
    for entry in entries(root):
        value = resolved(entry.value)
        if entry.name != _KEY or not isinstance(value, Scalar):
            raise UnreadableFileError(project, f"unknown setting '{entry.name}'; the file holds '{_KEY}: 0.9.4'")
        try:
            found = parse_version(value.text)  # as it is written: for YAML 0.10 is the number 0.1
        except ValueError as error:
            raise UnreadableFileError(project, str(error)) from error
    return found
