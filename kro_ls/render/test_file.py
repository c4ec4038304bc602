"""Texts of test files: a new one with a test, or an existing one with one more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.render.yaml_text import lines, to_yaml
from kro_ls.runtime.testing.saved_tests import unique_name
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.nodes import field, items
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.yaml_positions.documents.document import YamlDocument


class TestFileHead(Struct, frozen=True):
    """What the tests of a file share; paths are relative to the file."""

    __test__ = False  # pytest takes it for a test otherwise

    definition: str
    crds: Sequence[str] = ()
    feature_gates: Sequence[str] = ()


def new_test_file(head: TestFileHead, name: str, test: dict[str, Any]) -> str:
    """Return the text of a file with one test."""
    shared: dict[str, Any] = {"definition": head.definition}
    if head.crds:
        shared["crds"] = list(head.crds)
    if head.feature_gates:
        shared["featureGates"] = list(head.feature_gates)
    return to_yaml(shared | {"tests": [{"name": name, **test}]})


def with_test(text: str, head: TestFileHead, name: str, test: dict[str, Any]) -> str | None:
    """Return the text of a test file with one more test, under a name that no other has.

    None where the file is about other definitions, or nothing can be added to it.
    """
    parts = parse_stream(Text(text)).documents
    found = (_with_test_in(each, text, head, name, test) for each in parts)
    return next((each for each in found if each is not None), None)


def _with_test_in(document: YamlDocument, text: str, head: TestFileHead, name: str, test: dict[str, Any]) -> str | None:
    if document.errors:
        return None
    try:
        value = as_object(document.to_python())
    except ExcessiveAliasingError:
        return None
    tests = [document.frame.span(each) for each in items(field(document.frame.chunk.root, "tests"))]
    has_other_crds = any(each not in as_list(value.get("crds")) for each in head.crds)
    if value.get("definition") != head.definition or not tests or has_other_crds:
        return None
    lead = text[text.rfind("\n", 0, tests[0].start) + 1 : tests[0].start]
    if lead.strip() != "-":
        return None  # in flow style
    taken = [as_text(as_object(each).get("name")) for each in as_list(value.get("tests"))]
    added = lines([{"name": unique_name(name, taken), **test}])
    end = tests[-1].end
    if text[end - 1] != "\n":
        end = text.find("\n", end) + 1 or len(text)
    before = text[:end] if text[end - 1] == "\n" else f"{text[:end]}\n"
    indent = lead.partition("-")[0]
    return before + "".join(f"{indent}{line}".rstrip() + "\n" for line in added) + text[end:]
