"""The files that URIs name."""

from __future__ import annotations

from functools import lru_cache

from pygls.uris import to_fs_path


@lru_cache(maxsize=4096)
def file_path(uri: str) -> str | None:
    """Return the path of the file that a URI names, None where it names none or is no URI (`file://[/a.yaml`)."""
    try:
        return to_fs_path(uri)
    except ValueError:
        return None


def path_of(uri: str) -> str:
    """Return what a document is known by: the path of its file, the URI where it has none."""
    return file_path(uri) or uri
