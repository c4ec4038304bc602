"""A definition as a program: its composition, and the proof that this builds an equal definition.

Expressions are equal if their trees are: blanks and parentheses make no difference.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from kro_ls.analysis.analysis import analyze
from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.analysis.model.expressions import extract
from kro_ls.analysis.simpleschema.builder import build_schema
from kro_ls.authoring.cel.cel_members import OVERLOADS
from kro_ls.authoring.compositions.user_program import FailedAtError, yaml_of
from kro_ls.authoring.to_python.program_source import Untyped, source_of
from kro_ls.authoring.to_python.resource_statements import CannotBePythonError
from kro_ls.authoring.to_python.spec_class import NoClassError, spec_class
from kro_ls.cel.syntax import ast
from kro_ls.kro.environment import parse
from kro_ls.kro.forms import DEFAULT_GROUP
from kro_ls.kro.identifiers import is_kind
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.authoring.to_python.spec_class import SpecClass
    from kro_ls.authoring.to_python.written_texts import Path
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject, JsonValue


_MOST_RUNS: Final = 60
_SAID_ANYWAY: Final = (("group", ""), ("group", DEFAULT_GROUP))


class Program(Struct, frozen=True):
    """A program, how many expressions the definition has, and how many of them hold CEL as text."""

    text: str
    expressions: int
    texts: int


def program_of(rgd: RgdAnalysis, kinds: SchemaIndex) -> Program:
    """Return the program whose composition builds a definition that is equal to one.

    The program was run and its result compared: expressions by their trees, the schema by the CRD that kro generates.
    Raises CannotBePythonError where no composition can build it.
    """
    value = _without_empty(as_object(rgd.rgd.document.to_python()))
    kind = as_text(as_object(as_object(value["spec"]).get("schema")).get("kind"))
    if not is_kind(kind):  # which also names a class of the program
        raise CannotBePythonError(f"kind {kind!r} is no kind; give spec.schema.kind a word such as WebApp")
    if not rgd.rgd.form.declares_kind:
        raise CannotBePythonError("only a ResourceGraphDefinition can become a composition")
    count = len(as_list(as_object(value.get("spec")).get("resources")))
    failure = CannotBePythonError("")
    for made in _classes(value):
        for order in _orders(rgd, count):
            try:
                return _proved(rgd, value, kinds, order, made)
            except CannotBePythonError as error:
                failure = error
    raise failure


def _without_empty(value: JsonObject) -> JsonObject:
    """Return a definition without its empty and default fields."""
    spec = as_object(value.get("spec"))
    made: JsonObject = {name: each for name, each in spec.items() if each is not None}
    if isinstance(made.get("schema"), dict):
        schema = as_object(made["schema"])
        made["schema"] = {
            name: each for name, each in schema.items() if each is not None and (name, each) not in _SAID_ANYWAY
        }
    made["resources"] = [
        {name: inner for name, inner in each.items() if inner is not None and inner != []}
        if isinstance(each, dict)
        else each
        for each in as_list(made.get("resources"))
    ]
    return {**value, "spec": made}


def _classes(value: JsonObject) -> Iterator[SpecClass | None]:
    """Yield the classes of the spec if it can have some, then None."""
    schema = as_object(as_object(value.get("spec")).get("schema"))
    found = build_schema(schema.get("spec") or {}, schema.get("types"))
    if not found.errors:
        with suppress(NoClassError):
            yield spec_class(f"{as_text(schema.get('kind'))}Spec", found.recovered)
    yield None


def _orders(rgd: RgdAnalysis, count: int) -> Iterator[Sequence[int]]:
    """Yield the resources so that each follows those that it reads, then as they are written."""
    ids = [each.resource.id for each in rgd.rgd.resources]
    own = range(count)
    if not rgd.cycles and len(ids) == count and sorted(map(str, ids)) == sorted(rgd.graph.order):
        order = [ids.index(each) for each in rgd.graph.order]
        if order != [*own]:
            yield order
    yield own


def _proved(
    rgd: RgdAnalysis, value: JsonObject, kinds: SchemaIndex, order: Sequence[int], made: SpecClass | None
) -> Program:
    """Return the program once it builds an equal definition; each run writes what failed in another form."""
    texts: set[Path] = set()
    untyped: set[int] = set()
    for _ in range(_MOST_RUNS):
        source = source_of(value, kinds, order, Untyped(frozenset(texts), frozenset(untyped)), made)
        try:
            yaml = yaml_of(source.text)
        except FailedAtError as error:
            number = source.resource_at(error.lines[0], order) if error.lines else None
            if number is not None and number not in untyped:
                untyped.add(number)  # the class of its kind refuses a field
                continue
            wrong = next((found for line in error.lines if (found := source.paths_at(line) - texts)), set())
            if not wrong:
                raise CannotBePythonError(str(error)) from error
        else:
            wrong = set(_differences(value, yaml, order))
            if not wrong:
                _check_whole(rgd, yaml, kinds)
                return Program(source.text, source.expressions, source.texts)
            if not wrong - texts:
                raise CannotBePythonError(f"no composition has {'.'.join(map(str, min(wrong, key=str)))}")
        texts |= wrong
    raise CannotBePythonError("too many of its expressions have no form in Python")


def _check_whole(rgd: RgdAnalysis, yaml: str, kinds: SchemaIndex) -> None:
    """Raise CannotBePythonError unless what a program builds has the same schema and order for kro."""
    again = analyze(Text(yaml), kinds).rgds[0]
    if list(again.graph.order) != list(rgd.graph.order) or _in_any_order(generated_crd(again)) != _in_any_order(
        generated_crd(rgd)
    ):
        raise CannotBePythonError("another schema or order comes out")


def _in_any_order(crd: JsonValue) -> JsonValue:
    """Return a schema with its choices in one order: a Literal has none."""
    if isinstance(crd, list):
        return [_in_any_order(each) for each in crd]
    if not isinstance(crd, dict):
        return crd
    made = {name: _in_any_order(each) for name, each in crd.items()}
    choices = made.get("enum")
    return {**made, "enum": sorted(choices, key=repr)} if isinstance(choices, list) else made


def _differences(value: JsonObject, yaml: str, order: Sequence[int]) -> Iterator[Path]:
    """Yield the paths in a definition at which what a program builds is another one."""
    built = as_object(parse_stream(Text(yaml)).documents[0].to_python())
    wanted, found = _comparable(value), _comparable(built)
    resources = as_list(as_object(wanted["spec"]).get("resources"))
    as_object(wanted["spec"])["resources"] = [resources[number] for number in order]
    as_object(found["spec"]).setdefault("resources", [])
    for path in differing_paths(wanted, found):
        is_resource = path[:2] == ("spec", "resources") and len(path) > 2 and isinstance(path[2], int)
        yield (*path[:2], order[int(path[2])], *path[3:]) if is_resource else path


def _comparable(value: JsonObject) -> JsonObject:
    """Return a definition without the fields of its instances, which are compared by what kro makes of them."""
    spec = dict(as_object(value.get("spec")))
    schema = {name: each for name, each in as_object(spec.get("schema")).items() if name not in ("spec", "types")}
    return {name: each for name, each in value.items() if name != "spec"} | {"spec": {**spec, "schema": schema}}


_IN_BOTH_FORMS: Final = frozenset(
    path for path, overloads in OVERLOADS.items() if {each.is_member for each in overloads} == {True, False}
)
"""Functions that are methods of their first argument as well: `size(x)` is `x.size()`."""


def differing_paths(one: JsonValue, other: JsonValue, path: Path = ()) -> Iterator[Path]:
    """Yield the paths at which two values of a definition are not equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            if name in one and name in other:
                yield from differing_paths(one[name], other[name], (*path, name))
            else:
                yield (*path, name)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from differing_paths(mine, theirs, (*path, index))
    elif isinstance(one, str) and isinstance(other, str):
        if one != other and ("${" not in one or _parts(one) != _parts(other)):
            yield path
    elif one != other or one.__class__ is not other.__class__:
        yield path


def _parts(text: str) -> list[Any]:
    """Return the literal parts of a text and the trees of its expressions; literal parts that meet are one."""
    found: list[Any] = []
    at = 0
    for each in extract(text).expressions:
        _add_literal(found, text[at : each.start])
        code = text[each.start + 2 : each.end - 1]
        root = parse(code).root
        is_alone = each.start == 0 and each.end == len(text)
        if isinstance(root, ast.Literal) and isinstance(root.value, str) and not is_alone:
            _add_literal(found, root.value)
        else:
            found.append(_tree(root))
        at = each.end
    _add_literal(found, text[at:])
    return found


def _add_literal(found: list[Any], text: str) -> None:
    if text and found and isinstance(found[-1], str):
        found[-1] += text
    elif text:
        found.append(text)


def _tree(node: ast.Node) -> tuple[Any, ...]:
    """Return a tree without places."""
    match node:
        case ast.Literal():
            return "literal", node.kind, repr(node.value)
        case ast.Identifier():
            return "name", node.name, node.leading_dot
        case ast.Select():
            return "field", _tree(node.operand), node.field, node.optional
        case ast.MacroCall():
            return _tree(node.call)
        case ast.Call():
            return _call(node)
        case ast.ListLiteral():
            return "list", tuple(map(_tree, node.elements)), node.optional_indices
        case ast.MapLiteral():
            return "map", tuple((_tree(each.key), _tree(each.value), each.optional) for each in node.entries)
        case ast.StructLiteral():
            return "struct", node.type_name, tuple((each.name, _tree(each.value)) for each in node.fields)
        case _:
            return (node.__class__.__name__,)


def _call(node: ast.Call) -> tuple[Any, ...]:
    arguments = tuple(map(_tree, node.arguments))
    if node.target is None:
        return "call", node.function, arguments
    target = _tree(node.target)
    if node.function in _IN_BOTH_FORMS:
        return "call", node.function, (target, *arguments)
    return "method", node.function, target, arguments
