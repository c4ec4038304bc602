"""Which versions of kro look at a part of an expression, and which have its functions and macros, without faults.

kro inspects an expression before it checks its types: it refuses unknown names, and names of resources become
dependencies. Older versions did not look everywhere; there, the names that CEL itself knows (`lists.range`, `string`)
are accepted. Source: kro `pkg/cel/ast/inspector.go` and `pkg/graph/builder.go` at its tags.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kro_ls.analysis.names.inspection import calls_in
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import Kind
from kro_ls.cel.types.unification import Resolution
from kro_ls.kro.places import Place
from kro_ls.kro.versions import history
from kro_ls.kro.versions.history import FUNCTIONS, ONLY_0_7_1, OVERLOADS, REFUSED_BY_0_7_1, TWO_VARIABLE_MACROS
from kro_ls.kro.versions.version import OLDEST
from kro_ls.queries.cells import cached
from kro_ls.rules.types.typed import root_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.analysis.types.checking import Checked
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cel.types.types import Type
    from kro_ls.kro.versions.version import Version


def inspected_since(expression: Expression, node: ast.Node) -> Version:
    """Return the first version that inspects a node of an expression."""
    if expression.place in history.INSPECTED_PLACES:
        return history.INSPECTED_PLACES[expression.place]
    if expression.place is Place.STATUS and expression.compiled.number > 1:
        return history.STATUS_PARTS_INSPECTED
    return OLDEST if node in _outside_literals(expression.inspection) else history.LITERALS_INSPECTED


@cached
def _outside_literals(inspection: Inspection) -> frozenset[ast.Node]:
    """Return the nodes that are not in lists, maps or structs, which older versions did not inspect."""
    found: set[ast.Node] = set()
    pending = [inspection.parsed.root]
    while pending:
        node = pending.pop()
        found.add(node)
        match node:
            case ast.MacroCall():
                found.add(node.call)
                pending.append(node.expansion)
            case ast.Comprehension():
                pending += (node.range, node.condition, node.step, node.result)
            case ast.ListLiteral() | ast.MapLiteral() | ast.StructLiteral():
                pass
            case _:
                pending += ast.children(node)
    return frozenset(found)


_DOUBLE = Kind.DOUBLE
_TWO_VARIABLES = frozenset({"all", "exists", "exists_one", "existsOne"})
_MOST_ARGUMENTS = 3  # two variables and the condition
_FEWEST_VARIABLES = 2


@cached
def newer_calls(inspection: Inspection) -> tuple[tuple[ast.Call, str, Version, Version], ...]:
    """Return the calls that some versions refuse, each with its name, the first such version and the first after."""
    return tuple(_newer_calls(calls_in(inspection)))


def _newer_calls(calls: tuple[ast.Call, ...]) -> Iterator[tuple[ast.Call, str, Version, Version]]:
    for call in calls:
        name = call.function
        if type(call.target) is ast.Identifier:
            full_name = f"{call.target.name}.{name}"
            if full_name in REFUSED_BY_0_7_1:
                yield call, full_name, *ONLY_0_7_1
            elif full_name in FUNCTIONS:
                name = full_name
        first = FUNCTIONS.get(name)
        if call.target is not None and name in _TWO_VARIABLES and len(call.arguments) == _MOST_ARGUMENTS:
            name, first = f"{name} with two variables", TWO_VARIABLE_MACROS
        if first:
            yield call, name, OLDEST, first


@cached
def quoted_fields(inspection: Inspection) -> tuple[ast.Select, ...]:
    """Return the selections of fields in backticks."""
    selections = [node for node in ast.walk(inspection.parsed.root) if type(node) is ast.Select]
    return tuple(dict.fromkeys(each for each in selections if inspection.text[each.field_span[0]] == "`"))


@cached
def newer_overloads(checked: Checked) -> tuple[tuple[ast.Call, str, Version], ...]:
    """Return the calls that need an overload which some version lacks."""
    return tuple(_newer_overloads(checked.result))


@cached
def float_fields(checked: Checked) -> tuple[ast.Select, ...]:
    """Return the selections of the instance's fields of type `float`."""
    return tuple(
        node
        for node, type_ in checked.result.types.items()
        if type(node) is ast.Select and _is_double(type_) and root_name(node) == "schema"
    )


def _is_double(type_: Type) -> bool:
    return (type_.parameters[0] if type_.is_optional else type_).kind is _DOUBLE


@cached
def forgotten_variable(inspection: Inspection) -> ast.Identifier | None:
    """Return the first use of a macro's variable after an inner macro with a variable of the same name.

    Before 0.9.0, kro forgot the variable at the end of the inner macro, and treated the name as an unknown resource
    (`pkg/cel/ast/inspector.go`). A use that every version looks at comes before those in lists and maps.
    """
    if len(inspection.variables) < _FEWEST_VARIABLES:
        return None
    root = inspection.parsed.root
    return _forgotten(root, in_literals=False) or _forgotten(root, in_literals=True)


def _forgotten(root: ast.Node, *, in_literals: bool) -> ast.Identifier | None:
    known: set[str] = set()
    declared: Counter[str] = Counter()
    pending: list[ast.Node | str] = [root]  # a string is a variable whose macro ends
    while pending:
        node = pending.pop()
        match node:
            case str():
                known.discard(node)
                declared[node] -= 1
            case ast.Identifier():
                if declared[node.name] and node.name not in known:
                    return node
            case ast.MacroCall():
                pending.append(node.expansion)
            case ast.Comprehension():
                known.add(node.variable)
                declared[node.variable] += 1
                pending += [node.variable, node.result, node.step, node.condition, node.range]
            case ast.Call():
                pending += [*([node.target] if node.target else []), *reversed(node.arguments)]
            case ast.Select():
                pending.append(node.operand)
            case _ if in_literals:
                pending += reversed(ast.children(node))
    return None


def _newer_overloads(result: CheckResult) -> Iterator[tuple[ast.Call, str, Version]]:
    for node, reference in result.references.items():
        if type(node) is ast.Call and isinstance(reference, Resolution) and len(reference.overloads) == 1:
            first = OVERLOADS.get(reference.overloads[0].id)
            if first:
                yield node, f"{node.function} of a list", first
