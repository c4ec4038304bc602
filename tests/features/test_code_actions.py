"""Code actions: the fixes of diagnostics, and silencing them."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.features import diagnostics as feature
from kro_ls.features.actions.code_actions import code_actions
from kro_ls.features.convert import to_offset
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.features.fixtures import URI, fixture, rgd

CONFIG = """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${sh$0ema.metadata.nam}
"""
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.com
spec:
  group: example.com
  scope: $0Everywhere
  names: {kind: Bucket, plural: buckets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


def diagnostics(document: Document) -> list[types.Diagnostic]:
    return feature.diagnostics(document, document.diagnosis)


def applied(document: Document, action: types.CodeAction) -> Document:
    assert action.edit
    assert action.edit.changes
    content = document.text.content
    for edit in action.edit.changes[URI]:
        start, end = to_offset(document, edit.range.start), to_offset(document, edit.range.end)
        content = content[:start] + edit.new_text + content[end:]
    return Document(URI, 2, Text(content))


def test_the_fix_comes_first_and_is_preferred() -> None:
    found = fixture(rgd(CONFIG))
    actions = code_actions(found.document, types.Range(found.cursor, found.cursor))
    assert [(action.title, action.is_preferred) for action in actions] == [
        ("Change to 'schema'", True),
        ("Silence unresolved-reference here with a comment", False),
    ]
    for action in actions:
        assert diagnostics(applied(found.document, action))[:1] != diagnostics(found.document)[:1]


def test_what_does_not_touch_the_selection_is_left_out() -> None:
    found = fixture(rgd(CONFIG.replace("sh$0ema", "shma").replace("- id", "- $0id")))
    assert code_actions(found.document, types.Range(found.cursor, found.cursor)) == []


def test_a_broken_crd_is_told_and_can_be_silenced() -> None:
    found = fixture(CRD)
    (told,) = diagnostics(found.document)
    assert (told.code, told.severity) == ("broken-crd", types.DiagnosticSeverity.Warning)
    assert told.range.start.line == found.cursor.line
    (action,) = code_actions(found.document, types.Range(told.range.start, told.range.start))
    assert diagnostics(applied(found.document, action)) == []


def test_a_deprecated_kind_is_struck_through() -> None:
    found = fixture(rgd("- id: a\n  template:\n    apiVersion: v1\n    kind: Endpoints\n    metadata: {name: a}"))
    (told,) = diagnostics(found.document)
    assert told.tags == [types.DiagnosticTag.Deprecated]


def test_broken_yaml_cannot_be_silenced() -> None:
    found = fixture(rgd("- id: 'a$0"))
    assert {told.code for told in diagnostics(found.document)} >= {"yaml-syntax"}
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    assert not [each for each in code_actions(found.document, everything) if "yaml-syntax" in each.title]
