"""The CRDs of the definitions in a file, for the commands that write them or instances of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.cli.input_error import InputError
from kro_ls.cli.inputs import position_text, read_text, require_rendered, shown_name
from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.kro.identifiers import is_kind, is_version
from kro_ls.printable import printable
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.snapshot import file_snapshot
from kro_ls.yaml_positions.nodes import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kro_ls.analysis.analysis import RgdAnalysis


def crds_of(file: Path, crds: Iterable[str]) -> tuple[list[tuple[RgdAnalysis, dict[str, Any]]], bool]:
    """Return the definitions of a file with their CRDs as JSON, and whether each definition has one.

    The version of kro is the one that the project's file names, or the newest; custom kinds are those that `crds` and
    that file name, and those that the file itself declares. The errors of the definitions go to standard error.
    Raises UnreadableFileError, and InputError for a file that has no definition.
    """
    text = read_text(file)
    kinds = folder_kinds(file, crds, [(str(file), text.content)])
    diagnosis = file_snapshot(file, text, kinds).document.diagnosis
    analysis = diagnosis.analysis
    require_rendered(file, analysis)
    rgds = tuple(rgd for rgd in analysis.rgds if rgd.rgd.form.declares_kind)
    if not rgds:
        raise InputError(f"no ResourceGraphDefinition found in {file}")
    for diagnostic in diagnosis.diagnostics:
        if diagnostic.severity is Severity.ERROR:
            place = position_text(shown_name(file), analysis.text, diagnostic.span.start)
            click.echo(f"{place}: error[{diagnostic.code}]: {printable(diagnostic.message)}", err=True)
    found: list[tuple[RgdAnalysis, dict[str, Any]]] = []
    for rgd in rgds:
        crd = _crd(rgd)
        if crd is None:
            place = position_text(shown_name(file), analysis.text, rgd.rgd.document.start)
            message = "no CRD can be made: it needs a spec.schema that can be read, with a valid kind and apiVersion"
            click.echo(f"{place}: {message}", err=True)
        else:
            found.append((rgd, crd))
    return found, len(found) == len(rgds)


def _crd(rgd: RgdAnalysis) -> dict[str, Any] | None:
    section = rgd.rgd.schema.section if rgd.rgd.schema else None
    if section is None or not is_kind(section.kind or ""):
        return None
    if not is_version(text_of(field(section.node, "apiVersion")) or ""):
        return None
    return generated_crd(rgd)
