"""Stores an object as the API server does: what is read back differs from what was written.

Kubernetes' own kinds are converted: quantities become canonical, `stringData` becomes `data`, and the Go types omit
empty optional lists and maps, and zero values of optional fields that are no pointers.
Source: k8s.io/api, types.go; k8s.io/apimachinery, pkg/api/resource/quantity.go.
"""

from __future__ import annotations

import base64
import uuid
from typing import TYPE_CHECKING, Final

from kro_ls.golang.quoting import utf8
from kro_ls.openapi.json_values import as_list, as_object, as_texts, copy_json
from kro_ls.openapi.validation.objects.quantities import canonical_quantity
from kro_ls.openapi.validation.structural_values import apply_defaults
from kro_ls.runtime.apiserver.defaults import DEFAULTS, WITHOUT_GENERATION, fill_defaults
from kro_ls.runtime.apiserver.strategies import apply_strategy
from kro_ls.runtime.nodes.node_objects import group_kind, identity
from kro_ls.runtime.values.text_table import TIME

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema


_NO_POINTERS: Final = frozenset(
    "readOnly chapAuthDiscovery chapAuthSession sslEnabled stdin stdinOnce tty hostNetwork hostPID hostIPC paused "
    "publishNotReadyAddresses unschedulable globalDefault hostPort initialDelaySeconds timeoutSeconds periodSeconds "
    "successThreshold failureThreshold minReadySeconds healthCheckNodePort targetPort nodePort volumeName medium "
    "secretName audience protocol hostIP subPath subPathExpr value apiVersion prefix host scheme image workingDir "
    "terminationMessagePath terminationMessagePolicy imagePullPolicy operator effect dnsPolicy serviceAccountName "
    "serviceAccount nodeName hostname subdomain schedulerName priorityClassName ip clusterIP sessionAffinity "
    "loadBalancerIP externalName externalTrafficPolicy component whenDeleted whenScaled podManagementPolicy "
    "concurrencyPolicy namespace generateName messageExpression description path name type number "
    "persistentVolumeReclaimPolicy".split()
)
"""Optional fields of Go types that are no pointers: of these zero is the same as nothing."""
_POINTERS: Final = frozenset({("hostPath", "type"), ("clientIP", "timeoutSeconds"), ("webhooks", "timeoutSeconds")})
"""Fields of those names that are pointers, by the name of what holds them."""
_QUANTITY: Final = [{"type": "string"}, {"type": "number"}]
"""The choice in the schema of a quantity."""


def convert(value: JsonObject, schema: JsonObject) -> None:
    """Convert an object in place to what is read of it."""
    if (value.get("apiVersion"), value.get("kind")) == ("v1", "Secret"):
        _encode(value)
    _convert_fields(value, schema, "")


def _encode(secret: JsonObject) -> None:
    """Move the texts of `stringData`, which is write-only, to `data`."""
    texts = as_object(secret.pop("stringData", None))
    if texts:
        encoded = {name: base64.b64encode(utf8(text)).decode() for name, text in texts.items() if isinstance(text, str)}
        secret["data"] = {**as_object(secret.get("data")), **encoded}


def _convert_fields(value: JsonObject, schema: JsonObject, holder: str) -> None:
    properties, additional = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
    required = frozenset(as_texts(schema.get("required")))
    for name, child in [*value.items()]:
        inner = as_object(properties.get(name, additional))
        if "oneOf" in inner and as_list(inner["oneOf"]) == _QUANTITY:
            value[name] = canonical_quantity(child)
        elif isinstance(child, dict):
            _convert_fields(child, inner, name)
        elif isinstance(child, list):
            for each in as_list(child):
                if isinstance(each, dict):
                    _convert_fields(each, as_object(inner.get("items")), name)
        if not value[name] and properties and name not in required and _is_nothing(value[name], inner, name, holder):
            del value[name]


def _is_nothing(value: JsonValue, schema: JsonObject, name: str, holder: str) -> bool:
    if value is None or value == []:
        return True
    if value == {}:
        return "additionalProperties" in schema
    is_zero = value is False or value == "" or (value == 0 and not isinstance(value, bool))
    return is_zero and name in _NO_POINTERS and (holder, name) not in _POINTERS


def stored(value: JsonObject, kind: KindSchema | None, before: JsonObject | None = None) -> JsonObject:
    """Return an object as it is stored; `before` is the stored object that it updates.

    An unknown kind is treated as a custom one. What only `before` has stays where others wrote it: the status, and
    what was allocated.
    """
    made = _with_identity(value)
    place = group_kind(value)
    if kind is not None and kind.declared_schema is not None:
        apply_defaults(made, kind.declared_schema)
    elif place in DEFAULTS or place in WITHOUT_GENERATION:
        if kind is not None:
            convert(made, kind.schema)
        fill_defaults(made, DEFAULTS.get(place, {}))
        apply_strategy(made, place[0])
    if before is not None and "status" in before:
        made["status"] = before["status"]
    if place not in WITHOUT_GENERATION:
        as_object(made["metadata"]).setdefault("generation", _generation(made, before))
    return made


def with_metadata(value: JsonObject) -> JsonObject:
    """Return a copy of an object that was stored somewhere, with what its metadata lacks."""
    made = _with_identity(value)
    if group_kind(value) not in WITHOUT_GENERATION:
        as_object(made["metadata"]).setdefault("generation", 1)
    return made


def _with_identity(value: JsonObject) -> JsonObject:
    made: JsonObject = copy_json(value)
    metadata = made["metadata"] = {**as_object(made.get("metadata"))}
    usual = {"uid": made_up_uid(identity(value)), "creationTimestamp": TIME, "resourceVersion": "1"}
    metadata |= {name: text for name, text in usual.items() if name not in metadata}
    return made


def _generation(value: JsonObject, before: JsonObject | None) -> int:
    """Return which version of its specification an object has."""
    if before is None:
        return 1
    known = as_object(before.get("metadata")).get("generation")
    number = known if isinstance(known, int) else 1
    return number + (value.get("spec") != before.get("spec"))


def made_up_uid(key: str) -> str:
    """Return the uid of an object with an identity."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, key))
