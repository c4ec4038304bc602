"""The walk over single expressions, which the rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.rules import findings
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.findings import ExpressionChecks
from kro_ls.rules.rule import Rule
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.diagnostics import check_diagnostics

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import NamedScope, Scope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.types.check_result import CheckError

_TWO = """
- id: one
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${schema.spec.a}
      namespace: ${schema.spec.b}
    data:
      both: ${schema.spec.a + schema.spec.b}
      size: ${schema.spec.b + 1}
- id: two
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${one.metadata.name}
      namespace: ${schema.spec.b}
"""


class _Watching:
    """A rule that takes note of what it is shown, and finds all of it wrong."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        rule = Rule(
            "watching",
            Severity.ERROR,
            "It is seen.",
            "",
            "",
            "",
            check_expression=self._expression,
            check_error=self._error,
            errors=frozenset(ErrorKind),
        )

        self.checks = ExpressionChecks([rule])

    def _expression(
        self, checked: CheckedExpression, _part: Resource | SchemaSection, _scope: Scope
    ) -> Iterator[Finding]:
        self.seen.append(checked.expression.text)
        yield Finding(checked.expression.whole, checked.expression.text)

    def _error(self, checked: CheckedExpression, error: CheckError, _scope: Scope) -> Iterator[Finding]:
        self.seen.append(f"error in {checked.expression.text}")
        yield Finding(checked.expression.whole, error.message)


def _edited(document: Document, old: str, new: str) -> Document:
    start = document.text.content.index(old)
    first, last = document.text.position(start), document.text.position(start + len(old))
    return document.edited(1, (Edit(new, (first.line, first.column), (last.line, last.column)),))


def _found(watching: _Watching, document: Document) -> tuple[list[str], list[str]]:
    """Return the findings of each expression, and the expressions that were checked now."""
    watching.seen.clear()
    rgd = document.diagnosis.analysis.rgds[0]
    found = [
        finding.message for resource in rgd.parts for _, finding in watching.checks.find(resource, rgd.scope(resource))
    ]
    return found, watching.seen.copy()


def test_only_expressions_that_read_a_changed_field_are_looked_at_again() -> None:
    watching = _Watching()
    before = Document("file:///a.yaml", 0, Text(rgd(_TWO, spec="{a: string, b: string}")), PositionEncoding.UTF16)
    reported = [
        "schema.spec.a",
        "schema.spec.b",
        "schema.spec.a + schema.spec.b",
        "found no matching overload for '_+_' applied to '(string, int)'",
        "one.metadata.name",
        "schema.spec.b",
    ]
    assert _found(watching, before) == (reported, [*reported[:3], "error in schema.spec.b + 1", *reported[4:]])
    after = _edited(before, "a: string", "a: string | description=x")
    assert _found(watching, after) == (reported, ["schema.spec.a", "schema.spec.a + schema.spec.b"])
    other = _edited(after, "b: string", "b: integer")
    assert _found(watching, other) == (
        [
            "schema.spec.a",
            "schema.spec.b",
            "found no matching overload for '_+_' applied to '(string, int)'",
            "schema.spec.b + 1",
            "one.metadata.name",
            "schema.spec.b",
        ],
        ["schema.spec.b", "error in schema.spec.a + schema.spec.b", "schema.spec.b + 1", "schema.spec.b"],
    )


def test_an_edit_runs_the_checks_that_see_what_it_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []

    def check_text(resource: Resource, _scope: Scope) -> Iterator[Finding]:
        runs.append(f"text of {resource.id}")
        return iter(())

    def check_names(part: Resource | SchemaSection, _scope: NamedScope) -> Iterator[Finding]:
        if isinstance(part, Resource):
            runs.append(f"names in {part.id}")
        return iter(())

    monkeypatch.setattr(findings, "_RESOURCE_CHECKS", ((("watching",), check_text),))
    monkeypatch.setattr(findings, "_NAME_CHECKS", ((("watching",), check_names),))
    before = Document("file:///a.yaml", 0, Text(rgd(_TWO, spec="{a: string, b: string}")), PositionEncoding.UTF16)
    assert before.diagnosis is not None
    assert runs == ["text of one", "names in one", "text of two", "names in two"]
    runs.clear()
    edited = _edited(before, "b: string", "b: integer")
    assert [each.code for each in edited.diagnosis.diagnostics]
    assert runs == []
    assert _edited(edited, "id: one", "id: other").diagnosis is not None
    assert runs == ["text of other", "names in other", "names in two"]


def test_a_field_in_error_excuses_only_the_conditions_that_read_it() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1
  kind: App
  spec:
    free: object | required=true
    broken: strin
#           ^^^^^ unknown-type
resources:
- id: config
  includeWhen:
  - ${schema.spec.free.a}
#     ^^^^^^^^^^^^^^^^^^ condition-type: must return bool or optional_type(bool), but returns "dyn"
  - ${schema.spec.broken}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: x
""")


def test_a_variable_that_holds_a_type() -> None:
    # kro checks such an expression, and then cannot compile it (cel-go looks for a type called `x`).
    template = """
- id: one
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${schema.metadata.name}
    data:
      found: ${string([type("a")].exists(x, dyn(x) == type(1)))}
      #                                         ^ type-error: reference to undefined type: x
      unread: ${string([type("a")].map(x, 1).size())}
      type: ${string(type("a") == type(1))}
"""
    check_diagnostics(rgd(template))


def test_a_value_that_does_not_fit_into_its_text_is_no_operator() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  spec: {size: integer | default=1}
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: config}
      data:
        size: size-${schema.spec.size}
#                    ^^^^^^^^^^^^^^^^ no-matching-overload: a text needs string, but this gives int; convert it with
""")
