"""Merges an object that differs between the inputs into one template: texts, and fields where the values vary."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from msgspec import UNSET, UnsetType

from kro_ls.authoring.from_manifests.input_objects import leaves
from kro_ls.authoring.from_manifests.naming import INSTANCE_LABEL, whole_word
from kro_ls.authoring.from_manifests.schema_fields import name_of_part, names_for
from kro_ls.authoring.from_manifests.template_text import Written, escaped, expression
from kro_ls.openapi.json_values import as_object, copy_json, value_at
from kro_ls.runtime.apiserver.storing import stored

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.known_fields import KnownFields
    from kro_ls.authoring.from_manifests.naming import InstanceNames
    from kro_ls.authoring.from_manifests.schema_fields import Fields
    from kro_ls.authoring.from_manifests.template_text import Template
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema


INSTANCE_NAMESPACE: Final = "schema.metadata.namespace"
_LABELS: Final = frozenset({"labels", "matchLabels", "selector", "matchExpressions"})
_PROGRAM_LABELS: Final = ("name", "version", "component", "part-of", "managed-by")
_WHOLE: Final = frozenset({"host", "hosts", "replicas", "storage"})
"""Fields whose values vary as a whole, not in parts."""


class Variation:
    """Writes values in terms of what varies so far, and makes fields for anything else that varies."""

    def __init__(
        self,
        names: InstanceNames,
        links: dict[tuple[str, Path], Written],
        fields: Fields,
        known: KnownFields,
        groups: Mapping[str, str],
    ) -> None:
        self.names = names
        self.links = links
        self.fields = fields
        self._known = known
        self.groups = groups

    def named(self, path: Path, value: JsonObject, texts: Sequence[str | None]) -> Written | None:
        """Return a text that follows from the name of the instance where names stand, None for others."""
        pairs = list(zip(texts, self.names.namespaces, strict=True))
        if path[-1] == "namespace" and all(text in (None, name) for text, name in pairs):
            return expression(INSTANCE_NAMESPACE)
        if not self.names.is_named or not _is_place_of_names(path, value):
            return None
        parts = None
        for text, name in zip(texts, self.names.names, strict=True):
            if text is None:
                continue
            found = whole_word(name).split(text) if text == name or text.startswith(f"{name}-") else [text]
            if len(found) == 1 or (parts is not None and found != parts):
                return None
            parts = found
        return Written(f"${{{self.names.code}}}".join(map(escaped, parts))) if parts else None

    def constant(self, resource: DraftResource, path: Path, value: JsonValue) -> Template:
        """Return a value that is the same in all inputs: a field only where people expect one."""
        chosen = self._known.field_at(resource, path, value)
        return chosen if chosen is not None else value

    def field(self, resource: DraftResource, path: Path, values: Sequence[JsonValue], line: str = "") -> Written:
        """Return the field for values that differ."""
        field = self.fields.field(
            names_for(resource, path, line),
            tuple(values),
            _why(resource, path),
            self.groups.get(resource.id, ""),
        )
        return expression(field.code)

    def text(self, resource: DraftResource, path: Path, texts: Sequence[str | None]) -> Written:
        """Return a text that varies, as far as possible in terms of what is known to vary."""
        known = self._in_known_words(texts)
        if known is not None:
            return known
        there = [each for each in texts if each is not None]
        lines = [each.split("\n") for each in there]
        if len({len(each) for each in lines}) == 1 and len(lines[0]) > 1:
            return self._line_by_line(resource, path, texts)
        if _WHOLE.isdisjoint(each for each in path if isinstance(each, str)):
            start, end = _common_ends(there)
            middles = [each[start : len(each) - end] for each in there]
            if (start or end) and all(middles):
                return self._around(resource, path, texts, start, end)
        return self.field(resource, path, texts, there[0])

    def _around(
        self, resource: DraftResource, path: Path, texts: Sequence[str | None], start: int, end: int
    ) -> Written:
        middles = tuple(None if each is None else each[start : len(each) - end] for each in texts)
        there = [each for each in middles if each is not None]
        first = next(each for each in texts if each is not None)
        names = names_for(resource, path, first)
        if names[0] == "image":
            names = ["tag", *(f"{each}Tag" for each in names[1:])]
        part = name_of_part(there)
        group = self.groups.get(resource.id, "")
        why = _why(resource, path)
        field = self.fields.field([part, *names] if part else names, middles, why, "" if part else group)
        tail = first[len(first) - end :] if end else ""
        return Written(f"{escaped(first[:start])}${{{field.code}}}{escaped(tail)}")

    def _line_by_line(self, resource: DraftResource, path: Path, texts: Sequence[str | None]) -> Written:
        rows = zip(*(each.split("\n") for each in texts if each is not None), strict=True)
        made = []
        for row in rows:
            if len(set(row)) == 1:
                made.append(escaped(row[0]))
                continue
            lines = iter(row)
            made.append(self.text(resource, path, [None if each is None else next(lines) for each in texts]).text)
        return Written("\n".join(made))

    def _in_known_words(self, texts: Sequence[str | None]) -> Written | None:
        """Return texts that become equal when words that are known to vary are replaced."""
        words: list[tuple[tuple[JsonValue, ...], str]] = [
            (each.values, each.code) for each in self.fields.all if len({*map(str, each.values)}) > 1
        ]
        for values, code in ((self.names.names, self.names.code), (self.names.namespaces, INSTANCE_NAMESPACE)):
            if len(set(values)) > 1:
                words.insert(0, (values, code))
        usable = [
            (values, code)
            for values, code in words
            if all(t is None or (isinstance(v, str) and len(v) > 1) for v, t in zip(values, texts, strict=True))
        ]
        usable.sort(key=lambda each: -min(len(str(value)) for value in each[0]))
        made = {_in_words(text, number, usable) for number, text in enumerate(texts) if text is not None}
        return Written(made.pop(), "varies as the instance and other fields do") if len(made) == 1 else None


def _in_words(text: str, number: int, words: Sequence[tuple[tuple[JsonValue, ...], str]]) -> str:
    """Return a text of an input with expressions for the words that stand in it."""
    if not words:
        return escaped(text)
    (values, code), *others = words
    parts = whole_word(str(values[number])).split(text)
    return f"${{{code}}}".join(_in_words(part, number, others) for part in parts)


def _why(resource: DraftResource, path: Path) -> str:
    place = ".".join(str(each) for each in path if isinstance(each, str))
    return f"differs between the inputs: {place} of {resource.key}"


def _is_place_of_names(path: Path, value: JsonObject) -> bool:
    """Whether what stands at a path is the object's own name, or a label by which others find it."""
    if path == ("metadata", "name"):
        return True
    if _LABELS.isdisjoint(path) or path[-1] in ("key", "operator"):
        return False
    label = str(path[-1]).rpartition("/")[2]
    has_instance = INSTANCE_LABEL in as_object(value_at(value, path[:-1]))
    return label != "chart" and not (has_instance and label in _PROGRAM_LABELS)


def _common_ends(texts: Sequence[str]) -> tuple[int, int]:
    """Return how much texts have in common at their start and end, cut where a word begins or ends."""
    start = _common_start(texts)
    shortest = min(map(len, texts))
    end = _common_start([each[::-1][: shortest - start] for each in texts])
    first = texts[0]
    while start and _is_inside(first[:start][::-1]):
        start -= 1
    while end and _is_inside(first[len(first) - end :]):
        end -= 1
    return start, end


def _common_start(texts: Sequence[str]) -> int:
    columns = zip(*texts, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _is_inside(text: str) -> bool:
    """Whether a text, read away from a cut, begins inside a word or the number of a version."""
    return text[0].isalnum() or text[0] == "_" or (text[0] == "." and text[1:2].isdigit())


_MOST_LEAVES: Final = 16
"""How large an object may be that becomes a field as a whole."""
_ZEROS: Final[Mapping[type, JsonValue]] = {str: "", int: 0, float: 0.0, bool: False, list: [], dict: {}}


class _Raise(Exception):  # noqa: N818  no error: the field above takes the values as a whole
    """A key that only some inputs have, and that a template cannot leave out."""

    def __init__(self, path: Path) -> None:
        self.path = path


class DividedResourceError(Exception):
    """A field of a resource is in some of the inputs only, and no template can leave it out: it needs two."""

    def __init__(self, resource: DraftResource, path: Path) -> None:
        super().__init__(f"{resource.key}: {'.'.join(map(str, path))}")
        self.resource = resource
        self.path = path


def merged(resource: DraftResource, kind: KindSchema | None, variation: Variation) -> Template:
    """Return the template of a resource. Raises DividedResourceError where one template cannot give all objects."""
    try:
        return _Merge(variation, resource, kind).of((), list(resource.given))
    except _Raise as raised:
        raise DividedResourceError(resource, raised.path) from None


class _Merge:
    """Walks through one resource's objects at once."""

    def __init__(self, variation: Variation, resource: DraftResource, kind: KindSchema | None) -> None:
        self._variation = variation
        self._resource = resource
        self._kind = kind
        self._stored = [None if each is None else stored(each, kind) for each in resource.given]

    def of(self, path: Path, values: list[JsonValue | UnsetType]) -> Template:
        """Return what stands at a path in the template; `values` has one for each input, None without the resource."""
        link = self._variation.links.get((self._resource.id, path))
        if link is not None:
            return link
        there = [each for each, given in zip(values, self._resource.given, strict=True) if given is not None]
        if all(isinstance(each, dict) for each in there):
            return self._object(path, values)
        first = there[0]
        if isinstance(first, list) and all(isinstance(each, list) and len(each) == len(first) for each in there):
            try:
                return [
                    self.of((*path, index), [each[index] if isinstance(each, list) else None for each in values])
                    for index in range(len(first))
                ]
            except _Raise:
                if not self._can_be_field(path, values):
                    raise
                return self._variation.field(self._resource, path, [_json(each) for each in values])
        return self._scalar(path, values, there)

    def _scalar(self, path: Path, values: list[JsonValue | UnsetType], there: list[JsonValue | UnsetType]) -> Template:
        plain: list[JsonValue] = [None if isinstance(each, UnsetType) else each for each in values]
        if all(isinstance(each, str) for each in there):
            texts = [each if isinstance(each, str) else None for each in plain]
            named = self._variation.named(path, self._resource.first, texts)
            if named is not None:
                return named
            if len(set(there)) > 1:
                return self._variation.text(self._resource, path, texts)
        if all(each == there[0] and each.__class__ is there[0].__class__ for each in there):
            return self._variation.constant(self._resource, path, _json(there[0]))
        return self._variation.field(self._resource, path, plain)

    def _object(self, path: Path, values: list[JsonValue | UnsetType]) -> Template:
        made: dict[str, Template] = {}
        names = dict.fromkeys(name for each in values if isinstance(each, dict) for name in each)
        for name in names:
            if (*path, name) == ("metadata", "namespace") and self._is_of_instance(values):
                continue
            rows = [each.get(name, UNSET) if isinstance(each, dict) else None for each in values]
            try:
                made[name] = self.of((*path, name), self._completed((*path, name), rows))
            except _Raise:
                if not self._can_be_field(path, values):
                    raise
                return self._variation.field(self._resource, path, [_json(each) for each in values])
        return made

    def _can_be_field(self, path: Path, values: list[JsonValue | UnsetType]) -> bool:
        """Whether an object or a list is small enough to be a field as a whole: it has a name, and holds no link."""
        place = self._resource.id, path
        is_linked = any((id_, at_[: len(path)]) == place for id_, at_ in self._variation.links)
        most = max(sum(1 for _ in leaves(_json(each))) for each in values)
        return (
            bool(path)
            and path[-1] not in ("spec", "metadata", "template")
            and isinstance(path[-1], str)
            and (most <= _MOST_LEAVES and not is_linked)
        )

    def _is_of_instance(self, values: list[JsonValue | UnsetType]) -> bool:
        """Whether an object is in the namespace of the instance, which kro fills in."""
        pairs = zip(values, self._variation.names.namespaces, strict=True)
        return all(not isinstance(each, dict) or each.get("namespace", name) == name for each, name in pairs)

    def _completed(self, path: Path, rows: list[JsonValue | UnsetType]) -> list[JsonValue | UnsetType]:
        """Return values with what the API server takes an absent one for. Raises _Raise where that is nothing."""
        if UNSET not in rows:
            return rows
        sample = next(each for each in rows if each is not None and not isinstance(each, UnsetType))
        return [self._filled(number, path, sample) if each is UNSET else each for number, each in enumerate(rows)]

    def _filled(self, number: int, path: Path, sample: JsonValue) -> JsonValue:
        given, kept = self._resource.given[number], self._stored[number]
        default = value_at(kept, path)
        zero = _ZEROS.get(type(sample))
        for candidate in (default, zero):
            if candidate is None or type(candidate) is not type(sample):
                continue
            tried = copy_json(given)
            holder = value_at(tried, path[:-1])
            if not isinstance(holder, dict):
                continue
            holder[str(path[-1])] = candidate
            if stored(tried, self._kind) == kept:
                return candidate
        raise _Raise(path)


def _json(value: JsonValue | UnsetType) -> JsonValue:
    return None if isinstance(value, UnsetType) else value
