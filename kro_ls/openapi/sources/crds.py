"""Custom kinds from CustomResourceDefinitions: from the text of files, or from a definition made in memory."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text
from kro_ls.openapi.kinds import GroupVersionKind, KindSchema
from kro_ls.openapi.sources.crd_problems import definition_problems
from kro_ls.openapi.sources.crd_schema import published_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.openapi.sources.structural import Path
    from kro_ls.yaml_positions.document import YamlDocument

# A cluster takes a few megabytes for one definition. Files hold several, but not without end.
LARGEST_FILE = 10_000_000


@dataclass(frozen=True, slots=True)
class CrdProblem:
    """Something wrong in a file: a span in code points of the file's text, and what it is."""

    start: int
    end: int
    message: str


class CrdSource:
    """The kinds of a set of files, immutable."""

    def __init__(self, files: Iterable[tuple[str, str]], object_meta: JsonObject) -> None:
        """`files` are paths with texts; `object_meta` is the schema of Kubernetes' ObjectMeta.

        Where two files define the same kind, the first one counts. A text that was read before is not read again.
        """
        self._object_meta = object_meta
        self._set_files({path: self._load(path, text) for path, text in files})

    def with_file(self, path: str, text: str | None) -> CrdSource:
        """The source with one file changed, added, or (None) removed. Kinds of other files stay the same objects."""
        changed = CrdSource((), self._object_meta)
        files = dict(self._files)
        if text is not None:
            files[path] = self._load(path, text)
        else:
            files.pop(path, None)
        changed._set_files(files)
        return changed

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """The kind, if one of the files defines it and serves that version."""
        return self._kinds.get(name)

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind and version that the files define and serve."""
        return tuple(self._kinds)

    def paths(self) -> tuple[str, ...]:
        """The paths of all files, in the order in which they count."""
        return tuple(self._files)

    def problems(self, path: str) -> tuple[CrdProblem, ...]:
        """What is wrong with the definitions in a file, in the order of the text; nothing for an unknown path."""
        file = self._files.get(path)
        return file.problems if file is not None else ()

    def _load(self, path: str, text: str) -> _LoadedFile:
        content = _read_remembered(text)
        kinds = [
            kind for definition in content.definitions for kind in served_kinds(definition, path, self._object_meta)
        ]
        return _LoadedFile(tuple(kinds), content.problems)

    def _set_files(self, files: dict[str, _LoadedFile]) -> None:
        self._files = files
        self._kinds: dict[GroupVersionKind, KindSchema] = {}
        for file in files.values():
            for kind in file.kinds:
                self._kinds.setdefault(kind.name, kind)


@dataclass(frozen=True, slots=True)
class _LoadedFile:
    kinds: tuple[KindSchema, ...]
    problems: tuple[CrdProblem, ...]


def served_kinds(definition: JsonObject, source: str, object_meta: JsonObject) -> Iterator[KindSchema]:
    """The kinds that a definition adds to the API, one per served version; what it lacks for that is passed over.

    `source` says where the definition is from; `object_meta` is the schema of Kubernetes' ObjectMeta.
    """
    spec = as_object(definition.get("spec"))
    names = as_object(spec.get("names"))
    group, kind, plural = as_text(spec.get("group")), as_text(names.get("kind")), as_text(names.get("plural"))
    if definition.get("apiVersion") != "apiextensions.k8s.io/v1" or not (group and kind and plural):
        return
    for version in map(as_object, as_list(spec.get("versions"))):
        name = GroupVersionKind(group, as_text(version.get("name")), kind)
        if version.get("served") is not True or not name.version:
            continue
        deprecation = None
        if version.get("deprecated") is True:
            deprecation = as_text(version.get("deprecationWarning")) or f"{name} is deprecated"
        declared = as_object(as_object(version.get("schema")).get("openAPIV3Schema")) or _OPEN
        yield KindSchema(
            name,
            plural,
            spec.get("scope") != "Cluster",
            tuple(sorted(as_object(version.get("subresources")))),
            source,
            _publisher(declared, object_meta),
            deprecation,
            declared,
        )


# The schema of a version that declares none: nothing can be said against its fields.
_OPEN: JsonObject = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def _publisher(declared: JsonObject, object_meta: JsonObject) -> Callable[[], JsonObject]:
    @lru_cache(maxsize=1)
    def published() -> JsonObject:
        return published_schema(declared, object_meta)

    return published


@dataclass(frozen=True, slots=True)
class _Content:
    """What a text says, wherever it stands."""

    definitions: tuple[JsonObject, ...]
    problems: tuple[CrdProblem, ...]


# By digest, so that the texts themselves are not kept.
_remembered: OrderedDict[bytes, _Content] = OrderedDict()
_MOST_REMEMBERED = 4096


def _read_remembered(text: str) -> _Content:
    if "CustomResourceDefinition" not in text:
        return _Content((), ())
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    content = _remembered.pop(digest, None) or _read(text)
    _remembered[digest] = content
    if len(_remembered) > _MOST_REMEMBERED:
        _remembered.popitem(last=False)
    return content


def _read(text: str) -> _Content:
    if len(text) > LARGEST_FILE:
        size, most = len(text) // 1_000_000, LARGEST_FILE // 1_000_000
        message = f"this file has {size} million characters; definitions are read from files of up to {most} million"
        return _Content((), (CrdProblem(0, len(text.partition("\n")[0]), message),))

    from kro_ls.yaml_positions.stream import parse_stream
    from kro_ls.yaml_positions.text import Text

    definitions: list[JsonObject] = []
    problems: list[CrdProblem] = []
    for document in parse_stream(Text(text)).documents:
        try:
            found = list(_definitions(document.to_python()))
        except ValueError as error:  # aliases that expand without end
            problems.append(CrdProblem(document.start, document.start, str(error)))
            continue
        definitions += (definition for _, definition in found)
        problems += _problems(document, found)
    return _Content(tuple(definitions), tuple(problems))


def _definitions(value: JsonValue) -> Iterator[tuple[Path, JsonObject]]:
    """The definitions in a document, which is one or a List of them, with their paths."""
    root = as_object(value)
    candidates: list[tuple[Path, JsonObject]] = [((), root)]
    if as_text(root.get("kind")).endswith("List"):
        candidates = [(("items", place), as_object(item)) for place, item in enumerate(as_list(root.get("items")))]
    for path, candidate in candidates:
        group = as_text(candidate.get("apiVersion")).partition("/")[0]
        if candidate.get("kind") == "CustomResourceDefinition" and group in ("apiextensions.k8s.io", ""):
            yield path, candidate


def _problems(document: YamlDocument, definitions: list[tuple[Path, JsonObject]]) -> list[CrdProblem]:
    """The problems of a document in the order of the text; none of one without definitions."""
    if not definitions:
        return []
    found = [CrdProblem(error.start, error.end, error.message) for error in document.errors]
    for path, definition in definitions:
        found += (
            _placed(document, (*path, *problem.path), problem.message) for problem in definition_problems(definition)
        )
    return sorted(found, key=lambda problem: (problem.start, problem.end))


def _placed(document: YamlDocument, path: Path, message: str) -> CrdProblem:
    """A problem at the key or list item that a path leads to, or as near to it as the text goes."""
    located = document.child(path)
    while located is None and path:
        path = path[:-1]
        located = document.child(path)
    if located is None:
        return CrdProblem(document.start, document.start, message)
    span = located.key_span or located.span
    return CrdProblem(span.start, span.end, message)
