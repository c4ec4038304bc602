"""The labels and annotations that kro writes on the objects that it manages, and those that it reads.

Source: kro `pkg/metadata`, `pkg/controller/instance/applyset`.
"""

from typing import Final

RESERVED_PREFIXES: Final = ("kro.run/", "internal.kro.run/")
"""No template may set a label or annotation with one of these prefixes."""

OWNED: Final = "kro.run/owned"
KRO_VERSION: Final = "kro.run/kro-version"
INSTANCE_ID: Final = "kro.run/instance-id"
INSTANCE_NAME: Final = "kro.run/instance-name"
INSTANCE_NAMESPACE: Final = "kro.run/instance-namespace"
INSTANCE_GROUP: Final = "kro.run/instance-group"
INSTANCE_VERSION: Final = "kro.run/instance-version"
INSTANCE_KIND: Final = "kro.run/instance-kind"
NODE_ID: Final = "kro.run/node-id"
COLLECTION_INDEX: Final = "kro.run/collection-index"
COLLECTION_KEY: Final = "kro.run/collection-key"
"""Of KREP-2: the index in the list, or the key in the map, that an object is for."""
COLLECTION_SIZE: Final = "kro.run/collection-size"
DEFINITION_ID: Final = "kro.run/resource-graph-definition-id"
DEFINITION_NAME: Final = "kro.run/resource-graph-definition-name"
MANAGED_BY: Final = "app.kubernetes.io/managed-by"
APPLY_SET: Final = "applyset.kubernetes.io/part-of"

APPLY_ORDER: Final = "internal.kro.run/apply-order"
"""An annotation."""
NODE_PATH: Final = "internal.kro.run/node-path"
"""An annotation of a Graph's objects."""

APPLY_SET_PARENT: Final = "applyset.kubernetes.io/id"
"""A label of an instance."""
APPLY_SET_TOOLING: Final = "applyset.kubernetes.io/tooling"
APPLY_SET_KINDS: Final = "applyset.kubernetes.io/contains-group-kinds"
APPLY_SET_NAMESPACES: Final = "applyset.kubernetes.io/additional-namespaces"
APPLY_SET_HASH: Final = "internal.kro.run/applyset-inventory-hash"
"""Annotations of an instance: the inventory of what kro made for it."""

APPLY_MANAGER: Final = "kro.run/applyset"
"""Not a label: the field manager with which kro applies the objects of an instance."""

FINALIZER: Final = "kro.run/finalizer"

RECONCILE: Final = "kro.run/reconcile"
"""An annotation of an instance that suspends it."""
