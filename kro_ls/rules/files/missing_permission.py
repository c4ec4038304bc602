"""Permissions that kro lacks for a definition, although a ClusterRole of the workspace is meant for it.

Source: helm/templates/cluster-role.yaml of kro, and a real cluster, by taking one verb after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.golang.plural import plural
from kro_ls.graphs import frames_of
from kro_ls.kro.controller import AGGREGATION_LABEL
from kro_ls.rules.diagnostics import Diagnostic, RelatedFile, Severity
from kro_ls.rules.files.reported_places import span_at
from kro_ls.rules.rule import Rule
from kro_ls.spelling import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.needed_permissions import Permission
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.positions import Span

_INSTANCE_KIND: Final = ("spec", "schema", "kind")
_MOST_FILES: Final = 3


class GrantingRole(Struct, frozen=True):
    """A ClusterRole that kro's chart aggregates: its name, the path of its file, and its permissions."""

    name: str
    path: str
    permissions: tuple[Permission, ...]


def check_permissions(
    rgds: Sequence[RgdAnalysis], roles: tuple[GrantingRole, ...], settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the nodes of each definition for which kro lacks a permission, in document offsets.

    Only definitions whose instances some role lets kro read are checked: the role of others may be anywhere.
    """
    severity = settings.severity_of(RULE) if roles else None
    if severity is None:
        return
    for rgd in rgds:
        own = tuple(each for each in roles if _is_for(rgd, each))
        if own:
            files = tuple(RelatedFile(each.path, f"the ClusterRole '{each.name}'") for each in own[:_MOST_FILES])
            for span, what in _missing(rgd, roles):
                message = f"kro may not {what}; the ClusterRole {listed(each.name for each in own)} does not allow it"
                yield Diagnostic(RULE.code, severity, span, message, files=files)


def _is_for(rgd: RgdAnalysis, role: GrantingRole) -> bool:
    section = rgd.section
    if section is None or not section.kind:
        return False
    from kro_ls.analysis.needed_permissions import Permission

    wanted = Permission(section.group, plural(section.kind), "get")
    return any(each.grants(wanted) for each in role.permissions)


def _missing(rgd: RgdAnalysis, roles: tuple[GrantingRole, ...]) -> Iterator[tuple[Span, str]]:
    """Yield the span of a node, and what kro may not do for it. Kinds with a guessed plural are left out."""
    from kro_ls.analysis.needed_permissions import CHART_PERMISSIONS, Need, needs_of, without_granted

    granted = (*(each for role in roles for each in role.permissions), *CHART_PERMISSIONS)
    needs = [each for each in needs_of(frames_of(rgd)) if isinstance(each, Need) and not each.guessed_kind]
    missing = frozenset(without_granted((each.permission for each in needs), granted))
    verbs: dict[str, dict[str, list[str]]] = {}
    for need in needs if missing else ():
        if need.permission in missing:
            verbs.setdefault(need.node, {}).setdefault(need.permission.target, []).append(need.permission.verb)
    for node, targets in verbs.items():
        what = ", ".join(f"{'/'.join(dict.fromkeys(own))} {target}" for target, own in targets.items())
        yield _place(rgd, node), what


def _place(rgd: RgdAnalysis, node: str) -> Span:
    resource = rgd.resources.get(node) if node else None
    if resource is None or resource.resource.id_node is None:
        return span_at(rgd.rgd.document, _INSTANCE_KIND)
    return resource.placed.document_span(resource.resource.id_node.span)


RULE = Rule(
    code="missing-permission",
    severity=Severity.WARNING,
    summary="A ClusterRole for kro lacks a permission that a definition needs.",
    explanation=f"""\
With the chart's `rbac.mode: aggregation`, kro may do with the kinds of a definition only what ClusterRoles with the
label `{AGGREGATION_LABEL}: "true"` allow. Where a verb is missing, instances often stay without a
status, and only kro's log says why. Where a ClusterRole of the workspace is meant for a definition, because it lets kro
read its instances, everything else that kro needs must be in it or in another such role. `kro-ls rbac` writes the
role. Such roles are looked for in the workspace, and by `kro-ls check` in its PATHs.""",
)
"""It has no check: `workspace/check.py` calls `check_permissions`, because it knows the roles."""
