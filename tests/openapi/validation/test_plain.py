"""Errors of the API server in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.openapi.validation.keywords import keyword_errors
from kro_ls.openapi.validation.plain import plain

NAME: Any = {"required": ["name"]}
OTHER: Any = {"required": ["external"]}


@pytest.mark.parametrize(
    ("alternatives", "value", "message"),
    [
        (
            {"oneOf": [NAME, OTHER]},
            {"name": 1, "external": 1},
            "'ref' must fit one alternative of its schema (oneOf); it fits 2",
        ),
        ({"oneOf": [NAME, OTHER]}, {}, "'ref' must fit one alternative of its schema (oneOf); it fits none"),
        ({"anyOf": [NAME, OTHER]}, {}, "'ref' fits no alternative of its schema (anyOf)"),
        ({"allOf": [NAME]}, {}, "'ref' does not fit its whole schema (allOf)"),
        ({"not": NAME}, {"name": 1}, "'ref' has fields that its schema does not allow together (not)"),
    ],
)
def test_alternatives(alternatives: Any, value: Any, message: str) -> None:
    errors = keyword_errors({"ref": value}, {"type": "object", "properties": {"ref": alternatives}})
    assert message in [plain(each) for each in errors]
