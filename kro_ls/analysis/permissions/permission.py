"""Permissions as Kubernetes' RBAC knows them, and the rules of roles that grant them.

Source: k8s.io/kubernetes, pkg/apis/rbac/v1/evaluation_helpers.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.json_values import as_list, as_object, as_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
