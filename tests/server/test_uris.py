"""URIs of clients and paths of files, in the ways of Windows and of other systems."""

from __future__ import annotations

import pytest
from pygls import uris

from kro_ls.uris import file_path, path_of

UNIX = [
    ("file:///shop/rgd.yaml", "/shop/rgd.yaml"),
    ("file:///shop/100%25%20ours/r%23d.yaml", "/shop/100% ours/r#d.yaml"),
    ("file:///shop/caf%C3%A9.yaml", "/shop/café.yaml"),
    ("file:///Users/Ann/RGD.yaml", "/Users/Ann/RGD.yaml"),
]
WINDOWS = [
    # What VS Code sends, and what others do.
    ("file:///c%3A/Work/rgd.yaml", "c:\\Work\\rgd.yaml"),
    ("file:///C:/Work/rgd.yaml", "c:\\Work\\rgd.yaml"),
    ("file:///c%3A/100%25%20ours/r%23d.yaml", "c:\\100% ours\\r#d.yaml"),
    ("file://server/share/Work/rgd.yaml", "\\\\server\\share\\Work\\rgd.yaml"),
]


@pytest.mark.parametrize(("uri", "path"), UNIX)
def test_paths_of_unix(uri: str, path: str) -> None:
    assert uris.to_fs_path(uri) == path
    assert uris.to_fs_path(uris.from_fs_path(path) or "") == path


@pytest.mark.parametrize(("uri", "path"), WINDOWS)
def test_paths_of_windows(monkeypatch: pytest.MonkeyPatch, uri: str, path: str) -> None:
    monkeypatch.setattr(uris, "IS_WIN", True)
    assert uris.to_fs_path(uri) == path
    assert uris.to_fs_path(uris.from_fs_path(path) or "") == path


@pytest.mark.parametrize("uri", ["file://[/a.yaml", "file://]/a.yaml", "untitled:Untitled-1", "", "a"])
def test_what_names_no_file_is_known_by_its_uri(uri: str) -> None:
    assert file_path(uri) is None
    assert path_of(uri) == uri
