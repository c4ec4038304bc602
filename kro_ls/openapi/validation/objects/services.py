"""What the API server refuses in Services.

Fields that depend on the type of a Service are checked only where the type is known.
Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, place_of
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    address,
    as_declared,
    cidr,
    error,
    is_empty,
    label,
    label_key,
    labels,
    needed_subdomain,
    number_of,
    one_of,
    port,
    port_or_name,
    text_of,
    unique,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path

_TYPES: Final = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_LONGEST_AFFINITY: Final = 86400
_NODE_PORTS: Final = (30000, 32767)
_ONLY_BALANCED: Final = "may only be used when `type` is 'LoadBalancer'"


def _type(spec: JsonObject) -> str | None:
    kind = text_of(spec, "type")
    return "ClusterIP" if kind == "" else kind


def _is_headless(spec: JsonObject) -> bool:
    return spec.get("clusterIP") == "None" or as_list(spec.get("clusterIPs")) == ["None"]


def _kind(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a Service by its type."""
    spec = as_object(value)
    kind = _type(spec)
    if is_empty(spec.get("ports")) and not _is_headless(spec) and kind not in ("ExternalName", None):
        yield error((*path, "ports"), ErrorType.REQUIRED)
    if kind in ("LoadBalancer", "NodePort") and _is_headless(spec):
        place = f"{place_of(path)}.clusterIPs[0]"
        detail = f"may not be set to 'None' for {kind} services"
        yield field_error((*path, "clusterIP"), place, ErrorType.INVALID, "None", detail)
    if kind != "ExternalName":
        return
    for name in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if not is_empty(spec.get(name)):
            yield error((*path, name), ErrorType.FORBIDDEN, "", "may not be set for ExternalName services")
    target = text_of(spec, "externalName")
    if target == "":
        yield error((*path, "externalName"), ErrorType.REQUIRED)
    elif target is not None:
        yield from needed_subdomain(target.removesuffix("."), (*path, "externalName"))


def _target(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a port and its target, by default the same port."""
    if not isinstance(value, dict):
        return
    number = number_of(value, "port")
    yield from port(number, (*path, "port"))
    yield from one_of("SCTP", "TCP", "UDP")(value.get("protocol"), (*path, "protocol"))
    target = value.get("targetPort")
    here = (*path, "targetPort")
    if is_empty(target) or (target == 0 and target is not False):
        yield from (replace(each, path=(*path, "port")) for each in port(number, here))
    else:
        yield from port_or_name(target, here)
    yield from label_key(value.get("appProtocol"), (*path, "appProtocol"))


def _ports(value: JsonValue, path: Path) -> Iterator[FieldError]:
    ports = as_list(value)
    names = Shape(("name", label))
    for number, each in enumerate(ports):
        here = (*path, number)
        if len(ports) > 1 and isinstance(each, dict) and text_of(each, "name") == "":
            yield error((*here, "name"), ErrorType.REQUIRED)
        yield from names(each, here)
        yield from _target(each, here)
    yield from unique("name")(ports, path)


def _affinity(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    kind, config = text_of(spec, "sessionAffinity"), spec.get("sessionAffinityConfig")
    here = (*path, "sessionAffinityConfig")
    if kind == "ClientIP":
        seconds = as_object(as_object(config).get("clientIP")).get("timeoutSeconds")
        if isinstance(seconds, int) and not 0 < seconds <= _LONGEST_AFFINITY:
            detail = f"must be greater than 0 and less than {_LONGEST_AFFINITY}"
            yield error((*here, "clientIP", "timeoutSeconds"), ErrorType.INVALID, seconds, detail)


def _addresses(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the addresses of a Service; the only one counts as the first of several."""
    spec = as_object(value)
    kind = _type(spec)
    if kind == "ExternalName" or kind is None:
        return
    several, own = as_list(spec.get("clusterIPs")), spec.get("clusterIP")
    here = (*path, "clusterIPs")
    if several and isinstance(own, str | None) and several[0] != (own or None):
        detail = "first value must match `clusterIP`" if own else "must be empty when `clusterIP` is not specified"
        yield error(here, ErrorType.INVALID, several, detail)
    for number, each in enumerate(as_list(spec.get("ipFamilies"))):
        yield from one_of("IPv4", "IPv6", or_empty=False)(each, (*path, "ipFamilies", number))
    yield from unique()(spec.get("ipFamilies"), (*path, "ipFamilies"))
    policies = one_of("PreferDualStack", "RequireDualStack", "SingleStack", or_empty=False)
    yield from policies(spec.get("ipFamilyPolicy"), (*path, "ipFamilyPolicy"))
    if several:
        for number, each in enumerate(several):
            if each != "None":
                yield from address(each, (*here, number))
    elif own not in ("", "None"):
        for found in address(own, (*path, "clusterIP")):
            yield replace(found, text=f"{place_of(here)}[0]: {found.message}")


def _node_ports(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    kind = _type(spec)
    ports = [as_object(each) for each in as_list(spec.get("ports"))]
    node_ports: set[tuple[str, int]] = set()
    seen: set[tuple[str, int]] = set()
    for number, each in enumerate(ports):
        protocol, node_port = text_of(each, "protocol"), number_of(each, "nodePort")
        if node_port and protocol is not None:
            here = (*path, "ports", number, "nodePort")
            if kind == "ClusterIP":
                yield error(here, ErrorType.FORBIDDEN, "", "may not be used when `type` is 'ClusterIP'")
            if (protocol or "TCP", node_port) in node_ports:
                yield error(here, ErrorType.DUPLICATE, node_port)
            node_ports.add((protocol or "TCP", node_port))
    for number, each in enumerate(ports):
        protocol, own = text_of(each, "protocol"), number_of(each, "port")
        if own and protocol is not None:
            if (protocol or "TCP", own) in seen:
                shown: JsonObject = {"Name": "", "Protocol": protocol or "TCP", "AppProtocol": None, "Port": own}
                shown |= {"TargetPort": 0, "NodePort": 0}
                found = error((*path, "ports", number), ErrorType.DUPLICATE, "")
                yield as_declared(found, shown)
            seen.add((protocol or "TCP", own))


def _balanced(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with fields that only Services with a load balancer have."""
    spec = as_object(value)
    kind = _type(spec)
    if kind is None:
        return
    ranges = as_list(spec.get("loadBalancerSourceRanges"))
    here, place = (*path, "loadBalancerSourceRanges"), f"{place_of(path)}.LoadBalancerSourceRanges"
    if ranges and kind != "LoadBalancer":
        yield field_error(here, place, ErrorType.FORBIDDEN, "", _ONLY_BALANCED)
    for number, each in enumerate(ranges):
        for found in cidr(each.strip() if isinstance(each, str) else each, (*here, number)):
            yield replace(found, text=f"{place}[{number}]: {found.message}")
    if spec.get("allocateLoadBalancerNodePorts") is not None and kind != "LoadBalancer":
        yield error((*path, "allocateLoadBalancerNodePorts"), ErrorType.FORBIDDEN, "", _ONLY_BALANCED)
    balancer = spec.get("loadBalancerClass")
    if balancer is not None:
        if kind != "LoadBalancer":
            yield error((*path, "loadBalancerClass"), ErrorType.FORBIDDEN, "", _ONLY_BALANCED)
        else:
            yield from label_key(balancer, (*path, "loadBalancerClass"))


def _traffic(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    kind, outer = _type(spec), text_of(spec, "externalTrafficPolicy")
    health = number_of(spec, "healthCheckNodePort")
    if kind is None or outer is None or health is None:
        return
    here = (*path, "externalTrafficPolicy")
    is_reached = kind in ("LoadBalancer", "NodePort") or (kind == "ClusterIP" and bool(spec.get("externalIPs")))
    if outer and not is_reached:
        yield error(here, ErrorType.INVALID, outer, "may only be set for externally-accessible services")
    elif is_reached:
        yield from one_of("Cluster", "Local")(outer, here)
    if health:
        here = (*path, "healthCheckNodePort")
        if kind == "LoadBalancer" and outer == "Local":
            yield from port(health, here)
        else:
            detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
            yield error(here, ErrorType.INVALID, health, detail)


def _allocated(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for a port of nodes outside of the usual range; the API server checks that last."""
    spec = as_object(value)
    if _type(spec) not in ("LoadBalancer", "NodePort"):
        return
    for number, each in enumerate(as_list(spec.get("ports"))):
        node_port = number_of(each, "nodePort")
        if node_port and not _NODE_PORTS[0] <= node_port <= _NODE_PORTS[1]:
            detail = (
                "provided port is not in the valid range. "
                f"The range of valid ports is {_NODE_PORTS[0]}-{_NODE_PORTS[1]}"
            )
            yield error((*path, "ports", number, "nodePort"), ErrorType.INVALID, node_port, detail)


_SERVICE: Final = Shape(
    ("", _kind),
    ("ports", _ports),
    ("selector", labels),
    ("sessionAffinity", one_of("ClientIP", "None")),
    ("", _affinity),
    ("", _addresses),
    ("externalIPs[]", address),
    ("type", one_of(*_TYPES)),
    ("", _node_ports),
    ("", _balanced),
    ("", _traffic),
    ("internalTrafficPolicy", one_of("Cluster", "Local", or_empty=False)),
    ("trafficDistribution", one_of("PreferClose", "PreferSameZone", "PreferSameNode", or_empty=False)),
)


def updated_service(value: JsonObject, stored: JsonObject) -> JsonObject:
    """Return an edited Service as the API server sees it: with its address, without fields of another type."""
    spec, before = as_object(value.get("spec")), as_object(stored.get("spec"))
    result = dict(spec)
    if not spec.get("clusterIP") and before.get("clusterIP"):
        result["clusterIP"] = before["clusterIP"]
    if (_type(spec), spec.get("externalTrafficPolicy")) != (_type(before), before.get("externalTrafficPolicy")):
        for name in ("healthCheckNodePort", "allocateLoadBalancerNodePorts", "loadBalancerClass"):
            if name in spec and spec[name] == before.get(name):
                del result[name]
        used = {as_object(each).get("nodePort") for each in as_list(before.get("ports"))}
        result["ports"] = [
            {name: field for name, field in each.items() if name != "nodePort" or field not in used}
            if isinstance(each, dict)
            else each
            for each in as_list(spec.get("ports"))
        ]
    return {**value, "spec": result}


def service(value: JsonValue, path: Path) -> list[FieldError]:
    """Return what is wrong with a Service."""
    return _SERVICE(value, path) or list(_allocated(value, path))
