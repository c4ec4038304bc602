"""Finds what the API server refuses in a template, no matter what its expressions evaluate to.

Source: k8s.io/kubernetes, pkg/apis/*/validation, and k8s.io/apiextensions-apiserver for custom kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.model.expressions import extract, value_of
from kro_ls.openapi.json_values import as_object, is_unknown, unknown_text
from kro_ls.openapi.validation.objects.refusal import problems
from kro_ls.queries.cells import Interned, cached
from kro_ls.yaml_positions.nodes import Mapping, field, resolved

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.model import Resource
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.validation.field_errors import FieldError
    from kro_ls.openapi.validation.objects.refusal import Problem


class _Refusal(Struct, frozen=True, weakref=True):
    """The templates of equal objects share it."""

    problems: tuple[Problem, ...]


_living: Final[Interned[tuple[str, KindSchema | None], _Refusal]] = Interned()


def refusal_problems(resource: Resource, kind: KindSchema | None) -> tuple[Problem, ...]:
    """Return the problems of a template. If its kind is unknown, only the metadata is checked.

    A template without a mapping in `metadata` has none: kro itself refuses it.
    """
    return _refusal(resource, kind).problems


@cached
def _refusal(resource: Resource, kind: KindSchema | None) -> _Refusal:
    template = resolved(resource.template)
    if not isinstance(template, Mapping) or not isinstance(field(template, "metadata"), Mapping):
        return _NOTHING
    value = as_object(value_of(template))
    metadata = as_object(value["metadata"])
    if is_unknown(metadata.get("name")):
        metadata["name"] = _sample_name(metadata["name"], resource.dialect)
    text = repr(value)  # unlike values, texts differ for `1` and `true`
    # Most edits leave the object alone: those of ids, conditions and comments.
    return _living.value((text, kind), _refusal_of, value, kind, may_omit="omit(" in text)


_NOTHING: Final = _Refusal(())


def _refusal_of(value: JsonObject, kind: KindSchema | None, *, may_omit: bool) -> _Refusal:
    found = tuple(problems(value, kind, _rule_errors))
    if not may_omit or not found:
        return _Refusal(found)
    shorter = as_object(_without_omitted(value))
    fewer = {(each.path, each.message) for each in problems(shorter, kind, _rule_errors)}
    return _Refusal(tuple(each for each in found if (each.path, each.message) in fewer))


def _sample_name(name: JsonValue, dialect: Dialect) -> JsonValue:
    """Return an unknown name with a letter for each expression, if there is text around them.

    A fault of such a name is a fault for all values of the expressions.
    """
    text = unknown_text(name)
    sample, start = "", 0
    for span in extract(text, dialect).expressions:
        sample += f"{text[start : span.start]}x"
        start = span.end
    sample += text[start:]
    return name if sample == "x" or "${" in sample else sample


def _without_omitted(value: JsonValue) -> JsonValue:
    """Return a value without the fields that an expression may omit."""
    if isinstance(value, dict):
        return {name: _without_omitted(inner) for name, inner in value.items() if not _may_be_omitted(inner)}
    return [_without_omitted(inner) for inner in value] if isinstance(value, list) else value


def _may_be_omitted(value: JsonValue) -> bool:
    return is_unknown(value) and "omit(" in unknown_text(value)


def _rule_errors(value: JsonObject, schema: JsonObject, _old: JsonObject | None) -> Iterable[FieldError]:
    from kro_ls.openapi.rules.evaluation import rule_errors  # few kinds have rules

    return rule_errors(value, schema)
