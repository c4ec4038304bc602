"""What an expression can refer to: functions with their overloads and documentation, macros, and the environment.

Functions are declared by signatures written out, `string.(index: int) -> string` for a method of string,
`(text: string) -> int` for a global function; capital letters are type parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kro_ls.cel.types.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    Kind,
    Type,
    checker_name,
    list_type,
    map_type,
    parse_type,
    split_parameters,
    struct_type,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.types.types import StructFields, TypeProvider


@dataclass(frozen=True, slots=True)
class Documentation:
    """What people read about a function or macro: one paragraph, one CEL example, what raises at run time."""

    library: str
    """The name of the library module, such as `strings` or `quantity`."""
    text: str
    example: str
    raises: str = ""
    """One sentence, empty when nothing raises."""


@dataclass(frozen=True, slots=True, eq=False)
class Overload:
    """One signature of a function. `parameters` begins with the receiver when `is_member`."""

    id: str
    """cel-go's identifier of the overload, such as `add_int64`."""
    is_member: bool
    parameters: tuple[Type, ...]
    parameter_names: tuple[str, ...]
    """The names of the arguments in parentheses; the receiver has none."""
    result: Type
    documentation: Documentation
    type_parameters: tuple[Type, ...] = field(init=False)
    """The type parameters that occur, in the order of their names."""

    def __post_init__(self) -> None:
        found: set[Type] = set()
        for parameter in (*self.parameters, self.result):
            _collect_type_parameters(parameter, found)
        object.__setattr__(self, "type_parameters", tuple(sorted(found, key=lambda parameter: parameter.name)))

    @property
    def receiver(self) -> Type | None:
        """The type a method is called on, None for a global function."""
        return self.parameters[0] if self.is_member else None

    @property
    def arguments(self) -> tuple[tuple[str, Type], ...]:
        """Name and type of each argument in parentheses."""
        return tuple(zip(self.parameter_names, self.parameters[self.is_member :], strict=True))

    def signature(self, function: str) -> str:
        """Return the signature for people: `string.charAt(index: int) -> string`."""
        receiver = f"{checker_name(self.parameters[0])}." if self.is_member else ""
        arguments = ", ".join(f"{name}: {checker_name(argument)}" for name, argument in self.arguments)
        return f"{receiver}{function}({arguments}) -> {checker_name(self.result)}"


def _collect_type_parameters(within: Type, found: set[Type]) -> None:
    if within.kind is Kind.TYPE_PARAMETER:
        found.add(within)
    for parameter in within.parameters:
        _collect_type_parameters(parameter, found)


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDeclaration:
    """A function with all its overloads, in the order in which the checker tries them. Several libraries may share one.

    The name of an operator is cel-go's (`_+_`); a namespaced function has its dots (`json.marshal`).
    """

    name: str
    overloads: tuple[Overload, ...]

    @property
    def documentation(self) -> tuple[Documentation, ...]:
        """The distinct texts of the overloads, one for each library that declares the function."""
        return tuple(dict.fromkeys(overload.documentation for overload in self.overloads))

    @property
    def is_internal(self) -> bool:
        """True for names that cannot be written in an expression (operators and `@` functions)."""
        return not self.name.replace(".", "").isidentifier() or self.name.startswith("_")


@dataclass(frozen=True, slots=True)
class MacroDeclaration:
    """A macro as people use it. The parser expands macros; this is for completion, hover and signature help."""

    name: str
    receiver: str
    """What it is called on: `list or map`, `list`, `optional` or the name `cel`; empty for a global macro."""
    argument_names: tuple[tuple[str, ...], ...]
    """One entry per accepted form: the names of its arguments."""
    documentation: Documentation
    variables: int = 0
    """How many of the first arguments declare a variable for the arguments after them."""

    def applies_to(self, receiver: Type) -> bool:
        """Tell whether the macro makes sense on a value of this type; never true for `has` and `cel.bind`."""
        if self.receiver in {"", "cel"}:
            return False
        if receiver.is_dynamic or receiver.kind is Kind.ERROR:
            return True
        if self.receiver == "optional":
            return receiver.is_optional
        return receiver.kind is Kind.LIST or (receiver.kind is Kind.MAP and self.receiver == "list or map")

    def signatures(self) -> tuple[str, ...]:
        """Return each form for people: `map(x, transform)`."""
        return tuple(f"{self.name}({', '.join(names)})" for names in self.argument_names)


def function(name: str, documentation: Documentation, overloads: Mapping[str, str]) -> FunctionDeclaration:
    """Declare a function; `overloads` gives a signature for each overload id, in the checker's order."""
    parsed = tuple(_parse_overload(overload_id, text, documentation) for overload_id, text in overloads.items())
    return FunctionDeclaration(name, parsed)


def _parse_overload(overload_id: str, text: str, documentation: Documentation) -> Overload:
    call, _, result = text.rpartition(" -> ")
    receiver, opened, arguments = call.rpartition(".(") if ".(" in call else ("", "", call[1:])
    pairs = [part.split(":") for part in split_parameters(arguments.removesuffix(")"))]
    types = tuple(parse_type(pair[1].strip()) for pair in pairs)
    return Overload(
        id=overload_id,
        is_member=bool(opened),
        parameters=(parse_type(receiver), *types) if opened else types,
        parameter_names=tuple(pair[0].strip() for pair in pairs),
        result=parse_type(result),
        documentation=documentation,
    )


TYPE_NAMES: Mapping[str, Type] = {
    **{scalar.name: scalar for scalar in (BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT)},
    "duration": DURATION,
    "list": list_type(DYN),
    "map": map_type(DYN, DYN),
    "timestamp": TIMESTAMP,
}
"""The bare words that the checker takes for types, as kro's type provider knows them (kro `pkg/cel/types.go`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """What names mean while an expression is checked. Immutable; `extend` shares everything it does not add to."""

    variables: Mapping[str, Type]
    functions: Mapping[str, FunctionDeclaration]
    provider: TypeProvider | None = None
    """Knows the structs of the variables."""
    structs: Mapping[str, StructFields] = field(default_factory=dict)
    """Structs that are there whatever the provider knows."""
    type_names: Mapping[str, Type] = field(default_factory=lambda: TYPE_NAMES)
    container: str = ""
    """The namespace in which names are looked up first (`a.b`: `a.b.x`, then `a.x`, then `x`). kro has none."""
    dotted_roots: frozenset[str] = field(init=False)
    """The first segments of the variables and type names with a dot: only below them a selection can be one name."""

    def __post_init__(self) -> None:
        dotted = (name.partition(".")[0] for name in (*self.variables, *self.type_names, *self.structs) if "." in name)
        object.__setattr__(self, "dotted_roots", frozenset(dotted))

    def extend(self, variables: Mapping[str, Type], provider: TypeProvider | None = None) -> Environment:
        """Return this environment with more variables (they hide those of the same name) and perhaps other structs."""
        return replace(self, variables={**self.variables, **variables}, provider=provider or self.provider)

    def find_function(self, name: str) -> FunctionDeclaration | None:
        """Return the function that a call of `name` means, None when there is none."""
        if not self.container:
            return self.functions.get(name.removeprefix("."))
        candidates = (self.functions.get(candidate) for candidate in self.candidates(name))
        return next((found for found in candidates if found is not None), None)

    def find_name(self, name: str) -> tuple[str, Type, bool] | None:
        """Return the full name, and the type of that global variable and True, or `type(T)` of that type and False."""
        for candidate in self.candidates(name) if self.container else (name.removeprefix("."),):
            variable = self.variables.get(candidate)
            if variable is not None:
                return candidate, variable, True
            named = self.find_type(candidate)
            if named is not None:
                return candidate, type_of(named), False
        return None

    def find_type(self, name: str) -> Type | None:
        """Return the type called exactly `name`, None when there is none."""
        if name in self.type_names:
            return self.type_names[name]
        return struct_type(name) if self.find_struct(name) is not None else None

    def find_struct(self, name: str) -> StructFields | None:
        """Return the fields of the struct type `name`, None when nothing is known of it."""
        return self.structs.get(name) or (self.provider.find_struct(name) if self.provider else None)

    def field_type(self, name: str, field: str) -> Type | None:
        """Return the type of `field` of the struct type `name`, None when one of them is unknown."""
        fixed = self.structs.get(name)
        if fixed is not None:
            return fixed.fields.get(field)
        return self.provider.field_type(name, field) if self.provider else None

    def candidates(self, name: str) -> tuple[str, ...]:
        """Return the full names that `name` may stand for, innermost first; `.name` stands only for itself."""
        if name.startswith(".") or not self.container:
            return (name.removeprefix("."),)
        segments = self.container.split(".")
        return (*(".".join((*segments[:length], name)) for length in range(len(segments), 0, -1)), name)
