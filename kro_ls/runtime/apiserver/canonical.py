"""What the API server converts when it reads an object of one of Kubernetes' own kinds: quantities, zero values, bytes.

Its Go types write no empty list or map that is optional, and no zero value of an optional field that is no pointer.
Source: k8s.io/api, types.go; k8s.io/apimachinery, pkg/api/resource/quantity.go.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

from kro_ls.golang.utf8 import utf8
from kro_ls.openapi.json_values import as_list, as_object, as_texts
from kro_ls.openapi.validation.objects.quantities import canonical_quantity

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue

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


def convert(value: JsonObject, schema: JsonObject) -> None:
    """Convert an object in place to what is read of it."""
    if (value.get("apiVersion"), value.get("kind")) == ("v1", "Secret"):
        _encode(value)
    _convert_fields(value, schema, "")


def _encode(secret: JsonObject) -> None:
    """Move the texts of `stringData`, which nobody reads, to `data`."""
    texts = as_object(secret.pop("stringData", None))
    if texts:
        encoded = {name: base64.b64encode(utf8(text)).decode() for name, text in texts.items() if isinstance(text, str)}
        secret["data"] = {**as_object(secret.get("data")), **encoded}


def _convert_fields(value: JsonObject, schema: JsonObject, holder: str) -> None:
    properties, additional = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
    required = frozenset(as_texts(schema.get("required")))
    for name, child in [*value.items()]:
        inner = as_object(properties.get(name, additional))
        if "oneOf" in inner and _is_quantity(inner):
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


def _is_quantity(schema: JsonObject) -> bool:
    return as_list(schema.get("oneOf")) == [{"type": "string"}, {"type": "number"}]
