"""Kinds and fields that real kro found, or did not find, in RGDs."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.bundled import OBJECT_META, kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.paths import CONFORMANCE, needs_conformance

pytestmark = needs_conformance

UNRESOLVED = re.compile(r'cannot resolve group version kind "(?P<api_version>\S+), Kind=(?P<kind>\w+)"')


def cases() -> list[Any]:
    path = CONFORMANCE / "rgds.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def index() -> SchemaIndex:
    files = [(str(path), path.read_text(encoding="utf-8")) for path in sorted((CONFORMANCE / "crds").glob("*.yaml"))]
    source = kubernetes("1.36")
    return schema_index(source, [CrdSource(files, source.definition(OBJECT_META))])


def resources(file: str) -> dict[str, Any]:
    """The resources of an RGD by id."""
    text = (CONFORMANCE / "rgds" / file).read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    for document in parse_stream(Text(text)).documents:
        value: Any = document.to_python()
        if isinstance(value, dict) and value.get("kind") == "ResourceGraphDefinition":
            for resource in value["spec"]["resources"]:
                found[resource["id"]] = resource
    return found


def fields(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all fields that are written out."""
    if isinstance(value, dict):
        for name, child in value.items():
            yield (*path, name)
            yield from fields(child, (*path, name))
    elif isinstance(value, list):
        for position, child in enumerate(value):
            yield from fields(child, (*path, position))


def test_kinds_and_fields_that_kro_accepted(index: SchemaIndex) -> None:
    missing, checked = [], 0
    for case in cases():
        if not case["accepted"]:
            continue
        written = resources(case["file"])
        for node in case.get("nodes", []):
            resource = written[node["id"]]
            template = resource.get("template")
            reference = template or resource["externalRef"]
            kind = index.find_api_version(reference["apiVersion"], reference["kind"])
            assert kind is not None, (case["file"], reference["apiVersion"], reference["kind"])
            assert (kind.plural, kind.namespaced) == (node["resource"], node["namespaced"]), case["file"]
            if template is not None and reference["kind"] != "CustomResourceDefinition":
                schema = Schema(kind.schema)
                missing += [(case["file"], node["id"], path) for path in fields(template) if schema.field(path) is None]
                checked += 1
    print(f"\ntemplates whose kind and fields are all known: {checked} nodes, {len(missing)} fields missing")
    assert missing == []
    assert checked


def test_kinds_that_kro_did_not_find(index: SchemaIndex) -> None:
    found = {
        match.groups() for case in cases() for error in case.get("errors", []) if (match := UNRESOLVED.search(error))
    }
    assert found
    for api_version, kind in found:
        assert index.find_api_version(api_version, kind) is None
