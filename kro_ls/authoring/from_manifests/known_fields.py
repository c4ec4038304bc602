"""Fields that people expect although nothing varies: images, replicas, hosts, sizes.

With a Helm chart, its values instead: those that stand in the rendered manifests become fields of the same name.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.from_manifests.input_objects import last_name, leaves, pod_path
from kro_ls.authoring.from_manifests.schema_fields import Described, names_for
from kro_ls.authoring.from_manifests.template_text import TOKENS, Written, escaped, expression
from kro_ls.openapi.json_values import as_list, as_object, as_text, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.schema_fields import Fields
    from kro_ls.openapi.json_values import JsonObject, JsonValue


_MOST: Final = 2
"""The most different values of one kind that become fields; more would make the schema useless."""


class KnownFields:
    """The constants that become fields: of a single input those that people expect, else none."""

    def __init__(
        self,
        resources: Sequence[DraftResource],
        links: Mapping[tuple[str, Path], Written],
        fields: Fields,
        groups: Mapping[str, str],
        chart: ChartValues | None,
    ) -> None:
        self._groups = groups
        self._chart = chart
        self._fields = fields
        self._found: dict[tuple[str, Path], Written] = {}
        if chart is not None:
            return
        only_once = [each for each in resources if sum(each.presence) == 1]
        self._exposed = _exposed(only_once, links)
        workloads = [each for each in only_once if pod_path(each.first) is not None]
        self._add_images(workloads)
        # Who writes `replicas` where an autoscaler does fights with it.
        scaled = {value_at(each.first, ("spec", "scaleTargetRef", "name")) for each in only_once}
        own = [each for each in workloads if each.key.kind == "Deployment" and each.key.name not in scaled]
        if len(workloads) > _MOST:
            own = [each for each in own if each.id in self._exposed]
        self._add(((each, ("spec", "replicas")) for each in own), of_each=True)
        self._add((each, path) for each in only_once for path in _hosts(each))
        self._add((each, path) for each in only_once for path in _sizes(each))

    def field_at(self, resource: DraftResource, path: Path, value: JsonValue) -> Written | None:
        """Return the text for a constant that becomes a field, None for one that stays as it is."""
        found = self._found.get((resource.id, path))
        if found is None and self._chart is not None:
            found = self._chart.field_at(resource, path, value, self._fields)
        return found

    def _add(self, places: Iterator[tuple[DraftResource, Path]], *, of_each: bool = False) -> None:
        """Make fields of values if there are few different ones, else of those of what is reached from outside.

        With `of_each`, equal values of several objects are separate fields, such as numbers of replicas. The instance's
        own object gives the short name.
        """
        found = [(each, path, value_at(each.first, path)) for each, path in places]
        there = [place for place in found if place[2] is not None]
        for chosen in (there, [place for place in there if place[0].id in self._exposed]):
            alike: dict[JsonValue, list[tuple[DraftResource, Path, JsonValue]]] = {}
            for place in sorted(chosen, key=lambda place: bool(place[0].word)):
                alike.setdefault(place[0].id if of_each else place[2], []).append(place)
            if len(alike) <= _MOST:
                break
        else:
            return
        for group in alike.values():
            resource, path, value = group[0]
            base, *own = names_for(resource, path)
            names = [base, *own] if len(alike) == 1 or not resource.word else own
            values = tuple(value if there else None for there in resource.presence)
            group_name = self._groups.get(resource.id, "")
            field = self._fields.field(names, values, f"the {base} of {resource.key}", group_name)
            self._found |= {(each.id, place): expression(field.code) for each, place, _ in group}

    def _add_images(self, workloads: Sequence[DraftResource]) -> None:
        places = [(each, path) for each in workloads for path in _images(each)]
        images = {value_at(each.first, path) for each, path in places}
        if len(images) <= _MOST:
            self._add(iter(places))
            return
        tags = Counter(_tag(str(each)) for each in images)
        (tag, uses) = tags.most_common(1)[0]
        if tag in ("", "latest") or uses < 2 or uses * 2 < len(images):
            self._add(iter(places))
            return
        values = tuple(tag for _ in workloads[0].given)
        field = self._fields.field(["version"], values, f"the tag of {uses} images")
        for each, path in places:
            image = str(value_at(each.first, path))
            if _tag(image) == tag:
                self._found[each.id, path] = Written(f"{escaped(image[: -len(tag)])}${{{field.code}}}")


def _exposed(resources: Sequence[DraftResource], links: Mapping[tuple[str, Path], Written]) -> set[str]:
    """Return the ids of the workloads that are reached from outside of the cluster."""
    by_id = {each.id: each for each in resources}
    reads = [(by_id[id_], uses) for (id_, _), written in links.items() if id_ in by_id for uses in written.uses]
    routes = ("Ingress", "HTTPRoute", "GRPCRoute", "TCPRoute")
    services = {uses for each, uses in reads if each.key.kind in routes}
    types = ("NodePort", "LoadBalancer")
    services |= {each.id for each in resources if value_at(each.first, ("spec", "type")) in types}
    return {uses for each, uses in reads if each.id in services}


def _images(resource: DraftResource) -> Iterator[Path]:
    place: Path = (*(pod_path(resource.first) or ()), "spec", "containers")
    for index in range(len(as_list(value_at(resource.first, place)))):
        yield (*place, index, "image")


def _tag(image: str) -> str:
    name, colon, tag = image.rpartition(":")
    return tag if colon and name and "/" not in tag and "@" not in name else ""


def _hosts(resource: DraftResource) -> Iterator[Path]:
    if resource.key.kind not in ("Ingress", "HTTPRoute", "Gateway", "Certificate"):
        return
    for path, value in leaves(as_object(resource.first.get("spec")), ("spec",)):
        keys = [each for each in path if isinstance(each, str)]
        if keys[-1] in ("host", "hosts", "hostnames", "hostname", "dnsNames", "commonName") and value:
            yield path


def _sizes(resource: DraftResource) -> Iterator[Path]:
    for path, _ in leaves(resource.first):
        if path[-2:] == ("requests", "storage"):
            yield path


_TYPES: Final = {"string": "string", "integer": "integer", "boolean": "boolean"}
_SCHEMAS: Final = "CustomResourceDefinition"
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_ALIASES: Final = {"replica": "replicas", "repository": "image", "hosts": "host", "class": "classname"}
_DETAILS: Final = frozenset(
    "probe probes security strategy termination automount history links dns affinity restart management mount kind "
    "propagation network pid ipc ready".split()
)
"""Details that an instance does not choose: values with such words stay in the template."""
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")


class _Value(Struct, frozen=True):
    """A value of the chart, and the words in its path."""

    path: tuple[str, ...]
    value: JsonValue
    words: frozenset[str]
    described: Described


class ChartValues:
    """Finds the values that stand in manifests, by what they are and by the words in their names."""

    def __init__(self, values: JsonObject, schema: JsonObject) -> None:
        self._values = [
            _Value(path, value, _words(path), _described(schema, path))
            for path, value in _named_leaves(values)
            if _DETAILS.isdisjoint(_words(path))
        ]

    def field_at(self, resource: DraftResource, path: Path, value: JsonValue, fields: Fields) -> Written | None:
        """Return the text for what stands at a path of an object, None where no value stands there."""
        if resource.key.kind == _SCHEMAS or path[0] not in ("spec", "data", "stringData") or path[-1] == "name":
            return None  # what names an object or a part of it stays
        if path[-1] == "image" and isinstance(value, str):
            return self._image(resource, value, fields)
        around = _around(resource, path)
        if isinstance(value, str) and "=" in value and isinstance(path[-1], int):
            return self._argument(resource, value, fields)
        own = _words((last_name(path),))
        best = max(
            (each for each in self._values if _is_meant(each, value, own, around)),
            key=lambda each: (len(each.words & around), -len(each.words - around)),
            default=None,
        )
        return expression(self._field(best, resource, fields)) if best else None

    def _image(self, resource: DraftResource, image: str, fields: Fields) -> Written | None:
        found = next((each for each in self._values if each.value == image and "image" in each.words), None)
        if found is not None:
            return expression(self._field(found, resource, fields))
        for each in self._values:
            repository = as_text(each.value)
            if each.path[-1] not in ("repository", "name", "image") or not repository:
                continue
            before, exact, after = image.partition(repository)
            if not exact or (before and not before.endswith("/")) or (after and after[0] not in ":@"):
                continue
            text = f"{escaped(before)}${{{self._field(each, resource, fields)}}}"
            tag = next((one for one in self._values if one.path == (*each.path[:-1], "tag")), None)
            if tag is not None and tag.value and after[1:] == str(tag.value) and isinstance(tag.value, str):
                return Written(f"{text}{after[0]}${{{self._field(tag, resource, fields)}}}")
            return Written(text + escaped(after))
        return None

    def _argument(self, resource: DraftResource, argument: str, fields: Fields) -> Written | None:
        name, _, text = argument.partition("=")
        own = _words((name.lstrip("-"),))
        for each in self._values:
            if each.value.__class__ is not bool and str(each.value) == text and own & _words(each.path[-1:]):
                code = self._field(each, resource, fields)
                code = code if isinstance(each.value, str) else f"string({code})"
                return Written(f"{escaped(name)}=${{{code}}}")
        return None

    def _field(self, value: _Value, resource: DraftResource, fields: Fields) -> str:
        why = f"the chart's value {'.'.join(value.path)}, in {resource.key}"
        return fields.at(value.path, (value.value,), why, value.described).code


def _is_meant(value: _Value, given: JsonValue, own: frozenset[str], around: frozenset[str]) -> bool:
    """Whether a value of the chart is what stands at a place: it is equal, and their names have enough in common."""
    if value.value != given or value.value.__class__ is not given.__class__:
        return False
    last = _words(value.path[-1:])
    if not last & own:
        return False
    above = value.words - last
    return not above or bool(above & around) or last == own


def _around(resource: DraftResource, path: Path) -> frozenset[str]:
    """Return the words in the name of a place, of its container or variable, and of the object's kind."""
    holder = as_object(value_at(resource.first, path[:-1]))
    name = as_text(holder.get("name")) if path[-1] == "value" else ""
    return _words((resource.key.kind, resource.id, name, *(each for each in path if isinstance(each, str))))


def _words(names: tuple[str, ...]) -> frozenset[str]:
    words = {found.lower() for name in names for found in _WORD.findall(name)}
    return frozenset(_ALIASES.get(each, each) for each in words)


def _named_leaves(values: JsonObject) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    """Yield the values that can be fields of a schema; items of lists have no names."""
    for path, value in leaves(values):
        names = tuple(each for each in path if isinstance(each, str))
        usable = all(_NAME.fullmatch(each) and each not in TOKENS for each in names)
        if usable and len(names) == len(path) and value not in ("", None):
            yield names, value


def _described(schema: JsonObject, path: tuple[str, ...]) -> Described:
    for name in path:
        schema = as_object(as_object(schema.get("properties")).get(name))
    # A whole number is a count or a port, and such fields of Kubernetes take integers only.
    type_ = as_text(schema.get("type")).replace("number", "")
    enum = tuple(str(each) for each in as_list(schema.get("enum")) if isinstance(each, str | int))
    return Described(_TYPES.get(type_, ""), as_text(schema.get("description")), enum)
