"""Finds the kinds of templates and external references that no schema source has, each once per document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.surroundings import kind_name
from kro_ls.rules.diagnostics import DocumentSpan, Finding, Related
from kro_ls.rules.fixes import change_to
from kro_ls.yaml_positions.access import field
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource
    from kro_ls.analysis.scope import MissingKind
    from kro_ls.yaml_positions.document import PlacedChunk


def missing_kinds(analysis: RgdAnalysis, *, kubernetes: bool) -> Iterator[tuple[PlacedChunk, Finding]]:
    """Yield a finding for each missing kind, those of Kubernetes' own groups or the others, at its first use."""
    missing = {
        name: kind for name, kind in analysis.surroundings.missing_kinds.items() if kind.is_kubernetes is kubernetes
    }
    if not missing:
        return
    uses: dict[tuple[str, str], list[PlacedResource]] = {}
    for placed in analysis.rgd.resources:
        name = kind_name(placed.resource)
        if name in missing:
            uses.setdefault(name, []).append(placed)
    for name, users in uses.items():
        node = field(users[0].resource.object, "kind")
        if isinstance(node, Scalar):
            yield users[0].placed, _finding(missing[name], node, users[1:])


def _finding(missing: MissingKind, node: Scalar, others: list[PlacedResource]) -> Finding:
    group, _, version = missing.api_version.rpartition("/")
    message = (
        f'cannot resolve group version kind "{group}/{version}, Kind={missing.kind}": schema not found'
        f"{_explanation(missing)}"
    )
    related = tuple(
        Related(DocumentSpan(other.placed.span(kind)), "used here, too")
        for other in others
        if (kind := field(other.resource.object, "kind")) is not None
    )
    close = [each for each in missing.similar if each.api_version == missing.api_version]
    return Finding(node.span, message, related, tuple(change_to(node.span, each.kind) for each in close[:1]))


def _explanation(missing: MissingKind) -> str:
    if missing.lifetime and missing.lifetime.removed_in:
        return f": Kubernetes {missing.lifetime.removed_in} removed it{_similar(missing)}"
    if missing.lifetime and missing.lifetime.added_in:
        return f": Kubernetes has it since {missing.lifetime.added_in}"
    if missing.is_kubernetes:
        return f": Kubernetes has no such kind{_similar(missing)}"
    hint = ": add the CustomResourceDefinition to the workspace, or name its folder in the settings, to have it checked"
    return hint + _similar(missing)


def _similar(missing: MissingKind) -> str:
    if not missing.similar:
        return ""
    return f"; did you mean {' or '.join(map(_quoted, missing.similar[:2]))}?"


def _quoted(name: object) -> str:
    return f"'{name}'"
