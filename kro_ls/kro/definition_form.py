"""The kinds of definitions: their names and how they differ.

Source: kro `api/v1alpha1/resourcegraphdefinition_types.go` and `graph_types.go`.
"""

from typing import Final

from msgspec import Struct

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
