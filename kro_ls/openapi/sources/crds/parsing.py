"""Parses texts with CustomResourceDefinitions: their values, and their problems, each at its place."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from kro_ls.openapi.sources.crds.served_kinds import KIND, definitions_in
from kro_ls.openapi.sources.disk_cache import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.sources.crds.constraints import StructuralProblem
    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.yaml_positions.documents.document import YamlDocument

# A cluster accepts a few megabytes for one definition. Larger files are cut into definitions and not checked.
LARGEST_FILE = 10_000_000


class CrdProblem(Struct, frozen=True, array_like=True):
    """A problem in a text: a span in code points, a message, and the API server's answer, if known.

    `meant` is what should replace the span, if that is clear.
    """

    start: int
    end: int
    message: str
    printed: str = ""
    meant: str = ""


def parse_definitions(text: str) -> Iterator[JsonObject]:
    """Yield the definitions in a text, of a damaged one as far as it can be read."""
    for document in parse_values(text):
        for _, definition in definitions_in(document):
            yield definition


def parse_values(text: str) -> Iterator[JsonValue]:
    """Return the values of the documents of a text, of a damaged one as far as it can be read."""
    from kro_ls.yaml_positions.parsing.values import NeedsTreeError, simple_values

    if text.startswith("{"):
        with suppress(msgspec.DecodeError, RecursionError):  # YAML in flow style, or damaged
            return iter([msgspec.json.decode(text)])
    with suppress(NeedsTreeError):
        return iter(simple_values(text))
    return _values_of_trees(text)


def _values_of_trees(text: str) -> Iterator[JsonValue]:
    for document in _documents(text):
        try:
            yield document.to_python()
        except ValueError:  # aliases that expand endlessly
            continue


def _documents(text: str) -> tuple[YamlDocument, ...]:
    from kro_ls.yaml_positions.documents.stream import parse_stream
    from kro_ls.yaml_positions.text import Text

    return parse_stream(Text(text)).documents


_CACHED = "crd problems"

# By digest, which is smaller than the texts.
_cached: OrderedDict[bytes, tuple[CrdProblem, ...]] = OrderedDict()
_MOST_CACHED = 4096


def crd_problems(text: str, cache: DiskCache | None = None) -> tuple[CrdProblem, ...]:
    """Return what is wrong with the definitions in a text, in its order; cached by the content of the text."""
    if KIND not in text:
        return ()
    content = text.encode("utf-8", "surrogatepass")
    digest = digest_of(content)
    problems = _cached.pop(digest, None)
    if problems is None and cache:
        problems = cache.get(_CACHED, content, tuple[CrdProblem, ...])
    if problems is None:
        problems = tuple(_find_problems(text))
        if cache:
            cache.put(_CACHED, content, msgspec.to_builtins(problems))
    _cached[digest] = problems
    if len(_cached) > _MOST_CACHED:
        _cached.popitem(last=False)
    return problems


def forget_problems() -> None:
    """Empty the cache in memory."""
    _cached.clear()


def _find_problems(text: str) -> Iterator[CrdProblem]:
    if len(text) > LARGEST_FILE:
        size, most = len(text) // 1_000_000, LARGEST_FILE // 1_000_000
        message = f"this file is too large to be checked: {size} million characters, of at most {most} million"
        yield CrdProblem(0, len(text.partition("\n")[0]), message)
    elif not _is_sound(text):
        for document in _documents(text):
            yield from _problems_of(document)


def _is_sound(text: str) -> bool:
    """Whether nothing is wrong with a text, which its values alone show."""
    from kro_ls.yaml_positions.parsing.values import NeedsTreeError, simple_values

    try:
        values = simple_values(text)
    except NeedsTreeError:
        return False
    definitions = (definition for value in values for _, definition in definitions_in(value))
    return not any(True for each in definitions for _ in _definition_problems(each))


def _definition_problems(definition: JsonObject) -> Iterator[StructuralProblem]:
    """Return what the newest Kubernetes refuses in a definition."""
    # Imported here: where no file has definitions, a check of one file starts more quickly.
    from kro_ls.openapi.sources.crds.definition_problems import definition_problems
    from kro_ls.openapi.sources.crds.definition_schema import newest_schema

    return definition_problems(definition, newest_schema())


def _problems_of(document: YamlDocument) -> list[CrdProblem]:
    """Return the problems of a document in the order of the text; none where it has no definitions."""
    try:
        definitions = list(definitions_in(document.to_python()))
    except ValueError as error:  # aliases that expand endlessly
        return [CrdProblem(document.start, document.start, str(error))]
    if not definitions:
        return []
    found = [CrdProblem(error.start, error.end, error.message, error.printed) for error in document.errors]
    for path, definition in definitions:
        found += (_placed(document, path, problem) for problem in _definition_problems(definition))
    return sorted(found, key=lambda problem: (problem.start, problem.end))


def _placed(document: YamlDocument, above: Path, problem: StructuralProblem) -> CrdProblem:
    """Return a problem at the key, value or list item at its path, or as near to it as the text goes.

    `above` is the path of its definition.
    """
    path = (*above, *problem.path)
    located = document.child(path)
    is_there, meant = located is not None, problem.meant if located else ""
    while located is None and path:
        path = path[:-1]
        located = document.child(path)
    if located is None:
        return CrdProblem(document.start, document.start, problem.message, problem.printed)
    span = located.span if problem.at_value and is_there else located.key_span or located.span
    return CrdProblem(span.start, span.end, problem.message, problem.printed, meant)
