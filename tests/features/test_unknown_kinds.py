"""Completion in templates of kinds that no schema source knows: what the workspace writes in others of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.completion.completion_list import completion
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.workspace.used_kinds import MOST_OBJECTS, written_objects
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_hover
from tests.fixtures.language import fixture
from tests.fixtures.yaml_completion import accepted, completed, labels

OTHERS = """
- id: first
  template:
    apiVersion: cloud.example.com/v1
    kind: Bucket
    metadata: {name: a}
    spec:
      region: eu
      versioned: true
      owner: ${schema.spec.name}
      rules:
        - days: 3
          name: short
- id: second
  template:
    kind: Bucket  # the order is another one
    apiVersion: cloud.example.com/v1
    metadata: {name: b}
    spec:
      region: us
      storage: {class: cold}
- id: another-version
  template:
    apiVersion: cloud.example.com/v2
    kind: Bucket
    metadata: {name: b}
    spec: {newer: 1}
- id: typed
  template:
    apiVersion: cloud.example.com/v1
    kind: Bucket
    metadata: {name: c}
"""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("$0", ["spec"]),
        ("spec:\n  $0", ["region", "versioned", "owner", "rules", "storage"]),
        ("spec:\n  region: eu\n  $0", ["versioned", "owner", "rules", "storage"]),
        ("spec:\n  rules:\n    - $0", ["days", "name"]),
        ("spec:\n  storage:\n    $0", ["class"]),
        ("spec:\n  storage: {$0}", ["class"]),
    ],
)
def test_the_keys_of_other_objects_are_offered(typed: str, expected: list[str]) -> None:
    assert labels(of_bucket(typed)) == expected


def of_bucket(typed: str) -> str:
    return rgd(OTHERS + "".join(f"    {line}\n" for line in typed.split("\n")))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("spec:\n  region: $0", ["eu", "us"]),
        ("spec:\n  versioned: $0", ["true", "false"]),
        ("spec:\n  rules:\n    - days: $0", ["3"]),
        ("spec:\n  storage:\n    class: $0", ["cold"]),
    ],
)
def test_their_values_are_offered(typed: str, expected: list[str]) -> None:
    found = [label for label in labels(of_bucket(typed)) if not label.startswith("${")]
    assert found == expected


def test_the_detail_says_where_they_come_from() -> None:
    items = completed(fixture(of_bucket("spec:\n  $0")))
    assert {each.detail for each in items.values()} == {
        f"{kind}, written in this workspace" for kind in ("string", "boolean", "any", "[]object", "object")
    }
    assert completed(fixture(of_bucket("spec:\n  region: $0")))["eu"].detail == "written in this workspace"
    assert "rules:\n" in accepted(of_bucket("spec:\n  $0"), "rules")


def test_hover_says_nothing_of_what_is_only_written() -> None:
    assert check_hover(fixture(of_bucket("spec:\n  regi$0on: eu"))) == "**region**: `any`"


def test_a_kind_that_is_known_is_completed_by_its_schema_alone() -> None:
    known = rgd(
        "- id: a\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}\n    made: up\n"
        "- id: b\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: b}\n    $0\n"
    )
    assert "made" not in labels(known)


def made(path: str, text: str) -> Document:
    return Document(path, None, Text(text))


def test_files_of_the_workspace_count() -> None:
    found = fixture(of_bucket("spec:\n  $0"))
    plain = "apiVersion: cloud.example.com/v1\nkind: Bucket\nmetadata:\n  name: x\nspec:\n  plain: 1\n"
    opened = Document("file:///b.yaml", 1, Text(plain))
    here = found.document
    others = AllDocuments({"/a.yaml": here, "/b.yaml": opened}, None, made)
    answer = completion(Cursor(here, found.cursor.offset, others), snippets=True)
    assert [each.label for each in answer.items][-1] == "plain"


def test_files_on_disk_count(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(of_bucket("").replace("region", "place"))
    (tmp_path / "bucket.yaml").write_text(
        "apiVersion: cloud.example.com/v1\nkind: Bucket\nmetadata: {name: x}\nspec: {plain: 1}\n"
    )
    typed = "- id: a\n  template:\n    apiVersion: cloud.example.com/v1\n    kind: Bucket\n    spec:\n      $0\n"
    found = fixture(rgd(typed))
    others = AllDocuments({}, load([tmp_path], SchemaSettings()), made)
    answer = completion(Cursor(found.document, found.cursor.offset, others), snippets=True)
    assert {"place", "plain"} <= {each.label for each in answer.items}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind: A\napiVersion: b/v1\nx: 1\n", {"x": 1}),
        ("a: 1\n---\nkind: A\napiVersion: b/v1\nx: 1\n---\ny: 2\n", {"x": 1}),
        ("- - kind: A\n    apiVersion: b/v1\n    x: 1\n  - kind: B\n", {"x": 1}),
        ("l:\n- x: 1\n\n  # kind: A\n  apiVersion: b/v1\n  kind: 'A'\n- x: 2\n", {"x": 1}),
        ("l:\n  x: 0\n  o:\n    x: 1\n    kind: A # c\n    apiVersion: b/v1\n  x: 3", {"x": 1}),
        ("kind: A\napiVersion: b/v1\nx: [1", {"x": [1]}),
        ("kind: AB\napiVersion: b/v1\n", None),
        ("text: kind: A\napiVersion: b/v1\n", None),
        ("kind: A\napiVersion: b/v1\nx: " + "1" * 10_000, None),
        ("a: &a [1]\nkind: A\napiVersion: b/v1\nx: *a\n", {"a": [1], "x": [1]}),
    ],
)
def test_objects_are_cut_out_of_texts(text: str, expected: object) -> None:
    found = written_objects([text], "b/v1", "A")
    names = {"kind": "A", "apiVersion": "b/v1"}
    assert [*found] == ([{**names, **expected}] if isinstance(expected, dict) else [])


def test_what_is_read_is_bounded() -> None:
    many = "kind: A\napiVersion: b/v1\n---\n" * 1000
    assert len(written_objects([many], "b/v1", "A")) == MOST_OBJECTS
    assert written_objects([many], "b/v1", "(") == ()
