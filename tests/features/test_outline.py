"""Document symbols and folding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from kro_ls.features.lsp_types import DocumentSymbol
from kro_ls.features.navigation.folding import folding_ranges
from kro_ls.features.navigation.symbols import MOST_OBJECT_SYMBOLS, document_symbols
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
        "    template (None) Struct",
        "      apiVersion (v1) Field",
        "      kind (ConfigMap) Field",
        "      metadata (None) Struct",
        "        name (x) Field",
        "      data (None) Struct",
        "        script (one) Field",
        "  pods (Pod) Array",
        "    zone (${schema.spec.zones}) Variable",
        "    template (None) Struct",
        "      apiVersion (v1) Field",
        "      kind (Pod) Field",
        "      metadata (None) Struct",
        "        name (${zone}) Field",
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


DEEP = rgd(
    """
- id: web
  readyWhen: ["${web.status.ready}"]
  template:
    apiVersion: apps/v1
    kind: Deployment
    spec:
      containers:
        - image: x
          name: app
        - {id: second}
        - key: third
        - ports: 1
"""
)


def test_list_items_are_named_by_what_tells_them_apart() -> None:
    found = fixture(DEEP)
    symbols = {each.name: each for each in _all(document_symbols(found.document))}
    assert [each.name for each in symbols["containers"].children] == ["app", "second", "third", "[3]"]
    assert symbols["readyWhen"].kind is types.SymbolKind.Array


def test_the_lines_that_stay_in_sight_are_those_that_begin_the_yaml_around() -> None:
    """VS Code shows the line of the selection of each symbol around the first visible line."""
    found = fixture(DEEP)
    lines = found.content.split("\n")
    place = next(number for number, line in enumerate(lines) if line.endswith("- image: x")) + 1
    around = [
        each
        for each in _all(document_symbols(found.document))
        if each.range.start.line < place < each.range.end.line + 1
    ]
    shown = [lines[each.selection_range.start.line].strip() for each in around]
    assert shown == [
        "kind: ResourceGraphDefinition",
        "- id: web",
        "template:",
        "spec:",
        "containers:",
        "- image: x",
    ]


def test_the_outline_of_a_large_definition_ends_at_its_resources() -> None:
    fields = "".join(f"\n      k{number}: v" for number in range(60))
    one = "\n- id: r{}\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    data:" + fields
    symbols = document_symbols(fixture(rgd("".join(one.format(number) for number in range(200)))).document)
    resources = [each for each in symbols[0].children if each.name.startswith("r")]
    assert len(resources) == 200
    assert resources[0].children
    assert not resources[-1].children
    assert sum(1 for _ in _all(symbols)) < MOST_OBJECT_SYMBOLS + 300


def _all(symbols: Sequence[DocumentSymbol]) -> Iterator[DocumentSymbol]:
    for each in symbols:
        yield each
        yield from _all(each.children)


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
