"""Checks by the patterns of their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.objects.checks import Shape, error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

VALUE: JsonObject = {
    "spec": {"ports": [{"name": "a", "port": 1}, None, {"port": 2}, "x"], "[]": [{"name": "z"}], "none": None},
    "list": {"port": 3},
}
PATTERNS = ("spec.ports[].port", "spec", "", "spec.ports[].name", "spec.ports[]", "spec.none", "list[].port", "no.no")


def _seen(pattern: str) -> Check:
    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        yield error(path, ErrorType.INVALID, value, pattern)

    return check


def test_a_shape_finds_what_its_checks_find_one_by_one() -> None:
    ports = ("spec", "ports")
    assert [(each.detail, each.path) for each in Shape(*((each, _seen(each)) for each in PATTERNS))(VALUE, ())] == [
        *(("spec.ports[].port", (*ports, number, "port")) for number in (0, 2)),
        ("spec", ("spec",)),
        ("", ()),
        ("spec.ports[].name", (*ports, 0, "name")),
        *(("spec.ports[]", (*ports, number)) for number in range(4)),
    ]


def test_paths_begin_where_the_value_stands() -> None:
    (found,) = Shape(("a", _seen("a")))({"a": 1}, ("spec", 0))
    assert found.path == ("spec", 0, "a")


def test_shapes_nest() -> None:
    inner = Shape(("port", _seen("port")), ("", _seen("whole")))
    found = Shape(("spec.ports[]", inner))(VALUE, ())
    assert [each.detail for each in found] == ["port", "whole", "whole", "port", "whole", "whole"]
