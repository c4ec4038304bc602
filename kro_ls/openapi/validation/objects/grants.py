"""What the API server refuses in roles, and in bindings of roles to subjects.

Source: k8s.io/kubernetes, pkg/apis/rbac/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_meta import path_segment_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    error,
    invalid,
    is_empty,
    needed_text,
    needs,
    one_of,
    text_of,
    unsupported,
)
from kro_ls.openapi.validation.objects.selectors import LABEL_SELECTOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

_GROUP: Final = "rbac.authorization.k8s.io"
_SUBJECTS: Final = ("ServiceAccount", "User", "Group")


def _rule(*, in_namespace: bool) -> Check:
    """Return a check of a rule of a role."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if not isinstance(value, dict):
            return
        yield from needs("verbs", detail="verbs must contain at least one value")(value, path)
        urls = as_list(value.get("nonResourceURLs"))
        if urls:
            here = (*path, "nonResourceURLs")
            if in_namespace:
                detail = "namespaced rules cannot apply to non-resource URLs"
                yield error(here, ErrorType.INVALID, urls, detail)
            if any(as_list(value.get(each)) for each in ("apiGroups", "resources", "resourceNames")):
                detail = "rules cannot apply to both regular resources and non-resource URLs"
                yield error(here, ErrorType.INVALID, urls, detail)
        elif is_empty(value.get("nonResourceURLs")):
            yield from needs("apiGroups", detail="resource rules must supply at least one api group")(value, path)
            yield from needs("resources", detail="resource rules must supply at least one resource")(value, path)

    return check


def _aggregation(value: JsonValue, path: Path) -> Iterator[FieldError]:
    detail = "at least one clusterRoleSelector required if aggregationRule is non-nil"
    yield from needs("clusterRoleSelectors", detail=detail)(value, path)
    for number, each in enumerate(as_list(as_object(value).get("clusterRoleSelectors"))):
        here = (*path, "clusterRoleSelectors", number)
        problems = LABEL_SELECTOR(each, here)
        yield from problems
        if problems:
            yield error(here, ErrorType.INVALID, None, "invalid label selector.")


ROLE: Final = Shape(("rules[]", _rule(in_namespace=True)))
CLUSTER_ROLE: Final = Shape(("rules[]", _rule(in_namespace=False)), ("aggregationRule", _aggregation))


def _role_reference(kinds: tuple[str, ...]) -> Check:
    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        reference = as_object(value).get("roleRef", {})
        if not isinstance(reference, dict):
            return
        here = (*path, "roleRef")
        yield from one_of(_GROUP)(reference.get("apiGroup"), (*here, "apiGroup"))
        yield from one_of(*kinds, or_empty=False)(text_of(reference, "kind"), (*here, "kind"))
        yield from needed_text(reference, here, "name", path_segment_problems)

    return check


def _subject(*, in_namespace: bool) -> Check:
    """Return a check of a subject of a binding. In a namespace, accounts are by default in the same one."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if not isinstance(value, dict):
            return
        kind, name, group = (text_of(value, each) for each in ("kind", "name", "apiGroup"))
        if name == "":
            yield error((*path, "name"), ErrorType.REQUIRED)
        if kind == "ServiceAccount":
            if name:
                yield from invalid((*path, "name"), name, subdomain_problems(name))
            if group:
                yield unsupported((*path, "apiGroup"), group, ("",))
            if is_empty(value.get("namespace")) and not in_namespace:
                yield error((*path, "namespace"), ErrorType.REQUIRED)
        elif kind in ("User", "Group"):
            yield from one_of(_GROUP)(group, (*path, "apiGroup"))
        elif kind is not None:
            yield unsupported((*path, "kind"), kind, _SUBJECTS)

    return check


ROLE_BINDING: Final = Shape(("", _role_reference(("Role", "ClusterRole"))), ("subjects[]", _subject(in_namespace=True)))
CLUSTER_ROLE_BINDING: Final = Shape(
    ("", _role_reference(("ClusterRole",))), ("subjects[]", _subject(in_namespace=False))
)
