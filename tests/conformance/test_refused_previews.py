"""Tests that no preview, lens or page of a published definition with an error shows a state of kro."""

from __future__ import annotations

import json

import pytest
from lsprotocol import types

from kro_ls.features.hints.code_lenses import code_lenses, resolve
from kro_ls.features.previews.explored import explored
from kro_ls.features.previews.graph import graph_answer
from kro_ls.features.previews.preview import judged, make_preview
from kro_ls.features.previews.scenario import AskedScenario, read_scenario
from kro_ls.features.previews.views import FORMATS, preview_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.documents import Document
from kro_ls.workspace.instances import find_instance
from kro_ls.yaml_positions.text import Text
from tests.conformance.published import Published, published
from tests.conformance.schemas import schemas
from tests.fixtures.features import as_read
from tests.paths import CONFORMANCE, needs_conformance

_STATES = ("ACTIVE", "IN_PROGRESS", "DELETING")


@needs_conformance
@pytest.mark.parametrize("with_crds", [True, False], ids=["with CRDs", "without CRDs"])
def test_no_definition_with_an_error_is_shown_active(with_crds: bool, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = schemas(CONFORMANCE) if with_crds else None
    documents = [(each, Document(f"file:///{each.name}", 1, Text(each.text), schemas=kinds)) for each in published()]
    refused = [
        (each, document)
        for each, document in documents
        if any(found.severity is Severity.ERROR for found in document.diagnosis.diagnostics)
    ]
    shown = {each.name: found for each, document in refused for found in _states_shown(each, document)}
    with capsys.disabled():
        print(
            f"\nrefused definitions: {len(refused)} of {len(documents)}, shown with a state of kro's: {len(shown)}",
            end="",
        )
    assert not shown
    assert len(refused) > 15


def _states_shown(published: Published, document: Document) -> list[str]:
    """Return the surfaces that show a state of kro."""
    found = []
    for number, rgd in enumerate(document.analysis.rgds):
        preview = judged(make_preview(rgd, find_instance(rgd, document.uri, ())), document.diagnosis)
        if not preview.errors:
            continue
        surfaces = {each: preview_text(document, preview, each) for each in FORMATS["preview"]}
        for lens in code_lenses(document):
            command = resolve(as_read(lens, types.CodeLens), preview).command
            surfaces |= {"lens": surfaces.get("lens", "") + (command.title if command else "")}
        answer = explored(document, preview, read_scenario(rgd, AskedScenario()))
        surfaces["page"] = json.dumps({name: answer[name] for name in ("state", "passes", "status") if name in answer})
        surfaces["graph"] = json.dumps(graph_answer(document, number, with_fields=False, preview=preview)["instance"])
        source = published.text
        found += [
            name for name, text in surfaces.items() if any(f"{each}" in text and each not in source for each in _STATES)
        ]
    return found


LACKING = {
    "kro-unit-test-rgd-71.yaml": "'name' is missing",
    "kro-unit-test-rgd-72.yaml": "'name' is missing",
    "kro-unit-test-group-20.yaml": "unknown field 'version'",
    "kro-unit-test-group-22.yaml": "unknown field 'version'",
    "kro-unit-testrgd-35.yaml": "unknown field 'version'",
    "kro-unit-testrgd-59.yaml": "there is no 'kube-api-access-0c275'",
}
"""Definitions whose templates lack a field that the custom kind requires, or have one that CRDs had in `v1beta1`.

The last copies the containers of a pod in the cluster, with the mount of a volume that the API server added: a real one
refuses that too.
"""


@needs_conformance
def test_objects_of_accepted_definitions_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, str] = {}
    count = 0
    for each in published():
        document = Document(f"file:///{each.name}", 1, Text(each.text), schemas=schemas(CONFORMANCE))
        for rgd in document.analysis.rgds:
            preview = judged(make_preview(rgd, find_instance(rgd, document.uri, ())), document.diagnosis)
            if preview.errors or preview.simulation is None:
                continue
            count += 1
            for node in preview.simulation.final.result.nodes:
                if node.unready and node.unready.refused:
                    found[each.name] = node.unready.refused.message
    with capsys.disabled():
        print(f"\naccepted definitions: {count}, with an object that is refused: {len(found)}", end="")
    assert found == LACKING
    assert count > 100
