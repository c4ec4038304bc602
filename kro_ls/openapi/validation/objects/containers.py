"""What the API server refuses in containers: ports, environment, mounts, probes, resources and security.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, has_unknown
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    as_declared,
    at_least,
    between,
    error,
    label,
    needed_port,
    needs,
    number_of,
    one_of,
    optional_port,
    or_absent,
    port_name,
    port_or_name,
    text_of,
    unique,
    unsupported,
)
from kro_ls.openapi.validation.objects.pod_references import VARIABLE, descending_path, variables_from
from kro_ls.openapi.validation.objects.quantities import CONTAINER_RESOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

PROTOCOLS: Final = one_of("SCTP", "TCP", "UDP")
USER_ID: Final = between(0, 2147483647)
_PROBE_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_HOOK_HANDLERS = ("exec", "httpGet", "tcpSocket", "sleep")
_HEADER: Final = "[-A-Za-z0-9]+"


def _header(value: JsonValue, path: Path) -> Iterator[FieldError]:
    name = text_of(value, "name")
    if isinstance(value, dict) and name is not None and not re.fullmatch(_HEADER, name):
        detail = (
            "a valid HTTP header must consist of alphanumeric characters or '-' "
            "(e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"
        )
        yield error(path[:-1], ErrorType.INVALID, name, detail)


def _handler(names: tuple[str, ...]) -> Check:
    """Return a check of a probe or a hook, which has one of some handlers."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if not isinstance(value, dict):
            return
        handlers = [name for name in names if value.get(name) is not None]
        for number, name in enumerate(handlers):
            here = (*path, name)
            if number:
                yield error(here, ErrorType.FORBIDDEN, "", "may not specify more than 1 handler type")
            else:
                yield from _HANDLERS[name](value[name], here)
        if not handlers:
            yield error(path, ErrorType.REQUIRED, "", "must specify a handler type")

    return check


def _needs_port(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the port of a handler, 0 where it is absent."""
    if isinstance(value, dict):
        yield from port_or_name(value.get("port") or 0 if value.get("port") != "" else "", (*path, "port"))


_HANDLERS: dict[str, Check] = {
    "exec": needs("command"),
    "httpGet": Shape(("", _needs_port), ("scheme", one_of("HTTP", "HTTPS")), ("httpHeaders[]", _header)),
    "tcpSocket": _needs_port,
    "grpc": _needs_port,
    "sleep": Shape(),
}
_PROBE: Final = Shape(
    ("", _handler(_PROBE_HANDLERS)),
    *(
        (f"{each}", at_least(0))
        for each in ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
    ),
    ("terminationGracePeriodSeconds", at_least(1, "must be greater than 0")),
)


def _succeeds_once(value: JsonValue, path: Path) -> Iterator[FieldError]:
    times = number_of(value, "successThreshold")
    if times not in (None, 0, 1):
        yield error((*path, "successThreshold"), ErrorType.INVALID, times, "must be 1")


def _ready_without_grace(value: JsonValue, path: Path) -> Iterator[FieldError]:
    seconds = as_object(value).get("terminationGracePeriodSeconds")
    if seconds is not None:
        here = (*path, "terminationGracePeriodSeconds")
        yield error(here, ErrorType.INVALID, seconds, "must not be set for readinessProbes")


PROBES: Final = Shape(
    ("lifecycle.postStart", _handler(_HOOK_HANDLERS)),
    ("lifecycle.preStop", _handler(_HOOK_HANDLERS)),
    ("livenessProbe", Shape(("", _PROBE), ("", _succeeds_once))),
    ("readinessProbe", Shape(("", _PROBE), ("", _ready_without_grace))),
    ("startupProbe", Shape(("", _PROBE), ("", _succeeds_once))),
)
"""The checks of containers that keep running."""


def _resize(value: JsonValue, path: Path) -> Iterator[FieldError]:
    here = path[:-1]
    for name, supported in (
        ("resourceName", ("cpu", "memory")),
        ("restartPolicy", ("NotRequired", "RestartContainer")),
    ):
        text = text_of(value, name) if isinstance(value, dict) else None
        if text == "":
            yield error(here, ErrorType.REQUIRED)
        elif text is not None and text not in supported:
            yield unsupported(here, text, supported)


def _profile(what: str) -> Check:
    """Return a check of a profile for seccomp or AppArmor."""
    title = "AppArmor" if what == "appArmor" else what

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if not isinstance(value, dict):
            return
        kind, local = text_of(value, "type"), value.get("localhostProfile")
        if kind is None:
            return
        if kind == "":
            yield error((*path, "type"), ErrorType.REQUIRED, "", f"type is required when {what}Profile is set")
        if kind == "Localhost":
            if local is None:
                detail = f"must be set when {title} type is Localhost"
                yield error((*path, "localhostProfile"), ErrorType.REQUIRED, "", detail)
            elif what == "seccomp":
                yield from descending_path(local, (*path, "localhostProfile"))
        else:
            if kind not in ("", "RuntimeDefault", "Unconfined"):
                yield unsupported((*path, "type"), kind, ("Localhost", "RuntimeDefault", "Unconfined"))
            if local is not None:
                detail = f"can only be set when {title} type is Localhost"
                found = error((*path, "localhostProfile"), ErrorType.INVALID, local, detail)
                yield found if what != "seccomp" else as_declared(found, {"Type": kind, "LocalhostProfile": local})

    return check


SECCOMP: Final = _profile("seccomp")
APP_ARMOR: Final = _profile("appArmor")


def _privileges(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    if fields.get("allowPrivilegeEscalation") is not False:
        return
    if fields.get("privileged") is True:
        detail = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"
        yield _of_context((*path, "allowPrivilegeEscalation"), fields, detail)
    added = as_list(as_object(fields.get("capabilities")).get("add"))
    if "CAP_SYS_ADMIN" in added and not has_unknown(added):
        detail = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"
        yield _of_context((*path, "allowPrivilegeEscalation"), fields, detail)


_CONTEXT: Final = (
    *("Privileged", "SELinuxOptions", "WindowsOptions", "RunAsUser", "RunAsGroup", "RunAsNonRoot"),
    *("ReadOnlyRootFilesystem", "AllowPrivilegeEscalation", "ProcMount", "SeccompProfile", "AppArmorProfile"),
)


def _of_context(path: Path, context: JsonObject, detail: str) -> FieldError:
    """Return an error about a whole context, which the API server prints with the names of Go's fields."""
    by_name = {name.lower(): value for name, value in context.items()}
    capabilities = as_object(context.get("capabilities"))
    shown: JsonObject = {
        "Capabilities": {each.capitalize(): capabilities.get(each) for each in ("add", "drop")}
        if capabilities
        else None,
        **{name: by_name.get(name.lower()) for name in _CONTEXT},
    }
    found = as_declared(error(path[:-1], ErrorType.INVALID, context, detail), shown)
    return replace(found, path=path)


_SECURITY: Final = Shape(
    ("runAsUser", USER_ID),
    ("runAsGroup", USER_ID),
    ("procMount", one_of("Default", "Unmasked", or_empty=False)),
    ("seccompProfile", SECCOMP),
    ("", _privileges),
    ("appArmorProfile", APP_ARMOR),
)

CONTAINER: Final = Shape(
    ("", needs("name")),
    ("name", label),
    ("", needs("image")),
    ("terminationMessagePolicy", one_of("File", "FallbackToLogsOnError")),
    (
        "ports[]",
        Shape(
            ("name", port_name),
            ("", or_absent("containerPort", 0, needed_port)),
            ("hostPort", optional_port),
            ("protocol", PROTOCOLS),
        ),
    ),
    ("ports", unique("name")),
    ("env[]", VARIABLE),
    ("envFrom", variables_from),
)
"""The checks of all containers before those of their mounts."""

CONTAINER_END: Final = Shape(
    ("imagePullPolicy", one_of("Always", "IfNotPresent", "Never")),
    ("resources", CONTAINER_RESOURCES),
    ("resizePolicy", unique("resourceName", at_item=True)),
    ("resizePolicy[]", _resize),
    ("securityContext", _SECURITY),
)
"""The checks of all containers after those of their mounts."""

RESTARTS: Final = one_of("Always", "Never", "OnFailure", or_empty=False)
