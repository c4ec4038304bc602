"""The pack of well-known kinds, written and read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import OBJECT_META, kubernetes
from kro_ls.openapi.sources.pack.building import Record, build
from kro_ls.openapi.sources.pack.reading import Pack
from kro_ls.openapi.sources.pack.stripping import stripped_definition

if TYPE_CHECKING:
    from pathlib import Path

CONDITIONS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "description": "A condition of the object. It has a type.",
        "properties": {"type": {"type": "string", "maxLength": 316}, "status": {"type": "string", "enum": ["True"]}},
    },
}


def version(name: str, *fields: str, **described: Any) -> dict[str, Any]:
    spec = {"type": "object", "properties": {field: {"type": "string", "minLength": 1} for field in fields}}
    schema = {
        "type": "object",
        "properties": {"spec": spec, "status": {"type": "object", "properties": {"conditions": CONDITIONS}}},
    }
    return {"name": name, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, **described}


def definition(kind: str, *versions: dict[str, Any], group: str = "example.com", scope: str = "Namespaced") -> Any:
    plural = f"{kind.lower()}s"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": plural, "singular": kind.lower()},
            "scope": scope,
            "versions": [*versions],
        },
    }


def record(definition: Any, release: str = "v1.2.3", project: str = "github.com/example/operator") -> Record:
    return Record(project, release, definition)


def pack_of(tmp_path: Path, *records: Record) -> Pack:
    path = tmp_path / "kinds.bin"
    path.write_bytes(build(records))
    return Pack(path, kubernetes().definition(OBJECT_META))


def test_a_kind_is_read_as_its_definition_says(tmp_path: Path) -> None:
    bucket = definition("Bucket", version("v1", "region", subresources={"status": {}}), scope="Cluster")
    pack = pack_of(tmp_path, record(bucket), record(definition("Queue", version("v1", "name"))))

    found = pack.find(GroupVersionKind("example.com", "v1", "Bucket"))

    assert found is not None
    assert (found.plural, found.namespaced, found.subresources) == ("buckets", False, ("status",))
    assert found.source == "operator 1.2.3, bundled with kro-ls"
    assert found.deprecation is None
    kept = stripped_definition(bucket)
    assert found.declared_schema == kept["spec"]["versions"][0]["schema"]["openAPIV3Schema"]  # type: ignore[index, call-overload]
    assert found.schema["properties"]["metadata"]["properties"]["name"]["type"] == "string"  # type: ignore[index, call-overload]


def test_equal_parts_of_kinds_are_stored_once(tmp_path: Path) -> None:
    kinds = [definition(f"Kind{number}", version("v1", f"field{number}")) for number in range(5)]
    other = definition("Kind", version("v1", "field"), group="example.org")
    pack = pack_of(tmp_path, *map(record, (*kinds, other)))
    for kind in (*kinds, other):
        names = kind["spec"]
        found = pack.find(GroupVersionKind(names["group"], "v1", names["names"]["kind"]))
        assert found is not None
        expected = stripped_definition(kind)
        assert found.declared_schema == expected["spec"]["versions"][0]["schema"]["openAPIV3Schema"]  # type: ignore[index, call-overload]
    content = b"".join(pack._container.read(place) for place in pack._header["blocks"])
    assert content.count(b'"maxLength":316') == 1


@pytest.mark.parametrize("kind", ["Bucket", "Other"])
def test_what_the_pack_does_not_have_is_unknown(tmp_path: Path, kind: str) -> None:
    pack = pack_of(tmp_path, record(definition("Bucket", version("v1", "region"))))
    assert pack.find(GroupVersionKind("example.com", "v2", kind)) is None
    assert pack.find(GroupVersionKind("example.org", "v1", kind)) is None


def test_a_version_that_is_not_served_any_more_stays_known(tmp_path: Path) -> None:
    bucket = definition("Bucket", version("v1", "region"), version("v1beta1", "place", served=False))
    pack = pack_of(tmp_path, record(bucket))
    found = pack.find(GroupVersionKind("example.com", "v1beta1", "Bucket"))
    assert found is not None
    assert found.deprecation == "operator 1.2.3 does not serve example.com/v1beta1 Bucket any more."
    assert list(pack.names()) == [GroupVersionKind("example.com", "v1", "Bucket")]


def test_a_version_that_only_an_older_release_serves_is_removed(tmp_path: Path) -> None:
    older = record(definition("Bucket", version("v1beta1", "place")), "v0.9.0")
    newer = record(definition("Bucket", version("v1", "region"), version("v2", "region")))
    pack = pack_of(tmp_path, older, newer)
    found = pack.find(GroupVersionKind("example.com", "v1beta1", "Bucket"))
    assert found is not None
    assert found.deprecation == "operator 1.2.3 does not serve example.com/v1beta1 Bucket any more."


def test_a_deprecated_version_says_so(tmp_path: Path) -> None:
    deprecated = version("v1", "region", deprecated=True, deprecationWarning="use v2")
    pack = pack_of(tmp_path, record(definition("Bucket", deprecated, version("v2", "region", deprecated=True))))
    warnings = [pack.find(GroupVersionKind("example.com", name, "Bucket")) for name in ("v1", "v2")]
    assert [each and each.deprecation for each in warnings] == ["use v2", "example.com/v2 Bucket is deprecated"]


def test_the_same_records_give_the_same_bytes_in_any_order() -> None:
    records = [record(definition(kind, version("v1", "name"), version("v2", "name"))) for kind in ("A", "B", "C")]
    assert build(records) == build(json_copy(each) for each in reversed(records))


def json_copy(each: Record) -> Record:
    return Record(each.project, each.release, json.loads(json.dumps(each.definition)))
