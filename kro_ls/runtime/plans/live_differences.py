"""Where a cluster has something else than kro applied, or another manager wrote what kro will apply.

kro applies by force (`pkg/controller/instance/applyset`, `Force: true`), so it takes such fields over. Values that
expressions compute from other objects are left out: only the cluster has the exact ones.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.runtime.apiserver.storing import stored
from kro_ls.runtime.nodes.compiled import INSTANCE, compile_graph
from kro_ls.runtime.nodes.node_objects import MISSING, at, identity
from kro_ls.runtime.passes.reasons import object_name
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.runtime.nodes.compiled import CompiledNode
    from kro_ls.runtime.plans.transition import Made

_KRO: Final = "kro.run/applyset"
_IDENTITY: Final = frozenset({("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace")})
_MOST_FIELDS: Final = 10
_LONGEST: Final = 60


def live_differences(rgd: RgdAnalysis, made: Iterable[Made], live: Iterable[JsonObject]) -> Iterator[str]:
    """Yield a sentence for each field of an existing object that differs, for the first ones of each object.

    `made` are the objects as kro applies them before and after a change, `live` those of the instance as they are.
    """
    nodes = {node.id: node for node in compile_graph(rgd).nodes}
    there = {identity(each): each for each in live}
    for each in made:
        node = nodes.get(each.node)
        found = there.get(identity(each.new)) if each.new is not None else None
        if node is not None and each.new is not None and found is not None:
            sentences = list(_of_object(node, each, found))
            yield from sentences[:_MOST_FIELDS]
            if len(sentences) > _MOST_FIELDS:
                more = len(sentences) - _MOST_FIELDS
                yield f"{object_name(each.new)}: {more} more fields are other than kro applies them"


def _of_object(node: CompiledNode, made: Made, live: JsonObject) -> Iterator[str]:
    assert made.new is not None  # noqa: S101 # whoever asks has looked
    before = stored(made.old, node.kind) if made.old is not None else {}
    after = stored(made.new, node.kind)
    is_secret = made.new.get("kind") == "Secret"
    for path in _leaves(made.new, ()):
        new, now, was = (at(value, path) for value in (after, live, before))
        if path in _IDENTITY or new is MISSING or _is_same(new, now) or _is_computed(node, path):
            continue
        writers = sorted(_writers(live, path) - {_KRO})
        by = f" ({' and '.join(writers)} wrote it)" if writers else ""
        shown = ["(hidden)" if is_secret else _shown(each) for each in (now, new)]
        name = f"{object_name(made.new)}: {place_of(path)}"
        if _is_same(was, new):
            is_now = "is gone" if now is MISSING else f"is {shown[0]}"
            yield f"{name} {is_now} in the cluster{by}, and kro puts {shown[1]} back"
        elif writers:
            yield f"{name} is {shown[0]} in the cluster{by}, and kro takes it over with {shown[1]}"


def _leaves(value: JsonValue, path: Path) -> Iterator[Path]:
    """Yield the paths of what kro applies; a list of plain values is one."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        for number, inner in enumerate(value):
            yield from _leaves(inner, (*path, number))
    elif value is not None:
        yield path


def _is_same(one: object, other: object) -> bool:
    return one is other or (one is not MISSING and other is not MISSING and one == other)


def _is_computed(node: CompiledNode, path: Path) -> bool:
    """Whether a field depends on more than the instance."""
    for place, compiled in (*node.fields, *node.item_fields):
        if place == path[: len(place)] or path == place[: len(path)]:
            names = {each.name for each in compiled.expression.inspection.names}
            if names - {INSTANCE, *(name for name, _ in node.dimensions)}:
                return True
    return False


def _writers(live: JsonObject, path: Path) -> set[str]:
    """Return the managers that have written a field, by the managed fields of an object."""
    entries = map(as_object, as_list(as_object(live.get("metadata")).get("managedFields")))
    return {as_text(each.get("manager")) for each in entries if _owns(as_object(each.get("fieldsV1")), live, path)}


def _owns(fields: Mapping[str, JsonValue], value: object, path: Path) -> bool:
    for step in path:
        if isinstance(step, int):
            item = value[step] if isinstance(value, list) and step < len(value) else None
            key = next((each for each in fields if each.startswith("k:") and _is_key_of(each[2:], item)), "")
            if not key:
                return "." not in fields and not fields  # a list that is owned as a whole
        else:
            key, item = f"f:{step}", as_object(value).get(step) if isinstance(value, dict) else None
            if key not in fields:
                return False
        fields, value = as_object(fields[key]), item
    return True


def _is_key_of(text: str, item: object) -> bool:
    try:
        keys = as_object(json.loads(text))
    except ValueError:
        return False
    return isinstance(item, dict) and all(item.get(name) == each for name, each in keys.items())


def _shown(value: object) -> str:
    return "nothing" if value is MISSING else shortened(json.dumps(value, ensure_ascii=False), _LONGEST)
