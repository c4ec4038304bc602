"""Completion of kinds and versions where thousands are known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import pytest

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.completion.items import MOST_ITEMS
from kro_ls.features.completion.kind_catalogue import catalogue
from kro_ls.features.completion.yaml import complete_yaml
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.openapi.sources.pack.reading import Pack
from kro_ls.workspace.documents import Document
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.workspace.used_kinds import UsedKinds, kinds_in, used_kinds
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture
from tests.fixtures.packs import definition, pack_of, record, version

CLOUD, OTHER = "cloud.example.com", "other.example.com"
OWN = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.own.example.com}
spec:
  group: own.example.com
  names: {kind: Gadget, plural: gadgets}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""
USING = f"""
- id: bucket
  template:
    apiVersion: {CLOUD}/v1
    kind: Bucket
    metadata: {{name: a}}
"""


@lru_cache(maxsize=1)
def many_kinds() -> SchemaIndex:
    """Return the kinds of Kubernetes, one of the workspace, and a pack with a few hundred."""
    served = version("v1beta1"), version("v1"), {**version("v1alpha1"), "served": False}
    known = [definition(kind, *served, group=CLOUD) for kind in ("Bucket", "BucketPolicy", "Queue", "Role")]
    known += [definition(f"Thing{number}", version("v1"), group=f"g{number}.example.com") for number in range(300)]
    known += [definition(kind, version("v1"), group=OTHER) for kind in ("Bucket", "BackupPlanet")]
    pack = pack_of(*map(record, known))
    plain = schema_index(kubernetes())
    return schema_index(kubernetes(), (CrdSource([("crd.yaml", OWN)], plain.object_meta),), (pack,))


def offered(source: str, others: Iterable[str] = ()) -> list[tuple[str, str | None]]:
    found = fixture(rgd(source), many_kinds())
    opened = {
        f"/{number}.yaml": Document(f"file:///{number}.yaml", 1, Text(text)) for number, text in enumerate(others)
    }
    cursor = Cursor(found.document, found.cursor.offset, AllDocuments(opened, None, lambda path, text: opened[path]))
    completions = complete_yaml(cursor, snippets=True)
    assert completions is None or completions.is_incomplete
    return [(item.label, item.detail) for item in completions.items] if completions else []


def names(source: str, others: Iterable[str] = ()) -> list[str]:
    return [label for label, _ in offered(source, others)]


def test_versions_in_use_come_first_then_those_of_kubernetes_then_all_others() -> None:
    found = names(f"{USING}- id: a\n  template:\n    apiVersion: $0")
    assert found[:4] == [f"{CLOUD}/v1", f"{CLOUD}/v1beta1", "v1", "apps/v1"]
    own = found.index("own.example.com/v1")
    assert max(found.index(each) for each in ("v1", "batch/v1", "policy/v1")) < own
    last_of_kubernetes = max(number for number, each in enumerate(found) if ".k8s.io/" in each)
    assert own < found.index("storage.k8s.io/v1") < last_of_kubernetes < found.index("g0.example.com/v1")


def test_a_list_is_no_longer_than_is_of_use() -> None:
    for typed in ("apiVersion: $0", "kind: $0", "apiVersion: v1\n    kind: $0"):
        assert len(names(f"- id: a\n  template:\n    {typed}")) <= MOST_ITEMS
    assert len(names("- id: a\n  template:\n    $0")) == MOST_ITEMS + len(("apiVersion", "kind", "metadata"))


def test_what_is_cut_is_there_when_more_is_typed() -> None:
    for number in (7, 299):
        assert f"Thing{number}" in names(f"- id: a\n  template:\n    kind: Thing{number}$0")[:1]
        assert names(f"- id: a\n  template:\n    apiVersion: g{number}.$0")[:1] == [f"g{number}.example.com/v1"]


def test_versions_that_are_not_served_any_more_are_never_offered() -> None:
    assert not any("v1alpha1" in each for each in names(f"- id: a\n  template:\n    apiVersion: {CLOUD}$0"))
    assert names("- id: a\n  template:\n    apiVersion: $0\n    kind: Queue") == [f"{CLOUD}/v1", f"{CLOUD}/v1beta1"]


@pytest.mark.parametrize("others", [[], [rgd(USING)]])
def test_kinds_in_use_come_first_then_those_of_their_groups(others: list[str]) -> None:
    source = "- id: a\n  template:\n    kind: $0"
    found = offered(source if others else USING + source, others)
    assert found[:4] == [(each, f"{CLOUD}/v1") for each in ("Bucket", "BucketPolicy", "Queue", "Role")]
    assert found[4:6] == [("ConfigMap", "v1"), ("Secret", "v1")]


def test_kinds_that_controllers_write_come_after_those_that_people_write() -> None:
    found = names("- id: a\n  template:\n    apiVersion: v1\n    kind: $0")
    assert found.index("ServiceAccount") < found.index("Endpoints")
    using = "- id: b\n  template:\n    apiVersion: v1\n    kind: Node\n"
    assert names(f"{using}- id: a\n  template:\n    apiVersion: v1\n    kind: $0")[0] == "Node"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Bu", ["Bucket", "Bucket", "BucketPolicy"]),
        ("Pol", ["BucketPolicy"]),
        ("bp", ["BucketPolicy", "BackupPlanet"]),
        ("Buket", ["Bucket", "Bucket", "BucketPolicy"]),
    ],
)
def test_names_with_a_word_that_is_typed_hide_those_that_only_have_its_letters(typed: str, expected: list[str]) -> None:
    found = [kind for kind in names(f"- id: a\n  template:\n    kind: {typed}$0") if kind.startswith("B")]
    assert sorted(found) == sorted(expected)


def test_the_detail_of_a_version_names_its_kinds() -> None:
    found = dict(offered("- id: a\n  template:\n    apiVersion: $0"))
    assert found["v1"] == "ConfigMap, Secret, Pod and 14 more"
    assert found["own.example.com/v1"] == "Gadget"


def test_the_catalogue_of_an_index_is_made_once() -> None:
    assert catalogue(many_kinds()) is catalogue(many_kinds())


UNKNOWN = """\
apiVersion: vault.example.org/v1
kind: Secretbox
metadata: {name: a}
"""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("kind: $0", ("Secretbox", "vault.example.org/v1")),
        ("kind: Secretb$0", ("Secretbox", "vault.example.org/v1")),
        ("apiVersion: vault.example.org/v1\n    kind: $0", ("Secretbox", "vault.example.org/v1")),
        ("apiVersion: $0", ("vault.example.org/v1", "Secretbox")),
        ("apiVersion: $0\n    kind: Secretbox", ("vault.example.org/v1", "has Secretbox")),
        ("Secretb$0", ("Secretbox", "vault.example.org/v1")),
    ],
)
def test_a_kind_that_only_the_workspace_knows_is_offered(typed: str, expected: tuple[str, str]) -> None:
    found = offered(f"- id: a\n  template:\n    {typed}", [UNKNOWN])
    assert next(each for each in found if each[1] and "required" not in each[1]) == expected


def test_a_name_that_is_being_typed_is_none_of_a_kind() -> None:
    assert names("- id: a\n  template:\n    apiVersion: vault.example.org/v1\n    kind: Secretb$0") == []


def test_a_version_that_is_gone_is_not_offered_because_somebody_uses_it() -> None:
    using = f"apiVersion: {CLOUD}/v1alpha1\nkind: Bucket\n"
    assert f"{CLOUD}/v1alpha1" not in names(f"- id: a\n  template:\n    apiVersion: {CLOUD}$0", [using])


def test_no_kind_is_read_for_a_list_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    many_kinds().kinds()
    monkeypatch.setattr(Pack, "find", None)
    using = "".join(f"apiVersion: g{number}.example.com/v1\nkind: Thing{number}\n---\n" for number in range(300))
    for typed in ("apiVersion: $0", "kind: $0", "apiVersion: \n    kind: Th$0"):
        assert "Thing0" in str(offered(f"- id: a\n  template:\n    {typed}", [using]))


def test_few_kinds_are_read_for_what_their_objects_need(monkeypatch: pytest.MonkeyPatch) -> None:
    find, found = Pack.find, list[GroupVersionKind]()

    def counted(self: Pack, name: GroupVersionKind) -> KindSchema | None:
        found.append(name)
        return find(self, name)

    monkeypatch.setattr(Pack, "find", counted)
    assert len(names("- id: a\n  template:\n    Thi$0")) > MOST_ITEMS
    assert len(found) == 6


def test_what_is_in_use() -> None:
    instance = f"apiVersion: {CLOUD}/v1\nkind: Bucket\n"
    bucket = GroupVersionKind(CLOUD, "v1", "Bucket")
    assert kinds_in(instance) == UsedKinds(frozenset({CLOUD}), frozenset({"Bucket"}), frozenset({bucket}))
    template = "- id: a\n  template:\n    kind: 'Gadget'\n    apiVersion: \"a.com/v1\"\n"
    gadget = GroupVersionKind("a.com", "v1", "Gadget")
    assert kinds_in(rgd(template)) == UsedKinds(frozenset({"a.com"}), frozenset({"App", "Gadget"}), frozenset({gadget}))
    assert kinds_in(rgd("- id: a\n  template:\n    kind: Pod\n    apiVersion: v1\n")).groups == {""}
    assert kinds_in("kind: Pod") == UsedKinds()


def test_a_file_is_read_again_when_its_text_is_another_one() -> None:
    assert used_kinds("", [("/a.yaml", "apiVersion: a.com/v1\n")]).groups == {"a.com"}
    assert used_kinds("", [("/a.yaml", "apiVersion: b.com/v1\n")]).groups == {"b.com"}


def test_a_large_workspace_is_read_bit_by_bit() -> None:
    files = [(f"/large{number}.yaml", f"apiVersion: g{number}.com/v1\n" + "#" * 300_000) for number in range(4)]
    assert [len(used_kinds("", files).groups) for _ in range(3)] == [2, 4, 4]
