"""The forms of definitions, resources and collections: their names and how they differ.

Source: kro `api/v1alpha1/resourcegraphdefinition_types.go` and `graph_types.go`.
"""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003 # msgspec reads it
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.kro.identifiers import is_node_id, is_resource_id
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.kro.versions.version import ALL, Versions

GROUP: Final = "kro.run"
VERSION: Final = "v1alpha1"
KIND: Final = "ResourceGraphDefinition"
API_VERSION: Final = f"{GROUP}/{VERSION}"


class DefinitionForm(Struct, frozen=True):
    """How kro treats one of its kinds of definitions.

    The resources are in the list `spec.<items>`; `templates` are their fields that describe an object. A definition
    that `declares_kind` has a schema and instances, which expressions call `schema`; kro owns the objects of an
    instance, and applies and deletes them in waves. Without instances there is one pass, object after object.
    `versions` are the versions of kro that have the kind.
    """

    kind: str
    items: str
    templates: tuple[str, ...] = ("template",)
    declares_kind: bool = True
    versions: Versions = ALL


RGD_FORM: Final = DefinitionForm(KIND, "resources")
GRAPH_FORM: Final = DefinitionForm("Graph", "nodes", ("template", "patch"), declares_kind=False, versions=GRAPHS)

RESOURCE_LISTS: Final = tuple(("spec", form.items) for form in (RGD_FORM, GRAPH_FORM))
"""The paths of the lists of resources."""

DEFAULT_GROUP: Final = "kro.run"
"""The group of the new kind if there is no `spec.schema.group`."""
DEFAULT_SCOPE: Final = "Namespaced"
SCOPES: Final = (DEFAULT_SCOPE, "Cluster")

RESOURCE_FORMS: Final = ("template", "externalRef")
"""A resource has exactly one of these fields."""
REFERENCE_FORMS: Final = ("name", "selector")
"""The metadata of an external reference has exactly one of these fields."""


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


class CollectionForm(Struct, frozen=True):
    """What a `forEach` and the selector of an external reference mean.

    `iterator` is the name of every iterator, empty where authors name them. It stands for an entry of a list, or of a
    map if the form `takes_maps`, not for the value there. `alias` after the id means the collection itself.
    `readyWhen` applies to each object if the form `tests_each`, otherwise to all of them at once, and a condition
    needs no list around it. The selector of an external reference may stand beside its metadata if the form
    `selects_beside_metadata`.
    """

    iterator: str = ""
    alias: str = ""
    takes_maps: bool = False
    tests_each: bool = True
    selects_beside_metadata: bool = False


OWN_FORM: Final = CollectionForm()
KREP_2_FORM: Final = CollectionForm("each", "items", takes_maps=True, tests_each=False, selects_beside_metadata=True)
"""The form of the proposal KREP-2 (`kro.krep_2`)."""
