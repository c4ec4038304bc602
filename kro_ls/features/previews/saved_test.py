"""A preview as a test: of a file that is there already, or a new one."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.render.test_file import TestFileHead, new_test_file, with_test
from kro_ls.rules.refusals import refused_text
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.testing.saved_tests import saved_test, scenario_name
from kro_ls.uris import path_of
from kro_ls.workspace.files import read_file
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import field, text_of
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.previews.scenario import ReadScenario
    from kro_ls.render.page_data import SavedTest
    from kro_ls.workspace.documents import Document


class UnsavableError(Exception):
    """The preview cannot be saved as a test; the message says why, for people."""


def saved_test_file(
    document: Document, preview: Preview, scenario: ReadScenario, name: str, file: str, text: str
) -> SavedTest:
    """Return what `kro-ls/previewTest` answers: the text of a test file, the test's name, and a title for a new file.

    `file` is the URI that the text is for, and `text` what is there already. Each may be empty: then the test is named
    after the scenario, and the file is a new one beside the definition. Raises UnsavableError.
    """
    if not preview.rgd.rgd.form.declares_kind:
        raise UnsavableError("tests are of definitions that have instances; a Graph has none")
    if preview.errors:
        raise UnsavableError(f"{refused_text(preview.errors)}; a test needs a definition that kro accepts")
    if scenario.obstacles:
        raise UnsavableError("; ".join(scenario.obstacles))
    source = _path(document.uri).rpartition("/")[2]
    title = f"{source.removesuffix('.yaml').removesuffix('.yml')}.test.yaml"
    target = file or f"{document.uri.rpartition('/')[0]}/{title}"
    outcome = preview.simulation or preview.refusals
    given = preview.simulation.scenario if preview.simulation else scenario.scenario
    parts = preview.rgd, preview.instance.value, outcome, given, scenario.then
    test, name = saved_test(*parts), name or scenario_name(*parts)
    head = TestFileHead(
        _relative(_path(document.uri), _path(target)),
        tuple(_relative(each, _path(target)) for each in _kind_files(preview.rgd, document.uri)),
        tuple(sorted(document.settings.feature_gates)),
    )
    made = with_test(text, head, name, test) if text.strip() else new_test_file(head, name, test)
    if made is None:
        raise UnsavableError(f"{_path(target).rpartition('/')[2]} is no test file of {source}; save it in another one")
    return {"text": made, "title": title, "name": name}


def _kind_files(rgd: RgdAnalysis, uri: str) -> Iterator[str]:
    """Yield the paths of the files that declare the custom kinds of a definition, which a test has to name.

    With a definition of a kind come the files that declare what its own resources are: its status is made of them.
    """
    schemas = rgd.schemas
    kinds = [node.kind for node in compile_graph(rgd).nodes if node.kind]
    seen = {path_of(uri)}
    for kind in kinds:  # which grows
        if kind.declared_schema and os.path.isabs(kind.source) and kind.source not in seen:
            seen.add(kind.source)
            yield kind.source.replace(os.sep, "/")
            if kind.is_generated:
                named = (schemas.find(*name) for name in _named_kinds(Path(kind.source)))
                kinds += [each for each in named if each]


def _named_kinds(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield group, version and kind of what the definitions of a file, as it is on disk, create and read."""
    for document in parse_stream(Text(read_file(path) or "")).documents:
        for resource in document.children(("spec", "resources")):
            for form in ("template", "externalRef"):
                value = field(resource.node, form)
                group, _, version = (text_of(field(value, "apiVersion")) or "").rpartition("/")
                yield group, version, text_of(field(value, "kind")) or ""


def _path(uri: str) -> str:
    return path_of(uri).replace(os.sep, "/")


def _relative(path: str, file: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(file))
