"""IP addresses (apiserver `pkg/cel/library/ip.go`)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from kro_ls.cel.evaluation.costs import READING, Cost
from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.cel.evaluation.values import CustomValue
from kro_ls.golang.ip import Address, AddressError, parse_address
from kro_ls.golang.quoting import go_quoted


class IP(CustomValue, Struct, frozen=True):
    """An IPv4 or IPv6 address without a zone."""

    address: Address
    type_name: ClassVar[str] = "net.IP"


def parse_ip(text: str) -> IP:
    """Read an address. Raises EvaluationError for other text, zones and IPv4 mapped into IPv6."""
    try:
        address = parse_address(text)
    except AddressError as error:
        reason = f"IP Address {go_quoted(text)} parse error during conversion from string: {error}"
        raise EvaluationError(reason) from None
    if address.zone:
        raise EvaluationError(f"IP address {go_quoted(text)} with zone value is not allowed")
    if address.is_4_in_6:
        raise EvaluationError(f"IPv4-mapped IPv6 address {go_quoted(text)} is not allowed")
    return IP(address)


def _is_ip(text: str) -> bool:
    try:
        parse_ip(text)
    except EvaluationError:
        return False
    return True


IMPLEMENTATIONS = {
    "string_to_ip": parse_ip,
    "ip_family": lambda ip: ip.address.version,
    "ip_is_canonical": lambda text: str(parse_ip(text).address) == text,
    "ip_is_unspecified": lambda ip: ip.address.is_unspecified,
    "ip_is_loopback": lambda ip: ip.address.is_loopback,
    "ip_is_link_local_multicast": lambda ip: ip.address.is_link_local_multicast,
    "ip_is_link_local_unicast": lambda ip: ip.address.is_link_local_unicast,
    "ip_is_global_unicast": lambda ip: ip.address.is_global_unicast,
    "is_ip": _is_ip,
    "ip_to_string": lambda ip: str(ip.address),
}
COSTS = {
    **dict.fromkeys(IMPLEMENTATIONS, Cost(20)),
    **dict.fromkeys(("string_to_ip", "ip_is_canonical", "is_ip"), READING),
}
