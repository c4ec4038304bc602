"""The paths that documents are known by."""

from __future__ import annotations

from functools import lru_cache

from pygls.uris import to_fs_path


@lru_cache(maxsize=4096)
def path_of(uri: str) -> str:
    """Return the path of the file that a URI names, the URI where it names none."""
    return to_fs_path(uri) or uri
