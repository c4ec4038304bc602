"""CustomResourceDefinitions as diagnostics."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kinds.broken_crd import check_crds, may_hold_crds
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text
from tests.fixtures.diagnostics import check_workspace

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.com
spec:
  group: example.com
  scope: Everywhere
  names: {kind: Bucket, plural: buckets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


def test_a_problem_is_a_warning_at_its_place() -> None:
    text = Text(CRD)
    (found,), silenced = check_crds(text, Settings())
    assert (found.code, found.severity, silenced) == ("broken-crd", Severity.WARNING, ())
    assert text.position(found.span.start).line == 6
    assert found.message == "'Everywhere' is not a scope; expected 'Cluster' or 'Namespaced'"
    assert found.kro_message == 'spec.scope: Unsupported value: "Everywhere": supported values: "Cluster", "Namespaced"'


def test_its_severity_can_be_set_and_comments_silence_it() -> None:
    (found,), _ = check_crds(Text(CRD), Settings((("broken-crd", Severity.ERROR),)))
    assert found.severity is Severity.ERROR
    assert check_crds(Text(CRD), Settings((("broken-crd", None),))) == ((), ())
    quiet = CRD.replace("Everywhere", "Everywhere  # kro-ls: ignore[broken-crd]")
    shown, silenced = check_crds(Text(quiet), Settings())
    assert (shown, len(silenced)) == ((), 1)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (CRD, True),
        (CRD.replace("kind: Custom", '"kind": "Custom').replace("Definition\n", 'Definition"\n'), True),
        ('{\n  "kind": "CustomResourceDefinition"\n}', True),
        ("kind: List\nitems:\n  - kind: CustomResourceDefinition\n", True),
        ("kind: ConfigMap\n", False),
        ("kind: ResourceGraphDefinition\nspec:\n  resources:\n    kind: CustomResourceDefinition\n", False),
    ],
)
def test_only_texts_with_definitions_are_read(content: str, expected: bool) -> None:
    assert may_hold_crds(Text(content)) is expected


def test_finding_and_near_miss(tmp_path: Path) -> None:
    head, tail = CRD.split("  scope: Everywhere\n")
    for scope in (
        "  scope: Everywhere\n  ^^^^^ broken-crd: 'Everywhere' is not a scope\n",
        "  scope: Namespaced\n  ~~~~~ broken-crd\n",
    ):
        check_workspace(tmp_path, f"//- crd.yaml\n{head}{scope}{tail}")
