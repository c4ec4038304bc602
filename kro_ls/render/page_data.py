"""The types of the data for web pages and graphical clients; `generators/wire_types.py` generates their TypeScript.

`docs/editor-commands.md` describes the members for people. Lines are 0-based; ranges are in the client's units.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 (the generator reads the annotations)
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from kro_ls.runtime.cluster.preview_data import Deletion, MissingPart, NamedObject, NodeAtPass
from kro_ls.runtime.passes.reasons import StateWord  # noqa: TC001

ResourceTypeName: TypeAlias = Literal["Resource", "Collection", "External", "ExternalCollection"]
ChangeName: TypeAlias = Literal["added", "removed", "changed"]


class Position(TypedDict):
    """A place in a text."""

    line: int
    character: int


class Range(TypedDict):
    """A part of a text."""

    start: Position
    end: Position


class Cause(TypedDict):
    """A place where a resource reads something."""

    reads: str
    expression: str
    path: str
    range: Range


class Groups(TypedDict):
    """The titles of a resource's groups: the first word of its id, its API group, its namespace."""

    prefix: str
    apiGroup: str
    namespace: str


class Problem(TypedDict):
    """An error or a warning in the lines of a resource."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    range: Range


_Waves = TypedDict("_Waves", {"pass": int | None, "wave": int | None})


class ResourceNode(_Waves, TypedDict):
    """A resource of a graph. `pass` is the earliest one in which kro can create it; in a Graph, the step within it.

    `wave` is the one in which kro deletes it, the highest first.
    """

    id: str
    kind: str | None
    apiVersion: str | None
    namespace: str | None
    """As written, perhaps with expressions; null where the template names none."""
    conditions: Mapping[str, list[str]]
    """The conditions as written, by the field that holds them: `includeWhen`, `readyWhen`."""
    type: ResourceTypeName
    position: int | None
    conditional: bool
    range: Range | None
    """Null for what was removed."""
    idRange: Range | None
    groups: Groups
    """The title of the group that it is in, by what groups have in common."""
    problems: list[Problem]
    change: NotRequired[ChangeName]
    """How it differs from the version that the graph is compared with."""
    difference: NotRequired[list[str]]
    """The lines that differ, each with a `+`, `-` or space in front."""


_Ends = TypedDict("_Ends", {"from": str, "to": str})


class FieldEdge(_Ends, TypedDict):
    """An edge from a resource to a field that it reads."""

    causes: list[Cause]


class Edge(FieldEdge):
    """An edge from a resource to what it needs."""

    cyclic: bool
    critical: bool
    change: NotRequired[ChangeName]


class Field(TypedDict):
    """A field of the instance that resources read."""

    path: str
    type: str | None
    range: Range | None


class NodeState(TypedDict):
    """A resource in the preview: its state, the number of its objects, and why it is not ready."""

    id: str
    state: str
    objects: int
    reason: str


class InstanceName(TypedDict):
    """The instance that stands for a definition: its file, null where it is made up, and its name for people."""

    uri: str | None
    label: str


class InstanceFile(TypedDict):
    """A document that holds an instance of a definition."""

    uri: str
    label: str


class InstanceStates(InstanceName):
    """What becomes of the instance."""

    state: str | None
    errors: int
    """How many errors kro refuses the definition for."""
    refusals: list[str]
    nodes: list[NodeState]


class Comparison(TypedDict):
    """The version that a graph is compared with, and what there is to say about that."""

    ref: str
    message: str | None


class DrawnGraph(TypedDict):
    """A definition's graph, with what was asked for besides."""

    name: str | None
    kind: str | None
    isGraph: bool
    nodes: list[ResourceNode]
    edges: list[Edge]
    cycles: list[list[str]]
    criticalPath: list[str]
    fields: NotRequired[list[Field]]
    fieldEdges: NotRequired[list[FieldEdge]]
    instance: NotRequired[InstanceStates]
    comparison: NotRequired[Comparison]
    instances: NotRequired[list[InstanceFile]]
    """The documents with instances of this definition, that beside it first."""


class Graph(DrawnGraph):
    """The graph of one of a document's definitions."""

    uri: str
    version: int | None
    definition: int
    definitions: list[str | None]


class PreviewNode(TypedDict):
    """What became of a resource in the end."""

    id: str
    state: StateWord
    objects: int
    reason: str
    external: bool
    apiVersion: str
    kind: str
    line: int
    observed: list[str]
    kro: NotRequired[str]
    waitsFor: NotRequired[str]
    range: NotRequired[Range | None]


class RefusalError(TypedDict):
    """An error because of which kro refuses the definition, and the resource that it is in."""

    code: str
    message: str
    range: Range
    node: str | None


class MissingResource(TypedDict):
    """A resource that is no node of the preview, such as one of a cycle."""

    id: str | None
    reason: str
    line: int


class PlacedText(TypedDict):
    """A text, and for each of its lines the line of the definition that it comes from."""

    text: str
    lines: list[int | None]


class RenderedObject(PlacedText):
    """An object as it is in the end."""

    node: str
    name: str


class MadeObject(TypedDict):
    """An object that a pass made; with its text where that is not the one that it has in the end."""

    node: str
    object: str
    text: NotRequired[str]
    lines: NotRequired[list[int | None]]


class MissingStatus(MissingPart):
    """A part of the status that has no value, with the part of an expression that decides."""

    range: Range | None


_PassNumber = TypedDict("_PassNumber", {"pass": int})


class Pass(_PassNumber, TypedDict):
    """A pass of kro, and the nodes about which it reported something new."""

    generation: int
    """2 after the instance was edited."""
    state: str | None
    """Null where the pass is of an earlier instance than the one that is written."""
    reason: str
    """Why kro has to look again; empty where the pass was clean. `text` says the same in kro's words."""
    text: str
    created: list[MadeObject]
    updated: list[MadeObject]
    deleted: list[NamedObject]
    nodes: list[NodeAtPass]
    status: str
    missingStatus: list[MissingStatus]


class EditedInstance(TypedDict):
    """What the instance is edited to when nothing changes any more."""

    text: str
    value: Any


class ScenarioTexts(TypedDict):
    """The texts of a scenario; an empty one changes nothing."""

    instance: str
    then: str
    observed: str


class Fault(TypedDict):
    """A fault in a field of an instance, or in its text; the latter has a line."""

    of: Literal["instance", "then", "observed"]
    severity: Literal["error", "warning"]
    path: list[str | int]
    message: str
    text: NotRequired[str]
    """The API server's own text."""
    line: NotRequired[int]


class InstanceForm(TypedDict):
    """What a form of the instance needs."""

    schema: Any
    """The structural schema of what users write."""
    namespaced: bool
    """Whether the instance is in a namespace."""
    faults: list[Fault]


class StuckCause(TypedDict):
    """A cause for which the instance does not go on in the cluster that it comes from.

    `fault` names who has to act, `unblock` says what would help, `fetch` lists commands whose output would show more.
    `range` is its place in the definition, null where it has none there.
    """

    cause: str
    message: str
    node: str | None
    fault: str
    unblock: str
    fetch: list[str]
    range: Range | None


class ExploredPreview(InstanceForm):
    """What becomes of an instance under a scenario; the last members are there where it can be simulated."""

    name: str | None
    version: int | None
    instance: InstanceName
    instanceText: str
    instanceValue: Any
    then: EditedInstance | None
    readable: ScenarioTexts
    """The texts of the scenario that count: of one that cannot be read, the last that could."""
    refusals: list[str]
    errors: list[RefusalError]
    missing: list[MissingResource]
    problems: list[str]
    state: str | None
    settled: bool | None
    nodes: NotRequired[list[PreviewNode]]
    objects: NotRequired[list[RenderedObject]]
    status: NotRequired[PlacedText]
    passes: NotRequired[list[Pass]]
    deletion: NotRequired[Deletion]


class Preview(ExploredPreview):
    """The preview of one of a document's definitions."""

    definition: int
    instances: list[InstanceFile]
    stuck: list[StuckCause]
    """Why the instance is not ready in the cluster; nothing where it is, or comes from none."""


class TextDefinition(TypedDict):
    """A definition in a document: the kind that it declares, where it stands, and the documents with its instances."""

    kind: str | None
    range: Range
    instances: list[InstanceFile]


class PlacedTest(TypedDict):
    """A test in a test file, with its range: from its name to its end."""

    name: str
    range: Range


class SavedTest(TypedDict):
    """The text of a test file, a title for a new one, and the name of the test in it."""

    text: str
    title: str
    name: str
