"""What kro must be allowed to do for the resources of a definition, and for instances of its kind."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.permissions.permission import Permission, permissions_of
from kro_ls.golang.plural import plural
from kro_ls.kro.identifiers import is_kind
from kro_ls.kro.permissions import (
    CHILD_VERBS,
    EXTERNAL_VERBS,
    INSTANCE_STATUS_VERBS,
    INSTANCE_VERBS,
    PATCHED_VERBS,
)
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError, to_python

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.json_values import JsonObject

RBAC_GROUP: Final = "rbac.authorization.k8s.io"
ROLES: Final = MappingProxyType({"Role": "roles", "ClusterRole": "clusterroles"})
_BINDINGS = ("RoleBinding", "ClusterRoleBinding")


class Need(Struct, frozen=True):
    """A permission that kro needs, and what for: the node, empty for the instance, and its part in words.

    `guessed_kind` is the kind whose plural is only guessed, because no source knows it.
    """

    permission: Permission
    node: str
    why: str
    guessed_kind: str = ""


class Unknown(Struct, frozen=True):
    """Why more may be needed than can be said: the node, and a message."""

    node: str
    message: str


def needs_of(frames: Iterable[RgdAnalysis]) -> Iterator[Need | Unknown]:
    """Yield what kro needs for a definition; `frames` are the definition itself and its child graphs."""
    for rgd in frames:
        yield from _instance_needs(rgd)
        roles = dict(_roles(rgd))
        for resource in rgd.rgd.parts:
            yield from _resource_needs(rgd, resource)
            yield from _granting_needs(resource, roles)


def _instance_needs(rgd: RgdAnalysis) -> Iterator[Need]:
    section = rgd.section
    if section is None or not section.kind or not is_kind(section.kind):
        return
    resource = plural(section.kind)
    for verb in INSTANCE_VERBS:
        yield Need(Permission(section.group, resource, verb), "", "instances")
    for verb in INSTANCE_STATUS_VERBS:
        yield Need(Permission(section.group, f"{resource}/status", verb), "", "status of instances")


def _resource_needs(rgd: RgdAnalysis, resource: Resource) -> Iterator[Need | Unknown]:
    name = kind_name(resource)
    if name is None:
        return
    verbs, why = _verbs(resource)
    api_version, kind = name
    known = rgd.find_kind(name)
    group = api_version.rpartition("/")[0]
    for verb in verbs:
        permission = Permission(group, known.plural if known else plural(kind), verb)
        yield Need(permission, resource.id or "", why, "" if known else kind)


def _verbs(resource: Resource) -> tuple[tuple[str, ...], str]:
    if resource.type in (ResourceType.EXTERNAL, ResourceType.EXTERNAL_COLLECTION):
        return EXTERNAL_VERBS, "external reference"
    return (PATCHED_VERBS, "patch") if resource.form.is_patch else (CHILD_VERBS, "child")


def _roles(rgd: RgdAnalysis) -> Iterator[tuple[tuple[str, str], Resource]]:
    """Yield the roles that templates make, by kind and name as written."""
    for resource in rgd.rgd.parts:
        api_version, kind = kind_name(resource) or ("", "")
        if api_version.startswith(f"{RBAC_GROUP}/") and kind in ROLES and _verbs(resource)[1] == "child":
            yield (kind, as_text(as_object(_template(resource).get("metadata")).get("name"))), resource


def _granting_needs(resource: Resource, roles: dict[tuple[str, str], Resource]) -> Iterator[Need | Unknown]:
    """Yield what kro must have to grant it: the API server lets nobody grant more than they hold."""
    api_version, kind = kind_name(resource) or ("", "")
    if not api_version.startswith(f"{RBAC_GROUP}/") or _verbs(resource)[1] == "external reference":
        return
    if kind in ROLES:
        yield from _granted_by(resource, kind)
    elif kind in _BINDINGS:
        yield from _bound_by(resource, roles)


def _granted_by(resource: Resource, kind: str) -> Iterator[Need | Unknown]:
    id_, template = resource.id or "", _template(resource)
    if template.get("aggregationRule"):
        message = f"an aggregated ClusterRole takes all permissions, or 'escalate' on {ROLES[kind]}"
        yield Unknown(id_, message)
    computed = {path[1:2] for path in _computed_paths(resource) if path[:1] == ("rules",)}
    if computed:
        message = f"expressions say what the {kind} grants: kro needs that as well, or 'escalate' on {ROLES[kind]}"
        yield Unknown(id_, message)
    for index, rule in enumerate(as_list(template.get("rules"))):
        if (index,) not in computed:
            yield from (Need(each, id_, f"granted by the {kind}") for each in permissions_of([rule]))


def _bound_by(resource: Resource, roles: dict[tuple[str, str], Resource]) -> Iterator[Need | Unknown]:
    id_ = resource.id or ""
    reference = as_object(_template(resource).get("roleRef"))
    kind, name = as_text(reference.get("kind")), as_text(reference.get("name"))
    if (kind, name) in roles:
        return  # kro holds what that grants
    is_computed = any(path[:1] == ("roleRef",) for path in _computed_paths(resource))
    if is_computed:
        yield Unknown(id_, "an expression says which role is bound: kro needs what that grants, or 'bind' on the role")
    elif kind in ROLES and name:
        yield Need(Permission(RBAC_GROUP, ROLES[kind], "bind", name), id_, f"binds {kind} '{name}'")


def _computed_paths(resource: Resource) -> Iterator[tuple[str | int, ...]]:
    return (each.path for each in resource.expressions)


def _template(resource: Resource) -> JsonObject:
    try:
        return as_object(to_python(resource.object)) if resource.object else {}
    except ExcessiveAliasingError:
        return {}
