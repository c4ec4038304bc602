"""The result of a check: types, the meaning of names and calls, and errors with the smallest wrong text."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.cel.types.types import Kind
from kro_ls.cel.types.unification import Resolution

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.syntax.ast import Comprehension, Node, Span, StructField
    from kro_ls.cel.types.types import Type


class ErrorKind(StrEnum):
    """What is wrong; the value completes "the expression has ..."."""

    UNDECLARED_NAME = "an undeclared name"
    UNDECLARED_FUNCTION = "an undeclared function"
    UNDEFINED_FIELD = "an undefined field"
    UNSELECTABLE = "a selection on a type without fields"
    UNKNOWN_STRUCT = "a selection on a struct of which nothing is known"
    NO_OVERLOAD = "a call that fits no overload"
    TYPE_MISMATCH = "a value of the wrong type"
    NOT_A_RANGE = "a macro on what is not a list or map"
    STRUCT_LITERAL = "a struct literal of what is not a struct"
    FORMAT = "a format string that does not fit its values"
    UNDEFINED_TYPE = "a variable that holds a type"


class CheckError(Struct, frozen=True, gc=False):
    """One error. Offsets are 0-based code points of the expression."""

    kind: ErrorKind
    message: str
    """cel-go's text, exactly."""
    position: int
    """Where cel-go reports it."""
    start: int
    end: int
    """The smallest text that is wrong, `[start, end)`: a name, an operator, an operand."""
    node: Node | StructField
    """What failed: the call, selection, identifier or field of a literal, or the operand of the wrong type."""
    types: tuple[Type, ...] = ()
    """Receiver and arguments of a call without overload; expected and actual type; the type selected from."""

    @property
    def is_consequence(self) -> bool:
        """True if it is about the type of a part that has an error itself; cel-go reports some of these."""
        return _involves_error(self.types)


def _involves_error(types: tuple[Type, ...]) -> bool:
    return any(type_.kind is Kind.ERROR or _involves_error(type_.parameters) for type_ in types)


class NameReference(Struct, frozen=True, gc=False):
    """The declaration of an identifier, or of a selection such as `a.b` that is one declared name."""

    name: str
    comprehension: Comprehension | None = None
    """The loop that declares it, None for a global name."""


Reference: TypeAlias = NameReference | Resolution


class CheckResult(Struct, frozen=True, eq=False, gc=False):
    """What checking found. `types` and `references` hold the nodes as written and those of macro expansions.

    Nodes that are part of a name or function name (`json` in `json.marshal(x)`) have no type.
    """

    type: Type
    errors: tuple[CheckError, ...]
    types: Mapping[Node, Type]
    references: Mapping[Node, Reference]
    variables: Mapping[Span, Type]
    """The type of each variable that a macro declares, by the span of its name there."""
    names_of_types: tuple[tuple[Node, NameReference], ...] = ()
    """The names whose values are types, with the nodes that they stand at.

    cel-go looks for each of them among the types that its environment knows, and so fails for every variable of a macro
    that holds a type. Source: cel-go `interpreter/planner.go`, planCheckedIdent.
    """


def undefined_type(name: str) -> str:
    """Return cel-go's message about a name that is not one of its types."""
    return f"reference to undefined type: {name}"
