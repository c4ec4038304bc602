"""Definitions of different files that do not work together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.check import check_file
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.yaml_positions.text import Text
from tests.rules.files.test_definitions_together import definition, with_metadata

if TYPE_CHECKING:
    from pathlib import Path

CODES = {"taken-kind", "kind-circle", "conflicting-resources"}


def check(folder: Path, files: dict[str, str]) -> dict[str, list[str]]:
    """Return the severities and messages of each file's diagnostics, without files that have none."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    kinds = load([folder], SchemaSettings())
    found = {
        name: check_file(str(folder / name), Text(text), DEFAULT_SETTINGS, kinds).found.diagnostics
        for name, text in files.items()
    }
    shown = {
        name: [f"{each.severity}: {each.message}" for each in diagnostics if each.code in CODES]
        for name, diagnostics in found.items()
    }
    return {name: each for name, each in shown.items() if each}


FIRST, SECOND = definition("first", "Shop", "ConfigMap"), definition("second", "Shop", "ConfigMap")
BOTH = "resources: [a.yaml, b.yaml]"


def test_a_folder_with_one_kind_twice_is_a_hint(tmp_path: Path) -> None:
    said = "declares this kind, too; kro gives it to one of them"
    assert check(tmp_path, {"d/a.yaml": FIRST, "d/b.yaml": SECOND}) == {
        "d/a.yaml": [f"hint: 'second' in d/b.yaml {said}"],
        "d/b.yaml": [f"hint: 'first' in d/a.yaml {said}"],
    }


@pytest.mark.parametrize(
    "files",
    [
        {"d/a.yaml": FIRST, "d/b.yaml": FIRST},
        {"a/a.yaml": FIRST, "b/b.yaml": SECOND},
        {"d/a.yaml": FIRST, "d/b.yaml": definition("second", "Shop", "ConfigMap", group="example.com")},
        {"d/a.yaml": FIRST, "d/b.yaml": SECOND, "d/kustomization.yaml": "resources: [a.yaml]"},
        {
            "a/a.yaml": FIRST,
            "b/b.yaml": SECOND,
            "a/kustomization.yaml": "resources: [a.yaml]",
            "b/kustomization.yaml": "resources: [b.yaml]",
        },
    ],
    ids=["same-name", "other-folder", "other-group", "one-listed", "two-overlays"],
)
def test_definitions_of_one_kind_that_need_not_meet(tmp_path: Path, files: dict[str, str]) -> None:
    assert check(tmp_path, files) == {}


@pytest.mark.parametrize(
    "kustomizations",
    [
        {"a/kustomization.yaml": "resources: [a.yaml, ../b/b.yaml]"},
        {
            "kustomization.yaml": "resources: [a, b]",
            "a/kustomization.yaml": "resources: [a.yaml]",
            "b/kustomization.yaml": "resources: [b.yaml]",
        },
    ],
)
def test_what_a_kustomization_builds_together_is_a_warning(tmp_path: Path, kustomizations: dict[str, str]) -> None:
    shown = check(tmp_path, {"a/a.yaml": FIRST, "b/b.yaml": SECOND, **kustomizations})
    assert shown["a/a.yaml"] == ["warning: 'second' in b/b.yaml declares this kind, too; kro gives it to one of them"]


def test_kinds_in_a_circle_over_files(tmp_path: Path) -> None:
    files = {
        "a/shop.yaml": definition("shop", "Shop", "Till"),
        "b/till.yaml": definition("till", "Till", "Drawer"),
        "c/drawer.yaml": definition("drawer", "Drawer", "Shop"),
        "d/town.yaml": definition("town", "Town", "Shop"),
    }
    said = "need each other's kinds, so kro accepts neither in a new cluster"
    assert check(tmp_path, files) == {
        "a/shop.yaml": [f"warning: this and 'till' in b/till.yaml {said}"],
        "b/till.yaml": [f"warning: this and 'shop' in a/shop.yaml {said}"],
        "c/drawer.yaml": [f"warning: this and 'shop' in a/shop.yaml {said}"],
    }


def test_a_circle_in_one_file_is_reported_once(tmp_path: Path) -> None:
    both = "---".join((definition("shop", "Shop", "Till"), definition("till", "Till", "Shop")))
    shown = check(tmp_path, {"a.yaml": both, "b.yaml": definition("town", "Town", "Shop")})
    assert {name: len(each) for name, each in shown.items()} == {"a.yaml": 2}


def test_copies_of_definitions_make_no_circle(tmp_path: Path) -> None:
    """The nearest definition of a kind counts, and that needs nothing."""
    files = {
        "new/shop.yaml": definition("shop", "Shop", "Till"),
        "new/till.yaml": definition("till", "Till", "ConfigMap"),
        "old/shop.yaml": definition("shop", "Shop", "ConfigMap"),
        "old/till.yaml": definition("till", "Till", "Shop"),
    }
    assert check(tmp_path, files) == {}


def test_a_kind_that_is_only_mentioned_makes_no_circle(tmp_path: Path) -> None:
    files = {
        "shop.yaml": definition("shop", "Shop", "Till"),
        "till.yaml": definition("till", "Till", "ConfigMap") + "          # kind: Shop\n",
    }
    assert check(tmp_path, files) == {}


FIXED = "{name: shared, namespace: all}"
MAKES = "makes this object, too, and it belongs to the instance that applies it first"


def with_object(name: str, metadata: str = FIXED, condition: str = "") -> str:
    text = with_metadata(name, name.title(), metadata)
    return text.replace("    - id: it\n", f"    - id: it\n      includeWhen: ['{condition}']\n") if condition else text


def test_one_object_of_definitions_in_two_files(tmp_path: Path) -> None:
    files = {"d/a.yaml": with_object("first"), "d/b.yaml": with_object("second")}
    assert check(tmp_path, files) == {
        "d/a.yaml": [f"hint: 'second' in d/b.yaml {MAKES}"],
        "d/b.yaml": [f"hint: 'first' in d/a.yaml {MAKES}"],
    }
    shown = check(tmp_path, {**files, "d/kustomization.yaml": BOTH})
    assert shown["d/b.yaml"] == [f"warning: 'first' in d/a.yaml {MAKES}"]


def test_conditions_may_keep_one_object_apart(tmp_path: Path) -> None:
    conditional = with_object("second", condition='${schema.metadata.name == "main"}')
    shown = check(tmp_path, {"d/a.yaml": with_object("first"), "d/b.yaml": conditional, "d/kustomization.yaml": BOTH})
    assert shown == {
        "d/a.yaml": [f"hint: 'second' in d/b.yaml {MAKES}"],
        "d/b.yaml": [f"hint: 'first' in d/a.yaml {MAKES}"],
    }


def test_an_object_without_a_namespace_is_one_for_all(tmp_path: Path) -> None:
    one, other = (with_object(name, "{name: shared}") for name in ("first", "second"))
    roles = [each.replace("apiVersion: v1\n        kind: ConfigMap", ROLE) for each in (one, other)]
    shown = check(tmp_path, dict(zip(("d/a.yaml", "d/b.yaml"), roles, strict=True)))
    assert shown["d/a.yaml"] == [f"hint: 'second' in d/b.yaml {MAKES}"]


ROLE = "apiVersion: rbac.authorization.k8s.io/v1\n        kind: ClusterRole"


@pytest.mark.parametrize(
    "other",
    [
        with_object("second", "{name: shared, namespace: other}"),
        with_object("second", "{name: other, namespace: all}"),
        with_object("second", "{name: shared}"),
        with_object("first"),
        with_object("second").replace("ConfigMap", "Secret"),
    ],
    ids=["namespace", "name", "own-namespace", "same-definition", "kind"],
)
def test_objects_that_are_others(tmp_path: Path, other: str) -> None:
    assert check(tmp_path, {"a.yaml": with_object("first"), "b.yaml": other, "kustomization.yaml": BOTH}) == {}
