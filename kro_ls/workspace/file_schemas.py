"""The names of kro-ls' own files, the schema of test files, and values as these schemas mean them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.yaml_positions.nodes import Mapping, Scalar, entries_by_name, resolved

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.nodes import Node

PROJECT_FILE: Final = ".kro-ls.yaml"
TEST_ENDINGS: Final = (".test.yaml", ".test.yml")

AS_WRITTEN: Final = "x-kro-ls-as-written"
"""The keyword of strings that look like numbers: in YAML, 0.10 is 0.1."""


def schema_of_tests(nodes: tuple[str, ...] | None) -> JsonObject:
    """Return the schema of a test file; `nodes` are the ids that it can name, None if its definition is unknown."""
    from kro_ls.runtime.testing import testfile_schema

    return testfile_schema.TEST_FILE if nodes is None else testfile_schema.schema_of_tests(nodes)


def value_by(document: YamlDocument, schema: JsonObject) -> JsonValue:
    """Return the value of a document, in which strings that YAML would convert, such as 0.10 and `off`, are unchanged.

    Raises ExcessiveAliasingError.
    """
    return _as_written(document.frame.chunk.root, document.to_python(), schema)


def _as_written(node: Node | None, value: JsonValue, schema: JsonValue) -> JsonValue:
    node = resolved(node)
    if not isinstance(schema, dict):
        return value
    if isinstance(node, Scalar):
        is_meant = AS_WRITTEN in schema or node.text in as_list(schema.get("enum"))
        return node.text if is_meant and schema.get("type") == "string" and value is not None else value
    if not isinstance(node, Mapping) or not isinstance(value, dict):
        return value
    written, fields = entries_by_name(node), as_object(schema.get("properties"))
    return {
        name: _as_written(written[name].value, inner, fields[name]) if name in fields and name in written else inner
        for name, inner in value.items()
    }
