"""What a client changes in a preview: the instance, a later one, and what the cluster says. Texts are YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.runtime.compiled import compile_graph
from kro_ls.runtime.instance import admit_instance
from kro_ls.runtime.observed import Observed, read_observed, unknown_node
from kro_ls.runtime.simulation import Scenario
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.instance import AdmittedInstance


class AskedScenario(Struct, frozen=True):
    """What the client says; empty texts and lists change nothing."""

    instance: str = ""
    then: str = ""
    observed: str = ""
    not_ready: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class UnreadText(Struct, frozen=True):
    """A text of the scenario that cannot be read as YAML, by its name there, and the 0-based line where it is wrong."""

    name: str
    line: int
    message: str


class ReadScenario(Struct, frozen=True):
    """A scenario, the instances that the client says, if any, and what is wrong with what it says.

    `then` is as it is written, and not in the scenario where the API server would refuse it; `admitted_then` is what
    the API server makes of it. `unread` has the names of the texts that are no YAML, each with why.
    """

    scenario: Scenario
    instance: JsonObject | None
    then: JsonObject | None
    problems: tuple[str, ...]
    admitted_then: AdmittedInstance | None = None
    unread: tuple[UnreadText, ...] = ()


def read_scenario(rgd: RgdAnalysis, asked: AskedScenario) -> ReadScenario:
    """Return the scenario; what is wrong is left out and told."""
    problems: list[str] = []
    unread: list[UnreadText] = []
    nodes = {node.id: node for node in compile_graph(rgd).nodes}
    read, wrong = read_observed(_value(asked.observed, "observed", unread), nodes)
    problems += (f"observed: {'.'.join(map(str, each.path))}: {each.message}" for each in wrong)
    observed = dict(read)
    for name, ids in (("notReady", asked.not_ready), ("without", asked.without)):
        problems += (f"{name}: {unknown_node(id_, nodes)}" for id_ in ids if id_ not in nodes)
    for id_ in asked.without:
        if id_ in nodes and nodes[id_].is_external:
            observed[id_] = Observed(())
        elif id_ in nodes:
            problems.append(f"without: {id_} is not an external reference: kro creates it")
    instance, then = (_instance(getattr(asked, name), name, problems, unread) for name in ("instance", "then"))
    later: tuple[JsonObject, ...] = ()
    admitted = admit_instance(rgd, then) if then is not None else None
    if admitted is not None:
        problems += (f"then: {each.text}" for each in admitted.errors)
        later = () if admitted.errors else (admitted.instance,)
    scenario = Scenario(observed, frozenset(asked.not_ready), later)
    problems += (f"{each.name}: line {each.line + 1}: {each.message}" for each in unread)
    return ReadScenario(scenario, instance, then, tuple(problems), admitted, tuple(unread))


def _instance(text: str, name: str, problems: list[str], unread: list[UnreadText]) -> JsonObject | None:
    value = _value(text, name, unread)
    if value is None or isinstance(value, dict):
        return value
    problems.append(f"{name}: an instance is a mapping")
    return None


def _value(text: str, name: str, unread: list[UnreadText]) -> JsonValue:
    """Return the value of the first document of a text."""
    read = Text(text)
    document = parse_stream(read).documents[0]
    if document.errors:
        first = document.errors[0]
        unread.append(UnreadText(name, read.position(first.start).line, first.message))
        return None
    try:
        value: JsonValue = document.to_python()
    except ExcessiveAliasingError as error:
        unread.append(UnreadText(name, 0, str(error)))
        return None
    return value
