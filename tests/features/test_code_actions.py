"""Code actions: the fixes of diagnostics, and silencing them."""

from __future__ import annotations

from lsprotocol import types

from kro_ls.features.actions.code_actions import code_actions
from kro_ls.features.convert import to_range
from kro_ls.features.diagnostics import diagnostics
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_code_actions
from tests.fixtures.language import fixture
from tests.paths import CONFORMANCE, needs_conformance

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


def test_the_fix_comes_first_and_is_preferred() -> None:
    found = fixture(rgd(CONFIG))
    silence = "Silence unresolved-reference here with a comment: kro will still refuse it"
    taken = check_code_actions(found, "Change to 'schema', change to 'name'", "Change to 'schema'", silence)
    assert [action.is_preferred for action, _ in taken] == [True, False, False]
    for _, document in taken:
        assert diagnostics(document)[:1] != diagnostics(found.document)[:1]


def test_a_fix_of_several_diagnostics_is_offered_once() -> None:
    config = CONFIG.replace("sh$0ema.metadata.nam", "schema.spec.size + schema.spec.siz$0e")
    found = fixture(rgd(config, spec="\n      name: string"))
    content = found.document.text.content
    line = to_range(found.document, Span(content.rindex("name:"), found.cursor.offset))
    declaring = [each for each in code_actions(found.document, line) if each.title.startswith("Declare 'size")]
    assert len(declaring) == 1
    assert [each.code for each in declaring[0].diagnostics or ()] == ["undefined-field", "undefined-field"]


def test_what_does_not_touch_the_selection_is_left_out() -> None:
    check_code_actions(fixture(rgd(CONFIG.replace("sh$0ema", "shma").replace("- id", "- $0id"))))


def test_a_broken_crd_is_reported_and_can_be_silenced() -> None:
    found = fixture(CRD)
    (reported,) = diagnostics(found.document)
    assert (reported.code, reported.severity) == ("broken-crd", types.DiagnosticSeverity.Warning)
    assert reported.range.start.line == found.position.line
    ((_, silenced),) = check_code_actions(found, "Silence broken-crd here with a comment")
    assert diagnostics(silenced) == []


def test_a_deprecated_kind_is_struck_through() -> None:
    found = fixture(rgd("- id: a\n  template:\n    apiVersion: v1\n    kind: Endpoints\n    metadata: {name: a}"))
    (reported,) = diagnostics(found.document)
    assert reported.tags == [types.DiagnosticTag.Deprecated]


def test_broken_yaml_cannot_be_silenced() -> None:
    found = fixture(rgd("- id: 'a$0"))
    assert {reported.code for reported in diagnostics(found.document)} >= {"yaml-syntax"}
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    assert not [each for each in code_actions(found.document, everything) if "yaml-syntax" in each.title]


def test_a_selection_of_very_many_faults_offers_the_first_ones() -> None:
    resource = CONFIG.replace("$0", "")
    text = rgd(
        "".join(
            resource.replace("config", f"config{number}").replace("nam}", f"nam}}-{number}") for number in range(60)
        )
    )
    document = fixture(f"$0{text}").document
    assert len(diagnostics(document)) >= 60
    lines = text.count("\n")
    actions = code_actions(document, types.Range(types.Position(0, 0), types.Position(lines, 0)))
    assert 50 <= len({str(action.diagnostics) for action in actions}) < 60


def test_a_kind_that_is_known_in_another_version_can_be_changed_to_it() -> None:
    crd = CRD.replace("$0scope: Everywhere", "scope: Namespaced")
    template = (
        "\n- id: a\n  template:\n    apiVersion: example.com/v1alpha1\n    kind: $0Bucket\n    metadata: {name: a}\n"
    )
    found = fixture(f"//- rgd.yaml\n{rgd(template)}\n//- crd.yaml\n{crd}")
    silence = "Silence unknown-kind here with a comment"
    ((change, changed), _) = check_code_actions(found, "Change to 'example.com/v1'", silence)
    assert change.is_preferred
    assert "apiVersion: example.com/v1\n" in changed.text.content


def test_what_silences_stands_below_the_fixes_of_others() -> None:
    kind = "- id: a\n  template:\n    apiVersion: example.com/v1\n    kind: $0Bucket\n    metadata: {name: a}"
    ((silence, _),) = check_code_actions(fixture(rgd(kind)), "Silence unknown-kind here with a comment")
    assert silence.diagnostics is None, "VS Code puts what names a diagnostic above the actions of other extensions"


@needs_conformance
def test_the_titles_of_all_fixes_of_known_definitions_have_room_in_a_menu() -> None:
    offered, long = 0, 0
    for path in sorted((CONFORMANCE / "rgds").glob("*.yaml")):
        document = Document(path.as_uri(), 1, Text(path.read_text(encoding="utf-8")))
        long += sum(len(fix.title) > 80 for each in document.diagnosis.diagnostics for fix in each.fixes)
        actions = code_actions(document, to_range(document, Span(0, len(document.text.content))))
        offered += len(actions)
        assert [each.title for each in actions if len(each.title) > 80 or "\n" in each.title] == []
    assert offered > 500
    assert long > 0
