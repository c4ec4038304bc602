"""One pass over a Graph: its nodes in order, child graphs with what they see of the nodes around them.

A node runs as soon as the data that it reads exists; `readyWhen` delays nothing.
Source: kro `pkg/graphengine/executor/simple.go`.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from kro_ls.golang.quoting import go_quoted
from kro_ls.graphs import children_of
from kro_ls.kro import labels as names
from kro_ls.openapi.cel_values import seen
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.runtime.graphs.rendering import Scope, check_ready, leaving_out, rendered
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.nodes.errors import HELD, NOT_FOUND, Cause, FatalError, NodeError, PendingError, WaitingError
from kro_ls.runtime.nodes.node_objects import identity, metadata_text
from kro_ls.runtime.passes.reasons import object_name
from kro_ls.runtime.passes.reconciliation import bounded
from kro_ls.runtime.passes.results import NodeResult, NodeState, Reason

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.runtime.nodes.budget import PreviewBudget
    from kro_ls.runtime.nodes.compiled import CompiledNode

_NOT_READY = "executor: node not ready"
_LONGEST_LABEL = 63


class SoftReason(StrEnum):
    """Why a pass has to be made again, as a reason of the condition `ResourcesConverged`."""

    DATA_PENDING = "DataPending"
    WAITING = "WaitingForReadiness"
    FAILED = "ApplyFailed"
    """The kind of a patch's target is unknown. The nodes of other forms wait for theirs."""


class _UnknownKindError(WaitingError):
    """The cluster does not know the kind of an object yet."""


class GraphCluster(Protocol):
    """Where a pass finds objects and puts them. `path` leads to a node: `g/a` is a node of the child graph `g`."""

    def apply(self, path: str, index: int, desired: JsonObject, node: CompiledNode) -> JsonObject:
        """Make an object what it should be; returns what it is then."""

    def read(self, path: str, reference: JsonObject, node: CompiledNode) -> list[JsonObject] | None:
        """Return the objects that a `ref` finds, None where there is none of the name."""

    def patch(self, path: str, desired: JsonObject) -> bool:
        """Change fields of an existing object; returns whether it exists."""


class Walk(Struct):
    """A running pass: the result of each node by its path, and which node claims each object."""

    graph: JsonObject
    cluster: GraphCluster
    held: frozenset[str]
    budget: PreviewBudget
    results: list[NodeResult] = field(default_factory=list)
    claims: dict[str, str] = field(default_factory=dict)

    def run(self, root: RgdAnalysis) -> tuple[list[str], list[tuple[str, SoftReason]]]:
        """Go over all nodes; returns the texts of hard errors, then those of soft ones with their reasons."""
        frame = _Frame(self, root, "", {})
        frame.run()
        return frame.hard, frame.soft


class _Frame:
    """The nodes of a Graph or of a child graph, during one pass."""

    def __init__(self, walk: Walk, graph: RgdAnalysis, prefix: str, outside: Scope) -> None:
        self._walk = walk
        self._graph = graph
        self._prefix = prefix
        compiled = compile_graph(graph).nodes
        self._nodes = tuple(each for each in compiled if each.resource.form.name)  # kro refuses the others
        own = {node.id for node in self._nodes}
        self.scope: Scope = {name: value for name, value in outside.items() if name not in own}
        self.hard: list[str] = []
        self.soft: list[tuple[str, SoftReason]] = []
        self._ignored: dict[str, bool | NodeError] = {}
        self._orders: dict[str, int] = {}
        self._children = {owner.id: child for owner, child in children_of(graph)}

    def run(self) -> None:
        for node in self._nodes:
            self._walk.budget.check()
            needs = [self._orders[each] for each in node.dependencies if each in self._orders]
            if not node.resource.form.is_data:
                self._orders[node.id] = 1 + max(needs, default=0)
            self._run_node(node)

    def _run_node(self, node: CompiledNode) -> None:
        path = self._prefix + node.id
        ignored = self._is_ignored(node)
        what = f"apply {go_quoted(node.id)}: "
        if isinstance(ignored, NodeError):
            pending = isinstance(ignored, PendingError)
            self._fail(path, ignored, f"{what}{'includeWhen: ' if pending else ''}{ignored.text}")
        elif not ignored and node.resource.form.has_nodes:
            self._run_child(node, path)
        elif not ignored:
            try:
                desired = bounded(lambda: rendered(node, self.scope, self._walk.budget))
            except NodeError as error:
                self._fail(path, error, f"{what}resolve: {error.text}")
                return
            self._settle(node, path, desired)

    def _fail(self, path: str, error: NodeError, text: str) -> None:
        pending = isinstance(error, PendingError)
        self._note(f"{text} ({_NOT_READY})" if pending else text, SoftReason.DATA_PENDING if pending else None)
        state = NodeState.PENDING if pending else NodeState.ERROR
        self._walk.results.append(NodeResult(path, state, reason=_reason(error, path)))

    def _note(self, text: str, soft: SoftReason | None) -> None:
        """Add the text of an error, which is hard where it has no reason of a soft one."""
        if soft is None:
            self.hard.append(text)
        else:
            self.soft.append((text, soft))

    def _is_ignored(self, node: CompiledNode) -> bool | NodeError:
        found, by, because = self._find_ignored(node)
        self._ignored[node.id] = found
        if found is True:
            path = self._prefix + node.id
            self._walk.results.append(
                NodeResult(path, NodeState.IGNORED, ignored_by=by, ignored_because=_placed(because, path))
            )
        return found

    def _find_ignored(self, node: CompiledNode) -> tuple[bool | NodeError, str | None, Cause | None]:
        for name in node.dependencies:
            above = self._ignored.get(name, False)
            if isinstance(above, NodeError):
                return type(above)(f"dep {go_quoted(name)}: {above.text}", None, name), None, None
            if above:
                return True, name, None
        try:
            left_out = bounded(lambda: leaving_out(node, self.scope, self._walk.budget))
        except NodeError as error:
            return error, None, None
        return left_out is not None, None, Cause(node.id, left_out.expression) if left_out else None

    def _run_child(self, node: CompiledNode, path: str) -> None:
        child = _Frame(self._walk, self._children[node.id], f"{path}/", self.scope)
        child.run()
        ids = (each.id for each in child._nodes)  # of the same class
        self.scope[node.id] = {id_: child.scope[id_] for id_ in ids if id_ in child.scope}
        what = f"apply {go_quoted(node.id)} (subgraph): "
        if child.hard:
            self._note(what + "\n".join(child.hard), None)
        elif child.soft:
            text, why = child.soft[0]
            self._note(what + text, None if why is SoftReason.FAILED else why)

    def _settle(self, node: CompiledNode, path: str, desired: list[JsonObject]) -> None:
        """Apply or read a node's objects, publish them to expressions, and check whether they are ready."""
        form = node.resource.form.name
        try:
            objects = self._in_cluster(node, path, desired)
        except (WaitingError, FatalError) as error:
            is_error = isinstance(error, FatalError)
            kind = "" if form == "template" else f" ({form})"
            text = f"apply {go_quoted(node.id)}{kind}: {error.text}"
            soft = SoftReason.FAILED if isinstance(error, _UnknownKindError) else SoftReason.WAITING
            self._note(text, None if is_error else soft)
            state = NodeState.ERROR if is_error else NodeState.PENDING
            reason = _reason(error, path)
            self._walk.results.append(NodeResult(path, state, reason=reason, is_external=form == "ref"))
            return
        self._publish(node, objects)
        unready, is_error = self._readiness(node, path, objects)
        result = NodeResult(
            path,
            NodeState.RENDERED,
            tuple(desired) if form in ("template", "patch") else (),
            tuple(objects),
            unready=unready,
            unready_is_error=is_error,
            is_external=form == "ref",
            is_data=form == "def",
        )
        self._walk.results.append(result)

    def _readiness(self, node: CompiledNode, path: str, objects: list[JsonObject]) -> tuple[Reason | None, bool]:
        if path in self._walk.held:
            text = f"node {go_quoted(node.id)}: held not ready: waiting for readiness"
            self.soft.append((f"apply {go_quoted(node.id)}: {text} ({_NOT_READY})", SoftReason.WAITING))
            return Reason(text, plain=HELD), False
        try:
            bounded(lambda: check_ready(node, self.scope, objects, self._walk.budget))
        except NodeError as error:
            text = f"apply {go_quoted(node.id)}: {error.text}"
            is_error = isinstance(error, FatalError)
            self._note(text if is_error else f"{text} ({_NOT_READY})", None if is_error else SoftReason.WAITING)
            return _reason(error, path), is_error
        return None, False

    def _in_cluster(self, node: CompiledNode, path: str, desired: list[JsonObject]) -> list[JsonObject]:
        """Return what there is of a node. Raises WaitingError or FatalError."""
        form, cluster = node.resource.form.name, self._walk.cluster
        if form == "def":
            return desired
        if form == "patch":
            self._patch(node, path, desired)
            return desired
        try:
            kinds = [self._kind(node, each) for each in desired]
        except _UnknownKindError as error:
            raise WaitingError(f"{error.text} ({_NOT_READY})", plain=error.plain) from None
        if form == "ref":
            if not node.is_list:
                self._set_namespace(kinds[0], desired[0])
            found = cluster.read(path, desired[0], node)
            if found is None:
                raise WaitingError(f"external ref {_shown(desired[0])} not found: {_NOT_READY}", plain=NOT_FOUND)
            return found
        for kind, each in zip(kinds, desired, strict=True):
            self._set_namespace(kind, each)
        for each in desired:
            self._claim(path, each)
        for index, each in enumerate(desired):
            self._stamp(node, path, each, index, len(desired))
        return [cluster.apply(path, index, each, node) for index, each in enumerate(desired)]

    def _patch(self, node: CompiledNode, path: str, desired: list[JsonObject]) -> None:
        """Change all objects that can be changed. Raises FatalError or WaitingError for all others together."""
        errors: list[WaitingError | FatalError] = []
        for each in desired:
            try:
                self._set_namespace(self._kind(node, each), each)
            except (WaitingError, FatalError) as error:
                errors.append(error)
                continue
            if not self._walk.cluster.patch(path, each):
                text = f"patch target {_shown(each)} not found: {_NOT_READY}"
                errors.append(
                    WaitingError(text, plain=f"the object that it patches does not exist: {object_name(each)}")
                )
        fatal = [each for each in errors if isinstance(each, FatalError)]
        if fatal:
            raise FatalError(_joined(fatal), plain=fatal[0].plain)
        if errors:
            all_unknown = all(isinstance(each, _UnknownKindError) for each in errors)
            raise (_UnknownKindError if all_unknown else WaitingError)(_joined(errors), plain=errors[0].plain)

    def _kind(self, node: CompiledNode, value: JsonObject) -> KindSchema | None:
        """Return the kind of an object, which an expression may have given. Raises _UnknownKindError or FatalError."""
        if node.kind is not None:
            return node.kind
        name = as_text(value.get("apiVersion")), as_text(value.get("kind"))
        written = node.template.get("apiVersion"), node.template.get("kind")
        found = self._graph.find_kind(name)
        if found is None and name != written:
            group, _, version = name[0].rpartition("/")
            shown = f"{group}/{version}, Kind={name[1]}"
            if not version or not name[1]:
                text = f"dynamic template resolved to incomplete GVK {go_quoted(shown)}"
                raise FatalError(text, plain="its apiVersion or its kind is empty")
            text = f"{shown}: executor: target GVK not yet known to the cluster"
            raise _UnknownKindError(text, plain=f"the cluster does not know its kind yet: {name[0]} {name[1]}")
        return found

    def _set_namespace(self, kind: KindSchema | None, value: JsonObject) -> None:
        if (kind is None or kind.namespaced) and not metadata_text(value, "namespace"):
            namespace = metadata_text(self._walk.graph, "namespace")
            value["metadata"] = {**as_object(value.get("metadata")), "namespace": namespace}

    def _claim(self, path: str, value: JsonObject) -> None:
        key = identity(value).removeprefix("/")
        owner = self._walk.claims.setdefault(key, path)
        if owner != path:
            nodes = f"nodes {go_quoted(owner)} and {go_quoted(path)} both render {key}"
            plain = f"{owner} is {object_name(value)} too"
            raise FatalError(f"executor: duplicate resource identity across nodes: {nodes}", plain=plain)

    def _stamp(self, node: CompiledNode, path: str, value: JsonObject, index: int, size: int) -> None:
        """Write the labels and annotations by which kro finds the object again."""
        token = path.replace("/", ".")
        if len(token) > _LONGEST_LABEL:
            token = f"h-{hashlib.sha256(path.encode()).hexdigest()[:40]}"
        added: JsonObject = {names.NODE_ID: token}
        metadata = as_object(value["metadata"])
        labels = as_object(metadata.get("labels"))
        if node.is_list:
            added |= {names.COLLECTION_INDEX: str(index), names.COLLECTION_SIZE: str(size)}
            uid = metadata_text(self._walk.graph, "uid")
            if names.INSTANCE_ID not in labels and uid:
                added[names.INSTANCE_ID] = uid
        annotations: JsonObject = {names.NODE_PATH: path, names.APPLY_ORDER: str(self._orders[node.id])}
        metadata["labels"] = {**labels, **added}
        metadata["annotations"] = {**as_object(metadata.get("annotations")), **annotations}

    def _publish(self, node: CompiledNode, objects: list[JsonObject]) -> None:
        if node.resource.form.is_patch:
            return
        schema = node.kind.schema if node.kind and not node.resource.form.is_data else None
        values = [seen(each, schema) for each in objects]
        if node.is_list:
            self.scope[node.id] = values
        elif values:
            self.scope[node.id] = values[0]


def _joined(errors: list[WaitingError | FatalError] | list[FatalError]) -> str:
    return "\n".join(each.text for each in errors)


def _shown(value: JsonObject) -> str:
    place = f"{metadata_text(value, 'namespace')}/{metadata_text(value, 'name')}"
    return f"{value.get('kind')} {go_quoted(place)}"


def _reason(error: NodeError, path: str) -> Reason:
    return Reason.of(error, cause=_placed(error.cause, path))


def _placed(cause: Cause | None, path: str) -> Cause | None:
    return Cause(path, cause.expression, cause.start, cause.end) if cause else None
