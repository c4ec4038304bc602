"""An analysis is a value: after any edits it is what the same text gives when nothing is cached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.analysis.types.checking import check_part
from kro_ls.cursor.parts import parts
from kro_ls.kro.schema_index import schema_index
from kro_ls.kro.versions.version import Version
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.queries.cells import tables
from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.documents import entries
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text
from tests.fixtures.examples import FEW
from tests.paths import EXAMPLES, ROOT
from tests.rules.graphs import ACCEPTED, graph

TEXTS = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.yaml"))]
_SMALL = min(TEXTS, key=len)
_PROPOSED = (ROOT / "tests" / "rules" / "versions" / "krep_2.yaml").read_text(encoding="utf-8")
_ITEM = _SMALL.replace("\n", "\n  ").rstrip(" ")
TEXTS += [
    _PROPOSED,
    graph(ACCEPTED["child captures"] + ACCEPTED["patch of each"]) + f"---\n{_SMALL}",
    f"apiVersion: v1\nkind: List\nitems:\n- {_ITEM}- {_ITEM}---\n{_SMALL}",
    f"{_SMALL}---\nx\n---#y\n- a\n...\n---\n{_SMALL}",
    '{"apiVersion": "v1", "kind": "A"}\n{"apiVersion": "kro.run/v1alpha1", "kind": "ResourceGraphDefinition"}\n',
]

edits = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.booleans(),
        st.sampled_from([0, 0, 1, 5, 30]),
        st.sampled_from(
            [
                *("", "x", "${", "}", "\n", "\n    - id: added\n", ": ", '"', "schema.spec.", "  ", "# a comment\n"),
                *(
                    "{",
                    "{{ .Values.name }}",
                    "{{- if .Values.on }}\n",
                    "    - id: second\n",
                    "      more: string | required=true\n",
                    "      includeWhen:\n",
                ),
            ]
        ),
        st.booleans(),
    ),
    min_size=1,
    max_size=4,
)


_FIELDS = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: fields
spec:
  schema:
    apiVersion: v1alpha1
    kind: Fields
    types:
      Port:
        number: integer | default=80
    spec:
      name: string | required=true
      size: integer | default=2 minimum=1
      port: Port
      ports: '[]Port'
      # a comment
      "quoted": "string | default=\\"x\\" description=\\"a: b\\""
      nested:
        inner: string | default=a
        deep: {flow: boolean, other: 'integer | default=1'}
      unused: string
      text: |
        string | default=b
    status:
      first: ${config.metadata.name}
      fixed: "${config.metadata.name}-${schema.spec.name}"
      conditions:
      - ${runtime.newCondition({type: "Available", status: "True"})}
      plain: text
      object:
        list: ["${config.metadata.namespace}", "${schema.spec.size}"]
      folded: >-
        ${schema.spec.nested.inner}
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.spec.name}-${schema.spec.port.number}
        data:
          size: ${string(schema.spec.size)}
          text: ${schema.spec.text + schema.spec.quoted}
"""
edits_of_fields = st.lists(
    st.tuples(
        st.floats(0.1, 0.9),
        st.booleans(),
        st.sampled_from([0, 0, 0, 1, 5]),
        st.sampled_from(
            [
                *("", "x", "\n", "  ", " # a comment", "# a comment\n", '"', "'", ": ", "\t", "- ", "&a ", "*a", "|"),
                *("      more: string\n", "      name: string\n", "      size: Port | default={}\n", "      - x\n"),
                *("      more: ${config.metadata.name}\n", "      more: ${confg.metadata.name}\n", "    spec:\n"),
                *('      more: a | validation="self > 1"\n', "      more: {a: integer}\n", "      ? a\n", "${"),
            ]
        ),
        st.booleans(),
    ),
    min_size=1,
    max_size=5,
)


@contextmanager
def nothing_known() -> Iterator[None]:
    """Have the same text give new objects, though the old ones are still held; they are found again afterwards."""
    known = {id(table): dict(table.items()) for table in tables()}
    for table in tables():
        table.clear()
    try:
        yield
    finally:
        for table in tables():
            table.clear()
            table.update(known.get(id(table), {}))


def outcome(diagnosis: Diagnosis) -> object:
    """Return all that a diagnosis reports, without the objects that are compared by identity."""
    return (
        diagnosis.diagnostics,
        diagnosis.silenced,
        [
            (rgd.graph.dependencies, rgd.graph.order, rgd.graph.cycles, list(rgd.resources))
            for rgd in diagnosis.analysis.rgds
        ],
        [
            [
                (checked.expression.text, str(checked.result.type), str(checked.expected))
                for part in parts(rgd)
                for scope in [rgd.scope(part.part)]
                for checked in check_part(part.part, scope.bindings, scope.kind)
            ]
            for rgd in diagnosis.analysis.rgds
        ],
    )


def edited(document: Document, start: int, end: int, new: str) -> Document:
    """Return the document after an edit in a client's units."""
    first, last = document.text.position(start), document.text.position(end)
    edit = Edit(new, (first.line, first.column), (last.line, last.column))
    return document.edited((document.version or 0) + 1, (edit,))


@FEW
@given(st.sampled_from(TEXTS), edits)
def test_an_edited_text_is_analysed_as_if_it_were_new(
    source: str, changes: list[tuple[float, bool, int, str, bool]]
) -> None:
    check_edits(source, changes)


@FEW
@given(st.sampled_from([_FIELDS, _FIELDS.replace("\n", "\r\n"), f"{_FIELDS}---\n{_SMALL}"]), edits_of_fields)
def test_a_schema_in_parts_is_analysed_as_one_that_is_read_as_a_whole(
    source: str, changes: list[tuple[float, bool, int, str, bool]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entries, "SMALLEST_CUT", 0)
        document = check_edits(source, changes)
        patch.setattr(entries, "SMALLEST_CUT", len(document.text.content) + 1)
        with nothing_known():
            assert outcome(diagnose_text(Text(document.text.content))) == outcome(document.diagnosis)


def check_edits(source: str, changes: list[tuple[float, bool, int, str, bool]]) -> Document:
    """Return the document after the edits, which is what a fresh one with its text would be."""
    document = Document("file:///a.yaml", 1, Text(source), PositionEncoding.UTF32)
    assert document.diagnosis.analysis is document.analysis
    for where, at_line_start, removed, inserted, is_paused in changes:
        start = int(where * len(document.text.content))
        if at_line_start:
            start = document.text.content.rfind("\n", 0, start) + 1
        document = edited(document, start, min(start + removed, len(document.text.content)), inserted)
        if is_paused:
            assert document.diagnosis.analysis is document.analysis
    warm = outcome(document.diagnosis)
    with nothing_known():
        assert outcome(diagnose_text(Text(document.text.content))) == warm
    return document


_READERS = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: readers
spec:
  schema:
    apiVersion: v1alpha1
    kind: Readers
    spec:
      a: string
      b: string
      c: string
    status:
      first: ${schema.spec.a}
      second: ${schema.spec.b + one.metadata.name}
  resources:
    - id: one
      includeWhen:
        - ${schema.spec.a == "x"}
        - ${schema.spec.b}
        - ${schema.spec.b.on}
      readyWhen:
        - ${one.metadata.name == schema.spec.c}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: ${schema.spec.a}-${schema.spec.b}
          namespace: ${schema.spec.c}
        data:
          size: ${schema.spec.a + 1}
          text: ${string(schema.spec.c)}
          bytes: ${schema.spec.b.find("[") + schema.spec.c}
    - id: many
      forEach:
        - zone: ${schema.spec.a}
        - other: ${schema.spec.b}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: ${zone}-${string(other)}
        spec:
          replicas: ${schema.spec.c}
          selector: ${other}
    - id: unknown
      template:
        apiVersion: example.com/v1
        kind: Unknown
        metadata:
          name: ${many[0].metadata.name}
        spec: ${schema.spec.a}
        size: ${many[0].spec.replicas + schema.spec.b}
"""
_FIELD_TYPES = (
    "string",
    '"string | enum=\\"y,z\\""',
    "integer | minimum=2",
    "boolean",
    "float",
    "object",
    '"[]string"',
    '"map[string]integer"',
    "strin",
    "{on: boolean}",
    "{on: object}",
)
field_types = st.tuples(st.sampled_from("abc"), st.sampled_from(_FIELD_TYPES))


@FEW
@given(st.lists(field_types, min_size=2, max_size=6))
def test_who_reads_fields_is_checked_as_if_they_had_always_been_so(changes: list[tuple[str, str]]) -> None:
    document = Document("file:///a.yaml", 1, Text(_READERS), PositionEncoding.UTF32)
    assert document.diagnosis.analysis is document.analysis
    for name, new in changes:
        start = document.text.content.index(f"      {name}: ") + len(f"      {name}: ")
        document = edited(document, start, document.text.content.index("\n", start), new)
        warm = outcome(document.diagnosis)
        with nothing_known():
            assert outcome(diagnose_text(Text(document.text.content))) == warm


def test_actions_of_a_template_are_found_where_they_are_typed() -> None:
    document = Document("file:///a.yaml", 1, Text(_SMALL), PositionEncoding.UTF32)
    assert not document.analysis.actions.spans
    place = _SMALL.index("spec:")
    for character in "{{ if .Values.on }}\n":
        document = edited(document, place, place, character)
        place += 1
        assert document.analysis.actions == diagnose_text(document.text).analysis.actions
    assert document.analysis.actions.spans


def test_a_spec_that_cannot_be_determined_any_more_is_unknown_after_an_edit_too() -> None:
    source = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: pods
spec:
  schema:
    apiVersion: v1alpha1
    kind: Pods
    spec:
      zones: '[]string | required=true'
  resources:
    - id: pod
      forEach:
        - zone: ${schema.spec.zones}
      template:
        apiVersion: v1
        kind: Pod
        metadata:
          name: ${zone}
        spec:
          containers: [{name: web, image: nginx}]
"""
    document = Document("file:///a.yaml", 1, Text(source), PositionEncoding.UTF32)
    assert not document.diagnosis.diagnostics
    place = source.index("\n      zones")
    document = edited(document, place, place, " out: of place\n")
    warm = outcome(document.diagnosis)
    assert "for-each-type" not in {each.code for each in document.diagnosis.diagnostics}
    with nothing_known():
        assert outcome(diagnose_text(document.text)) == warm


@pytest.mark.parametrize("text", TEXTS)
def test_a_document_with_other_settings_and_kinds_is_not_parsed_again(text: str) -> None:
    document = Document("file:///a.yaml", 1, Text(text))
    _ = document.diagnosis
    other = Settings(version=Version(0, 8, 5))
    renewed = document.renewed(settings=other, schemas=schema_index(kubernetes("1.34")), other_schemas=())
    assert renewed.analysis.stream is document.analysis.stream
    found = outcome(renewed.diagnosis)
    with nothing_known():
        assert outcome(diagnose_text(Text(text), other, schema_index(kubernetes("1.34")))) == found
