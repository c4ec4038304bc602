"""What the API server refuses in the specification of pods.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    address,
    between,
    error,
    is_empty,
    label,
    label_key,
    labels,
    needed_subdomain,
    number_of,
    one_of,
    or_absent,
    subdomain,
    text_of,
)
from kro_ls.openapi.validation.objects.containers import (
    APP_ARMOR,
    CONTAINER,
    CONTAINER_END,
    PROBES,
    RESTARTS,
    SECCOMP,
    USER_ID,
)
from kro_ls.openapi.validation.objects.selectors import AFFINITY, toleration, topology_spread
from kro_ls.openapi.validation.objects.volumes import Volumes, device_errors, mount_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path

_NOT_IN_INIT: Final = "may not be set for init containers without restartPolicy=Always"
_SYSCTL: Final = r"([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SEARCH: Final = r"_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*"
_MOST_SERVERS: Final = 3
_LONGEST: Final = 253


def _common(container: JsonObject, path: Path, volumes: Volumes) -> Iterator[FieldError]:
    yield from CONTAINER(container, path)
    yield from mount_errors(container, path, volumes)
    yield from device_errors(container, path, volumes)
    yield from CONTAINER_END(container, path)


def _containers(spec: JsonObject, path: Path, volumes: Volumes) -> Iterator[FieldError]:
    containers = spec.get("containers")
    here = (*path, "containers")
    if containers is None or containers == []:
        yield error(here, ErrorType.REQUIRED)
    names: set[str] = set()
    for number, container in enumerate(as_list(containers)):
        if not isinstance(container, dict):
            continue
        yield from _common(container, (*here, number), volumes)
        name = text_of(container, "name")
        if name is not None and name in names:
            yield error((*here, number, "name"), ErrorType.DUPLICATE, name)
        names |= {name} if name is not None else set()
        yield from PROBES(container, (*here, number))
        if container.get("restartPolicy") is not None:
            yield from RESTARTS(container["restartPolicy"], (*here, number, "restartPolicy"))
    yield from _host_ports(as_list(containers), here)


def _init_containers(spec: JsonObject, path: Path, volumes: Volumes) -> Iterator[FieldError]:
    here = (*path, "initContainers")
    names = {as_text(as_object(each).get("name")) for each in as_list(spec.get("containers"))}
    for number, container in enumerate(as_list(spec.get("initContainers"))):
        if not isinstance(container, dict):
            continue
        place = (*here, number)
        yield from _common(container, place, volumes)
        restarts = container.get("restartPolicy")
        if restarts is not None:
            yield from RESTARTS(restarts, (*place, "restartPolicy"))
        name = text_of(container, "name")
        if name is not None and name in names:
            yield error((*place, "name"), ErrorType.DUPLICATE, name)
        names |= {name} if name else set()
        yield from _host_ports([container], here)
        if restarts == "Always":
            yield from PROBES(container, place)
        elif restarts is None or isinstance(restarts, str):
            for field in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"):
                if container.get(field) is not None:
                    yield error((*place, field), ErrorType.FORBIDDEN, "", _NOT_IN_INIT)


def _host_ports(containers: list[JsonValue], path: Path) -> Iterator[FieldError]:
    """Yield an error for each port of the node that a previous container has."""
    seen: set[str] = set()
    for number, container in enumerate(containers):
        for place, port in enumerate(as_list(as_object(container).get("ports"))):
            host = number_of(port, "hostPort")
            if not host:
                continue
            fields = as_object(port)
            shown = f"{as_text(fields.get('protocol')) or 'TCP'}/{as_text(fields.get('hostIP'))}/{host}"
            if shown in seen:
                yield error((*path, number, "ports", place, "hostPort"), ErrorType.DUPLICATE, shown)
            seen.add(shown)


def _host_network(spec: JsonObject, path: Path) -> Iterator[FieldError]:
    if spec.get("hostNetwork") is not True:
        return
    for group in ("containers", "initContainers"):
        for number, container in enumerate(as_list(spec.get(group))):
            for place, port in enumerate(as_list(as_object(container).get("ports"))):
                inner, host = number_of(port, "containerPort"), number_of(port, "hostPort")
                if host and inner is not None and host != inner:
                    here = (*path, group, number, "ports", place, "hostPort")
                    yield error(here, ErrorType.INVALID, host, "must match `containerPort` when `hostNetwork` is true")


def _dns(spec: JsonObject, path: Path) -> Iterator[FieldError]:
    config, policy = spec.get("dnsConfig"), spec.get("dnsPolicy")
    here = (*path, "dnsConfig")
    servers = as_list(as_object(config).get("nameservers"))
    if policy == "None":
        if config is None:
            yield error(here, ErrorType.REQUIRED, "", "must provide `dnsConfig` when `dnsPolicy` is None")
            return
        if isinstance(config, dict) and is_empty(config.get("nameservers")):
            detail = "must provide at least one DNS nameserver when `dnsPolicy` is None"
            yield error((*here, "nameservers"), ErrorType.REQUIRED, "", detail)
            return
    if len(servers) > _MOST_SERVERS:
        detail = f"must not have more than {_MOST_SERVERS} nameservers"
        yield error((*here, "nameservers"), ErrorType.INVALID, servers, detail)
    yield from _DNS(config, here)


def _search(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, str) or value == ".":
        return
    text = value.removesuffix(".")
    if len(text) > _LONGEST:
        yield error(path, ErrorType.INVALID, text, f"must be no more than {_LONGEST} characters")
    if not re.fullmatch(_SEARCH, text):
        detail = (
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and "
            "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
            f"'{_SEARCH}')"
        )
        yield error(path, ErrorType.INVALID, text, detail)


def _option(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if isinstance(value, dict) and text_of(value, "name") == "":
        yield error(path, ErrorType.REQUIRED, "", "must not be empty")


_DNS: Final = Shape(("nameservers[]", address), ("searches[]", _search), ("options[]", _option))


def _sysctls(value: JsonValue, path: Path) -> Iterator[FieldError]:
    seen: set[str] = set()
    for number, each in enumerate(as_list(value)):
        name = text_of(each, "name") if isinstance(each, dict) else None
        here = (*path, number, "name")
        if name == "":
            yield error(here, ErrorType.REQUIRED)
        elif name is not None and (len(name) > _LONGEST or not re.fullmatch(_SYSCTL, name)):
            detail = (
                f"must have at most {_LONGEST} characters and match regex "
                r"^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"
            )
            yield error(here, ErrorType.INVALID, name, detail)
        elif name in seen:
            yield error(here, ErrorType.DUPLICATE, name)
        seen |= {name or ""}


_SECURITY: Final = Shape(
    ("fsGroup", USER_ID),
    ("runAsUser", USER_ID),
    ("runAsGroup", USER_ID),
    ("supplementalGroups[]", USER_ID),
    ("supplementalGroupsPolicy", one_of("Merge", "Strict", or_empty=False)),
    ("sysctls", _sysctls),
    ("seLinuxChangePolicy", one_of("Recursive", or_empty=False)),
    ("fsGroupChangePolicy", one_of("Always", "OnRootMismatch", or_empty=False)),
    ("seccompProfile", SECCOMP),
    ("appArmorProfile", APP_ARMOR),
)

_RESTART_POLICY: Final = one_of("Always", "OnFailure", "Never")
_DNS_POLICY: Final = one_of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_BEFORE_DNS: Final = Shape(
    ("restartPolicy", _RESTART_POLICY),
    ("dnsPolicy", _DNS_POLICY),
    ("nodeSelector", labels),
    ("securityContext", _SECURITY),
    ("affinity", AFFINITY),
)
_AFTER_DNS: Final = Shape(
    ("readinessGates[]", or_absent("conditionType", "", label_key)),
    ("topologySpreadConstraints", topology_spread),
    ("serviceAccountName", subdomain),
    ("nodeName", subdomain),
    ("activeDeadlineSeconds", between(1, 2147483647)),
    ("hostname", label),
    ("subdomain", label),
    ("tolerations[]", toleration),
    ("hostAliases[]", Shape(("", or_absent("ip", "", address)), ("hostnames[]", needed_subdomain))),
    ("priorityClassName", subdomain),
    ("runtimeClassName", subdomain),
    ("preemptionPolicy", one_of("PreemptLowerPriority", "Never", or_empty=False)),
)


def pod_errors(
    value: JsonObject, path: Path, pod_name: str = "", templates: frozenset[str] | None = frozenset()
) -> Iterator[FieldError]:
    """Yield what is wrong in the specification of a pod.

    `templates` are the names of volumes from elsewhere, the claims of a StatefulSet; None where they are unknown.
    """
    volumes = Volumes(value, path, pod_name, templates)
    yield from volumes.errors
    yield from _containers(value, path, volumes)
    yield from _init_containers(value, path, volumes)
    yield from _host_network(value, path)
    yield from _BEFORE_DNS(value, path)
    yield from _dns(value, path)
    yield from _AFTER_DNS(value, path)


def pod(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a pod."""
    fields = as_object(value)
    name = as_text(as_object(fields.get("metadata")).get("name"))
    spec = fields.get("spec")
    if isinstance(spec, dict):
        yield from pod_errors(spec, (*path, "spec"), name)
