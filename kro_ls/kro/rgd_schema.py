"""The schema of ResourceGraphDefinition, from which an RGD's own fields are checked, completed and described.

The structure, constraints and defaults are those of the CustomResourceDefinition that kro installs (kro
`helm/crds/kro.run_resourcegraphdefinitions.yaml`, made from `api/v1alpha1/`); the descriptions are ours, in Markdown.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.kro.forms import (
    API_VERSION,
    DEFAULT_GROUP,
    DEFAULT_SCOPE,
    GROUP,
    KIND,
    REFERENCE_FORMS,
    RESOURCE_FORMS,
    SCOPES,
    VERSION,
)
from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.schema import ANYTHING

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import HeldObject, JsonObject, JsonValue

RGD = GroupVersionKind(GROUP, VERSION, KIND)


def _string(description: str, keywords: JsonObject | None = None) -> JsonObject:
    return {"description": description, "type": "string", **(keywords or {})}


def _object(description: str, properties: JsonObject, keywords: JsonObject | None = None) -> JsonObject:
    return {"description": description, "type": "object", "properties": properties, **(keywords or {})}


def _list(description: str, items: JsonObject, keywords: JsonObject | None = None) -> JsonObject:
    return {"description": description, "type": "array", "items": items, **(keywords or {})}


def _strings(description: str, of_one: str, keywords: JsonObject | None = None) -> JsonObject:
    return _list(description, _string(of_one), keywords)


def _string_map(description: str) -> JsonObject:
    return {"description": description, "type": "object", "additionalProperties": {"type": "string"}}


def _open_object(description: str) -> JsonObject:
    return {"description": description, "type": "object", "x-kubernetes-preserve-unknown-fields": True}


def _rule(rule: str, message: str) -> list[JsonValue]:
    return [{"rule": rule, "message": message}]


def _immutable(field: str) -> list[JsonValue]:
    return _rule("self == oldSelf", f"{field} is immutable")


def _exactly_one(first: str, second: str) -> list[JsonValue]:
    rule = f"(has(self.{first}) && !has(self.{second})) || (!has(self.{first}) && has(self.{second}))"
    return _rule(rule, f"exactly one of {first} or {second} must be provided")


def _names(description: str) -> JsonObject:
    entry: JsonObject = {"type": "string", "maxLength": 63, "pattern": "^[a-z]([-a-z0-9]*[a-z0-9])?$"}
    return _list(description, entry, {"maxItems": 32, "x-kubernetes-list-type": "set"})


_PRINTER_COLUMN = _object(
    "One column that `kubectl get` shows.",
    {
        "name": _string("The heading of the column."),
        "type": _string("How the value is shown: `string`, `integer`, `number`, `boolean` or `date`."),
        "jsonPath": _string("Where in an instance the value stands, such as `.status.state` or `.spec.name`."),
        "description": _string("What the column means."),
        "format": _string("A hint for how to print the value, such as `int32`, `byte` or `date-time`."),
        "priority": {
            "description": "0 shows the column always; a higher number only in wide output (`kubectl get -o wide`).",
            "type": "integer",
            "format": "int32",
        },
    },
    {"required": ["jsonPath", "name", "type"]},
)

SCHEMA_SECTION = _object(
    "The API that this RGD adds to the cluster: the kind that people will create instances of, and its fields.",
    {
        "apiVersion": _string(
            "The version of the new API, without a group: `v1alpha1`, `v1beta1`, `v1`. It cannot be changed later.",
            {
                "pattern": "^v[0-9]+(alpha[0-9]+|beta[0-9]+)?$",
                "x-kubernetes-validations": _immutable("apiVersion"),
            },
        ),
        "kind": _string(
            "The new kind, in UpperCamelCase. It cannot be changed later.",
            {"pattern": "^[A-Z][a-zA-Z0-9]{0,62}$", "x-kubernetes-validations": _immutable("kind")},
        ),
        "group": _string(
            "The API group of the new kind; instances say `apiVersion: <group>/<version>`. It cannot be changed later.",
            {"default": DEFAULT_GROUP, "x-kubernetes-validations": _immutable("group")},
        ),
        "scope": _string(
            "Whether instances live in a namespace (`Namespaced`) or belong to the whole cluster (`Cluster`). In a "
            "`Cluster` kind every namespaced resource has to name its namespace. It cannot be changed later.",
            {
                "default": DEFAULT_SCOPE,
                "enum": [*SCOPES],
                "x-kubernetes-validations": _immutable("scope"),
            },
        ),
        "spec": _open_object(
            "What a user of the new kind can set, in SimpleSchema: each field is `name: type | marker=value ...`, for "
            "`replicas: integer | default=3 minimum=1`. Expressions read the values as `${schema.spec.<field>}`."
        ),
        "status": _open_object(
            "What kro reports on an instance. Each value is text with CEL in `${...}` over the resources; its type is "
            "inferred from the expressions. The key `conditions` takes a list of conditions of your own."
        ),
        "types": _open_object(
            "Types for use in `spec` by name, each with fields in SimpleSchema: `types: {Server: {port: integer}}` "
            'allows `servers: "[]Server"`.'
        ),
        "additionalPrinterColumns": _list(
            "Columns that `kubectl get` shows for instances. They take the place of kro's own State, Ready and Age.",
            _PRINTER_COLUMN,
        ),
        "shortNames": _names("Short names of the new kind for `kubectl`, as `deploy` is for Deployment."),
        "categories": _names("Groups of kinds that list this one too, as in `kubectl get all`."),
        "metadata": _object(
            "Metadata for the CustomResourceDefinition that kro generates, not for instances.",
            {
                "labels": _string_map("Labels of the generated CustomResourceDefinition."),
                "annotations": _string_map("Annotations of the generated CustomResourceDefinition."),
            },
        ),
    },
    {"required": ["apiVersion", "kind", "scope"]},
)

_LABEL_SELECTOR = _object(
    "Selects by labels: every requirement has to hold, `{}` selects everything. The reference is then a list.",
    {
        "matchLabels": _string_map("Labels with the values they must have. Values may hold `${...}`."),
        "matchExpressions": _list(
            "Requirements on labels.",
            _object(
                "A requirement on one label.",
                {
                    "key": _string("The label."),
                    "operator": _string("How label and `values` relate: `In`, `NotIn`, `Exists` or `DoesNotExist`."),
                    "values": _strings(
                        "The values for `In` and `NotIn`; none for `Exists` and `DoesNotExist`.",
                        "A value; it may hold `${...}`.",
                        {"x-kubernetes-list-type": "atomic"},
                    ),
                },
                {"required": ["key", "operator"]},
            ),
            {"x-kubernetes-list-type": "atomic"},
        ),
    },
    {"x-kubernetes-map-type": "atomic"},
)

EXTERNAL_REFERENCE = _object(
    "Objects that exist already and that kro only reads: one by `metadata.name`, or all that match "
    "`metadata.selector`.",
    {
        "apiVersion": _string("The API version of the objects: `v1`, `apps/v1`."),
        "kind": _string("The kind of the objects."),
        "metadata": _object(
            "It names the objects by exactly one of `name` and `selector`.",
            {
                "name": _string("The name of the object. May hold `${...}`.", {"minLength": 1}),
                "namespace": _string(
                    "The namespace to look in. Without it, a name is looked up in the namespace of the instance, and a "
                    "selector in all namespaces. May hold `${...}`."
                ),
                "selector": _LABEL_SELECTOR,
            },
            {"x-kubernetes-validations": _exactly_one(*REFERENCE_FORMS)},
        ),
    },
    {"required": ["apiVersion", "kind", "metadata"]},
)

RESOURCE = _object(
    "One node of the graph: an object that kro creates (`template`), several of them (`template` with `forEach`), or "
    "objects that it only reads (`externalRef`).",
    {
        "id": _string("The name that expressions use for this resource, in lowerCamelCase, unique in the RGD."),
        "template": _open_object(
            "The Kubernetes object to create: `apiVersion`, `kind`, `metadata` and the fields of that kind. Values may "
            "be or contain `${...}` with CEL over `schema` and the other resources; kro orders the resources by these "
            "references."
        ),
        "externalRef": EXTERNAL_REFERENCE,
        "readyWhen": _strings(
            "Conditions on this resource alone; kro goes on to what depends on it when all are true. With `forEach` "
            "they read each object as `each`.",
            "One `${...}` and nothing else, giving a bool.",
        ),
        "includeWhen": _strings(
            "Conditions for this resource to exist at all. When one is false, kro leaves out the resource and what "
            "depends on it.",
            "One `${...}` and nothing else, giving a bool.",
        ),
        "forEach": _list(
            "Makes the template once per element. Several iterators make every combination, and each must appear in "
            "the name or namespace of the template.",
            {
                "description": "One iterator: its name, and one `${...}` that gives the list it runs over.",
                "type": "object",
                "additionalProperties": {"type": "string"},
                "minProperties": 1,
                "maxProperties": 1,
            },
        ),
    },
    {"required": ["id"], "x-kubernetes-validations": _exactly_one(*RESOURCE_FORMS)},
)

_CONDITION = _object(
    "One aspect of the state.",
    {
        "type": _string("What the condition is about: `Ready`, `GraphAccepted`, `KindReady`, `ControllerReady` ..."),
        "status": _string("`True`, `False` or `Unknown`."),
        "reason": _string("One word for why."),
        "message": _string("Why, for people; the error text where kro refused the RGD."),
        "lastTransitionTime": _string("When `status` last changed.", {"format": "date-time"}),
        "observedGeneration": {
            "description": "The generation of the RGD that the condition describes.",
            "type": "integer",
            "format": "int64",
            "minimum": 0,
        },
    },
    {"required": ["status", "type"]},
)

_STATUS = _object(
    "What kro reports about the RGD. Not for people to write.",
    {
        "state": _string("`Active` when kro serves the new kind, else `Inactive`."),
        "topologicalOrder": _strings("The resources in the order in which kro creates them.", "A resource id."),
        "conditions": _list("The state in detail.", _CONDITION),
        "resources": _list(
            "The resources that depend on others.",
            _object(
                "A resource and what it depends on.",
                {
                    "id": _string("The resource."),
                    "dependencies": _list(
                        "What it depends on.", _object("A dependency.", {"id": _string("The resource depended on.")})
                    ),
                },
            ),
        ),
        "lastIssuedRevision": {
            "description": "The highest number of a revision of the graph that kro has made.",
            "type": "integer",
            "format": "int64",
        },
    },
)

RGD_SCHEMA: JsonObject = _object(
    "A new kind, and the graph of resources that kro creates and keeps for each instance of it.",
    {
        "apiVersion": _string(f"`{API_VERSION}`."),
        "kind": _string(f"`{KIND}`."),
        "metadata": {"type": "object"},
        "spec": _object(
            "The new kind and its resources.",
            {
                "schema": SCHEMA_SECTION,
                "resources": _list("The resources of an instance. Their order does not matter to kro.", RESOURCE),
            },
            {"required": ["schema"]},
        ),
        "status": _STATUS,
    },
)
"""The schema as kro's CustomResourceDefinition declares it, for pruning, defaulting and validation."""


def _fields(schema: JsonValue) -> tuple[str, ...]:
    return tuple(as_object(as_object(schema).get("properties")))


ROOT_FIELDS = _fields(RGD_SCHEMA)
SPEC_FIELDS = _fields(as_object(RGD_SCHEMA["properties"])["spec"])
SCHEMA_FIELDS = _fields(SCHEMA_SECTION)
RESOURCE_FIELDS = _fields(RESOURCE)
REFERENCE_METADATA_FIELDS = _fields(as_object(EXTERNAL_REFERENCE["properties"])["metadata"])


@lru_cache(maxsize=8)  # one for each Kubernetes minor
def frame_schema(object_meta: HeldObject) -> JsonObject:
    """Return the schema of an RGD in which `spec.schema` and the entries of `spec.resources` may be anything.

    It requires more than kro's CustomResourceDefinition: the version and metadata of every object (`object_meta`
    is the schema of Kubernetes' ObjectMeta), and `spec`, without which kro fails.
    """
    version: JsonObject = {**_string(f"apiVersion not set, expected {RGD.api_version}"), "enum": [RGD.api_version]}
    own = as_object(RGD_SCHEMA["properties"])
    parts: JsonObject = {
        "schema": {**ANYTHING.raw, "description": SCHEMA_SECTION["description"]},
        "resources": _list("", ANYTHING.raw),
    }
    spec: JsonObject = {**as_object(own["spec"]), "properties": parts}
    return {
        "type": "object",
        "properties": {**own, "apiVersion": version, "metadata": object_meta.value, "spec": spec},
        "required": ["apiVersion", "spec"],
    }
