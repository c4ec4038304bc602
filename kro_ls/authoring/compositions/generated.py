"""What kro makes of a definition: the type of `schema` in its expressions, and the kind for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import analyze
from kro_ls.authoring.compositions.problems import CompositionError
from kro_ls.authoring.known_kinds import kinds_beside
from kro_ls.cel.types.types import DYN
from kro_ls.kro.forms import API_VERSION, KIND
from kro_ls.render.yaml_text import to_yaml
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.analysis.types.variables import Binding
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema


def instance_of(schema: JsonObject, kinds: SchemaIndex) -> Binding:
    """Return what `schema` is in the expressions of a definition with such a `spec.schema`."""
    value = {"apiVersion": API_VERSION, "kind": KIND, "metadata": {"name": "x"}, "spec": {"schema": schema}}
    rgd = analyze(Text(to_yaml(value)), kinds).rgds[0]
    return rgd.instance or DYN


def kind_schema_of(api_version: str, kind: str, texts: Mapping[str, str]) -> KindSchema:
    """Return the kind that kro makes of one of some definitions."""
    found = kinds_beside(texts).find_api_version(api_version, kind)
    if found is None:
        raise CompositionError(f"kro would make no kind {kind} of this; see what check() finds")
    return found
