"""Works a large text out in small steps, so that others get their turn in between.

What the steps work out is remembered by the chunks of the text, where the analysis and its diagnosis find it. The
chunks live as long as the iterator does, so that another one over a text with the same chunks can go on from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import analyze
from kro_ls.analysis.facts import facts_of
from kro_ls.analysis.model.reading import CUTS, MOST_DOCUMENTS
from kro_ls.analysis.model.resource_reading import read_resource_of
from kro_ls.graphs import frames_in
from kro_ls.kro.versions.dialect import dialect_with
from kro_ls.rules.diagnosis import diagnose_beginning, diagnose_in_steps
from kro_ls.rules.resource_findings import check_resource
from kro_ls.yaml_positions.stream import parse_in_steps
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.settings import Settings

_CHUNKS_OF_A_SCREEN = 40


def prepare(text: Text, settings: Settings, schemas: SchemaIndex | None) -> Iterator[object]:
    """Yield after each step; a `Diagnosis` first of what is on the screen, at last of all."""
    held = []
    for run, chunk, end in parse_in_steps(text, CUTS, MOST_DOCUMENTS):
        held.append(chunk)
        resource = read_resource_of(chunk, dialect_with(settings.features)) if run.is_sequence else None
        if resource:
            facts_of(resource)
        yield chunk
        if len(held) == _CHUNKS_OF_A_SCREEN:
            yield diagnose_beginning(analyze(Text(text.content[:end]), schemas, settings.features), settings)
    analysis = analyze(text, schemas, settings.features)
    yield analysis
    for rgd in frames_in(analysis):
        for resource in rgd.parts:
            check_resource(resource, rgd.scope(resource))
            yield resource
    diagnosis = yield from diagnose_in_steps(analysis, settings)
    yield diagnosis
