"""What roles grant beside what kro needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.permissions.needs import RBAC_GROUP, ROLES
from kro_ls.analysis.permissions.permission import Permission, permissions_of, without_granted
from kro_ls.kro.permissions import AGGREGATION_LABEL, CHART_VERBS
from kro_ls.openapi.json_values import as_list, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

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
