"""Definitions of one file that do not work together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fixtures.diagnostics import check_workspace

if TYPE_CHECKING:
    from pathlib import Path


def definition(name: str, kind: str, uses: str, mark: str = "", group: str = "kro.run") -> str:
    api_version = "v1" if uses == "ConfigMap" else "kro.run/v1alpha1"
    return f"""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: {name}
spec:
  schema:
    apiVersion: v1alpha1
    group: {group}
    kind: {kind}
{f"#         {mark}" if mark else "    # fine"}
  resources:
    - id: it
      template:
        apiVersion: {api_version}
        kind: {uses}
        metadata:
          name: ${{schema.metadata.name}}
"""


def check(folder: Path, *definitions: str) -> None:
    check_workspace(folder, "---".join(definitions))


def test_one_kind_twice(tmp_path: Path) -> None:
    check(
        tmp_path,
        definition("first", "Shop", "ConfigMap"),
        definition("second", "Shop", "ConfigMap", "^^^^ taken-kind: 'first' declares this kind, too"),
        definition("third", "Shop", "ConfigMap", "~~~~ taken-kind", group="example.com"),
    )


def test_one_takes_the_place_of_the_other(tmp_path: Path) -> None:
    check(tmp_path, definition("shop", "Shop", "ConfigMap"), definition("shop", "Shop", "ConfigMap"))


def test_kinds_in_a_circle(tmp_path: Path) -> None:
    check(
        tmp_path,
        definition("first", "Shop", "Till", "^^^^ kind-circle: this and 'second' need each other's kinds"),
        definition("second", "Till", "Shop", "^^^^ kind-circle: this and 'first'"),
        definition("third", "Town", "Shop", "~~~~ kind-circle"),
    )


def with_metadata(name: str, kind: str, metadata: str, *marks: str) -> str:
    head, _, _ = definition(name, kind, "ConfigMap").partition("        metadata:\n")
    return "\n".join(
        (f"{head}        metadata: {metadata}", *(f"#                        {each}" for each in marks), "")
    )


def test_one_object_of_two_definitions(tmp_path: Path) -> None:
    fixed, hint = "{name: shared, namespace: all}", "^^^^^^ fixed-name"
    check(
        tmp_path,
        with_metadata("first", "Shop", fixed, hint),
        with_metadata("second", "Till", fixed, hint, "^^^^^^ conflicting-resources: 'first' makes this object, too"),
    )


def test_objects_of_instances_are_others(tmp_path: Path) -> None:
    own = ("{name: shared}", "{name: '${schema.metadata.name}'}")
    check(tmp_path, *(with_metadata(f"d{n}{m}", f"Kind{n}{m}", each) for n, each in enumerate(own) for m in "ab"))
