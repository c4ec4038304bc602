"""The environment of a check: what names, functions and types mean in an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import force_setattr

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
    Type,
    list_type,
    map_type,
    struct_type,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.types.declarations import FunctionDeclaration, Libraries
    from kro_ls.cel.types.types import StructFields, TypeProvider

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


def _dotted_roots(*names: str) -> frozenset[str]:
    return frozenset(name.partition(".")[0] for name in names if "." in name)
