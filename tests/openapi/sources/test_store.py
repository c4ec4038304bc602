"""The user's store."""

import sys
from pathlib import Path

import pytest

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.parsing import LARGEST_FILE
from kro_ls.openapi.sources.disk_cache import store_folder
from kro_ls.openapi.sources.provenance import Provenance
from kro_ls.openapi.sources.store import Store, home_of, installed_store, origin_in
from tests.openapi.sources.crds.fixtures import WIDGET

OBJECT_META: JsonObject = {"type": "object"}
NAME = GroupVersionKind("example.com", "v1", "Widget")
ORIGIN = """\
  annotations:
    kro-ls/source: Widgets of Example
    kro-ls/version: "1.6"
    kro-ls/date: "2026-08-13"
"""
KEPT = WIDGET.replace("spec:\n", f"{ORIGIN}spec:\n", 1)


def kept(folder: Path, text: str = KEPT, home: str = "example.com/Widget.yaml") -> Store:
    path = folder / home
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return Store(folder, OBJECT_META)


def test_a_kind_says_where_it_is_from(tmp_path: Path) -> None:
    store = kept(tmp_path)
    found = store.find(NAME)
    assert found is not None
    assert found.source == "Widgets of Example 1.6, 2026-08, your store"
    assert (found.plural, found.namespaced, found.subresources) == ("widgets", True, ("scale", "status"))
    assert found.declared_schema is not None
    assert list(store.names()) == [NAME, GroupVersionKind("example.com", "v1beta1", "Widget")]
    assert store.find(GroupVersionKind("example.com", "v1alpha1", "Widget")) is None, "not served"


def test_an_origin_that_is_not_said_is_unknown(tmp_path: Path) -> None:
    found = kept(tmp_path, WIDGET).find(NAME)
    assert found is not None
    assert found.source == "unknown origin, your store"


def test_a_store_that_is_not_there_is_empty(tmp_path: Path) -> None:
    store = Store(tmp_path / "none", OBJECT_META)
    assert (list(store.names()), store.find(NAME)) == ([], None)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"{", b"kind: [", b"- a", KEPT.replace("Widget", "Gadget").encode(), b"x: " + b"y" * LARGEST_FILE],
)
def test_a_file_that_cannot_be_used_counts_as_absent(tmp_path: Path, content: bytes) -> None:
    store = kept(tmp_path)
    (tmp_path / "example.com" / "Widget.yaml").write_bytes(content)
    assert (list(store.names()), store.find(NAME)) == ([], None)


@pytest.mark.parametrize(
    "home", ["Widget.yaml", "example.com/Widget.yml", "example.com/more/Widget.yaml", "Up.com/Widget.yaml"]
)
def test_files_elsewhere_do_not_count(tmp_path: Path, home: str) -> None:
    store = kept(tmp_path, home=home)
    assert (list(store.names()), store.find(NAME)) == ([], None)


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("..", "Widget"),
        ("a/../..", "Widget"),
        ("a.b", "../../x"),
        ("", "Pod"),
        ("apps", "Deployment"),
        ("a.b", ""),
        ("a.b", "A\0"),
    ],
)
def test_no_name_leads_out_of_the_store(group: str, kind: str, tmp_path: Path) -> None:
    assert home_of(group, kind) is None
    assert Store(tmp_path, OBJECT_META).find(GroupVersionKind(group, "v1", kind)) is None


def test_an_origin_is_written_and_read_again() -> None:
    origin = Provenance("AWS Controllers for Kubernetes", "1.6", "2026-08-13", "https://example.com/a", "sha256:00")
    written = "".join(f"    {name}: {value!r}\n" for name, value in origin.annotations.items())
    assert origin_in(f"metadata:\n  annotations:\n{written}spec: [") == origin
    assert str(origin) == "AWS Controllers for Kubernetes 1.6, 2026-08"
    assert origin_in("") == Provenance()


def test_an_origin_fills_what_another_lacks() -> None:
    assert Provenance("a", "", "1").over(Provenance("b", "2", "3", "here")) == Provenance("a", "2", "1", "here")


@pytest.mark.skipif(sys.platform != "linux", reason="the folder has another name there")
def test_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert store_folder() == tmp_path / "kro-ls" / "kinds"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store_folder() == tmp_path / ".local" / "share" / "kro-ls" / "kinds"


@pytest.mark.skipif(sys.platform != "linux", reason="the folder has another name there")
def test_the_store_is_the_same_one_until_something_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    kept(store_folder())
    first = installed_store(kubernetes())
    assert installed_store(kubernetes()) is first
    kept(store_folder(), home="example.com/Other.yaml")
    assert installed_store(kubernetes()) is not first
