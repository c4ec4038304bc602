"""The kinds of definitions: how each names itself, and what sets it apart from the other.

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
    """What one of kro's kinds of definitions is, for whoever treats them differently.

    Its resources are in the list `spec.<items>`, and those of their fields that describe an object of a kind are
    `templates`. Whether it `declares_kind` tells that it has a schema and instances,
    which its expressions know as `schema`; kro makes what belongs to one of these its own, applies and deletes it in
    waves. Without instances there is one pass of one object after the other. `versions` are those that know the kind.
    """

    kind: str
    items: str
    templates: tuple[str, ...] = ("template",)
    declares_kind: bool = True
    versions: Versions = ALL


RGD_FORM: Final = DefinitionForm(KIND, "resources")
GRAPH_FORM: Final = DefinitionForm("Graph", "nodes", ("template", "patch"), declares_kind=False, versions=GRAPHS)

RESOURCE_LISTS: Final = tuple(("spec", form.items) for form in (RGD_FORM, GRAPH_FORM))
"""Where definitions have their resources."""

DEFAULT_GROUP: Final = "kro.run"
"""The group of the new kind without `spec.schema.group`."""
DEFAULT_SCOPE: Final = "Namespaced"
SCOPES: Final = (DEFAULT_SCOPE, "Cluster")

RESOURCE_FORMS: Final = ("template", "externalRef")
"""The fields of a resource of which exactly one is there."""
REFERENCE_FORMS: Final = ("name", "selector")
"""The fields of an external reference's metadata of which exactly one is there."""
