"""Which permissions kro lacks, where only its log says so: by the log, by its roles, or by how far kro came.

Also reads what commands print about them: kro's log, and `kubectl auth can-i --list` for its account.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.needed_permissions import Need, Permission, compare, is_aggregated, needs_of
from kro_ls.graphs import frames_of
from kro_ls.kro.controller import AGGREGATION_LABEL
from kro_ls.kro.labels import APPLY_SET_KINDS, FINALIZER
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.definition_troubles import ACCOUNT, KRO_LOG
from kro_ls.runtime.causes.given_objects import annotations_of, metadata_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.causes.given_objects import Objects
    from kro_ls.runtime.causes.waiting_nodes import Nodes


_COMMANDS: Final = (
    "kubectl get clusterroles -l rbac.kro.run/aggregate-to-controller=true -o yaml",
    f"kubectl auth can-i --list --as={ACCOUNT}",
    KRO_LOG,
)
_ACCOUNT_NAME: Final = "kro"
_READING: Final = ("get", "list", "watch")


def missing_permissions(nodes: Nodes | None, objects: Objects, instance: JsonObject) -> Explanation:
    """Return which permissions kro lacks, where its log or roles are given, else which it may lack."""
    if nodes is None:
        return Explanation(CauseKind.KRO_SILENT, "most often it lacks a permission", fetch=_COMMANDS)
    needs = [each for each in needs_of(frames_of(nodes.rgd)) if isinstance(each, Need)]
    denied = [each for each in needs if each.permission in objects.denied]
    if denied:
        message = f"its log says that it may not {_listed(each.permission for each in denied)}"
        return Explanation(CauseKind.PERMISSION, message, denied[0].node)
    roles = list(_roles_of_kro(objects))
    missing = compare((each.permission for each in needs), roles).missing if roles else ()
    if missing:
        node = next((each.node for each in needs if each.permission == missing[0]), "")
        return Explanation(CauseKind.PERMISSION, f"by its roles it may not {_listed(missing)}", node)
    stage, lacking = _stage(instance, needs, nodes)
    return Explanation(CauseKind.KRO_SILENT, f"{stage}, so most often it may not {_listed(lacking)}", fetch=_COMMANDS)


def _roles_of_kro(objects: Objects) -> Iterator[JsonObject]:
    """Yield the roles that are kro's: those that its chart takes in, and those that are bound to its account."""
    bound = {
        as_text(as_object(binding.get("roleRef")).get("name"))
        for binding in objects.of_kind("ClusterRoleBinding")
        if any(as_object(each).get("name") == _ACCOUNT_NAME for each in as_list(binding.get("subjects")))
    }
    for each in objects.of_kind("ClusterRole"):
        if is_aggregated(each) or name_of(each) in bound:
            yield each


def _stage(instance: JsonObject, needs: list[Need], nodes: Nodes) -> tuple[str, list[Permission]]:
    """Return how far kro came with an instance, and the permissions that it needs for the next step.

    It adds a finalizer, then reads the objects of all nodes, notes their kinds in an annotation, and applies them.
    """
    if FINALIZER not in as_list(metadata_of(instance).get("finalizers")):
        own = [each.permission for each in needs if not each.node and "/" not in each.permission.resource]
        return "it has not begun", own
    status = [each.permission for each in needs if not each.node and "/" in each.permission.resource]
    managed = {each.node for each in needs if each.why == "child"}
    if managed and managed <= nodes.children.keys():
        return "it has made the objects", status
    if annotations_of(instance).get(APPLY_SET_KINDS):
        applied = [each.permission for each in needs if each.node and each.permission.verb not in _READING]
        return "it has read the objects, but not applied all", [*applied, *status]
    read = [each.permission for each in needs if each.node and each.permission.verb in _READING]
    return "it has not read all objects", [*read, *status]


def _listed(permissions: Iterable[Permission]) -> str:
    """Return permissions in words, together by their verbs."""
    verbs: dict[str, list[str]] = {}
    for each in dict.fromkeys(permissions):
        verbs.setdefault(each.target, []).append(each.verb)
    targets: dict[str, list[str]] = {}
    for target, own in verbs.items():
        targets.setdefault("/".join(own), []).append(target)
    return "; or ".join(f"{own} {', '.join(found)}" for own, found in targets.items())


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
    """Return the permissions in a text; None where it is neither a log nor a table but, for example, objects."""
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
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata, "rules": rules}


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
