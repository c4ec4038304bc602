"""Reviews an instance that is applied, and the objects that kro would create for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.admission.admission_review import Message, Verdict, judged
from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.openapi.validation.objects.edits import immutable_part
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.files.instances import INVALID_INSTANCE
from kro_ls.rules.resources.refused_object import RULE as REFUSED_OBJECT
from kro_ls.rules.surprises.evaluation_failure import RULE as EVALUATION_FAILURE
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import made_up_note, simulate
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.passes.reasons import object_name
from kro_ls.runtime.passes.results import NodeState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.admission.object_text import ObjectText
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.rules.rule import Rule
    from kro_ls.rules.settings import Settings
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.passes.results import NodeResult
    from kro_ls.workspace.check import CheckedDocument


def review_instance(
    written: ObjectText, checked: CheckedDocument, kind: KindSchema, old: JsonObject | None, rgd: RgdAnalysis | None
) -> Verdict:
    """Return the verdict on a checked instance that replaces `old`; `rgd` is its definition if kro takes that."""
    settings = checked.document.settings
    diagnostics = checked.found.diagnostics
    errors = [written.message(each) for each in diagnostics if each.severity is Severity.ERROR]
    warnings = [written.message(each) for each in diagnostics if each.severity is Severity.WARNING]
    if old is not None and settings.severity_of(INVALID_INSTANCE) is not None:
        frozen = _frozen(old.get("spec"), written.value.get("spec"), kind, ("spec",))
        errors += [Message(place_of(path), "the field is immutable", INVALID_INSTANCE.code) for path in frozen]
    if rgd is not None and not errors:
        warnings += _of_objects(rgd, written.value, old, settings)
    return judged("the API server refuses this instance", errors, warnings)


def _frozen(old: JsonValue, new: JsonValue, kind: KindSchema, path: Path) -> Iterator[Path]:
    """Yield the fields that cannot be changed and were."""
    if old == new:
        return
    if immutable_part(kind, path) is not None:
        yield path
    elif isinstance(old, dict) and isinstance(new, dict):
        for name in new:
            if name in old:
                yield from _frozen(old[name], new[name], kind, (*path, name))


def _of_objects(
    rgd: RgdAnalysis, instance: JsonObject, old: JsonObject | None, settings: Settings
) -> Iterator[Message]:
    """Yield problems with the objects that kro would create for an instance, or change after an edit.

    Problems that follow from a value invented by the simulation are left out.
    """
    budget = PreviewBudget()
    new = admit_instance(rgd, instance, budget)
    previous = admit_instance(rgd, old, budget) if old is not None else None
    if new.errors:
        return
    first, then = new.instance, tuple[JsonObject, ...]()
    if previous is not None and not previous.errors:
        first, then = previous.instance, (new.instance,)
    simulation = simulate(rgd, first, Scenario(then=then, given=new.instance), budget)
    for node in simulation.final.result.nodes:
        yield from _of_node(node, simulation, settings)


def _of_node(node: NodeResult, simulation: Simulation, settings: Settings) -> Iterator[Message]:
    for reason in (node.reason, node.unready):
        if reason is None or node.stopped_by is not None:
            continue
        if reason.refused is not None:
            named = object_name(node.desired[0]) if node.desired else "its object"
            text = f"the API server refuses {place_of(reason.refused.path)} of {named}: {reason.refused.message}"
            yield from _message(REFUSED_OBJECT, node.id, text, settings)
        elif node.state is NodeState.ERROR and reason.cause and not made_up_note(simulation, reason.cause):
            text = f"{reason.cause.expression.text} fails: {reason.plain or reason.text}"
            yield from _message(EVALUATION_FAILURE, node.id, text, settings)


def _message(rule: Rule, id_: str, text: str, settings: Settings) -> Iterator[Message]:
    if settings.severity_of(rule) is not None:
        yield Message(f"resource '{id_}'", text, rule.code)
