"""Libraries of functions and macros, and several of them put together as an environment has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.cel.syntax.macros import MacroSet
from kro_ls.cel.types.declarations import FunctionDeclaration

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kro_ls.cel.syntax.macros import Expander, MacroForm
    from kro_ls.cel.types.declarations import MacroDeclaration, Overload
    from kro_ls.cel.types.types import StructFields, Type


class Library(Struct, frozen=True, eq=False):
    """Functions, macros, variables and types that an environment gets together.

    `module` is the name of the module that declares them. What they do stands in the module of that name with
    `_functions` at its end, which is imported when one of them is evaluated first. Its `IMPLEMENTATIONS` maps the id of
    an overload to a function of the arguments, the receiver first. `COSTS` has what a call costs before it runs, where
    that is not what looking once at the arguments costs; a function whose id is in `BUDGETED` gets the `Budget` before
    the arguments, and spends what its cost does not say, its result included. `VARIABLES` holds the values of the
    variables, `STRUCTS` what makes the value of a struct, by name, from the `Budget` and the fields.
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
        """The name of the module with what the functions do and the values of the variables."""
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
                overloads = (*shared.overloads, *declared.overloads) if shared else declared.overloads
                self.functions[declared.name] = FunctionDeclaration(declared.name, overloads)
                self._owners |= dict.fromkeys([overload.id for overload in declared.overloads], library)
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
