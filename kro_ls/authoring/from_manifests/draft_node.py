"""A resource as it is written: its template, and what stands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.from_manifests.template_text import Written
from kro_ls.openapi.json_values import value_at
from kro_ls.openapi.readiness import signs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.variation import Template
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema

_MOUNTED: Final = "PersistentVolumeClaim"
"""A claim is often bound only when a pod uses it: what waits for it would wait for ever."""


class DraftNode(Struct, frozen=True):
    """An entry of `spec.resources`; `why` explains it. `for_each` has the iterator and what it goes over."""

    id: str
    template: Template
    why: str = ""
    for_each: tuple[str, Written] | None = None
    include_when: tuple[Written, ...] = ()
    ready_when: Written | None = None


def readiness(resource: DraftResource, schema: KindSchema | None, variable: str) -> Written | None:
    """Return the condition under which an object of the kind is ready, None where there is nothing to wait for."""
    key = resource.key
    if key.kind == _MOUNTED:
        return None
    given = [each for each in resource.given if each is not None]
    for sign in signs_of(key.group, key.kind, schema):
        if sign.only_with and any(value_at(each, sign.only_with[:-1]) != sign.only_with[-1] for each in given):
            continue
        if any(_never_comes(each, sign.expression) for each in given):
            continue
        article = "an" if key.kind[0] in "AEIO" else "a"
        why = f"{article} {key.kind} is ready when it {sign.means}"
        return Written(f"${{{sign.expression.replace('{x}', variable)}}}", why)
    return None


def _never_comes(value: JsonObject, sign: str) -> bool:
    """Whether a sign counts replicas of which there are none: Kubernetes leaves out counts of zero."""
    return value_at(value, ("spec", "replicas")) == 0 and "eplicas" in sign


def written_in(template: Template, path: Path = ()) -> Iterator[tuple[Path, Written]]:
    """Yield the texts with expressions in a template."""
    if isinstance(template, dict):
        for name, inner in template.items():
            yield from written_in(inner, (*path, name))
    elif isinstance(template, list):
        for index, inner in enumerate(template):
            yield from written_in(inner, (*path, index))
    elif isinstance(template, Written):
        yield path, template


def mapped(template: Template, change: Callable[[Template], Template]) -> Template:
    """Return a template with another value for each of its scalars."""
    if isinstance(template, dict):
        return {name: mapped(inner, change) for name, inner in template.items()}
    if isinstance(template, list):
        return [mapped(inner, change) for inner in template]
    return change(template)
