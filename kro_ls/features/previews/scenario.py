"""What a client changes in a preview: the instance, a later one, and the state of the cluster. Texts are YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import Observed, Scenario, read_observed, unknown_node
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.cluster.instance import AdmittedInstance


class ScenarioTexts(Struct, frozen=True):
    """The texts of a scenario; an empty one changes nothing."""

    instance: str = ""
    then: str = ""
    observed: str = ""


class AskedScenario(ScenarioTexts, frozen=True, rename="camel"):
    """What the client sends; empty lists change nothing, either.

    `readable` are the last texts that could be read: each counts while the one being typed cannot be read.
    """

    not_ready: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    readable: ScenarioTexts = ScenarioTexts()


_SHOWN_AS: Final = {"instance": "the instance", "then": "the edited instance", "observed": "an edited status"}


class UnreadText(Struct, frozen=True):
    """A text of the scenario that cannot be read, by its name there, and the 0-based line where it is wrong."""

    name: str
    line: int
    message: str


class ReadScenario(Struct, frozen=True):
    """A scenario, the instances that the client sends, if any, and what is wrong with them.

    `then` is as it is written, and not in the scenario where the API server would refuse it; `admitted_then` is what
    the API server makes of it. `problems` are about neither a field of an instance nor a line of a text. `unread` are
    the texts that cannot be read, each with why, and `texts` those that count. `readable` are the previous
    texts that could be read, as the client sends them.
    """

    scenario: Scenario
    instance: JsonObject | None
    then: JsonObject | None
    problems: tuple[str, ...]
    admitted_then: AdmittedInstance | None = None
    unread: tuple[UnreadText, ...] = ()
    texts: ScenarioTexts = ScenarioTexts()
    readable: ScenarioTexts = ScenarioTexts()

    @property
    def previous_instance(self) -> JsonObject | None:
        """The previous instance that could be read, where it is not the one that counts."""
        text = self.readable.instance
        return as_object(_value(text)[0]) or None if text and text != self.texts.instance else None

    @property
    def obstacles(self) -> tuple[str, ...]:
        """All faults of what the client sends, also those of one field of an instance or one line."""
        unread = (f"{_SHOWN_AS[each.name]} cannot be read: {each.message}" for each in self.unread)
        refused = self.admitted_then.errors if self.admitted_then else ()
        return (*self.problems, *unread, *(f"then: {each.text}" for each in refused))


class _Texts:
    """Reads the texts of a scenario, and notes which count and which cannot be read."""

    def __init__(self, asked: AskedScenario) -> None:
        self._asked = asked
        self.unread: list[UnreadText] = []
        self.counting: dict[str, str] = {}

    def instance(self, name: str) -> JsonObject | None:
        """Return the instance in a text, None where there is none."""

        def problem(value: JsonValue) -> str:
            if value is None:
                return "there is no instance in this text"
            return "" if isinstance(value, dict) else "an instance is a mapping"

        return as_object(self.value(name, problem)) or None

    def value(self, name: str, problem: Callable[[JsonValue], str] = lambda _: "") -> JsonValue:
        """Return the value of a text, or of the previous readable one; `problem` says why a value cannot be used."""
        for texts in (self._asked, self._asked.readable):
            text: str = getattr(texts, name)
            if not text:
                return None
            value, line, wrong = _value(text)
            wrong = wrong or problem(value)
            if not wrong:
                self.counting[name] = text
                return value
            if texts is self._asked:
                self.unread.append(UnreadText(name, line, wrong))
        return None


def read_scenario(rgd: RgdAnalysis, asked: AskedScenario) -> ReadScenario:
    """Return the scenario; what is wrong is left out and reported."""
    problems: list[str] = []
    texts = _Texts(asked)
    nodes = {node.id: node for node in compile_graph(rgd).nodes}
    read, wrong = read_observed(texts.value("observed"), nodes)
    problems += (f"observed: {'.'.join(map(str, each.path))}: {each.message}" for each in wrong)
    observed = dict(read)
    for name, ids in (("notReady", asked.not_ready), ("without", asked.without)):
        problems += (f"{name}: {unknown_node(id_, nodes)}" for id_ in ids if id_ not in nodes)
    for id_ in asked.without:
        if id_ in nodes and nodes[id_].is_external:
            observed[id_] = Observed(())
        elif id_ in nodes:
            problems.append(f"without: {id_} is not an external reference: kro creates it")
    instance, then = texts.instance("instance"), texts.instance("then")
    later: tuple[JsonObject, ...] = ()
    before = admit_instance(rgd, instance).instance if instance is not None and then is not None else None
    admitted = admit_instance(rgd, then, old=before) if then is not None else None
    if admitted is not None:
        later = () if admitted.errors else (admitted.instance,)
    scenario = Scenario(observed, frozenset(asked.not_ready), later)
    counting = ScenarioTexts(**texts.counting)
    unread = tuple(texts.unread)
    return ReadScenario(scenario, instance, then, tuple(problems), admitted, unread, counting, asked.readable)


def _value(text: str) -> tuple[JsonValue, int, str]:
    """Return the value of the first document of a text; else the 0-based line where it is wrong, and why."""
    read = Text(text)
    document = parse_stream(read).documents[0]
    if document.errors:
        first = document.errors[0]
        return None, read.position(first.start).line, first.message
    try:
        return document.to_python(), 0, ""
    except ExcessiveAliasingError as error:
        return None, 0, str(error)
