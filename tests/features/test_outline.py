"""Document symbols and folding."""

from __future__ import annotations

from kro_ls.features.navigation.folding import folding_ranges
from kro_ls.features.navigation.symbols import document_symbols
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_folds, check_symbols
from tests.fixtures.language import fixture

SOURCE = rgd(
    """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: x
    data:
      script: |
        one
        two

- id: pods
  forEach:
    - zone: ${schema.spec.zones}
  template: {apiVersion: v1, kind: Pod, metadata: {name: "${zone}"}}
""",
    spec='{zones: "[]string", size: {cpu: integer}}',
    status="count: ${size(pods)}",
)


def test_the_outline_holds_the_api_and_the_resources() -> None:
    expected = [
        "app (App) Module",
        "  schema (App) Interface",
        "    spec (None) Namespace",
        "      zones ([]string) Field",
        "      size (None) Struct",
        "        cpu (integer) Field",
        "    status (None) Namespace",
        "      count (${size(pods)}) Field",
        "  config (ConfigMap) Object",
        "  pods (Pod) Array",
        "    zone (${schema.spec.zones}) Variable",
    ]
    check_symbols(fixture(SOURCE), expected)


def test_a_selection_is_inside_its_range_and_a_child_inside_its_parent() -> None:
    pending = document_symbols(fixture(SOURCE).document)
    while pending:
        symbol = pending.pop()
        assert symbol.range.start <= symbol.selection_range.start
        assert symbol.selection_range.end <= symbol.range.end
        for child in symbol.children or []:
            assert symbol.range.start <= child.range.start
            assert child.range.end <= symbol.range.end
            pending.append(child)


def test_everything_that_spans_lines_folds() -> None:
    check_folds(
        fixture(SOURCE),
        ("metadata:", "name: app"),
        ("schema:", "count: ${size(pods)}"),
        ("resources:", 'template: {apiVersion: v1, kind: Pod, metadata: {name: "${zone}"}}'),
        ("- id: config", "two"),
        ("script: |", "two"),
        ("forEach:", "- zone: ${schema.spec.zones}"),
    )


def test_a_text_without_rgd_has_neither() -> None:
    document = fixture("kind: ConfigMap\nmetadata:\n  name: x\n").document
    assert document_symbols(document) == []
    assert folding_ranges(document) == []
