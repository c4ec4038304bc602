"""Checks of fields of an object that depend on each other, kind by kind, in the words of the API server.

Source: k8s.io/kubernetes, pkg/apis/{core,apps,batch,networking,autoscaling,policy}/validation/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonValue, as_list, as_object, as_text
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, go_json, place_of
from kro_ls.openapi.validation.object_names import subdomain_problems
from kro_ls.openapi.validation.objects.checks import address, error, invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path

_SCHEDULE_FIELDS = 5
_PATH_TYPES = ("Exact", "ImplementationSpecific", "Prefix")
_WILDCARD_HOST = re.compile(r"\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


def selector_and_template(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error where a selector does not select the pods that are made."""
    spec = as_object(value)
    wanted = as_object(as_object(spec.get("selector")).get("matchLabels"))
    template = as_object(spec.get("template"))
    found = as_object(as_object(template.get("metadata")).get("labels"))
    if wanted and any(found.get(name) != text for name, text in wanted.items()):
        place = (*path, "template", "metadata", "labels")
        yield error(place, ErrorType.INVALID, found, "`selector` does not match template `labels`")


def always_restarts(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for pods that must be restarted always, but are not."""
    if isinstance(value, str) and value in ("OnFailure", "Never"):
        yield error(path, ErrorType.UNSUPPORTED, value, 'supported values: "Always"')


def job_restarts(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for pods of a job that are restarted always, as they are where nothing is said."""
    policy = as_object(value).get("restartPolicy")
    if policy in (None, "", "Always"):
        detail = 'valid values: "OnFailure", "Never"'
        yield error((*path, "restartPolicy"), ErrorType.REQUIRED, policy or "", detail)


def service_ports(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield errors of the ports of a Service as a whole: there are some, and several have names."""
    spec = as_object(value)
    ports = as_list(spec.get("ports"))
    if not ports and spec.get("clusterIP") != "None" and spec.get("type") != "ExternalName":
        yield error((*path, "ports"), ErrorType.REQUIRED)
    for number, each in enumerate(map(as_object, ports) if len(ports) > 1 else ()):
        if not each.get("name"):
            yield error((*path, "ports", number, "name"), ErrorType.REQUIRED)


def cluster_ip(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error where the address of a Service is none; the API server keeps it as the first of a list."""
    for each in address(as_object(value).get("clusterIP"), (*path, "clusterIP")):
        yield replace(each, text=f"{place_of(path)}.clusterIPs[0]: {each.message}")


def cluster_ips(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error where the addresses of a Service do not begin with its address."""
    spec = as_object(value)
    addresses, own = as_list(spec.get("clusterIPs")), spec.get("clusterIP") or None
    if addresses and spec.get("type") != "ExternalName" and addresses[0] != own:
        detail = "first value must match `clusterIP`" if own else "must be empty when `clusterIP` is not specified"
        yield error((*path, "clusterIPs"), ErrorType.INVALID, addresses, detail)


def claim(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what a PersistentVolumeClaim lacks."""
    spec = as_object(value)
    if not as_list(spec.get("accessModes")):
        yield error((*path, "accessModes"), ErrorType.REQUIRED, "", "at least 1 access mode is required")
    if as_object(as_object(spec.get("resources")).get("requests")).get("storage") is None:
        yield error((*path, "resources", "requests", "storage"), ErrorType.REQUIRED)


def schedule(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error where a schedule has not the five fields of cron; their contents are not looked at."""
    if not isinstance(value, str) or not value or value.startswith("@"):
        return
    fields = [each for each in value.split() if not each.startswith(("TZ=", "CRON_TZ="))]
    if len(fields) != _SCHEDULE_FIELDS:
        detail = f"expected exactly {_SCHEDULE_FIELDS} fields, found {len(fields)}: [{' '.join(fields)}]"
        yield error(path, ErrorType.INVALID, value, detail)


def ingress_rules(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for an Ingress that leads nowhere."""
    spec = as_object(value)
    if not spec.get("rules") and spec.get("defaultBackend") is None:
        yield error(path, ErrorType.INVALID, spec.get("rules"), "either `defaultBackend` or `rules` must be specified")


def ingress_path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a path of an Ingress."""
    fields = as_object(value)
    kind, written = fields.get("pathType"), as_text(fields.get("path"))
    if not kind:
        yield error((*path, "pathType"), ErrorType.REQUIRED, "", "pathType must be specified")
    elif kind not in _PATH_TYPES:
        supported = ", ".join(map(go_quoted, _PATH_TYPES))
        yield error((*path, "pathType"), ErrorType.UNSUPPORTED, kind, f"supported values: {supported}")
    elif not written.startswith("/") and (written or kind != "ImplementationSpecific"):
        yield error((*path, "path"), ErrorType.INVALID, written, "must be an absolute path")


def ingress_host(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a host of an Ingress, which may begin with a wildcard."""
    if not isinstance(value, str) or not value:
        return
    if "*" in value:
        if not _WILDCARD_HOST.fullmatch(value):
            detail = (
                "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must "
                "consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character "
                "(e.g. '*.example.com', regex used for validation is "
                r"'\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
            )
            yield error(path, ErrorType.INVALID, value, detail)
    else:
        yield from invalid(path, value, subdomain_problems(value))


def autoscaler(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the bounds of a HorizontalPodAutoscaler."""
    spec = as_object(value)
    least, most = spec.get("minReplicas"), spec.get("maxReplicas")
    if isinstance(least, int) and least < 1:
        yield error((*path, "minReplicas"), ErrorType.INVALID, least, "must be greater than or equal to 1")
    if not isinstance(most, int) or isinstance(most, bool):
        most = 0 if most is None else None
    if most is not None and most < 1:
        yield error((*path, "maxReplicas"), ErrorType.INVALID, most, "must be greater than 0")
    if isinstance(least, int) and most is not None and most < least:
        yield error((*path, "maxReplicas"), ErrorType.INVALID, most, "must be greater than or equal to `minReplicas`")


def disruption_budget(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error where a PodDisruptionBudget says two things at once."""
    spec = as_object(value)
    least, most = spec.get("minAvailable"), spec.get("maxUnavailable")
    if least is not None and most is not None:
        policy = spec.get("unhealthyPodEvictionPolicy")
        # The API server prints its own value, whose fields are in the order of the declaration.
        parts = f'{{"MinAvailable":{go_json(least)},"Selector":{go_json(spec.get("selector"))},'
        parts += f'"MaxUnavailable":{go_json(most)},"UnhealthyPodEvictionPolicy":{go_json(policy)}}}'
        detail = "minAvailable and maxUnavailable cannot be both set"
        message = f"Invalid value: {parts}: {detail}"
        yield FieldError(path, ErrorType.INVALID, f"{place_of(path)}: {message}", message, detail=detail)
