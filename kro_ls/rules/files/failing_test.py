"""Checks a test file against the definition that it tests: its nodes, their objects, and its kind.

A test may give parts of objects: what a part leaves out is no fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.json_schema import SchemaProblem, type_problem, unknown_problem
from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.rules.files import invalid_file
from kro_ls.rules.files.instances import INVALID_INSTANCE, check_object
from kro_ls.rules.files.invalid_file import check_file, file_problem
from kro_ls.rules.files.reported_places import reported, span_at
from kro_ls.rules.rule import Rule
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.documents.document import YamlDocument

_JSON_TYPES: Final = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", list: "array"}
_DEEPEST = 50


class FailedExpectation(Struct, frozen=True):
    """An unmet expectation: its path in the test, and the message; see `InputProblem`."""

    path: Path
    message: str
    in_key: bool = False
    kro_message: str = ""


class TestedDefinition(Struct, frozen=True):
    """The parts of a definition that tests can name: its nodes with the kinds of their objects, and its own kind.

    An unknown kind is None. `problem` says why there is no definition to test. `wrong_paths` are the paths in the test
    file to names of unusable files and folders, each with the reason. `failures` are the unmet expectations by the text
    of their test, with their paths in it.
    """

    __test__ = False  # pytest takes it for a test otherwise

    named: str
    nodes: Mapping[str, KindSchema | None] | None = None
    instance: KindSchema | None = None
    problem: str = ""
    wrong_paths: tuple[tuple[Path, str], ...] = ()
    failures: Mapping[str, tuple[FailedExpectation, ...]] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Whether kro refuses the definition."""
        return bool(self.problem) and self.nodes is not None


def check_test_file(
    document: YamlDocument,
    value_by: Callable[[YamlDocument, JsonObject], JsonValue],
    schema: JsonObject,
    tested: TestedDefinition,
    settings: Settings,
) -> Iterator[Diagnostic]:
    """Yield the diagnostics about a test file; `value_by` reads its value by its schema."""
    found = list(check_file(document, value_by, schema, settings))
    yield from found
    try:
        value = as_object(value_by(document, schema))
    except (ExcessiveAliasingError, RecursionError):
        return
    if document.errors:
        return
    if tested.problem:
        yield from file_problem(document, SchemaProblem(("definition",), tested.problem), settings)
    for path, reason in tested.wrong_paths:
        yield from file_problem(document, SchemaProblem(path, reason), settings)
    for number, test in enumerate(as_list(value.get("tests"))):
        of_test = list(_check_test(document, as_object(test), ("tests", number), tested, settings))
        yield from of_test
        yield from _failures(document, ("tests", number), tested, settings, [*found, *of_test])


def _failures(
    document: YamlDocument, path: Path, tested: TestedDefinition, settings: Settings, found: list[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield the unmet expectations of a test, unless another fault was found in it."""
    problems = tested.failures.get(written_test(document, path)) if settings.severity_of(RULE) else None
    located = document.child(path)
    if not problems or not located:
        return
    test = located.span
    faults = (invalid_file.RULE.code, INVALID_INSTANCE.code)
    if any(each.code in faults and test.start <= each.span.start < test.end for each in found):
        return
    for problem in problems:
        span = span_at(document, (*path, *problem.path), in_key=problem.in_key)
        yield from reported(RULE, settings, span, problem.message, problem.kro_message)


def written_test(document: YamlDocument, path: Path) -> str:
    """Return the text of a test, which identifies it while tests above it come and go."""
    located = document.child(path)
    span = located.span.shift(-document.frame.start) if located else Span(0, 0)
    return document.frame.chunk.text[span.start : span.end]


def _check_test(
    document: YamlDocument, test: JsonObject, path: Path, tested: TestedDefinition, settings: Settings
) -> Iterator[Diagnostic]:
    expect = as_object(test.get("expect"))
    for key in ("instance", "then"):
        instance = test.get(key)
        if tested.instance and isinstance(instance, dict):
            # A test that expects errors has an instance that the API server refuses.
            refused = not expect.get("errors")
            yield from check_object(document, (*path, key), instance, tested.instance, settings, refused=refused)
    problems: list[SchemaProblem] = []
    for where, objects in ((("observed",), test.get("observed")), (("expect", "objects"), expect.get("objects"))):
        for id_, given in as_object(objects).items():
            kind = (tested.nodes or {}).get(id_)
            if given is None and tested.nodes is not None and id_ not in tested.nodes:  # the schema does not see null
                problems.append(unknown_problem((*path, *where, id_), tuple(tested.nodes), "node"))
            elif kind:
                problems += _problems_of_objects(given, kind, (*path, *where, id_))
    if tested.instance:
        status = Schema(tested.instance.schema).child("status")
        problems += part_problems(expect.get("status"), status, (*path, "expect", "status")) if status else ()
    for problem in problems:
        yield from file_problem(document, problem, settings)


def _problems_of_objects(given: JsonValue, kind: KindSchema, path: Path) -> Iterator[SchemaProblem]:
    for number, each in enumerate(given) if isinstance(given, list) else ():
        yield from part_problems(each, Schema(kind.schema), (*path, number))
    if isinstance(given, dict):
        yield from part_problems(given, Schema(kind.schema), path)


def part_problems(value: JsonValue, schema: Schema, path: Path) -> Iterator[SchemaProblem]:
    """Yield the unknown fields and wrong types in a part of an object. Null stands for an absent field."""
    if value is None or len(path) > _DEEPEST:
        return
    types = schema.types
    found = _JSON_TYPES[type(value)]
    if types and found not in types and not (found == "integer" and "number" in types):
        yield type_problem(path, types)
    elif isinstance(value, dict):
        for name, inner in value.items():
            child = schema.child(name)
            if child:
                yield from part_problems(inner, child, (*path, name))
            elif schema.properties or types:
                yield unknown_problem((*path, name), tuple(schema.properties), "field")
    elif isinstance(value, list):
        for number, item in enumerate(value) if schema.items else ():
            yield from part_problems(item, schema.items or schema, (*path, number))
    elif schema.enum and value not in schema.enum:
        yield unknown_problem(path, tuple(map(str, schema.enum)), "value", found=str(value))


RULE = Rule(
    code="failing-test",
    severity=Severity.WARNING,
    summary="A test expects something else than its definition does now.",
    explanation="""\
While the definition or the test file is open, an editor runs the tests, with both files as they are in the editor,
and marks each expectation that is not met, with what was found instead. It runs nothing while kro refuses the
definition, and no test in which something else is wrong. Snapshots are compared as well, and never written. `kro-ls
check` runs no tests; `kro-ls test` does. If the definition is right, *Update the expected value* writes what was
found. With the severity `off` no test is run.""",
)
