"""Rewrites a function so that `in` and comprehensions, which Python decides itself, can build CEL.

`x in y` and `not in` become calls of `contained`, a comprehension a call of `looped` with functions for its parts.
Lines and columns stay, and so do closures, globals and defaults. Where no reference and no `each(...)` takes part, the
result is what Python would have given.
"""

from __future__ import annotations

import ast
import linecache
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

from kro_ls.authoring.compositions.comprehending import contained, looped, not_contained, summarised

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_HELPERS: Final[Mapping[str, Callable[..., Any]]] = {
    "__kro_in__": contained,
    "__kro_not_in__": not_contained,
    "__kro_loop__": looped,
    "__kro_summary__": summarised,
}
_TESTS: Final = frozenset({"any", "all"})
_LOOPS: Final[Mapping[type, str]] = {ast.ListComp: "list", ast.GeneratorExp: "generator", ast.SetComp: "set"}
_SUMMARIES: Final = frozenset({"sum", "min", "max"})
_STAYING: Final = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


def rewritten(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with its own `in` and comprehensions rewritten; itself where its source is not at hand."""
    tree = _definition(function) if isinstance(function, FunctionType) else None
    if tree is None or not isinstance(function, FunctionType):
        return function
    old = function.__code__
    own = frozenset((*function.__globals__, *old.co_varnames, *old.co_cellvars, *old.co_freevars))
    code = _compiled(_Rewriter(_models(function), own).visit(tree), old)
    cells = dict(zip(old.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(cells.get(name) or CellType(_HELPERS[name]) for name in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _definition(function: FunctionType) -> ast.FunctionDef | None:
    """Return the tree of a function, None where its source is not at hand, or where it has nothing to rewrite."""
    code = function.__code__
    source = "".join(linecache.getlines(code.co_filename, function.__globals__))
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min((each.lineno for each in node.decorator_list), default=node.lineno)
            if first == code.co_firstlineno:
                return node
    return None


def _models(function: FunctionType) -> frozenset[str]:
    """Return the names of Pydantic's models that a function uses: they refuse references as values."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    values = {name: cell.cell_contents for name, cell in cells.items() if _is_filled(cell)}
    names = (*function.__code__.co_names, *values)
    found = {name: values.get(name, function.__globals__.get(name)) for name in names}
    classes = {name: each for name, each in found.items() if isinstance(each, type)}
    return frozenset(name for name, each in classes.items() if hasattr(each, "model_construct"))


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _compiled(tree: ast.FunctionDef, code: CodeType) -> CodeType:
    """Return the code of a function, compiled inside another one that has the variables of its closure."""
    tree.decorator_list = []
    names = [ast.Name(each, ast.Store()) for each in (*code.co_freevars, *_HELPERS)]
    outer = ast.parse("def outer(): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)  # noqa: S101 # for the type checker
    outer.body = [ast.Assign([*names], ast.Constant(None)), tree]
    compiled = compile(ast.fix_missing_locations(ast.Module([outer], [])), code.co_filename, "exec")
    around = next(each for each in compiled.co_consts if isinstance(each, CodeType))
    found = next(each for each in around.co_consts if isinstance(each, CodeType) and each.co_name == code.co_name)
    return found.replace(co_qualname=code.co_qualname)  # its first line stays: all other lines are relative to it


class _Rewriter(ast.NodeTransformer):
    """Replaces what Python decides itself by calls of helpers."""

    def __init__(self, models: frozenset[str], own: frozenset[str]) -> None:
        self._models = models
        self._own = own
        """The names that are not Python's own here."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:  # as ast calls it
        self.generic_visit(node)
        helper = {ast.In: "__kro_in__", ast.NotIn: "__kro_not_in__"}.get(type(node.ops[0]))
        if helper is None or len(node.ops) > 1:
            return node
        return _call(node, helper, node.left, node.comparators[0])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) and node.func.id not in self._own else ""
        argument = node.args[0] if len(node.args) == 1 and not node.keywords else None
        if name in _TESTS | _SUMMARIES and isinstance(argument, ast.GeneratorExp) and _can_be_called(argument):
            self.generic_visit(argument)
            loop = _loop(argument, name if name in _TESTS else "list", argument.elt, argument.generators)
            return loop if name in _TESTS else _call(node, "__kro_summary__", ast.Constant(name), node.func, loop)
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._models:
            node.func = ast.copy_location(ast.Attribute(node.func, "model_construct", ast.Load()), node.func)
        return node

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        if not _can_be_called(node) or len(node.generators) > 1:
            return node
        entry = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        return _loop(node, "dict", entry, node.generators)

    def _visit_comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> ast.AST:
        self.generic_visit(node)
        return _loop(node, _LOOPS[type(node)], node.elt, node.generators) if _can_be_called(node) else node

    visit_ListComp = visit_GeneratorExp = visit_SetComp = _visit_comprehension  # noqa: N815


def _can_be_called(node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> bool:
    """Whether the parts of a comprehension can be functions."""
    if any(isinstance(each, _STAYING) for each in ast.walk(node)):
        return False
    return all(not each.is_async and _targets(each.target) is not None for each in node.generators)


def _targets(target: ast.expr) -> list[str] | None:
    if isinstance(target, ast.Name):
        return [target.id]
    names = target.elts if isinstance(target, ast.Tuple) else ()
    found = [each.id for each in names if isinstance(each, ast.Name)]
    return found if found and len(found) == len(names) else None


def _loop(place: ast.expr, form: str, element: ast.expr, generators: list[ast.comprehension]) -> ast.expr:
    """Return the call for a comprehension; one with several `for` is a list of lists that are joined."""
    first, *others = generators
    inner = element if not others else _loop(place, form, element, others)
    names = _targets(first.target) or []
    conditions = ast.copy_location(ast.Tuple(first.ifs, ast.Load()), place)
    return _call(
        place,
        "__kro_loop__",
        ast.Constant(f"joined {form}" if others and form not in _TESTS else form),
        first.iter,
        ast.Constant(len(names) if isinstance(first.target, ast.Tuple) else 0),
        _lambda(names, inner),
        _lambda(names, conditions) if first.ifs else ast.Constant(None),
    )


def _lambda(names: list[str], body: ast.expr) -> ast.expr:
    arguments = ast.arguments([], [ast.arg(each) for each in names], None, [], [], None, [])
    return ast.copy_location(ast.Lambda(arguments, body), body)


def _call(place: ast.expr, helper: str, *arguments: ast.expr) -> ast.expr:
    called = ast.Call(ast.copy_location(ast.Name(helper, ast.Load()), place), [*arguments], [])
    return ast.copy_location(called, place)
