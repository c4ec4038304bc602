"""What a resource is: one of an RGD, or a node of a Graph in one of its forms."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003 # msgspec reads it
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.kro.identifiers import is_node_id, is_resource_id


class ResourceForm(Struct, frozen=True):
    """How kro treats a resource of one form; `name` is the field of a Graph's node that selects it, or empty.

    `takes_id` decides which ids are allowed. With `sees_instance` its expressions can use the instance as `schema`, and
    with `sees_itself` the `readyWhen` of a list can use the list as well as `each`. With `defers_types` kro checks a
    `dyn`, even one for a kind, only when it has a value. With `iterators_hide_ids` an iterator may have the id of
    another resource.

    The fields of a resource that `is_typed` have the types of its kind. A resource that `is_data` has no kind, and one
    that `has_nodes` is a child graph. One that `is_patch` changes an object that kro does not own, and has no value.
    """

    name: str = ""
    takes_id: Callable[[str], bool] = is_resource_id
    sees_instance: bool = True
    sees_itself: bool = False
    defers_types: bool = False
    iterators_hide_ids: bool = False
    is_typed: bool = True
    is_data: bool = False
    has_nodes: bool = False
    is_patch: bool = False


RESOURCE: Final = ResourceForm()
"""A resource of an RGD, be it a template or an external reference."""

FORMLESS_NODE: Final = ResourceForm(
    takes_id=is_node_id, sees_instance=False, sees_itself=True, defers_types=True, iterators_hide_ids=True
)
"""A node without a form, which kro refuses."""

NODE_FORMS: Final = (
    replace(FORMLESS_NODE, name="template"),
    replace(FORMLESS_NODE, name="ref", is_typed=False),
    replace(FORMLESS_NODE, name="def", is_data=True),
    replace(FORMLESS_NODE, name="patch", is_patch=True),
    replace(FORMLESS_NODE, name="graph", has_nodes=True),
)
"""The forms of a Graph's node; each node has exactly one."""
