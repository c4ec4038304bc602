"""What commands print about kro's permissions: its log, and `kubectl auth can-i --list` for its account."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.permissions.permission import Permission
from kro_ls.kro.permissions import AGGREGATION_LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

_DENIED: Final = re.compile(
    r'User \\*"[^"\\]+\\*" cannot (?P<verb>\w+) resource \\*"(?P<resource>[^"\\]+)\\*"'
    r' in API group \\*"(?P<group>[^"\\]*)'
)
_OBJECT: Final = re.compile(r"^[ ]*kind: ", re.MULTILINE)
_TABLE: Final = re.compile(r"^Resources +Non-Resource URLs +Resource Names +Verbs *$", re.MULTILINE)
_ROW: Final = re.compile(r"^(?P<target>\S+) +\[\] +\[(?P<names>[^]]*)\] +\[(?P<verbs>[^]]*)\] *$", re.MULTILINE)


class Printed(Struct, frozen=True):
    """What kro was denied, by its log, and a role with all that its account may do."""

    denied: tuple[Permission, ...] = ()
    role: JsonObject | None = None


def read_printed(text: str) -> Printed | None:
    """Return what a text says of permissions; None for one that is neither a log nor a table, such as objects."""
    if _TABLE.search(text):
        return Printed(role=_role(text))
    if _OBJECT.search(text):
        return None
    denied = (Permission(each["group"], each["resource"], each["verb"]) for each in _DENIED.finditer(text))
    found = tuple(dict.fromkeys(denied))
    return Printed(found) if found else None


def _role(table: str) -> JsonObject:
    rules: list[JsonValue] = list(_rules(table))
    metadata: JsonObject = {"name": "what kro may do", "labels": {AGGREGATION_LABEL: "true"}}
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": metadata,
        "rules": rules,
    }


def _rules(table: str) -> Iterator[JsonObject]:
    for row in _ROW.finditer(table):
        target, slash, subresource = row["target"].partition("/")
        resource, _, group = target.partition(".")
        yield {
            "apiGroups": [group],
            "resources": [resource + slash + subresource],
            "verbs": [*row["verbs"].split()],
            **({"resourceNames": [*row["names"].split()]} if row["names"] else {}),
        }
