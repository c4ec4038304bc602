"""A node during one pass: whether it is left out, what objects it should have, and whether they are ready.

Source: kro `pkg/runtime/{node,node_resolve,node_readiness,node_context}.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.analysis.model.model import ResourceType
from kro_ls.cel.evaluation.costs import Budget
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.controller import MOST_COLLECTION_OBJECTS
from kro_ls.openapi.cel_values import seen
from kro_ls.runtime.nodes.compiled import INSTANCE
from kro_ls.runtime.nodes.errors import (
    HELD,
    ExpressionError,
    FatalError,
    NodeError,
    PendingError,
    UnfinishedError,
    WaitingError,
)
from kro_ls.runtime.nodes.node_objects import (
    combinations,
    fill,
    first_repeated,
    in_order_of,
    metadata_text,
    repeated_object,
    set_place_label,
)
from kro_ls.runtime.nodes.programs import gives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledNode
    from kro_ls.runtime.nodes.programs import CompiledExpression, SharedExpressions

    Unready: TypeAlias = Callable[[CompiledNode, Sequence[JsonObject]], str]
    """Returns why the observed objects of a node are not ready, for people; empty where they are."""


class Instance:
    """The instance as expressions see it: without its status."""

    def __init__(self, value: JsonObject, schema: JsonObject | None) -> None:
        self.value = value
        self.namespace = metadata_text(value, "namespace")
        visible: JsonObject = {name: inner for name, inner in value.items() if name != "status"}
        self.variable = seen(visible, schema)


class Node:
    """The state of one node. `desired` is None until it is computed, `observed` until the cluster was read."""

    def __init__(self, compiled: CompiledNode, instance: Instance, shared: SharedExpressions) -> None:
        self.compiled = compiled
        self.id = compiled.id
        self.dependencies: dict[str, Node] = {}
        self.desired: list[JsonObject] | None = None
        self.observed: list[JsonObject] | None = None
        self.held = False
        """Whether the scenario holds it back: it is never ready."""
        self.unready: Unready | None = None
        """Gives what else keeps it from being ready where its `readyWhen` holds."""
        self.ignoring: CompiledExpression | None = None
        """The `includeWhen` of its own that leaves it out."""
        self._instance = instance
        self._shared = shared
        self._ignored: bool | NodeError | None = None
        # In this order: the first use of a text decides about its references.
        self._include_when = [shared.share(each) for each in compiled.include_when]
        self._ready_when = [shared.share(each) for each in compiled.ready_when]
        self._dimensions = [(name, shared.alone(each)) for name, each in compiled.dimensions]
        self._fields = [(path, shared.share(each)) for path, each in compiled.fields]

    def reset(self) -> None:
        """Clear the results of the previous pass."""
        self.desired = self.observed = self.ignoring = self._ignored = None

    def observe(self, objects: list[JsonObject]) -> None:
        """Set the objects in the cluster; of a collection those that it desires, in its order."""
        if self.compiled.resource.type is ResourceType.COLLECTION:
            objects = in_order_of(objects, self.desired or [])
        self.observed = objects if objects or self.compiled.is_list else None

    def variable(self) -> Value:
        """Return what other nodes see under the node's id, once it was observed."""
        observed = self.observed or []
        schema = self.compiled.kind.schema if self.compiled.kind else None
        values = [seen(each, schema) for each in observed]
        return values if self.compiled.is_list else values[0]

    def is_ignored(self) -> bool:
        """Whether `includeWhen`, its own or that of a node that it depends on, leaves it out. Raises NodeError."""
        if self._ignored is None:
            try:
                self._ignored = self._find_ignored()
            except NodeError as error:
                self._ignored = error
        if isinstance(self._ignored, NodeError):
            raise self._ignored.with_traceback(None)  # else each raise would lengthen it
        return self._ignored

    def _find_ignored(self) -> bool:
        if any(each.is_ignored() for each in self.dependencies.values()):
            return True
        needed = dict.fromkeys(name for each in self._include_when for name in each.references)
        for name in needed:
            if name in self.dependencies:
                self._require_for_include_when(self.dependencies[name])
        variables = self._variables(needed)
        for shared in self._include_when:
            try:
                if not shared.evaluate_bool(variables):
                    self.ignoring = shared.compiled
                    return True
            except ExpressionError as failure:
                text = f"includeWhen {shared.compiled.quoted}: {failure.text}"
                if all(name == INSTANCE for name in shared.references):
                    raise failure.to(FatalError, text) from None
                raise failure.pending_or_fatal(PendingError, f"{text} (data pending)", text) from None
        return False

    def _require_for_include_when(self, dependency: Node) -> None:
        name = go_quoted(dependency.id)
        try:
            dependency.check_observed()
        except WaitingError as error:
            text = f"includeWhen dependency {name} not ready: {error.text} (data pending)"
            raise PendingError(text, error.cause, dependency.id) from None
        except NodeError as error:
            raise FatalError(f"includeWhen dependency {name}: {error.text}", error.cause, dependency.id) from None

    def check_ready(self) -> None:
        """Return where the node does not hold up others, ignored nodes included. Raises NodeError."""
        try:
            ignored = self.is_ignored()
        except NodeError as error:
            raise type(error)(f"is ignore check failed: {error.text}", error.cause, plain=error.plain) from None
        if not ignored:
            self.check_observed()

    def check_observed(self) -> None:
        """Return where the observed objects are ready. Raises WaitingError or FatalError."""
        if self.held:
            text = f"node {go_quoted(self.id)}: held not ready (waiting for readiness)"
            raise WaitingError(text, plain=HELD)
        if self.compiled.is_list:
            self._check_items()
        else:
            self._check_object()
        plain = self.unready(self.compiled, self.observed or []) if self.unready else ""
        if plain:
            raise WaitingError(f"node {go_quoted(self.id)}: {plain} (waiting for readiness)", plain=plain)

    def _check_object(self) -> None:
        prefix = f"node {go_quoted(self.id)}: "
        if not self.observed:
            plain = "its object does not exist yet"
            raise WaitingError(f"{prefix}no observed state: waiting for readiness", plain=plain)
        self._check_as_a_whole(prefix, self.observed[0])

    def _check_as_a_whole(self, prefix: str, observed: Value) -> None:
        for shared in self._ready_when:
            try:
                ready = shared.evaluate_bool({self.id: observed})
            except ExpressionError as failure:
                text = f"{prefix}failed to evaluate readyWhen expression: {shared.compiled.quoted}"
                waiting = f"{text} (waiting for readiness)"
                raise failure.pending_or_fatal(WaitingError, waiting, f"{text} ({failure.text})") from None
            if not ready:
                raise _not_true(shared.compiled)

    def _check_items(self) -> None:
        prefix, observed = f"node {go_quoted(self.id)}: ", self.observed or []
        if self.compiled.resource.type is ResourceType.COLLECTION:
            if self.desired is None:
                plain = "its objects are not known yet"
                raise WaitingError(f"{prefix}collection not computed (waiting for readiness)", plain=plain)
            if not self.desired:
                return
            if len(observed) < len(self.desired):
                counts = f"observed {len(observed)} but desired {len(self.desired)}"
                plain = f"{len(observed)} of its {len(self.desired)} objects exist"
                raise WaitingError(f"{prefix}collection not ready: {counts} (waiting for readiness)", plain=plain)
        if not self.compiled.resource.collection.tests_each:
            self._check_as_a_whole(prefix, observed)
            return
        for index, item in enumerate(observed):
            for shared in self._ready_when:
                self._check_item(shared.compiled, index, item)

    def _check_item(self, expression: CompiledExpression, index: int, item: JsonObject) -> None:
        try:
            ready = expression.evaluate({"each": item}, self._shared.budget)
        except ExpressionError as failure:
            text = f"node {go_quoted(self.id)}: failed to evaluate readyWhen {expression.quoted} (item {index})"
            waiting = f"{text} (waiting for readiness)"
            raise failure.pending_or_fatal(WaitingError, waiting, f"{text}: {failure.text}") from None
        if not isinstance(ready, bool):
            unusable = expression.failure(f"readyWhen {expression.quoted} did not return bool")
            raise FatalError(unusable.text, unusable.cause, plain=gives(expression, ready, "a bool"))
        if not ready:
            raise _not_true(expression)

    def desire(self) -> list[JsonObject]:
        """Return the objects that the node should have, computed once per pass. Raises PendingError or FatalError."""
        if self.compiled.unfinished:
            raise UnfinishedError(self.compiled.unfinished)
        if self.desired is None:
            for dependency in self.dependencies.values():
                self._require(dependency)
            is_collection = self.compiled.resource.type is ResourceType.COLLECTION
            prefix = f"node {go_quoted(self.id)}: "
            objects = self._render_items() if is_collection else [self._filled(self._field_values(prefix, prefix))]
            if self.compiled.resource.type is not ResourceType.EXTERNAL_COLLECTION and self.compiled.is_namespaced:
                self._set_namespaces(objects)
            self.desired = objects
        return self.desired

    def _require(self, dependency: Node) -> None:
        prefix, name = f"node {go_quoted(self.id)}: ", go_quoted(dependency.id)
        try:
            dependency.check_ready()
        except WaitingError as error:
            text = f"{prefix}dependent node {name} not ready: {error.text} (data pending)"
            raise PendingError(text, error.cause, dependency.id) from None
        except NodeError as error:
            text = f"{prefix}failed to check readiness of dependent node {name}: {error.text}"
            pending = isinstance(error, PendingError)
            raise (PendingError if pending else FatalError)(text, error.cause, dependency.id) from None

    def _render_items(self) -> list[JsonObject]:
        common = self._field_values("", f"node {go_quoted(self.id)} base eval: ")
        iterations = combinations(self._evaluate_dimensions(), MOST_COLLECTION_OBJECTS)
        variables = self._variables({name for _, each in self.compiled.item_fields for name in each.references})
        objects: list[JsonObject] = []
        # For all items together: a thousand costly ones must not take a thousand times as long.
        budget = self._shared.budget or Budget()
        for index, iterators in enumerate(iterations):
            if index:
                self._pay_for_common_fields()
            here = {**variables, **iterators}
            values = [(path, _evaluate_for_item(each, here, budget)) for path, each in self.compiled.item_fields]
            value = self._filled([*common, *values])
            set_place_label(value, index, iterators, self.compiled.resource.collection)
            objects.append(value)
        repeated = first_repeated(objects)
        if repeated is not None:
            plain = repeated_object(repeated)
            text = f"node {go_quoted(self.id)} identity collision: duplicate identity: {repeated}"
            raise FatalError(text, plain=plain)
        return objects

    def _pay_for_common_fields(self) -> None:
        try:
            for _, shared in self._fields:
                shared.pay_for_copy()
        except ExpressionError as failure:
            raise failure.to(FatalError, f"node {go_quoted(self.id)} base eval: {failure.text}") from None

    def _filled(self, values: list[tuple[Path, Any]]) -> JsonObject:
        if self._shared.budget is not None:
            self.compiled.pay(self._shared.budget)
        try:
            return fill(self.compiled.template, values)
        except (KeyError, IndexError, TypeError) as error:
            text = f"resolve errors: [error getting value: {error}]"
            plain = "a value cannot be written to its place in the template"
            raise FatalError(f"node {go_quoted(self.id)}: {text}", plain=plain) from None

    def _field_values(self, pending_prefix: str, fatal_prefix: str) -> list[tuple[Path, Any]]:
        variables = self._variables({name for _, each in self._fields for name in each.compiled.references})
        values = []
        for path, shared in self._fields:
            try:
                values.append((path, shared.evaluate(variables)))
            except ExpressionError as failure:
                text = f"{pending_prefix}failed to evaluate expression: {failure.text} (data pending)"
                raise failure.pending_or_fatal(PendingError, text, f"{fatal_prefix}{failure.text}") from None
        return values

    def _evaluate_dimensions(self) -> list[tuple[str, list[Any]]]:
        variables = self._variables({name for _, each in self._dimensions for name in each.references})
        dimensions: list[tuple[str, list[Any]]] = []
        for name, shared in self._dimensions:
            try:
                values = shared.evaluate_items(variables, by_place=bool(self.compiled.resource.collection.iterator))
            except ExpressionError as failure:
                text = f"forEach {go_quoted(name)}: {failure.text}"
                raise failure.pending_or_fatal(PendingError, "data pending", text) from None
            dimensions.append((name, values))
            if not values:
                break
        return dimensions

    def _variables(self, names: Iterable[str]) -> dict[str, Value]:
        """Return the values of names, of all names where none are given; nodes that were not observed have no value."""
        variables: dict[str, Value] = {}
        for name in tuple(names) or (INSTANCE, *self.dependencies):
            if name == INSTANCE:
                variables[name] = self._instance.variable
            elif name in self.dependencies and self.dependencies[name].observed is not None:
                variables[name] = self.dependencies[name].variable()
        return variables

    def _set_namespaces(self, objects: list[JsonObject]) -> None:
        for each in objects:
            if metadata_text(each, "namespace"):
                continue
            if not self._instance.namespace and self.compiled.kind is None:
                continue  # the kind may well be cluster-scoped
            if not self._instance.namespace:
                text = "is namespaced and must resolve metadata.namespace when the instance is cluster-scoped"
                plain = "it needs metadata.namespace, because the instance has no namespace"
                raise FatalError(f"node {go_quoted(self.id)} {text}", plain=plain)
            metadata = each.get("metadata")
            kept = metadata if isinstance(metadata, dict) else {}
            each["metadata"] = {**kept, "namespace": self._instance.namespace}


def _evaluate_for_item(expression: CompiledExpression, variables: Mapping[str, Value], budget: Budget) -> Any:
    try:
        return expression.evaluate(variables, budget)
    except ExpressionError as failure:
        text = f"collection iteration eval {go_quoted(expression.expression.text)}: {failure.text}"
        raise failure.pending_or_fatal(PendingError, "data pending", text) from None


def _not_true(expression: CompiledExpression) -> WaitingError:
    text = f"readyWhen condition evaluated to false: {expression.quoted} (waiting for readiness)"
    return WaitingError(text, expression.failure(text).cause)
