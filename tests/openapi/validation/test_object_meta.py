"""Kubernetes' own rules for the name of an object."""

import pytest

from kro_ls.openapi.json_values import JsonValue
from kro_ls.openapi.validation.object_meta import name_errors


def texts(metadata: JsonValue) -> list[str]:
    return [error.text for error in name_errors({"metadata": metadata})]


@pytest.mark.parametrize("metadata", [{"name": "a.b-1"}, {"generateName": "a-"}, {"name": 5}, [], "a"])
def test_names_and_what_is_not_a_name_at_all(metadata: JsonValue) -> None:
    assert texts(metadata) == []


@pytest.mark.parametrize("metadata", [{}, {"name": ""}, {"name": None}, {"generateName": ""}])
def test_an_object_needs_a_name(metadata: JsonValue) -> None:
    assert texts(metadata) == ["metadata.name: Required value: name or generateName is required"]
    assert [error.path for error in name_errors({})] == [("metadata", "name")]


@pytest.mark.parametrize("name", ["A", "a_b", "-a", "a.", "a..b", "ä"])
def test_a_name_is_a_subdomain(name: str) -> None:
    (text,) = texts({"name": name})
    assert text.startswith(f'metadata.name: Invalid value: "{name}": a lowercase RFC 1123 subdomain must consist of')


def test_a_long_name() -> None:
    assert texts({"name": "a" * 253}) == []
    (text,) = texts({"name": "a" * 254})
    assert text.endswith(": must be no more than 253 characters")
