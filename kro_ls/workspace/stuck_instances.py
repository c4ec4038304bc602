"""Why an instance that kubectl printed is stuck, by the objects in the editor and in the files beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.causes.cause import place_in
from kro_ls.runtime.causes.explaining import explain
from kro_ls.runtime.causes.given_objects import (
    Objects,
    conditions_of,
    flattened,
    metadata_of,
    status_of,
)
from kro_ls.workspace.instances import definition_of, objects_in
from kro_ls.yaml_positions.errors import ExcessiveAliasingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.runtime.causes.explaining import Explained
    from kro_ls.workspace.documents import Described, Document
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.yaml_positions.positions import Span


class StuckInstance(Struct, frozen=True):
    """The causes, and the definitions of the instance and its child instances: document and place."""

    explained: Explained
    definitions: tuple[tuple[Document, int], ...]

    def place(self, cause: Explanation) -> tuple[Document, Span] | None:
        """Return the document and the span that a cause is about, None if there is none."""
        for document, number in self.definitions:
            span = place_in(document.analysis.rgds[number], cause)
            if span is not None:
                return document, span
        return None


def value_of(described: Described) -> JsonObject:
    """Return an instance as a value, an empty one if its aliases make it too large."""
    try:
        return as_object(described.document.to_python())
    except ExcessiveAliasingError:
        return {}


def is_stuck(value: JsonObject) -> bool:
    """Whether an object is from a cluster and kro does not report that it is ready."""
    if not metadata_of(value).get("uid"):
        return False
    conditions = conditions_of(value).values()
    is_active = status_of(value).get("state") == "ACTIVE"
    return not is_active or not conditions or any(each.get("status") != "True" for each in conditions)


def stuck_instance(subject: JsonObject, path: str, document: Document, others: AllDocuments) -> StuckInstance | None:
    """Explain an instance in the document of a path, None if it is not stuck.

    The objects of the document, of other open ones, and of files in its folder are considered.
    """
    texts = document.text.content, *others.texts_around(path)
    values = [each for text in texts for each in flattened(objects_in(text))]
    definitions = dict(_definitions([subject, *values], document.schemas, others))
    rgds = {kind: found.analysis.rgds[number] for kind, (found, number) in definitions.items()}
    objects = Objects((subject, *(each for each in values if each != subject)))
    explained = explain(subject, objects, rgds)
    return None if explained.is_well else StuckInstance(explained, tuple(definitions.values()))


def _definitions(
    values: list[JsonObject], schemas: SchemaIndex | None, others: AllDocuments
) -> Iterator[tuple[tuple[str, str], tuple[Document, int]]]:
    """Yield the definitions of the kinds of some objects in the workspace, by group and kind."""
    for api_version, name in dict.fromkeys((str(each["apiVersion"]), str(each["kind"])) for each in values):
        kind = schemas.find_api_version(api_version, name) if schemas else None
        found = definition_of(kind, others) if kind else None
        if found is not None:
            yield (api_version.rpartition("/")[0], name), found
