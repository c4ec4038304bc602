"""The places of rules in CEL in a schema, and the number of values of one object that they apply to.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation (validation.go and cel_validation.go).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

RULES: Final = "x-kubernetes-validations"


class RulePlace(Struct, frozen=True):
    """A part of a schema with rules, its path, and the most values that it can have (None: any number).

    `path` has None for the items of a list and the values of a map, `keywords` is the path in the schema itself. Values
    that are not correlated have no old value.
    """

    schema: JsonObject
    path: tuple[str | None, ...] = ()
    keywords: tuple[str, ...] = ()
    most_values: int | None = 1
    is_correlated: bool = True

    @property
    def rules(self) -> list[JsonObject]:
        """The rules."""
        return [as_object(each) for each in as_list(self.schema.get(RULES))]


def rule_places(schema: JsonObject) -> Iterator[RulePlace]:
    """Yield the parts of a schema that have rules, each before what is in it."""
    yield from _below(RulePlace(schema))


def _below(place: RulePlace) -> Iterator[RulePlace]:
    schema = place.schema
    if place.rules:
        yield place
    for name, child in as_object(schema.get("properties")).items():
        keywords = (*place.keywords, "properties", name)
        path = (*place.path, name)
        yield from _below(RulePlace(as_object(child), path, keywords, place.most_values, place.is_correlated))
    for keyword, bound in (("items", "maxItems"), ("additionalProperties", "maxProperties")):
        child = schema.get(keyword)
        if isinstance(child, dict):
            most = _times_bound(place.most_values, schema.get(bound))
            is_matched = keyword != "items" or schema.get("x-kubernetes-list-type") == "map"
            is_correlated = place.is_correlated and is_matched
            yield from _below(RulePlace(child, (*place.path, None), (*place.keywords, keyword), most, is_correlated))


def _times_bound(most_values: int | None, bound: JsonValue) -> int | None:
    return None if most_values is None or not isinstance(bound, int) else most_values * max(bound, 0)
