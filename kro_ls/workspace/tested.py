"""The definition that a test file is about, as far as its tests can name what it declares."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.analysis import default_schemas
from kro_ls.analysis.crd.generated_crd import checkable_crd
from kro_ls.analysis.memory import remembered
from kro_ls.kro.feature_gates import FEATURE_GATES
from kro_ls.openapi.json_values import HeldObject
from kro_ls.openapi.sources.crds.definitions import served_kinds
from kro_ls.rules.refusals import refusals, refused_text
from kro_ls.rules.tested import TestedDefinition
from kro_ls.spelling import closest
from kro_ls.workspace.declared_kinds import kind_of
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.yaml_positions.access import field, items, resolved, text_of
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError
from kro_ls.yaml_positions.nodes import Mapping as MappingNode
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path as NodePath
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kinds import KindSchema
    from kro_ls.openapi.validation.json_schema import SchemaProblem
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.text import Text


def definition_under_test(
    text: Text,
    files: FilesOfTests,
    known: Iterable[str],
    failures: Callable[[RgdAnalysis], Mapping[str, tuple[SchemaProblem, ...]]] | None = None,
) -> TestedDefinition | None:
    """Return what the definition of a test file declares, None where the file names none.

    `known` are the paths of definitions, one of which may have been meant. `failures` runs the tests, where that is
    wanted, unless kro refuses the definition.
    """
    root = parse_stream(text).document_at(0).frame.chunk.root
    named = text_of(field(root, "definition"))
    if not named:
        return None
    wrong = tuple(_wrong_paths(root, files))
    document, problem = files.document(named)
    if document is None:
        if not problem:
            meant = closest(named, [os.path.relpath(each, files.folder).replace(os.sep, "/") for each in known])
            problem = f"there is no file {named}{_advice(meant)}"
        return TestedDefinition(named, problem=problem, wrong_paths=wrong)
    document = _with_gates(document, frozenset(_texts(field(root, "featureGates"))))
    rgd = _wanted(document.analysis.rgds, _kinds(root))
    if rgd is None:
        return TestedDefinition(named, problem=f"{named} holds no ResourceGraphDefinition", wrong_paths=wrong)
    errors = refusals(document.diagnosis, rgd)
    nodes = {id_: _kind(rgd, id_) for id_ in rgd.resources}
    return TestedDefinition(
        named,
        nodes,
        _declared(rgd, (document.schemas or default_schemas()).object_meta),
        refused_text(errors) if errors else "",
        wrong,
        failures(rgd) if failures and not errors else {},
    )


def rgd_under_test(text: Text, files: FilesOfTests) -> RgdAnalysis | None:
    """Return the definition that a test file tests, as `definition_under_test`; None for one that kro refuses."""
    root = parse_stream(text).document_at(0).frame.chunk.root
    document, _ = files.document(text_of(field(root, "definition")) or "")
    if document is None:
        return None
    document = _with_gates(document, frozenset(_texts(field(root, "featureGates"))))
    rgd = _wanted(document.analysis.rgds, _kinds(root))
    return rgd if rgd and not refusals(document.diagnosis, rgd) else None


class FilesOfTests(Struct, frozen=True):
    """The files that a test file in a folder names, each by the name that it has there.

    `at` gives the document of a path, None where no file is, and raises UnreadableFileError for one that cannot be
    read. `refusal` gets the folder and a name, and says why nothing of this name may be looked at, empty where that is
    allowed.
    """

    folder: str
    at: Callable[[str], Document | None]
    refusal: Callable[[str, str], str] = lambda *_: ""

    def document(self, name: str) -> tuple[Document | None, str]:
        """Return the document of a file, or why it cannot be read; neither where there is no file."""
        refused = self.refusal(self.folder, name)
        try:
            return (None, refused) if refused else (self.at(self._path(name)), "")
        except UnreadableFileError as error:
            return None, error.reason

    def instance(self, name: str) -> JsonObject | None:
        """Return the instance in a file, if it is the only document there."""
        document, _ = self.document(name)
        parts = [each for each in parse_stream(document.text).documents if each.root is not None] if document else []
        try:
            value = parts[0].to_python() if len(parts) == 1 and not parts[0].errors else None
        except ExcessiveAliasingError:
            return None
        return value if isinstance(value, dict) else None

    def problem(self, name: str) -> str:
        """Return why a file cannot be read, empty where it can."""
        document, problem = self.document(name)
        return problem or ("" if document else "there is no such file")

    def place_problem(self, name: str) -> str:
        """Return why a file or folder cannot be used, empty where there is one."""
        is_there = not (refused := self.refusal(self.folder, name)) and os.path.exists(self._path(name))
        return refused or ("" if is_there else "there is no such file or folder")

    def _path(self, name: str) -> str:
        return os.path.normpath(os.path.join(self.folder, name))


def _advice(meant: str | None) -> str:
    return f"; did you mean {meant}?" if meant else ""


def _with_gates(document: Document, gates: frozenset[str]) -> Document:
    """Return a definition's document with the feature gates on that its tests turn on."""
    settings = document.settings
    wanted = settings.feature_gates | (gates & frozenset(FEATURE_GATES))
    if wanted == settings.feature_gates:
        return document
    settings = replace(settings, feature_gates=wanted)
    return document.renewed(settings=settings, schemas=document.schemas, other_schemas=document.other_schemas)


def _wrong_paths(root: Node | None, files: FilesOfTests) -> Iterator[tuple[NodePath, str]]:
    """Yield the places at which a test file names what cannot be used, each with the reason."""
    for number, name in enumerate(_texts(field(root, "crds"))):
        problem = files.place_problem(name)
        if problem:
            yield ("crds", number), problem
    for number, test in enumerate(items(field(root, "tests"))):
        for key in ("instance", "then"):
            name = text_of(field(test, key)) or ""
            problem = files.problem(name) if name else ""
            if problem:
                yield ("tests", number, key), problem


def crds_of_tests(text: Text) -> tuple[str, ...]:
    """Return the paths of files and folders with custom kinds that a test file names."""
    return tuple(_texts(field(parse_stream(text).document_at(0).frame.chunk.root, "crds")))


def _texts(node: Node | None) -> Iterator[str]:
    return (text_of(each) or "" for each in items(node))


def _kinds(root: Node | None) -> set[str]:
    """Return the kinds of the instances that a test file holds."""
    instances = (resolved(field(test, "instance")) for test in items(field(root, "tests")))
    names = (text_of(field(each, "kind")) for each in instances if isinstance(each, MappingNode))
    return {name for name in names if name}


def _wanted(rgds: Iterable[RgdAnalysis], kinds: set[str]) -> RgdAnalysis | None:
    """Return the definition that tests of instances of some kinds are about: of several the one that declares one."""
    found = [rgd for rgd in rgds if not rgd.rgd.is_graph]
    declaring = (rgd for rgd in found if rgd.rgd.schema and rgd.rgd.schema.section.kind in kinds)
    return next(declaring, found[0] if found else None)


def _kind(rgd: RgdAnalysis, id_: str) -> KindSchema | None:
    resource = rgd.resources[id_].resource
    api_version, kind = (text_of(field(resource.object, name)) for name in ("apiVersion", "kind"))
    return rgd.surroundings.find((api_version, kind)) if api_version and kind else None


def _declared(rgd: RgdAnalysis, object_meta: JsonObject) -> KindSchema | None:
    """Return the kind that a definition declares, made of this definition, whatever others declare it."""
    return _made(rgd, HeldObject(object_meta))


@remembered
def _made(rgd: RgdAnalysis, object_meta: HeldObject) -> KindSchema | None:
    crd, name = checkable_crd(rgd), kind_of(rgd.rgd.schema)
    kinds = served_kinds(crd, str(name), object_meta.value) if crd else ()
    return next((each for each in kinds if each.name == name), None)
