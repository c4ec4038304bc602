"""Fields that people expect although nothing varies: images, replicas, hosts, sizes; and the values of a chart."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from kro_ls.authoring.from_manifests.input_objects import leaves, pod_path
from kro_ls.authoring.from_manifests.schema_fields import names_for
from kro_ls.authoring.from_manifests.template_text import Written, escaped, expression
from kro_ls.openapi.json_values import as_list, as_object, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.authoring.from_manifests.chart_values import ChartValues
    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.schema_fields import Fields
    from kro_ls.openapi.json_values import JsonValue

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
        scaled = _scaled_names(only_once)
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


def _scaled_names(resources: Sequence[DraftResource]) -> set[JsonValue]:
    """Return the names of what an autoscaler scales: whoever writes `replicas` there fights with it."""
    return {value_at(each.first, ("spec", "scaleTargetRef", "name")) for each in resources}


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
