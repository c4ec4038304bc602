"""New resources that hold what templates held: ConfigMaps, and the edits that add them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.features.actions.resource_lines import start_of_entry
from kro_ls.kro.identifiers import is_resource_id
from kro_ls.render.yaml_text import indented, lines
from kro_ls.repairs.declarations import line_of
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.parts import PlacedPart


class NewConfigMap(Struct, frozen=True):
    """A ConfigMap that a definition gets: its id, the texts of its name and namespace, its data and its conditions."""

    id: str
    name: str
    namespace: str | None
    data: Mapping[str, str]
    include_when: Sequence[str] = ()

    def added_above(self, content: str, part: PlacedPart) -> Replacement | None:
        """Return the edit that writes it above a resource; None where that shares its line."""
        entry = part.span(part.part.node.span)
        start = start_of_entry(content, entry.start)
        if start is None:
            return None
        metadata = {"name": self.name, **({"namespace": self.namespace} if self.namespace else {})}
        template = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": dict(self.data)}
        conditions = {"includeWhen": list(self.include_when)} if self.include_when else {}
        # The position of an item is that of its first key.
        _, before = line_of(content, entry.start)
        text = "".join(
            f"{indented(each, before.index('-'))}\n"
            for each in lines([{"id": self.id, **conditions, "template": template}])
        )
        return Replacement(Span(start, start), text)


def new_config_map(
    rgd: RgdAnalysis,
    id_: str,
    name: str,
    namespace: str | None,
    data: Mapping[str, str],
    include_when: Sequence[str] = (),
) -> NewConfigMap:
    """Return a ConfigMap whose id and name no resource has."""
    names = {text_of(field(field(each.resource.object, "metadata"), "name")) for each in rgd.rgd.resources}
    ids = (id_, *(f"{id_}{number}" for number in range(2, 1000)))
    free_id = next(each for each in ids if each not in rgd.resources and is_resource_id(each))
    texts = (name, *(f"{name}-{number}" for number in range(2, 1000)))
    free = next(each for each in texts if each not in names)
    return NewConfigMap(free_id, free, namespace, data, include_when)
