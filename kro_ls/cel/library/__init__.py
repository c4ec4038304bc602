"""The functions and macros that kro enables, one module per library, assembled on first use.

`FUNCTIONS` maps a name to its declaration with the overloads of all libraries, in the order in which kro installs the
libraries (kro `pkg/cel/environment.go`): the checker tries them in that order. `MACROS` maps a name to the macro.
`DISABLED` names what other CEL environments offer but kro does not, with the library it belongs to.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from kro_ls.cel.types.declarations import Environment, FunctionDeclaration, MacroDeclaration
from kro_ls.cel.types.types import CONDITION, RUNTIME, STRING, StructFields

if TYPE_CHECKING:
    from collections.abc import Mapping

    FUNCTIONS: Mapping[str, FunctionDeclaration]
    MACROS: Mapping[str, MacroDeclaration]

LIBRARIES = (
    "operators",
    "standard",
    "time",
    "comprehensions",
    "lists",
    "strings",
    "bindings",
    "optionals",
    "encoders",
    "kubernetes_lists",
    "urls",
    "regex",
    "quantity",
    "ip",
    "cidr",
    "semver",
    "kro_random",
    "kro_maps",
    "kro_json",
    "kro_hash",
    "kro_lists",
    "kro_omit",
    "kro_runtime",
)
"""The modules of this package, in kro's order."""

_DISABLED_NAMES = {
    "math (cel-go)": (
        "math.abs math.bitAnd math.bitNot math.bitOr math.bitShiftLeft math.bitShiftRight math.bitXor math.ceil "
        "math.floor math.greatest math.isFinite math.isInf math.isNaN math.least math.round math.sign math.sqrt "
        "math.trunc"
    ),
    "sets (cel-go)": "sets.contains sets.equivalent sets.intersects",
    "regex (cel-go)": "regex.extract regex.extractAll regex.replace",
    "protos (cel-go)": "proto.getExt proto.hasExt",
    "format (Kubernetes)": (
        "format.named format.dns1123Label format.dns1123Subdomain format.dns1035Label format.qualifiedName "
        "format.dns1123LabelPrefix format.dns1123SubdomainPrefix format.dns1035LabelPrefix format.labelValue "
        "format.uri format.uuid format.byte format.date format.datetime validate"
    ),
    "authorizer (Kubernetes)": "allowed errored reason check group resource subresource serviceAccount",
    "JSON patch (Kubernetes)": "jsonpatch.escapeKey",
    "lists, version 1 (Kubernetes)": "includes",
}

DISABLED: Mapping[str, str] = {name: library for library, names in _DISABLED_NAMES.items() for name in names.split()}
"""Functions of CEL libraries that kro does not enable, by name, with the library."""


@lru_cache(maxsize=1)
def _assemble() -> tuple[Mapping[str, FunctionDeclaration], Mapping[str, MacroDeclaration]]:
    functions: dict[str, FunctionDeclaration] = {}
    macros: dict[str, MacroDeclaration] = {}
    for library in LIBRARIES:
        module = import_module(f"{__name__}.{library}")
        for declared in module.FUNCTIONS:
            shared = functions.get(declared.name)
            overloads = (*shared.overloads, *declared.overloads) if shared else declared.overloads
            functions[declared.name] = FunctionDeclaration(declared.name, overloads)
        macros |= {macro.name: macro for macro in getattr(module, "MACROS", ())}
    return functions, macros


def __getattr__(name: str) -> Mapping[str, FunctionDeclaration] | Mapping[str, MacroDeclaration]:
    if name in {"FUNCTIONS", "MACROS"}:
        return _assemble()[name == "MACROS"]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@lru_cache(maxsize=1)
def base_environment() -> Environment:
    """Return what every kro expression may use: the functions, the variable `runtime` and the type of a condition.

    The variable is declared everywhere; kro refuses it outside of `status.conditions` by other means. The type of
    `runtime` has no fields and is unknown to kro's type provider as well.
    """
    condition = StructFields(dict.fromkeys(("type", "status", "reason", "message"), STRING))
    return Environment(variables={"runtime": RUNTIME}, functions=_assemble()[0], structs={CONDITION.name: condition})
