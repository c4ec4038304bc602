"""What the API server refuses in Ingresses, their classes, NetworkPolicies, Endpoints and EndpointSlices.

Source: k8s.io/kubernetes, pkg/apis/networking/validation/validation.go and pkg/apis/discovery/validation/validation.go.
"""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType
from kro_ls.openapi.validation.object_meta import label_problems, path_segment_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    address,
    cidr,
    domain_prefixed,
    error,
    invalid,
    is_empty,
    label,
    label_key,
    needed_subdomain,
    needed_text,
    number_of,
    one_of,
    optional_port,
    or_absent,
    port,
    port_name_problems,
    subdomain,
    text_of,
    unsupported,
)
from kro_ls.openapi.validation.objects.selectors import LABEL_SELECTOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path

_PATH_TYPES: Final = ("Exact", "ImplementationSpecific", "Prefix")
_WILDCARD_HOST: Final = re.compile(r"\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_BAD_PARTS: Final = ("//", "/./", "/../", "%2f", "%2F")
_BAD_ENDS: Final = ("/..", "/.")
_WILDCARD_FORM: Final = (
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of "
    "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', "
    rf"regex used for validation is '{_WILDCARD_HOST.pattern}')"
)


def _host(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a host, which may begin with a wildcard."""
    if not isinstance(value, str):
        return
    if "*" in value:
        if not _WILDCARD_HOST.fullmatch(value):
            yield error(path, ErrorType.INVALID, value, _WILDCARD_FORM)
    else:
        yield from invalid(path, value, subdomain_problems(value))


def _rule_host(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, str) or not value:
        return
    is_address = not list(address(value, path))
    if is_address:
        yield error(path, ErrorType.INVALID, value, "must be a DNS name, not an IP address")
    else:
        yield from _host(value, path)


def _typed_reference(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a reference to an object of some kind."""
    if not isinstance(value, dict):
        return
    yield from needed_subdomain(value.get("apiGroup"), (*path, "apiGroup"))
    for name in ("kind", "name"):
        yield from needed_text(value, path, name, path_segment_problems)


def _backend(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    resource, service = value.get("resource"), value.get("service")
    if resource is not None and service is not None:
        yield error(path, ErrorType.INVALID, "", "cannot set both resource and service backends")
    elif resource is not None:
        yield from _typed_reference(resource, (*path, "resource"))
    elif service is None:
        yield error(path, ErrorType.INVALID, "", "resource or service backend is required")
    elif isinstance(service, dict):
        yield from _service_backend(service, path)


def _service_backend(service: JsonObject, path: Path) -> Iterator[FieldError]:
    here = (*path, "service")
    yield from needed_text(service, here, "name", label_problems)
    used = service.get("port", {})
    port_name, number = text_of(used, "name"), number_of(used, "number")
    if not isinstance(used, dict) or port_name is None or number is None:
        return
    if port_name and number:
        yield error(path, ErrorType.INVALID, "", "cannot set both port name & port number")
    elif port_name:
        yield from invalid((*here, "port", "name"), port_name, port_name_problems(port_name))
    elif number:
        yield from port(number, (*here, "port", "number"))
    else:
        yield error(path, ErrorType.REQUIRED, "", "port name or number is required")


def _path(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    kind, text = value.get("pathType"), text_of(value, "path")
    here = (*path, "path")
    if kind is None:
        yield error((*path, "pathType"), ErrorType.REQUIRED, "", "pathType must be specified")
        return
    if isinstance(kind, str) and kind not in _PATH_TYPES:
        yield unsupported((*path, "pathType"), kind, _PATH_TYPES)
    elif text is not None and isinstance(kind, str):
        if not text.startswith("/") and (text or kind != "ImplementationSpecific"):
            yield error(here, ErrorType.INVALID, text, "must be an absolute path")
        if kind != "ImplementationSpecific":
            for each in _BAD_PARTS:
                if each in text:
                    yield error(here, ErrorType.INVALID, text, f"must not contain '{each}'")
            for each in _BAD_ENDS:
                if text.endswith(each):
                    yield error(here, ErrorType.INVALID, text, f"cannot end with '{each}'")
    yield from _backend(value.get("backend", {}), (*path, "backend"))


def _http(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if isinstance(value, dict) and is_empty(value.get("paths")):
        yield error((*path, "paths"), ErrorType.REQUIRED)
    for number, each in enumerate(as_list(as_object(value).get("paths"))):
        yield from _path(each, (*path, "paths", number))


def _leads_somewhere(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    rules = spec.get("rules")
    if is_empty(rules) and spec.get("defaultBackend") is None:
        yield error(path, ErrorType.INVALID, rules, "either `defaultBackend` or `rules` must be specified")


INGRESS: Final = Shape(
    ("", _leads_somewhere),
    ("rules[]", Shape(("host", _rule_host), ("http", _http))),
    ("tls[].hosts[]", _host),
    ("tls[].secretName", subdomain),
    ("defaultBackend", _backend),
    ("ingressClassName", needed_subdomain),
)


def _parameters(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    yield from _typed_reference(value, path)
    scope = text_of(value, "scope")
    yield from one_of("Cluster", "Namespace", or_empty=False)(value.get("scope"), (*path, "scope"))
    here, namespace = (*path, "namespace"), value.get("namespace")
    if scope == "Namespace":
        if namespace is None:
            detail = "`parameters.scope` is set to 'Namespace'"
            yield error(here, ErrorType.REQUIRED, "", detail)
        else:
            yield from label(namespace, here)
    elif namespace is not None and scope in ("", "Cluster"):
        yield error(here, ErrorType.FORBIDDEN, "", "`parameters.scope` is set to 'Cluster'")


INGRESS_CLASS: Final = Shape(("", or_absent("controller", "", domain_prefixed)), ("parameters", _parameters))


def _block(value: JsonValue, path: Path) -> Iterator[FieldError]:
    block, here = text_of(value, "cidr"), (*path, "cidr")
    if not isinstance(value, dict) or block is None:
        return
    if not block:
        yield error(here, ErrorType.REQUIRED)
        return
    problems = list(cidr(block, here))
    yield from problems
    for number, each in enumerate(as_list(value.get("except")) if not problems else ()):
        place = (*path, "except", number)
        wrong = list(cidr(each, place))
        yield from wrong
        if not wrong and isinstance(each, str) and not _is_inside(each, block):
            yield error(place, ErrorType.INVALID, each, "must be a strict subset of `cidr`")


def _is_inside(inner: str, outer: str) -> bool:
    part, whole = ip_network(inner, strict=False), ip_network(outer, strict=False)
    return part.version == whole.version and part.prefixlen > whole.prefixlen and part.network_address in whole


def _peer(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    yield from Shape(("podSelector", LABEL_SELECTOR), ("namespaceSelector", LABEL_SELECTOR), ("ipBlock", _block))(
        value, path
    )
    peers = [name for name in ("podSelector", "namespaceSelector", "ipBlock") if value.get(name) is not None]
    if not peers:
        yield error(path, ErrorType.REQUIRED, "", "must specify a peer")
    elif len(peers) > 1 and "ipBlock" in peers:
        yield error(path, ErrorType.FORBIDDEN, "", "may not specify both ipBlock and another peer")


def _policy_port(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not isinstance(value, dict):
        return
    yield from one_of("TCP", "UDP", "SCTP", or_empty=False)(value.get("protocol"), (*path, "protocol"))
    first, last = value.get("port"), value.get("endPort")
    here = (*path, "endPort")
    if first is None:
        if last is not None:
            yield error(here, ErrorType.INVALID, last, "may not be specified when `port` is not specified")
    elif isinstance(first, str):
        if last is not None:
            yield error(here, ErrorType.INVALID, last, "may not be specified when `port` is non-numeric")
        yield from invalid((*path, "port"), first, port_name_problems(first))
    else:
        yield from port(first, (*path, "port"))
        if isinstance(last, int) and isinstance(first, int):
            if last < first:
                yield error(here, ErrorType.INVALID, first, "must be greater than or equal to `port`")
            yield from port(last, here)


def _rule(peers: str) -> Shape:
    return Shape(("ports[]", _policy_port), (f"{peers}[]", _peer))


NETWORK_POLICY: Final = Shape(
    ("podSelector", LABEL_SELECTOR),
    ("ingress[]", _rule("from")),
    ("egress[]", _rule("to")),
    ("policyTypes[]", one_of("Ingress", "Egress", or_empty=False)),
)


def _slice_address(kind: JsonValue) -> Shape:
    if kind == "FQDN":
        return Shape(("addresses[]", needed_subdomain))
    return Shape(("addresses[]", address))


def _has_addresses(value: JsonValue, path: Path) -> Iterator[FieldError]:
    if not value:
        yield error(path, ErrorType.REQUIRED, "", "must contain at least 1 address")


def endpoint_slice(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a slice of endpoints."""
    fields = as_object(value)
    kind = fields.get("addressType")
    if kind is None or kind == "":
        yield error((*path, "addressType"), ErrorType.REQUIRED)
    else:
        yield from one_of("FQDN", "IPv4", "IPv6")(kind, (*path, "addressType"))
    endpoints = Shape(
        ("addresses", _has_addresses),
        ("", _slice_address(kind)),
        ("nodeName", subdomain),
        ("hostname", label),
    )
    yield from Shape(("endpoints[]", endpoints))(value, path)
    yield from _SLICE_PORTS(value, path)


_SLICE_PORTS: Final = Shape(
    ("ports[]", Shape(("name", label), ("protocol", one_of("SCTP", "TCP", "UDP")), ("appProtocol", label_key)))
)
ENDPOINTS: Final = Shape(("subsets[].ports[].port", optional_port))
