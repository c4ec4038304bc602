"""What previews, lenses and graphs say of a definition that kro refuses: never one of kro's states."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lsprotocol import types
from msgspec.structs import replace

from kro_ls.features.hints.code_lenses import code_lenses, resolve
from kro_ls.features.previews.explored import explored
from kro_ls.features.previews.graph import graph_answer
from kro_ls.features.previews.preview import Preview, judged, make_preview
from kro_ls.features.previews.saved_test import UnsavableError, saved_test_file
from kro_ls.features.previews.scenario import AskedScenario, read_scenario
from kro_ls.features.previews.views import FORMATS, preview_text
from kro_ls.kro.versions.version import NEXT
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from kro_ls.workspace.instances import find_instance
from tests.fixtures.definitions import rgd
from tests.fixtures.features import as_read
from tests.fixtures.language import URI, fixture

CONFIG = "- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${schema.spec.name}'}}\n"
CYCLE = """
- id: a
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${b.metadata.name}"}}
- id: b
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${a.metadata.name}"}}
- id: after
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${b.metadata.name}-x"}}
"""
OTHER = f"{CONFIG}- id: other\n  template:"
REFUSED = {
    "cycle": CONFIG + CYCLE,
    "unknown id": f"{OTHER} {{apiVersion: v1, kind: ConfigMap, metadata: {{name: '${{x.y}}'}}}}\n",
    "no apiVersion": f"{OTHER} {{kind: ConfigMap, metadata: {{name: x}}}}\n",
    "no template": f"{CONFIG}- id: other\n",
    "no id": f"{CONFIG}- template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: x}}}}\n",
    "the same id": f"{CONFIG}{CONFIG}",
    "broken YAML": f"{OTHER}\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {{name: [x}}\n",
    "a colon in the version": f'{OTHER} {{apiVersion: "apps/v1: [x", kind: Deployment, metadata: {{name: x}}}}\n',
}


def preview_of(document: Document, scenario: AskedScenario | None = None) -> Preview:
    (definition,) = document.analysis.rgds
    read = read_scenario(definition, scenario or AskedScenario())
    made = make_preview(definition, find_instance(definition, URI, ()), None, read.scenario)
    return judged(made, document.diagnosis)


def answer_of(document: Document) -> Any:
    read = read_scenario(document.analysis.rgds[0], AskedScenario())
    return explored(document, preview_of(document), read)


def titles(document: Document) -> list[str]:
    lenses = [resolve(as_read(each, types.CodeLens), preview_of(document)) for each in code_lenses(document)]
    return [each.command.title for each in lenses if each.command]


@pytest.mark.parametrize("resources", REFUSED.values(), ids=REFUSED)
def test_no_surface_shows_a_state_of_kro(resources: str) -> None:
    document = fixture(rgd(resources)).document
    preview = preview_of(document)
    errors = len(preview.errors)
    verdict = f"kro refuses this: {errors} error{'s' if errors > 1 else ''}"
    assert errors
    for output_format in FORMATS["preview"]:
        text = preview_text(document, preview, output_format)
        assert "ACTIVE" not in text
        assert "None" not in text
        assert verdict in text
    shown = answer_of(document)
    assert shown["state"] == "REFUSED"
    assert {each["state"] for each in shown["passes"]} == {"REFUSED"}
    assert "ACTIVE" not in json.dumps(shown)
    assert len(shown["errors"]) == errors
    graph = graph_answer(document, 0, with_fields=False, preview=preview)
    assert (graph["instance"]["state"], graph["instance"]["errors"]) == ("REFUSED", errors)
    assert titles(document)[0] == f"{verdict} · Preview with a generated sample"
    assert not any("ready" in each for each in titles(document))


def test_lenses_count_the_errors_that_are_shown_to_whoever_types() -> None:
    document = fixture(rgd(REFUSED["unknown id"])).document
    preview = preview_of(document)
    lenses = [as_read(each, types.CodeLens) for each in code_lenses(document)]
    quiet = [resolve(each, preview, ()).command for each in lenses]
    assert [each.title for each in quiet if each][:2] == ["Preview with a generated sample", "1 object"]
    assert titles(document)[1] == "1 object · not created: kro refuses the definition"


def test_an_error_leads_to_its_place_and_names_its_resource() -> None:
    text = rgd(REFUSED["unknown id"])
    document = fixture(text).document
    (error,) = answer_of(document)["errors"]
    assert (error["code"], error["node"]) == ("unresolved-reference", "other")
    line = text.split("\n")[error["range"]["start"]["line"]]
    assert line[error["range"]["start"]["character"] : error["range"]["end"]["character"]] == "x"


def test_resources_that_cannot_be_shown_are_listed() -> None:
    document = fixture(rgd(CONFIG + CYCLE + CONFIG + REFUSED["no id"].removeprefix(CONFIG))).document
    shown = answer_of(document)
    assert [each["id"] for each in shown["nodes"]] == ["config"]
    assert [(each["id"], each["reason"]) for each in shown["missing"]] == [
        ("a", "it is part of a cycle: a → b → a"),
        ("b", "it is part of a cycle: b → a → b"),
        ("after", "it depends on a cycle"),
        ("config", "another resource has the id config"),
        (None, "it has no id yet"),
    ]
    lines = document.text.content.split("\n")
    assert [lines[each["line"]].strip().split()[0] for each in shown["missing"]] == ["-"] * 5
    assert "missing: it is part of a cycle: a → b → a" in titles(document)


def test_a_half_typed_resource_is_unfinished() -> None:
    document = fixture(rgd(f"{REFUSED['no template']}- id: last\n  template:\n    apiVersion: v1\n")).document
    shown = answer_of(document)
    assert [(each["id"], each["state"], each["objects"], each["reason"]) for each in shown["nodes"]] == [
        ("config", "ready", 1, ""),
        ("other", "unfinished", 0, "it has no template yet"),
        ("last", "unfinished", 0, "its kind is missing"),
    ]
    assert [each["node"] for each in shown["objects"]] == ["config"]
    assert titles(document)[1:] == [
        "1 object · not created: kro refuses the definition",
        "unfinished: it has no template yet",
        "unfinished: its kind is missing",
    ]


def test_what_reads_an_unfinished_resource_waits_for_it() -> None:
    reader = "- id: reader\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${other.metadata.name}'}}\n"
    document = fixture(rgd(REFUSED["no template"] + reader)).document
    node = next(each for each in answer_of(document)["nodes"] if each["id"] == "reader")
    assert (node["state"], node["waitsFor"]) == ("pending", "other")


def test_the_errors_of_another_definition_do_not_count() -> None:
    both = fixture(f"{rgd(CONFIG)}---\n{rgd(REFUSED['no template'])}").document
    first, second = (
        judged(make_preview(each, find_instance(each, URI, ())), both.diagnosis) for each in both.analysis.rgds
    )
    assert not first.errors
    assert second.errors
    assert first.simulation
    assert first.simulation.state.value == "ACTIVE"


def test_what_keeps_the_file_from_being_read_counts_for_each_definition() -> None:
    document = fixture(f"{rgd(CONFIG)}---\nkind: [x\n").document
    assert [each.code for each in preview_of(document).errors] == ["yaml-syntax"]


def test_a_refused_definition_is_not_saved_as_a_test() -> None:
    document = fixture(rgd(REFUSED["cycle"])).document
    scenario = read_scenario(document.analysis.rgds[0], AskedScenario())
    with pytest.raises(UnsavableError, match="kro refuses this: 1 error; a test needs a definition that kro accepts"):
        saved_test_file(document, preview_of(document), scenario, "", "", "")


def test_a_refused_graph() -> None:
    graph = "apiVersion: kro.run/v1alpha1\nkind: Graph\nmetadata: {name: g}\nspec:\n  nodes:\n"
    graph += "    - id: a\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${x.y}'}}\n"
    document = replace(fixture(graph).document, settings=Settings(version=NEXT))
    preview = preview_of(document)
    assert preview.errors
    assert preview.simulation
    assert preview.simulation.state.value == "REFUSED"


def test_an_external_reference_is_not_read() -> None:
    external = "- id: given\n  externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n"
    document = fixture(rgd(external + REFUSED["no template"])).document
    assert titles(document)[1] == "1 external object · not read: kro refuses the definition"
