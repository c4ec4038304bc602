"""Stubs of modules: the parts that a program of the tests does not show."""

import ast

import pytest

from kro_ls.authoring.kind_modules.module_names import ModuleName
from kro_ls.authoring.kind_modules.shapes import ShapeReader
from kro_ls.authoring.stubs.kind_stubs import module_stub, own_stub_files
from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.kind_schema import GroupVersionKind

MODULE = ModuleName("example_com", "v1")


def stub(properties: JsonObject, *required: str, **keywords: bool) -> str:
    """Return the stub of a kind whose spec has some fields."""
    spec: JsonObject = {"type": "object", "properties": properties, "required": [*required], **keywords}
    reader = ShapeReader(MODULE)
    schema: JsonObject = {"type": "object", "properties": {"metadata": {"type": "object"}, "spec": spec}}
    reader.read("Widget", schema, GroupVersionKind("example.com", "v1", "Widget"))
    text = module_stub(reader)
    ast.parse(text)
    return text


def given_and_read(schema: JsonObject) -> tuple[str, str]:
    """Return the annotations of a field with a schema: in the TypedDict, and in the class of references."""
    read, _, given = stub({"field": schema}).partition("class WidgetSpec(TypedDict")
    found = [line.strip() for text in (given, read) for line in text.splitlines() if line.startswith("    field: ")]
    return found[0].removeprefix("field: "), found[-1].removeprefix("field: ") if len(found) > 1 else ""


@pytest.mark.parametrize(
    ("schema", "given", "read"),
    [
        ({"type": "string"}, "str", "str"),
        ({"type": "integer"}, "int", "int"),
        ({"type": "number"}, "float", "float"),
        ({"type": "boolean", "nullable": True}, "bool | None", "bool"),
        ({"type": "string", "format": "date-time"}, "str | datetime", "datetime"),
        ({"type": "string", "format": "byte"}, "str | bytes", "bytes"),
        ({"type": "string", "enum": ["a", "b"]}, "Literal['a', 'b']", "Literal['a', 'b']"),
        ({"type": "array", "items": {"type": "string"}}, "list[str]", "list[str]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "Mapping[str, int]", "dict[str, int]"),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, "Mapping[str, Any]", "Any"),
        ({"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}, "int | str", "Any"),
        # kro shows it to no expression.
        ({"x-kubernetes-preserve-unknown-fields": True}, "Any", ""),
    ],
)
def test_a_field(schema: JsonObject, given: str, read: str) -> None:
    assert given_and_read(schema) == (given, read)


def test_objects_that_are_alike_are_one_with_two_names() -> None:
    part: JsonObject = {"type": "object", "properties": {"name": {"type": "string"}}}
    text = stub({"first": {**part, "description": "The first."}, "last": {**part, "description": "The last."}})
    assert "WidgetSpecLast = WidgetSpecFirst\nWidgetSpecLastReference = WidgetSpecFirstReference\n" in text
    assert text.count("(TypedDict, total=False)") == 3


def test_names_that_python_or_the_module_has_already() -> None:
    text = stub({"from": {"type": "string"}, "a-b": {"type": "integer"}}, "from")
    assert """WidgetSpec = TypedDict("WidgetSpec", {"from": 'Required[str]', "a-b": 'int'}, total=False)""" in text
    assert "    from_: str\n" in text
    assert "    str: builtins.str\n" in stub({"str": {"type": "string"}, "a": {"type": "string"}})
    part: JsonObject = {"type": "object", "properties": {"name": {"type": "string"}}}
    other: JsonObject = {"type": "object", "properties": {"other": {"type": "string"}}}
    assert "class WidgetSpecA2(TypedDict" in stub({"a": part, "A": other})


def test_further_fields() -> None:
    text = stub({"a": {"type": "string"}}, **{"x-kubernetes-preserve-unknown-fields": True})
    assert "    def __getattr__(self, name: str) -> Any: ...\n" in text
    assert "spec: WidgetSpec | Mapping[str, Any] = ..." in text


def test_descriptions() -> None:
    text = stub({"a": {"type": "string", "description": 'Says """hi""" with a \\ and "quotes". And more.'}})
    assert text.count('''    """Says \'\'\'hi\'\'\' with a \\\\ and "quotes"."""\n''') == 2


def test_every_stub_of_kubernetes_is_python() -> None:
    files = own_stub_files()
    for text in files.values():
        ast.parse(text)
    assert {path.removesuffix("i") for path in files} == {path for path in files if path.endswith(".py")}
    assert "class Deployment(ApiObject):" in files["apps/v1.pyi"]
    assert "volumeClaimTemplates: list[core_v1.PersistentVolumeClaimDict]" in files["apps/v1.pyi"]
