"""The stub of `kro_ls.authoring.cel`: every function and macro of kro's CEL, with types and documentation."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.cel.cel_members import MEMBERS, NAMESPACES, OVERLOADS, VARIABLES
from kro_ls.authoring.python_fields import python_field
from kro_ls.authoring.stubs.python_types import CEL_CLASSES, OPTIONAL, cel_annotation
from kro_ls.kro.environment import MACROS
from kro_ls.kro.versions.history import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kro_ls.cel.types.declarations import Documentation, Overload


_HEAD: Final = '''\
"""The functions and macros of kro's CEL. Written by scripts/generate."""

import builtins
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar, overload

'''
_EXPRESSION: Final = '''
def expression(text: builtins.str, /) -> Any:
    """Return CEL that is written as text."""
'''
_TYPE_PARAMETERS: Final = "ABKTV"
_BUILTINS: Final = ("str", "int", "float", "bool", "bytes", "list", "dict")
_WIDTH: Final = 100
_INDENT: Final = "    "


class _Signature(Struct, frozen=True):
    """The annotations of the arguments by position, their names, and that of the result."""

    parameters: tuple[str, ...]
    names: tuple[str, ...]
    result: str

    def __str__(self) -> str:
        given = [f"{name}: {annotation}" for name, annotation in zip(self.names, self.parameters, strict=True)]
        return f"({', '.join([*given, '/'] if given else given)}) -> {self.result}"

    def merged(self, other: _Signature) -> _Signature | None:
        """Return both in one, where they differ in the type of one argument at most."""
        if (len(self.names), self.names[1:], self.result) != (len(other.names), other.names[1:], other.result):
            return None
        pairs = list(zip(self.parameters, other.parameters, strict=True))
        if sum(one != two for one, two in pairs) > 1:
            return None
        unions = (" | ".join(dict.fromkeys([*one.split(" | "), *two.split(" | ")])) for one, two in pairs)
        return _Signature(tuple(unions), self.names, self.result)


def cel_stub() -> str:
    """Return the text of the stub."""
    classes = sorted([*CEL_CLASSES.values(), OPTIONAL])
    imports = [f"from kro_ls.authoring.cel.cel_values import {name} as {name}\n" for name in classes]
    variables = [f'_{name} = TypeVar("_{name}")\n' for name in _TYPE_PARAMETERS]
    return "".join([_HEAD, *imports, "\n", *variables, _EXPRESSION, *map("\n{}".format, _members())])


def _members() -> Iterator[str]:
    """Yield the text of each member; a namespace is an object, which is callable if it is a function as well."""
    for path in sorted(MEMBERS):
        if "." in path:
            continue
        if path not in NAMESPACES:
            yield _definition(path, path)
            continue
        inside = sorted(each for each in MEMBERS if each.startswith(f"{path}."))
        methods = [_definition(each, each.removeprefix(f"{path}."), is_method=True) for each in inside]
        if path in OVERLOADS:
            methods.insert(0, _definition(path, "__call__", is_method=True))
        name = f"_{path.capitalize()}"
        yield f"class {name}:\n{textwrap.indent(''.join(methods), _INDENT)}\n{path}: {name}\n"


def _definition(path: str, name: str, *, is_method: bool = False) -> str:
    """Return a function with its overloads, and with its documentation at the last of them."""
    if path in MACROS:
        signatures: Sequence[str] = MACRO_TYPES[path]
        documented = [MACROS[path].documentation]
    else:
        signatures = _signatures(OVERLOADS[path])
        documented = [each.documentation for each in OVERLOADS[path]]
    lines: list[str] = []
    for signature in signatures:
        own = signature.replace("(", "(self, ", 1).replace(", )", ")") if is_method else signature
        lines += ["@overload"] * (len(signatures) > 1) + [f"def {python_field(name) or name}{_qualified(own)}: ..."]
    lines[-1] = lines[-1].removesuffix(" ...")
    return "\n".join([*lines, *_docstring(dict.fromkeys(documented), path), ""])


def _signatures(overloads: Iterable[Overload]) -> Sequence[str]:
    found: list[_Signature] = []
    for overload in overloads:
        is_variable = overload.receiver in VARIABLES
        has_receiver = overload.is_member and not is_variable
        signature = _Signature(
            tuple(cel_annotation(each, is_argument=True) for each in overload.parameters[is_variable:]),
            ("value",) * has_receiver + overload.parameter_names,
            cel_annotation(overload.result),
        )
        number = next((number for number, other in enumerate(found) if other.merged(signature)), None)
        if number is None:
            found.append(signature)
        else:
            found[number] = found[number].merged(signature) or signature
    return list(map(str, found))


def _qualified(signature: str) -> str:
    """Return a signature in which the types of Python are not the functions of the same names."""
    return re.sub(rf"(?<![\w.])({'|'.join(_BUILTINS)})\b(?!:)", r"builtins.\1", signature)


def _docstring(documented: Iterable[Documentation], path: str) -> Iterator[str]:
    texts: list[str] = []
    for each in documented:
        texts += [f"{each.text} {each.raises}".strip(), f"In CEL: {each.example}"]
    since = FUNCTIONS.get(path)
    if since:
        texts.append(f"Needs kro {since} or newer.")
    body = "\n\n".join(textwrap.fill(text, _WIDTH) for text in texts)
    body = body.replace("\\", r"\\").replace('"""', "'''")
    yield from textwrap.indent(f'"""{body}\n"""', _INDENT).split("\n")


_LIST: Final = "items: list[_A]"
_MAP: Final = "items: Mapping[_K, _V]"
_PREDICATES: Final = tuple(
    f"({items}, predicate: Callable[[{variables}], bool], /) -> bool"
    for items, variables in ((_LIST, "_A"), (_MAP, "_K"), (_LIST, "int, _A"), (_MAP, "_K, _V"))
)
_FILTER: Final = "predicate: Callable[[{}], bool], "


def _transforms(variables: str, items: str, result: str, name: str = "transform", to: str = "_T") -> tuple[str, ...]:
    """The signatures of a macro that transforms each item, or each one for which a predicate is true."""
    transform = f"{name}: Callable[[{variables}], {to}], /) -> {result}"
    return f"({items}, {transform}", f"({items}, {_FILTER.format(variables)}{transform}"


MACRO_TYPES: Final = {
    "has": ("(field: Any, /) -> bool",),
    "all": _PREDICATES,
    "exists": _PREDICATES,
    "exists_one": _PREDICATES,
    "existsOne": _PREDICATES[2:],
    "map": (*_transforms("_A", _LIST, "list[_T]"), *_transforms("_K", _MAP, "list[_T]")),
    "filter": (
        f"({_LIST}, predicate: Callable[[_A], bool], /) -> list[_A]",
        f"({_MAP}, predicate: Callable[[_K], bool], /) -> list[_K]",
    ),
    "transformList": (*_transforms("int, _A", _LIST, "list[_T]"), *_transforms("_K, _V", _MAP, "list[_T]")),
    "transformMap": (*_transforms("int, _A", _LIST, "dict[int, _T]"), *_transforms("_K, _V", _MAP, "dict[_K, _T]")),
    "transformMapEntry": (
        *_transforms("int, _A", _LIST, "dict[_B, _T]", "entry", "Mapping[_B, _T]"),
        *_transforms("_K, _V", _MAP, "dict[_B, _T]", "entry", "Mapping[_B, _T]"),
    ),
    "sortBy": (f"({_LIST}, key: Callable[[_A], Any], /) -> list[_A]",),
    "bind": ("(value: _A, expression: Callable[[_A], _T], /) -> _T",),
    "optMap": ("(value: Optional[_A], expression: Callable[[_A], _T], /) -> Optional[_T]",),
    "optFlatMap": ("(value: Optional[_A], expression: Callable[[_A], Optional[_T]], /) -> Optional[_T]",),
}
"""The types of the macros, whose bodies are Python functions: the declarations only have their names."""
