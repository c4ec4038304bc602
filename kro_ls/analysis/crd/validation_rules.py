"""Why Kubernetes refuses the `validation` markers of a schema: rules that do not compile, or that cost too much.

kro copies the rules into the CRD and compiles none. Source: k8s.io/apiextensions-apiserver,
pkg/apis/apiextensions/validation (validation.go and cel_validation.go).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from kro_ls.analysis.simpleschema.application import span_in_value, value_span
from kro_ls.analysis.simpleschema.results import SchemaError, TypeKind
from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.openapi.rules.compilation import GREATEST_RULE_COST, GREATEST_TOTAL_COST, compile_rule, total_cost
from kro_ls.openapi.rules.rule_places import RULES, rule_places
from kro_ls.openapi.rules.self_declaration import declaration
from kro_ls.queries.cells import Interned, cached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.simpleschema.results import FieldDefinition, Marker, SchemaResult
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.rules.compilation import CompiledRule
    from kro_ls.openapi.rules.rule_places import RulePlace
    from kro_ls.openapi.rules.self_declaration import Declaration
    from kro_ls.yaml_positions.positions import Span

CODE = "refused-validation"

_ADVICE = "bound what it reads with 'maxItems' and 'maxLength'"


class _Written(NamedTuple):
    """The marker that a rule of the schema comes from, in the text of a field."""

    definition: FieldDefinition
    text: str
    marker: Marker


class _Rules(Struct, frozen=True, eq=False, weakref=True):
    """The rules of one schema, compiled, and what `self` is in them."""

    self_: Declaration
    compiled: tuple[tuple[str, CompiledRule], ...]


_living: Final[Interned[str, _Rules]] = Interned()


def _rules_of(result: SchemaResult, schema: JsonObject) -> _Rules:
    """Return the rules of a part of the schema: the same object for the same part as long as a result uses it."""
    found = _living.value(repr(schema), _compiled_rules, schema)
    result.cells.setdefault(_rules_of, []).append(found)
    return found


def _compiled_rules(schema: JsonObject) -> _Rules:
    self_ = declaration(schema)
    texts = [str(as_object(rule).get("rule")) for rule in as_list(schema.get(RULES))]
    return _Rules(self_, tuple((text, compile_rule(text, self_)) for text in texts))


@cached
def rule_warnings(result: SchemaResult) -> tuple[SchemaError, ...]:
    """Return why the API server refuses the rules of a schema, nothing for one without rules."""
    total = 0
    costs: list[tuple[int, _Written]] = []
    found: list[SchemaError] = []
    for place in rule_places(result.recovered):
        rules = _rules_of(result, place.schema)
        for text, compiled in rules.compiled:
            written = _origin(result, place.path, text)
            if written is None:
                continue
            errors = [*_errors(written, compiled, place)]
            found += errors
            cost = total_cost(compiled.cost or 0, place.most_values, rules.self_)
            total += cost
            costs.append((cost, written))
            if cost > GREATEST_RULE_COST and not errors:
                message = f"this rule can cost {_times(cost, GREATEST_RULE_COST)} of what is allowed; {_ADVICE}"
                found.append(_warning(written, _rule_span(written), message))
    if total > GREATEST_TOTAL_COST and all(cost <= GREATEST_RULE_COST for cost, _ in costs):
        for cost, written in sorted(costs, key=lambda each: -each[0])[:4]:
            if cost >= GREATEST_TOTAL_COST // 100:
                message = f"all rules together can cost {_times(total, GREATEST_TOTAL_COST)} of what is allowed"
                found.append(_warning(written, _rule_span(written), f"{message}; {_ADVICE}"))
    return tuple(found)


def _errors(written: _Written, compiled: CompiledRule, place: RulePlace) -> Iterator[SchemaError]:
    for error in compiled.errors:
        span = _rule_span(written, error.start, error.end)
        message = error.plain or error.message.replace("`", "'")
        yield _warning(written, span, f"this rule does not compile: {message}", f"compilation failed: {error.message}")
    if compiled.uses_old_self and not place.is_correlated:
        what = "oldSelf" if written.marker.name == "validation" else written.marker.name
        message = f"'{what}' cannot be used inside a list without 'listType=map', whose items have no old values"
        yield _warning(written, _rule_span(written), message)


def _rule_span(written: _Written, start: int = 0, end: int | None = None) -> Span:
    """Return where code points of the rule stand in the field's text, the whole marker for one without a rule."""
    marker = written.marker
    if marker.name != "validation":
        return marker.span
    end = len(marker.value) if end is None else end
    return span_in_value(written.text, marker, start, end) if start < end else value_span(marker)


def _warning(written: _Written, span: Span, message: str, kro_message: str = "") -> SchemaError:
    definition = written.definition
    message = f"{message}; Kubernetes will refuse the CRD"
    return SchemaError(definition.root, definition.path, span, message, kro_message, CODE)


def _times(cost: int, limit: int) -> str:
    factor = cost / limit
    return "more than 100 times" if factor > 100 else f"{factor:.2f} times"


def _origin(result: SchemaResult, path: tuple[str | None, ...], rule: str) -> _Written | None:
    """Return the marker that brought a rule: of the field, or of a custom type that it uses."""
    definition = result.definition_of(path)
    seen: set[tuple[str, ...]] = set()
    while definition is not None and definition.syntax is not None:
        for marker in definition.syntax.markers:
            is_immutable = marker.name == "immutable" and rule == "self == oldSelf"
            if not marker.damaged and ((marker.name == "validation" and marker.value == rule) or is_immutable):
                return _Written(definition, definition.syntax.text, marker)
        leaf = definition.syntax.type.innermost
        if leaf.kind is not TypeKind.CUSTOM or (leaf.name,) in seen:
            return None
        seen.add((leaf.name,))
        definition = result.definitions.get(("types", (leaf.name,)))
    return None
