"""The definitions that a test file tests, with everything that its tests can name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.analysis.analysis import default_schemas
from kro_ls.analysis.crd.generated_crd import checkable_crd
from kro_ls.kro.controller import FEATURE_GATES
from kro_ls.openapi.json_values import HeldObject
from kro_ls.openapi.sources.crds.served_kinds import served_kinds
from kro_ls.queries.cells import cached
from kro_ls.rules.files.failing_test import TestedDefinition
from kro_ls.rules.refusals import refusals, refused_text
from kro_ls.spelling import closest
from kro_ls.workspace.declared_kinds import kind_of
from kro_ls.workspace.documents import object_kind
from kro_ls.workspace.test_files import tested_file
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Mapping as MappingNode
from kro_ls.yaml_positions.nodes import field, items, resolved, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.model.paths import Path as NodePath
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.files.failing_test import FailedExpectation
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.files_of_tests import FilesOfTests
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.text import Text

    Failures: TypeAlias = Callable[[int, YamlDocument, RgdAnalysis], Mapping[str, tuple[FailedExpectation, ...]]]


def definitions_under_test(
    text: Text, files: FilesOfTests, known: Callable[[], Iterable[str]], failures: Failures | None = None
) -> tuple[TestedDefinition | None, ...]:
    """Return the definition of each YAML document of a test file, None for a document that names none.

    `known` gives the paths of definitions to suggest. `failures`, if given, runs the tests of a document unless kro
    refuses its definition.
    """
    parts = parse_stream(text).documents
    found = tuple(_under_test(number, part, files, known, failures) for number, part in enumerate(parts))
    return found if any(found) else ()


def _under_test(
    number: int, part: YamlDocument, files: FilesOfTests, known: Callable[[], Iterable[str]], failures: Failures | None
) -> TestedDefinition | None:
    named = tested_file(part)
    if not named:
        return None
    root = part.frame.chunk.root
    _, problems = files.kinds(_crds(root))
    wrong = (*((("crds", number), each) for number, each in problems.items()), *_wrong_instances(root, files))
    document, problem = files.document(named)
    if document is None:
        if not problem:
            meant = closest(named, [os.path.relpath(each, files.folder).replace(os.sep, "/") for each in known()])
            problem = f"there is no file {named}{_advice(meant)}"
        return TestedDefinition(named, problem=problem, wrong_paths=wrong)
    of_workspace, document = document.schemas or default_schemas(), _as_tested(document, root, files)
    rgd = _wanted(document.analysis.rgds, _kinds(root))
    if rgd is None:
        return TestedDefinition(named, problem=f"{named} holds no ResourceGraphDefinition", wrong_paths=wrong)
    errors = refusals(document.diagnosis, rgd)
    nodes = {id_: _kind(rgd, rgd.resources[id_].resource, of_workspace) for id_ in rgd.resources}
    return TestedDefinition(
        named,
        nodes,
        _declared(rgd, of_workspace.object_meta),
        refused_text(errors) if errors else "",
        wrong,
        failures(number, part, rgd) if failures and not errors and not problems else {},
    )


def rgd_under_test(part: YamlDocument, files: FilesOfTests) -> RgdAnalysis | None:
    """Return the definition that a part of a test file tests, None if kro refuses it."""
    root = part.frame.chunk.root
    document, _ = files.document(tested_file(part) or "")
    if document is None:
        return None
    document = _as_tested(document, root, files)
    rgd = _wanted(document.analysis.rgds, _kinds(root))
    return rgd if rgd and not refusals(document.diagnosis, rgd) else None


def _advice(meant: str | None) -> str:
    return f"; did you mean {meant}?" if meant else ""


def _as_tested(document: Document, root: Node | None, files: FilesOfTests) -> Document:
    """Return a definition's document with the feature gates and the kinds that its tests name, and no others.

    The result for a version of the definition is cached.
    """
    gates = document.settings.feature_gates | (frozenset(FEATURE_GATES) & {*_texts(field(root, "featureGates"))})
    kinds, _ = files.kinds(_crds(root))
    if kinds is document.schemas and gates == document.settings.feature_gates:
        return document
    return _renewed(document, gates, kinds)


@cached
def _renewed(document: Document, gates: frozenset[str], kinds: SchemaIndex | None) -> Document:
    settings = replace(document.settings, feature_gates=gates)
    return document.renewed(settings=settings, schemas=kinds, other_schemas=())


def _wrong_instances(root: Node | None, files: FilesOfTests) -> Iterator[tuple[NodePath, str]]:
    """Yield the places where tests name an unusable instance, with the reasons."""
    for number, test in enumerate(items(field(root, "tests"))):
        for key in ("instance", "then"):
            name = text_of(field(test, key)) or ""
            problem = files.problem(name) if name else ""
            if problem:
                yield ("tests", number, key), problem


def _crds(root: Node | None) -> tuple[str, ...]:
    return tuple(_texts(field(root, "crds")))


def _texts(node: Node | None) -> Iterator[str]:
    return (text_of(each) or "" for each in items(node))


def _kinds(root: Node | None) -> set[str]:
    """Return the kinds of the instances in a test file."""
    instances = (resolved(field(test, "instance")) for test in items(field(root, "tests")))
    names = (text_of(field(each, "kind")) for each in instances if isinstance(each, MappingNode))
    return {name for name in names if name}


def _wanted(rgds: Iterable[RgdAnalysis], kinds: set[str]) -> RgdAnalysis | None:
    """Return the definition under test: of several, one that declares a kind of the tests' instances."""
    found = [rgd for rgd in rgds if rgd.rgd.form.declares_kind]
    declaring = (rgd for rgd in found if rgd.rgd.schema and rgd.rgd.schema.section.kind in kinds)
    return next(declaring, found[0] if found else None)


def _kind(rgd: RgdAnalysis, resource: Resource, of_workspace: SchemaIndex) -> KindSchema | None:
    """Return the kind of a resource's objects from the kinds of the tests, else from the workspace."""
    return rgd.kind(resource) or object_kind(resource.object, of_workspace)


def _declared(rgd: RgdAnalysis, object_meta: JsonObject) -> KindSchema | None:
    """Return the kind that a definition declares, even if others declare it, too."""
    return _made(rgd, HeldObject(object_meta))


@cached
def _made(rgd: RgdAnalysis, object_meta: HeldObject) -> KindSchema | None:
    crd, name = checkable_crd(rgd), kind_of(rgd.rgd.schema)
    kinds = served_kinds(crd, str(name), object_meta.value) if crd else ()
    return next((each for each in kinds if each.name == name), None)
