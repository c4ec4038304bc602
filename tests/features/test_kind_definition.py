"""Going from a kind to the file that declares it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pygls.uris import from_fs_path

from kro_ls.features.navigation.definition import definition, type_definition
from kro_ls.workspace.schemas import SchemaSettings, load
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture

if TYPE_CHECKING:
    from pathlib import Path

CRD = """\
# Buckets
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Bucket, plural: buckets}
  versions:
    - {name: v1alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object}}
"""
LISTED = "apiVersion: v1\nkind: List\nitems:\n- " + CRD.split("\n", 1)[1].replace("\n", "\n  ")


def use(api_version: str, kind: str) -> str:
    return f"- id: a\n  template:\n    apiVersion: {api_version}\n    kind: $0{kind}\n    metadata: {{name: a}}"


@pytest.mark.parametrize(
    ("content", "api_version", "kind", "line"),
    [
        (CRD, "example.com/v1", "Bucket", 10),
        (CRD, "example.com/v1alpha1", "Bucket", 9),
        ("a: b\n---\n" + CRD, "example.com/v1", "Bucket", 12),
        (LISTED, "example.com/v1", "Bucket", 12),
        (rgd(), "kro.run/v1alpha1", "App", 7),
    ],
)
def test_a_custom_kind_leads_to_its_file(tmp_path: Path, content: str, api_version: str, kind: str, line: int) -> None:
    path = tmp_path / "kinds.yaml"
    path.write_text(content)
    found = fixture(rgd(use(api_version, kind)), load([tmp_path], SchemaSettings()).index)
    location = definition(found.cursor)
    assert location is not None
    assert (location.uri, location.range.start.line) == (from_fs_path(str(path)), line)


def test_a_file_that_is_gone_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "kinds.yaml").write_text(CRD)
    index = load([tmp_path], SchemaSettings()).index
    (tmp_path / "kinds.yaml").unlink()
    found = fixture(rgd(use("example.com/v1", "Bucket")), index)
    assert definition(found.cursor) is None


def test_kinds_of_kubernetes_have_no_file_but_a_virtual_document() -> None:
    found = fixture(rgd(use("v1", "Pod")))
    location = definition(found.cursor)
    assert location
    assert location.uri == "kro-preview:/kind/v1/Pod.yaml"


@pytest.mark.parametrize(
    ("use_of_it", "line"),
    [("${a.spec.si$0ze}", "size:"), ("${a.spec.tags[0].k$0ey}", "key:"), ("${a.metadata.na$0me}", "properties:")],
)
def test_a_field_of_a_custom_kind_leads_to_its_schema(tmp_path: Path, use_of_it: str, line: str) -> None:
    schema = """{openAPIV3Schema: {type: object, properties: {
        spec: {type: object, properties: {
          size: {type: integer},
          tags: {type: array, items: {type: object, properties: {
            key: {type: string}}}}}}}}}"""
    crd = CRD.replace("      schema: {openAPIV3Schema: {type: object}}\n", f"      schema: {schema}\n")
    path = tmp_path / "kinds.yaml"
    path.write_text(crd)
    resources = use("example.com/v1", "Bucket").replace("$0", "") + (
        f"\n- id: b\n  template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: b}}, data: {{x: '{use_of_it}'}}}}"
    )
    found = fixture(rgd(resources), load([tmp_path], SchemaSettings()).index)
    location = type_definition(found.cursor)
    assert location is not None
    assert location.uri == from_fs_path(str(path))
    start = location.range.start
    assert crd.split("\n")[start.line][start.character :].startswith(line)
    assert definition(found.cursor) == location
