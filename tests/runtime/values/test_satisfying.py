"""Generated objects fit the alternatives of their schema."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.keywords import keyword_errors
from kro_ls.runtime.values.demands import TEXT, Demand
from kro_ls.runtime.values.maker import ValueMaker
from kro_ls.runtime.values.names import Subject

TEXTS = {name: {"type": "string"} for name in ("name", "namespace", "external")}
REFERENCE: Any = {
    "type": "object",
    "properties": TEXTS,
    "oneOf": [
        {"required": ["name"], "not": {"required": ["external"]}},
        {"required": ["external"], "not": {"anyOf": [{"required": ["name"]}, {"required": ["namespace"]}]}},
    ],
}


def made(schema: Any, **fields: Demand) -> Any:
    asked = Demand(types={"object": None}, fields=fields) if fields else None
    return ValueMaker(Subject("app", "default", "example.com", "Database")).make(asked, Schema(schema), ("ref",))


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        (REFERENCE, {"name", "namespace"}),
        ({**REFERENCE, "oneOf": REFERENCE["oneOf"][::-1]}, {"external"}),
        ({**REFERENCE, "oneOf": [{"required": ["name"]}, {"required": ["external"]}]}, {"name", "namespace"}),
        ({**REFERENCE, "oneOf": None, "not": {"required": ["external"]}}, {"name", "namespace"}),
        ({**REFERENCE, "oneOf": None, "anyOf": REFERENCE["oneOf"]}, {"name", "namespace"}),
        ({"type": "object", "properties": {"ref": REFERENCE}}, {"ref"}),
    ],
)
def test_only_fields_that_may_stand_together(schema: Any, names: set[str]) -> None:
    schema = {name: value for name, value in schema.items() if value is not None}
    value = made(schema)
    assert set(value) == names
    assert keyword_errors(value, schema) == ()


def test_the_alternative_that_expressions_read() -> None:
    assert set(made(REFERENCE, external=Demand(types={TEXT: None}))) == {"external"}


def test_what_nothing_satisfies_stays() -> None:
    assert set(made({**REFERENCE, "oneOf": [{"required": ["no"]}]})) == set(TEXTS)
