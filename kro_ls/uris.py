"""The files that URIs name."""

from __future__ import annotations

import os
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit

from pygls.uris import from_fs_path, to_fs_path


@lru_cache(maxsize=4096)  # asked at each request about the same documents
def file_path(uri: str) -> str | None:
    """Return the path of the file that a URI names; None if it names none or is not a URI (`file://[/a.yaml`)."""
    try:
        path = to_fs_path(uri)
    except ValueError:
        return None
    if path and "\N{REPLACEMENT CHARACTER}" in path and os.name == "posix":
        # pygls puts this for every byte that is not UTF-8; file names may have such bytes.
        return unquote(urlsplit(uri).path, errors="surrogateescape")
    return path


def path_of(uri: str) -> str:
    """Return the name of a document: the path of its file, or the URI if it has none."""
    return file_path(uri) or uri


def file_uri(path: str) -> str:
    """Return the URI of a file, by its absolute path; a byte of the path that is not UTF-8 is escaped."""
    try:
        return from_fs_path(path) or path
    except UnicodeEncodeError:
        return f"file://{quote(os.fsencode(path))}"
