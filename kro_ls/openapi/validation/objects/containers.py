"""What the API server refuses in containers: ports, environment, mounts, probes, resources and security.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_names import label_key_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import (
    as_declared,
    at_least,
    between,
    config_key_problems,
    error,
    invalid,
    label,
    needed_port,
    needs,
    number_of,
    one_of,
    optional_port,
    port_name,
    port_or_name,
    text_of,
    unique,
    unsupported,
)
from kro_ls.openapi.validation.objects.compute_resources import CONTAINER_RESOURCES
from kro_ls.openapi.validation.objects.file_paths import descending_path
from kro_ls.openapi.validation.objects.values_at import Shape
from kro_ls.openapi.validation.unknown import has_unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

PROTOCOLS: Final = one_of("SCTP", "TCP", "UDP")
USER_ID: Final = between(0, 2147483647)
_ENV_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_PROBE_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_HOOK_HANDLERS = ("exec", "httpGet", "tcpSocket", "sleep")
_HEADER = re.compile("[-A-Za-z0-9]+")
_ENV_FIELDS: Final = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
_READABLE: Final = {
    *_ENV_FIELDS,
    *("metadata.annotations", "metadata.labels", "spec.restartPolicy", "spec.schedulerName", "status.phase"),
    *("spec.hostNetwork", "status.nominatedNodeName"),
}
_HUGE_PAGES: Final = ("requests.hugepages-", "limits.hugepages-")
_RESOURCE_FIELDS: Final = tuple(
    f"{side}.{name}" for side in ("limits", "requests") for name in ("cpu", "memory", "ephemeral-storage")
)


def env_name(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the name of an environment variable."""
    if isinstance(value, str) and value and any(not " " <= each <= "~" or each == "=" for each in value):
        detail = "a valid environment variable name must consist only of printable ASCII characters other than '='"
        yield from invalid(path, value, [detail])


def readable_field(*fields: str) -> Check:
    """Return a check of a reference to a field of the pod, of which some can be read."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        field = text_of(value, "fieldPath")
        if field == "":
            yield error((*path, "fieldPath"), ErrorType.REQUIRED)
        elif field is not None:
            name, bracket, key = field.removesuffix("']").partition("['")
            if bracket and field.endswith("']"):
                if name not in ("metadata.annotations", "metadata.labels"):
                    detail = f"error converting fieldPath: field label does not support subscript: {name}"
                    yield error((*path, "fieldPath"), ErrorType.INVALID, field, detail)
                else:
                    yield from invalid(path, key, label_key_problems(key))
            elif field not in _READABLE:
                detail = f"error converting fieldPath: field label not supported: {field}"
                yield error((*path, "fieldPath"), ErrorType.INVALID, field, detail)
            elif field not in fields:
                yield unsupported((*path, "fieldPath"), field, fields)

    return check


ENV_FIELD: Final = readable_field(*_ENV_FIELDS)


def resource_field(*, in_volume: bool) -> Check:
    """Return a check of a reference to a resource of a container."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if not isinstance(value, dict):
            return
        container, resource = text_of(value, "containerName"), text_of(value, "resource")
        if in_volume and container == "":
            yield error((*path, "containerName"), ErrorType.REQUIRED)
        elif resource == "":
            yield error((*path, "resource"), ErrorType.REQUIRED)
        elif resource is not None and resource not in _RESOURCE_FIELDS and not resource.startswith(_HUGE_PAGES):
            yield unsupported((*path, "resource"), resource, sorted(_RESOURCE_FIELDS))

    return check


def _one_source(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    source = fields.get("valueFrom")
    if not isinstance(source, dict):
        return
    count = sum(source.get(each) is not None for each in _ENV_SOURCES)
    here = (*path, "valueFrom")
    if count == 0:
        listed = f"{', '.join(f'`{each}`' for each in _ENV_SOURCES[:-1])} or `{_ENV_SOURCES[-1]}`"
        yield error(here, ErrorType.INVALID, "", f"must specify one of: {listed}")
    elif as_text(fields.get("value")):
        yield error(here, ErrorType.INVALID, "", "may not be specified when `value` is not empty")
    elif count > 1:
        yield error(here, ErrorType.INVALID, "", "may not have more than one field specified at a time")


def reference(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the name of a ConfigMap or a Secret that is referred to."""
    name = text_of(value, "name")
    if isinstance(value, dict) and name is not None:
        yield from invalid((*path, "name"), name, subdomain_problems(name))


def config_key(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a reference to a key of a ConfigMap or a Secret."""
    yield from reference(value, path)
    key = text_of(value, "key")
    if isinstance(value, dict) and key is not None:
        if key:
            yield from invalid((*path, "key"), key, config_key_problems(key))
        else:
            yield error((*path, "key"), ErrorType.REQUIRED)


_FILE_KEY: Final = needs("key", "volumeName", "path")


def _env_from(value: JsonValue, path: Path) -> Iterator[FieldError]:
    for number, each in enumerate(as_list(value)):
        if not isinstance(each, dict):
            continue
        here = (*path, number)
        yield from env_name(each.get("prefix"), (*here, "prefix"))
        sources = [name for name in ("configMapRef", "secretRef") if each.get(name) is not None]
        for name in sources:
            yield from needs("name")(each[name], (*here, name))
            if text_of(each[name], "name"):
                yield from reference(each[name], (*here, name))
        if len(sources) != 1:
            few = "must specify one of: `configMapRef` or `secretRef`"
            yield error(
                path, ErrorType.INVALID, "", "may not have more than one field specified at a time" if sources else few
            )


def _header(value: JsonValue, path: Path) -> Iterator[FieldError]:
    name = text_of(value, "name")
    if isinstance(value, dict) and name is not None and not _HEADER.fullmatch(name):
        detail = (
            "a valid HTTP header must consist of alphanumeric characters or '-' "
            "(e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"
        )
        yield error(path[:-1], ErrorType.INVALID, name, detail)


def _handler(names: tuple[str, ...]) -> Check:
    """Return a check of what has one of some handlers."""

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
    """Yield what is wrong with the port of a handler, which is 0 where it is not there."""
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
"""What containers that run on are asked."""


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
    """Return an error about a whole context, which the API server prints with the names of its own fields."""
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
            ("", lambda value, path: needed_port(as_object(value).get("containerPort", 0), (*path, "containerPort"))),
            ("hostPort", optional_port),
            ("protocol", PROTOCOLS),
        ),
    ),
    ("ports", unique("name")),
    (
        "env[]",
        Shape(
            ("", needs("name")),
            ("name", env_name),
            ("valueFrom.fieldRef", ENV_FIELD),
            ("valueFrom.resourceFieldRef", resource_field(in_volume=False)),
            ("valueFrom.configMapKeyRef", config_key),
            ("valueFrom.secretKeyRef", config_key),
            ("valueFrom.fileKeyRef", _FILE_KEY),
            ("", _one_source),
        ),
    ),
    ("envFrom", _env_from),
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
