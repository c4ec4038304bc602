"""Writes an object as YAML: an API server sends JSON, and a check places its findings in a YAML text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from kro_ls.admission.admission_review import Message
from kro_ls.kro.forms import RESOURCE_LISTS
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.openapi.written_fields import LAST_APPLIED
from kro_ls.render.yaml_text import placed_lines
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.rules.diagnostics import Diagnostic

_WRITTEN_BY_AUTHORS: Final = (
    "name",
    "generateName",
    "namespace",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
)
_IN_RESOURCE: Final = 3


class ObjectText(Struct, frozen=True):
    """An object as its author may have written it, and the path of the value in each line."""

    value: JsonObject
    text: Text
    paths: tuple[Path, ...]

    def message(self, found: Diagnostic) -> Message:
        """Return a finding with the field in which it is."""
        return self.message_at(found.span.start, found.message, found.code)

    def message_at(self, offset: int, text: str, code: str = "") -> Message:
        """Return a message about the field at an offset, with its resource and the line of a multi-line text."""
        line = min(self.text.position(offset).line, len(self.paths) - 1)
        path = self.paths[line]
        name, number = self._resource(path), line - self.paths.index(path)  # the key has a line of its own
        place = [f"resource '{name}'"] * bool(name) + [f"line {number}"] * bool(number)
        return Message(place_of(path), text, code, ", ".join(place))

    def _resource(self, path: Path) -> str:
        """Return the id of the resource that a path of a definition leads into."""
        if len(path) < _IN_RESOURCE or path[:2] not in RESOURCE_LISTS:
            return ""
        _, name, number, *_ = path
        found = as_list(as_object(self.value.get("spec")).get(str(name)))
        return as_text(as_object(found[number]).get("id")) if isinstance(number, int) else ""


def object_text(value: JsonObject) -> ObjectText:
    """Return the text of an object, without the fields that the API server and controllers write."""
    written = as_object(value.get("metadata"))
    metadata: dict[str, Any] = {name: written[name] for name in _WRITTEN_BY_AUTHORS if name in written}
    annotations = {
        name: text for name, text in as_object(metadata.pop("annotations", None)).items() if name != LAST_APPLIED
    }
    if annotations:
        metadata["annotations"] = annotations
    own = {**value, "metadata": metadata}
    own.pop("status", None)
    placed = list(placed_lines(own))
    return ObjectText(own, Text("".join(f"{line}\n" for line, _ in placed)), tuple(path for _, path in placed))
