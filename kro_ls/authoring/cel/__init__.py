"""Every function and macro of kro's CEL as a function of Python: `cel.lowerAscii(name)`, `cel.json.marshal(value)`.

The receiver of a method is the first argument, the body of a macro a function: `cel.all(ports, lambda port: port > 0)`.
`or`, which Python has for itself, is `cel.or_`. They are found when they are used; type checkers read the stub beside
this file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.authoring.cel.calling import expression, member
from kro_ls.authoring.cel.cel_members import MEMBERS
from kro_ls.authoring.cel.cel_values import CIDR, IP, URL, Condition, Optional, Quantity, Semver
from kro_ls.authoring.python_fields import schema_field

if TYPE_CHECKING:
    from kro_ls.authoring.cel.calling import Member

__all__ = ["CIDR", "IP", "URL", "Condition", "Optional", "Quantity", "Semver", "expression"]


def __getattr__(name: str) -> Member:
    return member(schema_field(name))


def __dir__() -> list[str]:
    return sorted({*__all__, *(path for path in MEMBERS if "." not in path)})
