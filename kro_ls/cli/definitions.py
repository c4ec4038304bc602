"""Finds the definition that a preview or a test is about, with the kinds that it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import read_snapshot, require_rendered
from kro_ls.cli.written import placed_message
from kro_ls.graphs import at_path
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.kro.versions.version import NEWEST
from kro_ls.printable import printable
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.refusals import refusals, refused_text
from kro_ls.rules.settings import Settings
from kro_ls.runtime.cluster.instance import AmbiguousDefinitionError, definition_for
from kro_ls.yaml_positions.nodes import nearest_at

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kro_ls.analysis.analysis import Analysis, RgdAnalysis
    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.validation.objects.refusal import Refusal
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.runtime.nodes.errors import Cause
    from kro_ls.yaml_positions.text import Text


class RefusedDefinitionError(InputError):
    """kro would refuse the definition, because of these errors of a text."""

    def __init__(self, file: Path, text: Text, errors: tuple[Diagnostic, ...]) -> None:
        places = (placed_message(file, text, each.span, f"error[{each.code}]: {each.message}") for each in errors)
        super().__init__("\n".join([refused_text(errors), *places]), shown=True)
        self.text = text
        self.errors = errors


class Definition(Struct, frozen=True):
    """A definition, the text that contains it, and the version of kro that reads it."""

    path: Path
    text: Text
    rgd: RgdAnalysis
    kro: Version = NEWEST

    def message(self, cause: Cause, message: str) -> str:
        """Return a message with the place of the part of an expression that failed."""
        owner = at_path(self.rgd, cause.node)
        placed = owner.placed if owner else self.rgd.rgd.schema.placed if self.rgd.rgd.schema else None
        if placed is None:
            return printable(message)
        expression = cause.expression
        span = expression.whole if cause.start < 0 else expression.span(cause.start, cause.end)
        return placed_message(self.path, self.text, placed.document_span(span), message)

    def field_message(self, refusal: Refusal, id_: str, message: str) -> str:
        """Return a message with the place of the field for which the API server refuses an object of a resource."""
        owner = at_path(self.rgd, id_)
        node = nearest_at(owner.resource.object, refusal.path) if owner else None
        if owner is None or node is None:
            return printable(message)
        return placed_message(self.path, self.text, owner.placed.span(node), message)


def read_definition(
    file: Path,
    schemas: SchemaIndex | None,
    wanted_kind: object = None,
    feature_gates: Iterable[str] = (),
    version: Version | None = None,
    *,
    with_graphs: bool = False,
) -> Definition:
    """Return the definition in a file; of several, the one that declares the wanted kind.

    `with_graphs` allows the file to hold a Graph of kro 0.10 instead.
    `version` is that of kro; with None the project's file decides. Raises InputError where there is no definition, and
    RefusedDefinitionError where kro would refuse it.
    """
    settings = Settings(feature_gates=frozenset(feature_gates), version=version or NEWEST)
    document = read_snapshot(file, schemas, settings, names_version=version is not None).document
    diagnosis, analysis = document.diagnosis, document.analysis
    require_rendered(file, analysis)
    if not analysis.rgds:
        errors = tuple(each for each in diagnosis.diagnostics if each.severity is Severity.ERROR)
        if errors:
            raise RefusedDefinitionError(file, analysis.text, errors)
        raise InputError(f"no ResourceGraphDefinition found in {file}")
    definition = _chosen(file, analysis, document.settings, wanted_kind, with_graphs=with_graphs)
    errors = refusals(diagnosis, definition.rgd)
    if errors:
        raise RefusedDefinitionError(file, analysis.text, errors)
    return definition


def _chosen(
    file: Path, analysis: Analysis, settings: Settings, wanted_kind: object, *, with_graphs: bool
) -> Definition:
    """Return the chosen definition. Raises InputError if the choice is ambiguous."""
    rgds = tuple(rgd for rgd in analysis.rgds if rgd.rgd.form.declares_kind)
    if not rgds:
        return _graph(file, analysis, settings, is_wanted=with_graphs)
    try:
        return Definition(file, analysis.text, definition_for(rgds, wanted_kind), settings.version)
    except AmbiguousDefinitionError as error:
        raise InputError(f"{file} {error}") from error


def _graph(file: Path, analysis: Analysis, settings: Settings, *, is_wanted: bool) -> Definition:
    if not is_wanted:
        raise InputError(f"{file} has a Graph, which has no instances")
    if settings.version not in GRAPHS:
        raise InputError(f"kro {settings.version} has no kind Graph; see it with --kro-version {GRAPHS.since}")
    if len(analysis.rgds) > 1:
        raise InputError(f"{file} has {len(analysis.rgds)} Graphs; a preview is of one")
    return Definition(file, analysis.text, analysis.rgds[0], settings.version)
