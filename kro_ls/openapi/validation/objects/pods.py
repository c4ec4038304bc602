"""What the API server refuses in the specification of pods.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.objects.checks import (
    at_least,
    error,
    invalid,
    label,
    needed_port,
    needs,
    not_negative,
    one_of,
    optional_port,
    port_name,
    port_or_name,
    subdomain,
)
from kro_ls.openapi.validation.objects.quantities import amount
from kro_ls.openapi.validation.unknown import has_unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_PROTOCOLS = one_of("SCTP", "TCP", "UDP")


def env_name(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the name of an environment variable."""
    if isinstance(value, str) and value and any(not " " <= each <= "~" or each == "=" for each in value):
        detail = "a valid environment variable name must consist only of printable ASCII characters other than '='"
        yield from invalid(path, value, [detail])


def probe(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a probe: it has one handler."""
    handlers = [name for name in _HANDLERS if as_object(value).get(name) is not None]
    if isinstance(value, dict) and not handlers:
        yield error(path, ErrorType.REQUIRED, "", "must specify a handler type")
    for name in handlers[1:]:
        yield error((*path, name), ErrorType.FORBIDDEN, "", "may not specify more than 1 handler type")


def volume(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a volume: it has a name and one source."""
    fields = as_object(value)
    sources = [name for name in fields if name != "name" and fields[name] is not None]
    if isinstance(value, dict) and not sources:
        yield error(path, ErrorType.REQUIRED, "", "must specify a volume type")
    for name in sorted(sources)[:-1] if len(sources) > 1 else ():
        yield error((*path, name), ErrorType.FORBIDDEN, "", "may not specify more than 1 volume type")


def requests_under_limits(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for each resource of which more is requested than the limit is."""
    limits = as_object(as_object(value).get("limits"))
    for name, requested in as_object(as_object(value).get("requests")).items():
        limit, asked = amount(limits.get(name)), amount(requested)
        if limit is not None and asked is not None and asked > limit:
            detail = f"must be less than or equal to {name} limit of {limits[name]}"
            yield error((*path, "requests"), ErrorType.INVALID, str(requested), detail)


_CONTAINER: tuple[tuple[str, Check], ...] = (
    ("", needs("name", "image")),
    ("name", label),
    ("ports[].containerPort", needed_port),
    ("ports[].hostPort", optional_port),
    ("ports[].name", port_name),
    ("ports[].protocol", _PROTOCOLS),
    ("env[]", needs("name")),
    ("env[].name", env_name),
    ("imagePullPolicy", one_of("Always", "IfNotPresent", "Never")),
    ("volumeMounts[]", needs("name", "mountPath")),
    ("resources", requests_under_limits),
    *((each, probe) for each in _PROBES),
    *((f"{each}.httpGet.port", port_or_name) for each in _PROBES),
    *((f"{each}.tcpSocket.port", port_or_name) for each in _PROBES),
    *(
        (f"{each}.{field}", at_least(0))
        for each in _PROBES
        for field in ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "failureThreshold")
    ),
)

POD_SPEC: tuple[tuple[str, Check], ...] = (
    ("", needs("containers")),
    ("volumes[]", needs("name")),
    ("volumes[].name", label),
    ("volumes[]", volume),
    *(
        (f"{each}[]{path and '.'}{path}", check)
        for each in ("initContainers", "containers")
        for path, check in _CONTAINER
    ),
    ("restartPolicy", one_of("Always", "OnFailure", "Never")),
    ("dnsPolicy", one_of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")),
    ("serviceAccountName", subdomain),
    ("terminationGracePeriodSeconds", at_least(0)),
    ("activeDeadlineSeconds", at_least(1)),
)
"""The checks of a pod's specification, by the pattern of a path in it."""


def pod_errors(spec: JsonObject, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong in a pod beyond single fields: quantities below zero, and mounts of what is not there."""
    volumes = spec.get("volumes")
    names = [as_object(each).get("name") for each in as_list(volumes)]
    for group in ("initContainers", "containers"):
        for number, container in enumerate(map(as_object, as_list(spec.get(group)))):
            here = (*path, group, number)
            for side in ("limits", "requests"):
                for name, value in as_object(as_object(container.get("resources")).get(side)).items():
                    yield from not_negative(value, (*here, "resources", side, name))
            for place, mount in enumerate(map(as_object, as_list(container.get("volumeMounts")))):
                name = as_text(mount.get("name"))
                if name and name not in names and not has_unknown(volumes):
                    yield error((*here, "volumeMounts", place, "name"), ErrorType.NOT_FOUND, name)
