"""What kro must be allowed to do for the resources of a definition and for instances of its kind, and what roles allow.

Source: k8s.io/kubernetes, pkg/apis/rbac/v1/evaluation_helpers.go.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.analysis.facts import kind_name
from kro_ls.analysis.model.model import ResourceType
from kro_ls.golang.plural import plural
from kro_ls.kro.controller import (
    AGGREGATION_LABEL,
    CHART_VERBS,
    CHILD_VERBS,
    EXTERNAL_VERBS,
    INSTANCE_STATUS_VERBS,
    INSTANCE_VERBS,
    PATCHED_VERBS,
)
from kro_ls.kro.identifiers import is_kind
from kro_ls.openapi.json_values import as_list, as_object, as_text, as_texts
from kro_ls.yaml_positions.nodes import to_python

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.json_values import JsonObject, JsonValue


_ANY = "*"
_VERBS = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")


class Permission(Struct, frozen=True, order=True):
    """One verb on one resource, which may be a subresource: `deployments/status`; or on a `url` that is no resource.

    With a `name` it is about the object of that name only.
    """

    group: str
    resource: str
    verb: str
    name: str = ""
    url: str = ""

    @property
    def target(self) -> str:
        """What it is about, as kubectl names it: `deployments.apps/status`, or a URL."""
        if self.url:
            return self.url
        resource, slash, subresource = self.resource.partition("/")
        of_group = f".{self.group}" if self.group else ""
        return f"{resource}{of_group}{slash}{subresource}{f' {self.name!r}' if self.name else ''}"

    def __str__(self) -> str:
        return f"{self.verb} {self.target}"

    def grants(self, wanted: Permission) -> bool:
        """Whether this permission, in which `*` stands for anything, covers another one."""
        if self.verb not in (_ANY, wanted.verb):
            return False
        if self.url or wanted.url:
            starts = self.url.endswith(_ANY) and wanted.url.startswith(self.url[:-1])
            return self.url == wanted.url or bool(wanted.url and starts)
        subresource = wanted.resource.partition("/")[2]
        resources = (_ANY, wanted.resource, f"{_ANY}/{subresource}" if subresource else _ANY)
        return self.group in (_ANY, wanted.group) and self.resource in resources and self.name in ("", wanted.name)


def permissions_of(rules: JsonValue) -> Iterator[Permission]:
    """Yield what the `rules` of a role grant; what is no rule grants nothing."""
    for rule in map(as_object, as_list(rules)):
        verbs = as_texts(rule.get("verbs"))
        names = as_texts(rule.get("resourceNames")) or ("",)
        for verb in verbs:
            for url in as_texts(rule.get("nonResourceURLs")):
                yield Permission("", "", verb, url=url)
            for group in as_texts(rule.get("apiGroups")):
                for resource in as_texts(rule.get("resources")):
                    yield from (Permission(group, resource, verb, name) for name in names)


def without_granted(wanted: Iterable[Permission], granted: Iterable[Permission]) -> tuple[Permission, ...]:
    """Return the wanted permissions that are not granted, in their order."""
    held = tuple(dict.fromkeys(granted))
    return tuple(each for each in dict.fromkeys(wanted) if not any(own.grants(each) for own in held))


def rules_of(permissions: Iterable[Permission]) -> list[JsonObject]:
    """Return the rules of a role that grants just these permissions, as few as group and verbs allow."""
    verbs: dict[tuple[str, str, str], list[str]] = {}
    urls: dict[str, list[str]] = {}
    for each in dict.fromkeys(permissions):
        if each.url:
            urls.setdefault(each.url, []).append(each.verb)
        else:
            verbs.setdefault((each.group, each.resource, each.name), []).append(each.verb)
    rules: dict[tuple[str, tuple[str, ...], str], list[str]] = {}
    for (group, resource, name), own in sorted(verbs.items()):
        rules.setdefault((group, tuple(sorted(own, key=_verb_order)), name), []).append(resource)
    found = [_rule(group, resources, own, name) for (group, own, name), resources in rules.items()]
    return found + [{"nonResourceURLs": [url], "verbs": [*own]} for url, own in sorted(urls.items())]


def _verb_order(verb: str) -> tuple[int, str]:
    return (_VERBS.index(verb) if verb in _VERBS else len(_VERBS)), verb


def _rule(group: str, resources: list[str], verbs: tuple[str, ...], name: str) -> JsonObject:
    names: JsonObject = {"resourceNames": [name]} if name else {}
    return {"apiGroups": [group], "resources": [*resources], **names, "verbs": [*verbs]}


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
    """Why more may be needed than is known: the node, and a message."""

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
    """Yield the permissions that kro needs to grant them: the API server refuses to grant what the author lacks."""
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
    return as_object(to_python(resource.object)) if resource.object else {}


CHART_PERMISSIONS = tuple(
    Permission(group, resource, verb) for (group, resource), verbs in CHART_VERBS.items() for verb in verbs
)
"""What kro's chart grants by itself."""


class Comparison(Struct, frozen=True):
    """What kro needs and roles do not grant, what they grant and kro does not need, and roles that do not count."""

    missing: tuple[Permission, ...]
    superfluous: tuple[Permission, ...]
    uncounted: tuple[str, ...] = ()


def compare(needed: Iterable[Permission], objects: Iterable[JsonValue]) -> Comparison:
    """Compare what kro needs with the ClusterRoles among some objects.

    Where some of them bear the label by which the chart gathers roles, only those count. What the chart grants by
    itself is neither missing nor superfluous.
    """
    wanted = tuple(needed)
    roles = [role for each in objects for role in roles_in(each)]
    cluster_roles = [role for role in roles if role.get("kind") == "ClusterRole"]
    labelled = [role for role in cluster_roles if is_aggregated(role)]
    counted = labelled or cluster_roles
    granted = tuple(each for role in counted for each in permissions_of(role.get("rules")))
    return Comparison(
        without_granted(wanted, (*granted, *CHART_PERMISSIONS)),
        without_granted(granted, (*wanted, *CHART_PERMISSIONS)),
        tuple(_uncounted(role) for role in roles if role not in counted),
    )


def roles_in(value: JsonValue) -> Iterator[JsonObject]:
    """Yield the roles that an object is or, as a list of kubectl, holds."""
    found = as_object(value)
    if as_text(found.get("kind")).endswith("List") or isinstance(found.get("items"), list):
        for item in as_list(found.get("items")):
            yield from roles_in(item)
    elif found.get("kind") in ROLES and as_text(found.get("apiVersion")).startswith(f"{RBAC_GROUP}/"):
        yield found


def is_aggregated(role: JsonObject) -> bool:
    """Whether a role is one of those that kro's chart gathers."""
    metadata = as_object(role.get("metadata"))
    return role.get("kind") == "ClusterRole" and as_object(metadata.get("labels")).get(AGGREGATION_LABEL) == "true"


def _uncounted(role: JsonObject) -> str:
    name = as_text(as_object(role.get("metadata")).get("name"))
    if role.get("kind") == "Role":
        return f"Role '{name}' does not count: it grants in one namespace, and kro lists and watches in all"
    return f"ClusterRole '{name}' does not count: it lacks the label {AGGREGATION_LABEL}: \"true\""
