"""How a ResourceGraphDefinition names itself, and what the API server gives the new kind where it says nothing.

Source: kro `api/v1alpha1/resourcegraphdefinition_types.go`.
"""

from typing import Final

GROUP: Final = "kro.run"
VERSION: Final = "v1alpha1"
KIND: Final = "ResourceGraphDefinition"
API_VERSION: Final = f"{GROUP}/{VERSION}"

GRAPH_KIND: Final = "Graph"
"""A definition without a kind of its own, of kro 0.10 (kro `api/v1alpha1/graph_types.go`)."""

NODE_FORMS: Final = ("template", "ref", "def", "patch", "graph")
"""The fields of a Graph's node of which exactly one is there."""

DEFAULT_GROUP: Final = "kro.run"
"""The group of the new kind without `spec.schema.group`."""
DEFAULT_SCOPE: Final = "Namespaced"
SCOPES: Final = (DEFAULT_SCOPE, "Cluster")

RESOURCE_FORMS: Final = ("template", "externalRef")
"""The fields of a resource of which exactly one is there."""
REFERENCE_FORMS: Final = ("name", "selector")
"""The fields of an external reference's metadata of which exactly one is there."""
