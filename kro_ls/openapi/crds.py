"""Custom kinds from the text of CustomResourceDefinition files.

The checks are those of the API server that keep a definition from being accepted (k8s.io/apiextensions-apiserver,
pkg/apis/apiextensions/validation/validation.go), as far as they can be told from the file alone.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from kro_ls.openapi.crd_schema import published_schema
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text
from kro_ls.openapi.kinds import GroupVersionKind, KindSchema
from kro_ls.openapi.structural import StructuralProblem, structural_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.yaml_positions.document import YamlDocument

Path = tuple[str | int, ...]

# etcd and the API server stop at a few megabytes for one object. Files hold several, but not without end.
LARGEST_FILE = 10_000_000


@dataclass(frozen=True, slots=True)
class CrdProblem:
    """Something wrong in a file: a span in code points of the file's text, and what it is."""

    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True, eq=False)
class _CustomKind:
    """One served version of a definition, apart from the file it is in."""

    name: GroupVersionKind
    plural: str
    namespaced: bool
    subresources: tuple[str, ...]
    deprecation: str | None
    declared: JsonObject


@dataclass(frozen=True, slots=True, eq=False)
class _CrdFile:
    kinds: tuple[_CustomKind, ...]
    problems: tuple[CrdProblem, ...]


class CrdSource:
    """The kinds of a set of files. Make a new one when a file changes: unchanged texts are not read again."""

    def __init__(self, files: Iterable[tuple[str, str]], object_meta: JsonObject) -> None:
        """`files` are paths with texts; `object_meta` is the schema of Kubernetes' ObjectMeta.

        Where two files define the same kind, the first one counts.
        """
        self._object_meta = object_meta
        self._files = {path: _read_remembered(text) for path, text in files}
        self._schemas: dict[int, JsonObject] = {}
        self._kinds: dict[GroupVersionKind, KindSchema] = {}
        for path, file in self._files.items():
            for kind in file.kinds:
                self._kinds.setdefault(kind.name, self._kind_schema(kind, path))

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """The kind, if one of the files defines it and serves that version."""
        return self._kinds.get(name)

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind and version that the files define and serve."""
        return tuple(self._kinds)

    def problems(self, path: str) -> tuple[CrdProblem, ...]:
        """What is wrong with the definitions in a file, in the order of the text; nothing for an unknown path."""
        file = self._files.get(path)
        return file.problems if file is not None else ()

    def _kind_schema(self, kind: _CustomKind, path: str) -> KindSchema:
        load = partial(self._published, kind)
        return KindSchema(
            kind.name, kind.plural, kind.namespaced, kind.subresources, path, load, kind.deprecation, kind.declared
        )

    def _published(self, kind: _CustomKind) -> JsonObject:
        schema = self._schemas.get(id(kind))
        if schema is None:
            schema = self._schemas[id(kind)] = published_schema(kind.declared, self._object_meta)
        return schema


# By digest, so that the texts themselves are not kept.
_remembered: OrderedDict[bytes, _CrdFile] = OrderedDict()
_MOST_REMEMBERED = 4096


def _read_remembered(text: str) -> _CrdFile:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    file = _remembered.get(digest)
    if file is None:
        file = _remembered[digest] = _read(text)
        if len(_remembered) > _MOST_REMEMBERED:
            _remembered.popitem(last=False)
    else:
        _remembered.move_to_end(digest)
    return file


def _read(text: str) -> _CrdFile:
    if "CustomResourceDefinition" not in text:
        return _CrdFile((), ())
    if len(text) > LARGEST_FILE:
        size, most = len(text) // 1_000_000, LARGEST_FILE // 1_000_000
        message = (
            f"this file has {size} million characters; CustomResourceDefinitions are read from up to {most} million"
        )
        return _CrdFile((), (CrdProblem(0, text.find("\n") if "\n" in text else len(text), message),))

    from kro_ls.yaml_positions.stream import parse_stream
    from kro_ls.yaml_positions.text import Text

    kinds: list[_CustomKind] = []
    problems: list[CrdProblem] = []
    for document in parse_stream(Text(text), ()).documents:
        reading = _Document(document)
        kinds += reading.kinds
        problems += reading.problems
    return _CrdFile(tuple(kinds), tuple(problems))


class _Document:
    """Reads the definitions of one YAML document: it is one, or a List of them. Other objects are passed over."""

    def __init__(self, document: YamlDocument) -> None:
        self.kinds: list[_CustomKind] = []
        self.problems: list[CrdProblem] = []
        self._document = document
        try:
            value: JsonValue = document.to_python()
        except ValueError as error:
            self.problems.append(CrdProblem(document.start, document.start, str(error)))
            return
        found = list(_definitions(value))
        if found:
            self.problems += [CrdProblem(error.start, error.end, error.message) for error in document.errors]
        for path, definition in found:
            self._definition(path, definition)
        self.problems.sort(key=lambda problem: (problem.start, problem.end))

    def _report(self, path: Path, message: str) -> None:
        """Add a problem at the key or list item that a path leads to, or as near to it as the text goes."""
        while True:
            located = self._document.child(path)
            if located is not None or not path:
                break
            path = path[:-1]
        start = end = self._document.start
        if located is not None:
            span = located.key_span or located.span
            start, end = span.start, span.end
        self.problems.append(CrdProblem(start, end, message))

    def _text(self, path: Path, parent: JsonValue, field: str) -> str | None:
        """A field that has to be a string that is not empty."""
        value = as_object(parent).get(field)
        if isinstance(value, str) and value:
            return value
        wrong = f"{field}: Required value" if value in (None, "") else f"{field} has to be a string"
        self._report((*path, field), f"{wrong}: a CustomResourceDefinition needs {'.'.join(map(str, (*path, field)))}")
        return None

    def _definition(self, path: Path, definition: JsonObject) -> None:
        if definition.get("apiVersion") != "apiextensions.k8s.io/v1":
            message = f"{definition.get('apiVersion')} is not served any more: use apiextensions.k8s.io/v1"
            self._report((*path, "apiVersion"), message)
            return
        spec, spec_path = definition.get("spec"), (*path, "spec")
        if not isinstance(spec, dict):
            self._report(spec_path, "spec: Required value: a CustomResourceDefinition needs a mapping `spec`")
            return
        names_path = (*spec_path, "names")
        group = self._text(spec_path, spec, "group")
        kind = self._text(names_path, spec.get("names"), "kind")
        plural = self._text(names_path, spec.get("names"), "plural")
        scope = self._text(spec_path, spec, "scope")
        if scope not in (None, "Namespaced", "Cluster"):
            message = f'Unsupported value: "{scope}": supported values: "Cluster", "Namespaced"'
            self._report((*spec_path, "scope"), message)
        name = as_object(definition.get("metadata")).get("name")
        if group and plural and name != f"{plural}.{group}":
            message = f'must be spec.names.plural+"."+spec.group, which is {plural}.{group}'
            self._report((*path, "metadata", "name"), message)
        versions = spec.get("versions")
        if not isinstance(versions, list) or not versions:
            message = "versions: Required value: a CustomResourceDefinition needs a list of at least one version"
            self._report((*spec_path, "versions"), message)
            return
        stored = 0
        for position, version in enumerate(versions):
            version_path = (*spec_path, "versions", position)
            version_name = self._text(version_path, version, "name")
            stored += as_object(version).get("storage") is True
            declared = self._schema(version_path, as_object(version))
            served = as_object(version).get("served") is True
            if group and kind and plural and version_name and served:
                gvk = GroupVersionKind(group, version_name, kind)
                self.kinds.append(_custom_kind(gvk, plural, scope != "Cluster", as_object(version), declared))
        if stored != 1:
            self._report((*spec_path, "versions"), "must have exactly one version marked as storage version")

    def _schema(self, version_path: Path, version: JsonObject) -> JsonObject:
        """The schema of a version as declared; an open object where there is none that can be used."""
        path = (*version_path, "schema", "openAPIV3Schema")
        schema = as_object(version.get("schema")).get("openAPIV3Schema")
        if schema is None:
            self._report(path, "Required value: schemas are required: this version has no schema.openAPIV3Schema")
        else:
            for problem in _first_problems(structural_problems(schema)):
                self._report((*path, *problem.path), problem.message)
        if not isinstance(schema, dict) or not schema:
            return {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        return schema


_MOST_PROBLEMS = 100


def _first_problems(problems: Iterator[StructuralProblem]) -> Iterator[StructuralProblem]:
    for _, problem in zip(range(_MOST_PROBLEMS), problems, strict=False):
        yield problem


def _definitions(value: JsonValue) -> Iterator[tuple[Path, JsonObject]]:
    """The CustomResourceDefinitions in a document, with their paths."""
    root = as_object(value)
    candidates: list[tuple[Path, JsonObject]] = [((), root)]
    if as_text(root.get("kind")).endswith("List"):
        candidates = [(("items", place), as_object(item)) for place, item in enumerate(as_list(root.get("items")))]
    for path, candidate in candidates:
        group = as_text(candidate.get("apiVersion")).partition("/")[0]
        if candidate.get("kind") == "CustomResourceDefinition" and group in ("apiextensions.k8s.io", ""):
            yield path, candidate


def _custom_kind(
    name: GroupVersionKind, plural: str, namespaced: bool, version: JsonObject, declared: JsonObject
) -> _CustomKind:
    deprecation = None
    if version.get("deprecated") is True:
        deprecation = as_text(version.get("deprecationWarning")) or f"{name} is deprecated"
    subresources = tuple(sorted(as_object(version.get("subresources"))))
    return _CustomKind(name, plural, namespaced, subresources, deprecation, declared)
