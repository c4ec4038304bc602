"""The tool `preview`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from kro_ls.agents.agent_workspace import AgentWorkspace, objects_in
from kro_ls.agents.answers import PreviewAnswer, PreviewedNode, RenderedObject, problems_of
from kro_ls.agents.arguments import (
    MOST_CHARACTERS,
    MOST_ITEMS,
    KroVersionArgument,
    PathArgument,
    TextArgument,
    UnusableArgumentsError,
    first,
    short,
)
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.render.yaml_text import to_yaml
from kro_ls.rules.refusals import refusals
from kro_ls.runtime.cluster.instance import AmbiguousDefinitionError, admit_instance, definition_for
from kro_ls.runtime.cluster.preview_data import as_json
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.passes.results import InstanceState
from kro_ls.runtime.values.sample_instance import sample_instance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.agents.answers import Problem
    from kro_ls.analysis.analysis import Analysis, RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject

InstanceArgument = Annotated[
    str, Field(description="The instance as YAML, or the path of its file. Without it an instance is made up.")
]


def preview(
    workspace: AgentWorkspace,
    path: PathArgument = "",
    text: TextArgument = "",
    instance: InstanceArgument = "",
    kro_version: KroVersionArgument = "",
) -> PreviewAnswer:
    """Show what kro would make of an instance, in a simulated cluster: objects, status, and what waits for what.

    Nothing is contacted. Use it to see whether a definition does what it should.
    """
    given = workspace.given(path, text)
    checked = workspace.checked(given, kro_version)
    document = checked.document
    wanted = _instance(workspace, instance) if instance else None
    if not document.analysis.rgds and not checked.found.diagnostics:
        raise UnusableArgumentsError(f"there is no ResourceGraphDefinition in {given.shown}")
    rgd = _chosen(document.analysis, wanted) if document.analysis.rgds else None
    errors = refusals(document.diagnosis, rgd) if rgd else checked.found.diagnostics
    if errors or rgd is None:
        return _refused(problems=problems_of(document, errors, given.shown)[0])
    budget = PreviewBudget()
    admission = admit_instance(rgd, sample_instance(rgd) if wanted is None else wanted, budget)
    if admission.errors:
        return _refused(
            [short(each.placed_message) for each in admission.errors[:MOST_ITEMS]],
            instance=admission.instance,
        )
    unknown = [f"unknown field '{place_of(each)}'; the API server drops it" for each in admission.unknown_fields]
    simulation = simulate(rgd, admission.instance, Scenario(kro=document.settings.version), budget)
    return _answer(as_json(rgd, simulation, with_metadata=False), admission.instance, unknown[:MOST_ITEMS])


def _instance(workspace: AgentWorkspace, instance: str) -> JsonObject:
    is_text = "\n" in instance or ":" in instance
    given = workspace.given("" if is_text else instance, instance if is_text else "", "instance")
    found = objects_in(given)
    if len(found) != 1:
        raise UnusableArgumentsError(f"the instance must be one object with apiVersion and kind, not {len(found)}")
    return found[0]


def _chosen(analysis: Analysis, wanted: JsonObject | None) -> RgdAnalysis:
    """Return the definition that a preview is of: of several, the one that declares the kind of the instance."""
    rgds = [each for each in analysis.rgds if each.rgd.form.declares_kind]
    if not rgds:
        raise UnusableArgumentsError("a Graph has no instance; see it with 'kro-ls preview'")
    try:
        return definition_for(rgds, wanted.get("kind") if wanted else None)
    except AmbiguousDefinitionError as error:
        raise UnusableArgumentsError(f"the text {error}") from error


def _refused(
    errors: Sequence[str] = (), problems: Sequence[Problem] = (), instance: JsonObject | None = None
) -> PreviewAnswer:
    written = to_yaml(instance)[:MOST_CHARACTERS] if instance else ""
    return PreviewAnswer(InstanceState.REFUSED.value, True, written, [], {}, [], [], list(problems), list(errors))


def _answer(data: dict[str, Any], given: JsonObject, notes: list[str]) -> PreviewAnswer:
    objects: list[RenderedObject] = []
    left_out: list[str] = []
    room = MOST_CHARACTERS
    for each in data["objects"]:
        written = to_yaml(each["object"])
        room -= len(written)
        if room >= 0 and len(objects) < MOST_ITEMS:
            objects.append(RenderedObject(each["node"], written))
        else:
            left_out.append(each["node"])
    nodes = [
        PreviewedNode(
            each["id"],
            each["state"],
            each["objects"],
            short(each.get("reason", "")),
            each.get("waitsFor", ""),
        )
        for each in data["nodes"]
    ]
    shown, more = first(nodes)
    if more:
        left_out += [each.id for each in nodes[MOST_ITEMS:]]
    status = data["status"]
    if len(to_yaml(status)) > MOST_CHARACTERS:
        status, left_out = {}, ["status", *left_out]
    instance = to_yaml(given)
    return PreviewAnswer(
        data["state"] or "",
        data["settled"],
        instance if len(instance) <= MOST_CHARACTERS else "",
        shown,
        status,
        objects,
        list(dict.fromkeys(left_out))[:MOST_ITEMS],
        [],
        notes,
    )
