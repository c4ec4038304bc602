"""The definition that a test file is about, as far as its tests can name what it declares."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import default_schemas
from kro_ls.analysis.crd.generated_crd import checkable_crd
from kro_ls.analysis.memory import remembered
from kro_ls.openapi.json_values import HeldObject
from kro_ls.openapi.sources.crds.definitions import served_kinds
from kro_ls.rules.refusals import refusals, refused_text
from kro_ls.rules.tested import TestedDefinition
from kro_ls.spelling import closest
from kro_ls.workspace.declared_kinds import kind_of
from kro_ls.yaml_positions.access import field, items, resolved, text_of
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.paths import Path as NodePath
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kinds import KindSchema
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.text import Text


def definition_under_test(
    text: Text, file: str, at: Callable[[str], Document | None], known: Iterable[str]
) -> TestedDefinition | None:
    """Return what the definition of a test file declares, None where the file names none.

    `file` is the path of the test file; `at` gives the document of a path, None where no file is or none that may be
    read. `known` are the paths of definitions, one of which may have been meant.
    """
    root = parse_stream(text).document_at(0).frame.chunk.root
    named = text_of(field(root, "definition"))
    if not named:
        return None
    folder = os.path.dirname(file)
    document = at(os.path.normpath(Path(folder, named)))
    wrong = tuple(path for path, name in _named_instances(root) if at(os.path.normpath(Path(folder, name))) is None)
    if document is None:
        meant = closest(named, [os.path.relpath(each, folder).replace(os.sep, "/") for each in known])
        return TestedDefinition(named, problem=f"there is no file {named}{_advice(meant)}", wrong_files=wrong)
    rgd = _wanted(document.analysis.rgds, _kinds(root))
    if rgd is None:
        return TestedDefinition(named, problem=f"{named} holds no ResourceGraphDefinition", wrong_files=wrong)
    errors = refusals(document.diagnosis, rgd)
    nodes = {id_: _kind(rgd, id_) for id_ in rgd.resources}
    return TestedDefinition(
        named,
        nodes,
        _declared(rgd, (document.schemas or default_schemas()).object_meta),
        refused_text(errors) if errors else "",
        wrong,
    )


def _advice(meant: str | None) -> str:
    return f"; did you mean {meant}?" if meant else ""


def _named_instances(root: Node | None) -> Iterator[tuple[NodePath, str]]:
    """Yield the files with instances that a test file names, each with its place."""
    for number, test in enumerate(items(field(root, "tests"))):
        for key in ("instance", "then"):
            name = text_of(field(test, key))
            if name:
                yield ("tests", number, key), name


def _kinds(root: Node | None) -> set[str]:
    """Return the kinds of the instances that a test file holds."""
    instances = (resolved(field(test, "instance")) for test in items(field(root, "tests")))
    names = (text_of(field(each, "kind")) for each in instances if isinstance(each, Mapping))
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
