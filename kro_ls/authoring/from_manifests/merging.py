"""Merges an object that differs between the inputs into one template for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.authoring.from_manifests.input_objects import leaves
from kro_ls.openapi.json_values import copy_json, value_at
from kro_ls.runtime.apiserver.storing import stored

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.variation import Template, Variation
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.kind_schema import KindSchema

_MOST_LEAVES: Final = 16
"""How large an object may be that becomes a field as a whole."""
_ZEROS: Final[Mapping[type, JsonValue]] = {str: "", int: 0, float: 0.0, bool: False, list: [], dict: {}}


class _Missing:
    """Where an input has nothing at a path."""


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


_MISSING: Final = _Missing()


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

    def of(self, path: Path, values: list[JsonValue | _Missing]) -> Template:
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

    def _scalar(self, path: Path, values: list[JsonValue | _Missing], there: list[JsonValue | _Missing]) -> Template:
        plain: list[JsonValue] = [None if isinstance(each, _Missing) else each for each in values]
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

    def _object(self, path: Path, values: list[JsonValue | _Missing]) -> Template:
        made: dict[str, Template] = {}
        names = dict.fromkeys(name for each in values if isinstance(each, dict) for name in each)
        for name in names:
            if (*path, name) == ("metadata", "namespace") and self._is_of_instance(values):
                continue
            rows = [each.get(name, _MISSING) if isinstance(each, dict) else None for each in values]
            try:
                made[name] = self.of((*path, name), self._completed((*path, name), rows))
            except _Raise:
                if not self._can_be_field(path, values):
                    raise
                return self._variation.field(self._resource, path, [_json(each) for each in values])
        return made

    def _can_be_field(self, path: Path, values: list[JsonValue | _Missing]) -> bool:
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

    def _is_of_instance(self, values: list[JsonValue | _Missing]) -> bool:
        """Whether an object is in the namespace of the instance, which kro fills in."""
        pairs = zip(values, self._variation.names.namespaces, strict=True)
        return all(not isinstance(each, dict) or each.get("namespace", name) == name for each, name in pairs)

    def _completed(self, path: Path, rows: list[JsonValue | _Missing]) -> list[JsonValue | _Missing]:
        """Return values with what the API server takes an absent one for. Raises _Raise where that is nothing."""
        if _MISSING not in rows:
            return rows
        sample = next(each for each in rows if each is not None and not isinstance(each, _Missing))
        return [self._filled(number, path, sample) if each is _MISSING else each for number, each in enumerate(rows)]

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


def _json(value: JsonValue | _Missing) -> JsonValue:
    return None if isinstance(value, _Missing) else value
