"""What libraries declare (functions with overloads, macros, documentation), and the environment of a check made of it.

Functions are declared by signatures written out, `string.(index: int) -> string` for a method of string,
`(text: string) -> int` for a global function; capital letters are type parameters.
"""

from __future__ import annotations

from functools import cached_property  # noqa: TID251 - parsing a signature takes microseconds
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import force_setattr

from kro_ls.cel.syntax.macros import MacroSet
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
    from collections.abc import Iterable, Mapping

    from kro_ls.cel.syntax.macros import Expander, MacroForm
    from kro_ls.cel.types.types import StructFields, TypeProvider


class Documentation(Struct, frozen=True):
    """What people read about a function or macro: one paragraph, one CEL example, what raises at run time."""

    text: str
    example: str
    raises: str = ""
    """One sentence, empty when nothing raises."""


class Overload(Struct, frozen=True, eq=False):
    """One signature of a function. `parameters` begins with the receiver when `is_member`."""

    id: str
    """cel-go's identifier of the overload, such as `add_int64`."""
    is_member: bool
    parameters: tuple[Type, ...]
    parameter_names: tuple[str, ...]
    """The names of the arguments in parentheses; the receiver has none."""
    result: Type
    documentation: Documentation
    type_parameters: tuple[Type, ...] = ()
    """The type parameters that occur, in the order of their names."""

    def __post_init__(self) -> None:
        found: set[Type] = set()
        for parameter in (*self.parameters, self.result):
            _collect_type_parameters(parameter, found)
        force_setattr(self, "type_parameters", tuple(sorted(found, key=lambda parameter: parameter.name)))

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


class FunctionDeclaration(Struct, frozen=True, eq=False, dict=True):
    """A function with all its overloads, in the order in which the checker tries them. Several libraries may share one.

    The name of an operator is cel-go's (`_+_`); a namespaced function has its dots (`json.marshal`).
    """

    name: str
    declared: tuple[tuple[str, str, Documentation], ...]
    """The id, the signature and the documentation of each overload."""

    @cached_property
    def overloads(self) -> tuple[Overload, ...]:
        """The overloads, parsed when they are first used: there are over 300, of which a definition uses a few."""
        return tuple(_parse_overload(*each) for each in self.declared)

    @property
    def documentation(self) -> tuple[Documentation, ...]:
        """The distinct texts of the overloads, one for each library that declares the function."""
        return tuple(dict.fromkeys(documentation for _, _, documentation in self.declared))

    @property
    def is_internal(self) -> bool:
        """True for names that cannot be written in an expression (operators and `@` functions)."""
        return not self.name.replace(".", "").isidentifier() or self.name.startswith("_")


class MacroDeclaration(Struct, frozen=True):
    """A macro as people use it, and its expansion."""

    name: str
    receiver: str
    """What it is called on: `list or map`, `list`, `optional` or the name `cel`; empty for a global macro."""
    argument_names: tuple[tuple[str, ...], ...]
    """One entry per accepted form: the names of its arguments; those of one letter declare variables."""
    documentation: Documentation
    expand: Expander
    """The function that builds the expansion."""

    @property
    def forms(self) -> tuple[MacroForm, ...]:
        """The forms that the parser knows it by."""
        return tuple((self.name, len(names), bool(self.receiver)) for names in self.argument_names)

    def form(self, count: int) -> tuple[str, ...]:
        """Return the names of the arguments in the form with `count` of them, none where there is no such form."""
        return next((names for names in self.argument_names if len(names) == count), ())

    def applies_to(self, receiver: Type) -> bool:
        """Return whether the macro makes sense on a value of this type; never true for `has` and `cel.bind`."""
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


def declared_variables(form: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first arguments of a macro's form, as far as they declare variables for those after them."""
    return tuple(name for name in form if len(name) == 1)


def function(name: str, documentation: Documentation, overloads: Mapping[str, str]) -> FunctionDeclaration:
    """Declare a function; `overloads` gives a signature for each overload id, in the checker's order."""
    return FunctionDeclaration(name, tuple((id_, signature, documentation) for id_, signature in overloads.items()))


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


class Library(Struct, frozen=True, eq=False):
    """Functions, macros, variables and types that an environment gets together.

    `module` is the name of the module that declares them. The module of that name with `_functions` at its end
    implements them; it is imported when one of them is first evaluated. Its `IMPLEMENTATIONS` maps the id of an
    overload to a function of the arguments, the receiver first. `COSTS` has what a call costs before it runs, unless
    that is what looking once at the arguments costs; a function whose id is in `BUDGETED` gets the `Budget` before the
    arguments, and spends what its cost does not cover, its result included. `VARIABLES` holds the values of the
    variables, `STRUCTS` the makers of structs, by name, which get the `Budget` and the fields.
    """

    module: str
    functions: tuple[FunctionDeclaration, ...] = ()
    macros: tuple[MacroDeclaration, ...] = ()
    variables: Mapping[str, Type] = field(default_factory=dict)
    """Variables that are always there, by name."""
    structs: Mapping[str, StructFields] = field(default_factory=dict)
    types: Mapping[str, Type] = field(default_factory=dict)
    """The types of structs whose values have another type, by name."""
    expanders: Mapping[MacroForm, Expander] = field(default_factory=dict)
    """Macros that are only another way to write the arguments of a function, which is declared as a function."""

    @property
    def functions_module(self) -> str:
        """The name of the module that implements the functions and has the values of the variables."""
        return f"{self.module}_functions"


class Libraries:
    """Several libraries together; the checker tries the overloads of a function in the libraries' order.

    `functions` and `macros` are by name; a function has the overloads of all libraries that declare it.
    """

    def __init__(self, libraries: Iterable[Library]) -> None:
        self.functions: dict[str, FunctionDeclaration] = {}
        self.macros: dict[str, MacroDeclaration] = {}
        self.variables: dict[str, Type] = {}
        self.structs: dict[str, StructFields] = {}
        self.types: dict[str, Type] = {}
        self._owners: dict[str, Library] = {}
        self._owners_of_variables: dict[str, Library] = {}
        self._owners_of_structs: dict[str, Library] = {}
        expanders: dict[MacroForm, Expander] = {}
        for library in libraries:
            for declared in library.functions:
                shared = self.functions.get(declared.name)
                together = (*shared.declared, *declared.declared) if shared else declared.declared
                self.functions[declared.name] = FunctionDeclaration(declared.name, together)
                self._owners |= dict.fromkeys([id_ for id_, _, _ in declared.declared], library)
            self.macros |= {macro.name: macro for macro in library.macros}
            self.variables |= library.variables
            self.structs |= library.structs
            self.types |= library.types
            self._owners_of_variables |= dict.fromkeys(library.variables, library)
            self._owners_of_structs |= dict.fromkeys(library.structs, library)
            expanders |= {form: macro.expand for macro in library.macros for form in macro.forms}
            expanders |= library.expanders
        self.macro_set = MacroSet(expanders)

    def owner_of(self, overload: Overload) -> Library:
        """Return the library that declares an overload."""
        return self._owners[overload.id]

    def owner_of_variable(self, name: str) -> Library | None:
        """Return the library that declares a variable, None when none does."""
        return self._owners_of_variables.get(name)

    def owner_of_struct(self, name: str) -> Library | None:
        """Return the library that declares a struct, None when none does."""
        return self._owners_of_structs.get(name)


TYPE_NAMES: Mapping[str, Type] = {
    **{scalar.name: scalar for scalar in (BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT)},
    "duration": DURATION,
    "list": list_type(DYN),
    "map": map_type(DYN, DYN),
    "timestamp": TIMESTAMP,
}
"""The bare names that the checker reads as types (apiserver `pkg/cel/types.go`)."""


class Environment(Struct, frozen=True, eq=False, gc=False):
    """What names mean while an expression is checked. Immutable; `extend` shares everything it does not add to."""

    libraries: Libraries
    variables: Mapping[str, Type]
    """All of them, those of the libraries included."""
    provider: TypeProvider | None = None
    """Knows the structs of the variables."""
    structs: Mapping[str, StructFields] = field(default_factory=dict)
    """Structs that exist regardless of the provider."""
    type_names: Mapping[str, Type] = field(default_factory=lambda: TYPE_NAMES)
    container: str = ""
    """The namespace in which names are looked up first (`a.b`: `a.b.x`, then `a.x`, then `x`)."""
    dotted_roots: frozenset[str] = frozenset()
    """The first segments of the variables and type names with a dot: only below them a selection can be one name."""
    known_roots: frozenset[str] | None = None
    """The `dotted_roots`, if they have been computed."""
    mixed_numbers: bool = False
    """Whether numbers of different types can be ordered everywhere, not only after the first macro."""
    homogeneous_literals: bool = False
    """Whether the elements of a list or map literal must be of one type; otherwise different ones make it dyn."""

    def __post_init__(self) -> None:
        roots = self.known_roots
        if roots is None:
            roots = _dotted_roots(*self.variables, *self.type_names, *self.structs)
        force_setattr(self, "dotted_roots", roots)

    @classmethod
    def of(cls, libraries: Libraries) -> Environment:
        """Return the environment that has what the libraries declare, and nothing more."""
        types = {**TYPE_NAMES, **libraries.types}
        return cls(libraries, libraries.variables, structs=libraries.structs, type_names=types)

    def extend(self, variables: Mapping[str, Type], provider: TypeProvider | None = None) -> Environment:
        """Return this environment with more variables (they hide those of the same name) and perhaps other structs."""
        return Environment(
            self.libraries,
            {**self.variables, **variables},
            provider or self.provider,
            self.structs,
            self.type_names,
            self.container,
            known_roots=self.dotted_roots | _dotted_roots(*variables),
            mixed_numbers=self.mixed_numbers,
            homogeneous_literals=self.homogeneous_literals,
        )

    def find_function(self, name: str) -> FunctionDeclaration | None:
        """Return the function that a call of `name` means, None when there is none."""
        functions = self.libraries.functions
        if not self.container:
            return functions.get(name.removeprefix("."))
        candidates = (functions.get(candidate) for candidate in self.candidates(name))
        return next((found for found in candidates if found is not None), None)

    def find_name(self, name: str) -> tuple[str, Type] | None:
        """Return the full name, and the type of that global variable, or `type(T)` of that type."""
        for candidate in self.candidates(name) if self.container else (name.removeprefix("."),):
            variable = self.variables.get(candidate)
            if variable is not None:
                return candidate, variable
            named = self.find_type(candidate)
            if named is not None:
                return candidate, type_of(named)
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


def _dotted_roots(*names: str) -> frozenset[str]:
    return frozenset(name.partition(".")[0] for name in names if "." in name)
