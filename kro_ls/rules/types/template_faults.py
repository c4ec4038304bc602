"""The faults of a template against its schema, for the rules that report them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.memory import remembered
from kro_ls.analysis.types.template import TemplateFault, TemplateProblem, template_problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.scope import Scope
    from kro_ls.openapi.kinds import KindSchema
    from kro_ls.yaml_positions.nodes import Node

_CRD = ("apiextensions.k8s.io", "v1", "CustomResourceDefinition")


def template_faults(resource: Resource, scope: Scope, fault: TemplateFault) -> Iterator[TemplateProblem]:
    """Yield the template's problems of one sort; external references and CRDs are not walked along their schema."""
    if scope.kind is None or resource.template is None or resource.object is None:
        return
    name = scope.kind.name
    if (name.group, name.version, name.kind) != _CRD:
        yield from (each for each in _problems(resource, resource.template, scope.kind) if each.fault is fault)


@remembered
def _problems(_resource: Resource, template: Node, kind: KindSchema) -> tuple[TemplateProblem, ...]:
    return template_problems(template, kind)
