"""Where a definition is from, as far as it and what it was found in tell."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.sources.pack.stripping import stripped_definition
from kro_ls.openapi.sources.provenance import Provenance, provenance_of, title_of
from kro_ls.printable import unicode_text
from kro_ls.workspace.gathering.part import Gathered

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.workspace.gathering.part import Part

_VERSION = re.compile(r"v?(\d+(?:\.\d+)*(?:[-+.][0-9A-Za-z.+-]+)?)")
_CHART = re.compile(r"(.+)-v?(\d+\.\d+\.\d+.*)")


def gathered(definition: JsonObject, part: Part) -> Gathered:
    """Return a definition of a part, stripped, with its origin.

    The project of its group is the source, else what is known of the part, else what labels say, else the part's name.

    A definition that kro-ls has written before keeps the origin that it names.
    """
    stripped = stripped_definition(definition)
    own = provenance_of(definition)
    if own.source:
        return Gathered(stripped, own)
    group = as_text(as_object(definition.get("spec")).get("group"))
    named = Provenance(unicode_text(PurePath(part.name).name))
    origin = Provenance(title_of(group)).over(part.origin).over(_labelled(definition)).over(named)
    version = _VERSION.fullmatch(origin.version)
    return Gathered(stripped, Provenance(version=version[1]).over(origin) if version else origin)


def _labelled(definition: JsonObject) -> Provenance:
    metadata = as_object(definition.get("metadata"))
    said = {**as_object(metadata.get("annotations")), **as_object(metadata.get("labels"))}
    chart = _CHART.fullmatch(as_text(said.get("helm.sh/chart")))
    version = next(filter(None, (as_text(said.get(name)) for name in _VERSION_LABELS)), chart[2] if chart else "")
    source = next(filter(None, (as_text(said.get(name)) for name in _NAME_LABELS)), chart[1] if chart else "")
    return Provenance(source, version)


_VERSION_LABELS = ("gateway.networking.k8s.io/bundle-version", "app.kubernetes.io/version")
_NAME_LABELS = ("app.kubernetes.io/part-of", "app.kubernetes.io/name")
