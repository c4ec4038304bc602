"""The diagnosis of a file: its definitions, CustomResourceDefinitions and instances, or a file of ours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.analysis import Analysis
from kro_ls.rules.files.definitions_together import check_circles, check_objects, check_taken, check_together
from kro_ls.rules.files.missing_permission import check_permissions
from kro_ls.rules.files.substituted_expression import check_substituted
from kro_ls.rules.ignores import separate
from kro_ls.rules.kinds.broken_crd import check_crds, may_hold_crds
from kro_ls.workspace.documents import Document, described_tests
from kro_ls.workspace.file_schemas import TEST_ENDINGS, value_by
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.kustomize import Kustomizations
from kro_ls.workspace.program_lines import BEGIN, with_program_lines
from kro_ls.yaml_positions.documents.stream import YamlStream, parse_stream

if TYPE_CHECKING:
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.files.failing_test import TestedDefinition
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.documents import Described
    from kro_ls.workspace.files_of_tests import NamedFiles
    from kro_ls.workspace.schemas import WorkspaceSchemas
    from kro_ls.yaml_positions.text import Text


class Found(Struct, frozen=True):
    """The diagnostics of a document, and those that comments silence.

    Those of its RGDs come first, then those about several RGDs, its CRDs, its described documents, and its evolution;
    each group has the order of the text.
    """

    diagnostics: tuple[Diagnostic, ...]
    silenced: tuple[Diagnostic, ...]


def check_document(document: Document, cache: DiskCache | None = None) -> Found:
    """Return all diagnostics of a document. `cache` stores what is slow to find about CRDs."""
    if document.instance_of:
        return _check_typed(document, document.instance_of)
    diagnosis = document.diagnosis
    shown, silenced = check_crds(document.text, document.settings, cache)
    together = _check_together(document)
    if together:
        more, more_silenced = separate(document.analysis.stream, together)
        shown, silenced = (*more, *shown), (*more_silenced, *silenced)
    if document.described:
        more, more_silenced = _check_described(document.analysis, document.described, document.settings)
        shown, silenced = (*shown, *more), (*silenced, *more_silenced)
    if document.baseline:
        from kro_ls.workspace.evolution import check_evolution

        shown = (*shown, *check_evolution(document.analysis, document.baseline, document.settings))
    found = (*diagnosis.diagnostics, *shown)
    if document.text.contains(BEGIN):
        found = with_program_lines(found, document.text, document.uri)
    return Found(found, (*diagnosis.silenced, *silenced))


def _check_together(document: Document) -> list[Diagnostic]:
    """Return diagnostics of definitions that depend on other definitions, or on how files are deployed."""
    analysis, settings, beside = document.analysis, document.settings, document.beside
    found = [*check_substituted(analysis, beside.substitution, settings)]
    if len(analysis.rgds) > 1:
        found += check_together(analysis.rgds, settings)
    found += check_taken(analysis.rgds, beside.taken, settings)
    found += check_circles(analysis.rgds, beside.circles, settings)
    found += check_objects(analysis.rgds, beside.objects, settings)
    found += check_permissions(analysis.rgds, beside.roles, settings)
    first = {(each.code, each.span): each for each in reversed(found)}  # without repetitions
    return sorted(first.values(), key=lambda each: each.span.start)


def _check_described(
    analysis: Analysis, described: tuple[Described, ...], settings: Settings
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Return the diagnostics of described documents in the order of the text, and those that comments silence."""
    from kro_ls.rules.files.failing_test import check_test_file
    from kro_ls.rules.files.instances import check_instance, unreadable
    from kro_ls.rules.files.invalid_file import check_file, check_observed

    found: list[Diagnostic] = []
    for each in described:
        if each.kind:
            found += check_instance(each.document, each.kind, settings, each.choice)
            if not analysis.stream.documents:  # else the diagnosis of the definition beside it has them
                found += unreadable(each.document, settings)
        elif each.is_observed:
            found += check_observed(each.document, each.schema, settings)
        elif each.tested:
            found += check_test_file(each.document, value_by, each.schema, each.tested, settings)
        else:
            found += check_file(each.document, value_by, each.schema, settings)
    found.sort(key=lambda diagnostic: (diagnostic.span.start, diagnostic.span.end))
    return separate(YamlStream(analysis.text, tuple(each.document for each in described)), found)


def _check_typed(document: Document, kind: KindSchema) -> Found:
    """Check a text as an instance of a kind, whatever kind it names."""
    from kro_ls.rules.files.instances import check_typed_instance

    (described,) = document.described
    found = check_typed_instance(described.document, kind, document.settings)
    return Found(tuple(sorted(found, key=lambda each: each.span.start)), ())


def check_tests(document: Document, named: NamedFiles) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a test file, whatever its name; it may refer to the files in `named`."""
    analysis = Analysis(document.text, parse_stream(document.text), ())
    described = described_tests(analysis, _tested_definitions(document.text, document.uri, named))
    return _check_described(analysis, described, document.settings)[0]


def file_document(
    path: str,
    text: Text,
    settings: Settings,
    kinds: WorkspaceSchemas,
    tested: tuple[TestedDefinition | None, ...] = (),
    kustomizations: Kustomizations | None = None,
) -> Document:
    """Return a file with the kinds that it sees."""
    schemas, others = kinds.index_for(path), kinds.others_for(path)
    return Document(
        Path(path).as_posix(),
        None,
        text,
        settings=settings,
        schemas=schemas,
        other_schemas=others,
        beside=kinds.beside(path, kustomizations or Kustomizations()),
        tested=tested,
        is_final=True,
    )


class CheckedDocument(Struct, frozen=True):
    """The document of a file with its diagnostics.

    `is_checked` says whether it has anything to check: a definition, a CRD, an instance, ...
    """

    document: Document
    found: Found
    is_checked: bool


def check_file(
    path: str,
    text: Text,
    settings: Settings,
    kinds: WorkspaceSchemas,
    cache: DiskCache | None = None,
    named: NamedFiles | None = None,
    kustomizations: Kustomizations | None = None,
) -> CheckedDocument:
    """Check the text of a file; a test file may refer to the files in `named`.

    `kustomizations` has the folders that were read for other files of the run. Raises UnreadableFileError if kro-ls
    itself fails, so that the caller can still check the other files.
    """
    try:
        name = os.path.basename(path)
        tested = _tested_definitions(text, path, named) if named and name.endswith(TEST_ENDINGS) else ()
        document = file_document(path, text, settings, kinds, tested, kustomizations)
        found = check_document(document, cache)
        is_checked = bool(
            document.analysis.rgds or document.described or found.diagnostics or may_hold_crds(document.text)
        )
    except Exception as error:
        import traceback

        place = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise UnreadableFileError(Path(path), f"kro-ls failed on this file, please report it: {what}") from error
    return CheckedDocument(document, found, is_checked)


def _tested_definitions(text: Text, path: str, named: NamedFiles) -> tuple[TestedDefinition | None, ...]:
    """Return the definitions that a test file tests; it may refer to the files in `named`."""
    from kro_ls.workspace.tested import definitions_under_test

    return definitions_under_test(text, named.files_of_test(path), named.definitions)
