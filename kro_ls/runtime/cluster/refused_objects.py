"""Which objects of a simulation the API server refuses: for their fields, or because their namespace does not exist.

A field that follows from a made-up value is never reported: the real value is unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.costs import Budget, BudgetError
from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import value_at
from kro_ls.openapi.kind_schema import Trust
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.objects.refusal import Refusal, refusal
from kro_ls.runtime.nodes.compiled import INSTANCE
from kro_ls.runtime.nodes.node_objects import identity, metadata_text

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from kro_ls.analysis.names.inspection import NameUse
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.runtime.cluster.scenario import Scenario
    from kro_ls.runtime.nodes.compiled import CompiledNode


_STEPS = 200_000
"""What the rules of custom kinds may take in one simulation. Of objects beyond that only their schema is checked."""

_NAME = re.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_OWN_NAMES = (("metadata", "name"), ("metadata", "namespace"))
"""Fields of other nodes that come from their templates, where they are refused themselves."""


class ObjectRefusals:
    """Asks about the objects of one simulation."""

    def __init__(self, scenario: Scenario, instance: JsonObject, nodes: Mapping[str, CompiledNode]) -> None:
        self._nodes = nodes
        self._scenario = scenario
        self._instance = instance
        self._budget = Budget(_STEPS)

    def of(self, node: CompiledNode, value: JsonObject, stored: JsonObject | None) -> Refusal | None:
        """Return why an object of a node is refused, None where it is accepted; `stored` is the existing one.

        Where the cluster may have another schema of the kind, only its metadata is checked.
        """
        kind = node.kind if node.kind and node.kind.trust is Trust.FULL else None
        return refusal(value, kind, self._rules, stored, lambda path: self.is_known(node, path))

    def _rules(self, value: JsonObject, schema: JsonObject, old: JsonObject | None) -> list[FieldError]:
        if self._budget.remaining <= 0:
            return []
        try:
            found = list(rule_errors(value, schema, old, self._budget))
        except BudgetError:
            return []
        return found if self._budget.remaining > 0 else []

    def is_known(self, node: CompiledNode, path: Path, *, as_is: bool = False) -> bool:
        """Return whether the value at a path of a node's object follows from no made-up value.

        In metadata a made-up text that is a valid name is accepted, unless the value must be known `as_is`.
        """
        in_metadata = path[:1] == ("metadata",) and not as_is
        for place, compiled in (*node.fields, *node.item_fields):
            shared = min(len(place), len(path))
            if place[:shared] == path[:shared]:
                for use in compiled.expression.inspection.names:
                    if self._is_made_up(node, use, in_metadata=in_metadata):
                        return False
        return True

    def _is_made_up(self, node: CompiledNode, use: NameUse, *, in_metadata: bool) -> bool:
        if use.name == INSTANCE:
            # Where a made-up text is a good name, what is wrong with the name is what stands around it.
            return not self._is_given(use.path) and not (in_metadata and _is_name(value_at(self._instance, use.path)))
        for name, compiled in node.dimensions:
            if name == use.name:
                names = compiled.expression.inspection.names
                return any(self._is_made_up(node, each, in_metadata=in_metadata) for each in names)
        if use.name in self._scenario.observed or use.path in _OWN_NAMES:
            return False
        other = self._nodes.get(use.name)
        is_stated = other is not None and not other.is_list and value_at(other.template, use.path) is not None
        return other is None or not is_stated or not self.is_known(other, use.path)

    def _is_given(self, path: tuple[str, ...]) -> bool:
        """Return whether the user or the schema gives the value of a field of the instance."""
        given = self._scenario.given
        return given is None or path[:1] != ("spec",) or value_at(given, path) is not None


def _is_name(value: JsonValue) -> bool:
    if isinstance(value, list):
        return all(map(_is_name, value))
    return isinstance(value, int) or (isinstance(value, str) and _NAME.fullmatch(value) is not None)


STANDARD: Final = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
"""Those that every cluster has."""
FIELD: Final = ("metadata", "namespace")


def not_found(name: str, message: str) -> Refusal:
    """Return the API server's refusal of an object in a namespace that does not exist."""
    return Refusal(f"namespaces {go_quoted(name)} not found", FIELD, message)


class Namespaces:
    """The namespaces that exist; where `existing` is None, any may exist except those that the instance creates."""

    def __init__(self, existing: frozenset[str] | None, instance: JsonObject) -> None:
        self._existing = existing
        self._always = STANDARD | {metadata_text(instance, "namespace") or "default"} | (existing or set())

    def refusal(
        self, value: JsonObject, there: Container[str], wanted: Mapping[str, object], *, is_known: bool
    ) -> Refusal | None:
        """Return why a new object is refused, None where its namespace exists or may exist.

        `there` and `wanted` name the objects that exist, and those that nodes want so far. `is_known` is whether the
        name of the namespace is not made up.
        """
        name = metadata_text(value, "namespace")
        key = identity({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        if name in self._always or key in there:
            return None
        if wanted.get(key):
            return not_found(name, f"the namespace {name} is not there yet: it does not wait for it")
        if self._existing is not None and is_known:
            return not_found(name, f"there is no namespace {name}")
        return None
