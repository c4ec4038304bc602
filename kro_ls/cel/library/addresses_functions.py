"""IP addresses and networks (apiserver `pkg/cel/library/{ip,cidr}.go`)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from kro_ls.cel.evaluation.costs import READING, Cost
from kro_ls.cel.evaluation.values import CustomValue, EvaluationError, no_such_overload, succeeds
from kro_ls.golang.ip import Address, AddressError, Prefix, parse_address, parse_prefix
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


class CIDR(CustomValue, Struct, frozen=True):
    """An address, as written, and the number of bits of its prefix."""

    prefix: Prefix
    type_name: ClassVar[str] = "net.CIDR"


def parse_cidr(text: str) -> CIDR:
    """Read a network. Raises EvaluationError for other text."""
    try:
        prefix = parse_prefix(text)
    except AddressError as error:
        raise _invalid(str(error)) from None
    if prefix.address.is_4_in_6:
        raise _invalid(f"IPv4-mapped IPv6 address {go_quoted(text)} is not allowed")
    return CIDR(prefix)


def _invalid(reason: str) -> EvaluationError:
    return EvaluationError(f"network address parse error during conversion from string: {reason}")


def _contains_ip(cidr: CIDR, ip: IP) -> bool:
    return cidr.prefix.contains(ip.address)


def _contains_ip_string(cidr: CIDR, text: str) -> bool:
    try:
        return _contains_ip(cidr, parse_ip(text))
    except EvaluationError:
        raise no_such_overload() from None


def _contains_cidr(cidr: CIDR, other: CIDR) -> bool:
    return cidr.prefix.bits <= other.prefix.bits and cidr.prefix.contains(other.prefix.address)


def _contains_cidr_string(cidr: CIDR, text: str) -> bool:
    try:
        return _contains_cidr(cidr, parse_cidr(text))
    except EvaluationError:
        raise no_such_overload() from None


IMPLEMENTATIONS = {
    "string_to_ip": parse_ip,
    "ip_family": lambda ip: ip.address.version,
    "ip_is_canonical": lambda text: str(parse_ip(text).address) == text,
    "ip_is_unspecified": lambda ip: ip.address.is_unspecified,
    "ip_is_loopback": lambda ip: ip.address.is_loopback,
    "ip_is_link_local_multicast": lambda ip: ip.address.is_link_local_multicast,
    "ip_is_link_local_unicast": lambda ip: ip.address.is_link_local_unicast,
    "ip_is_global_unicast": lambda ip: ip.address.is_global_unicast,
    "is_ip": succeeds(parse_ip),
    "ip_to_string": lambda ip: str(ip.address),
    "string_to_cidr": parse_cidr,
    "cidr_contains_ip_string": _contains_ip_string,
    "cidr_contains_ip_ip": _contains_ip,
    "cidr_contains_cidr_string": _contains_cidr_string,
    "cidr_contains_cidr": _contains_cidr,
    "cidr_ip": lambda cidr: IP(cidr.prefix.address),
    "cidr_prefix_length": lambda cidr: cidr.prefix.bits,
    "cidr_masked": lambda cidr: CIDR(cidr.prefix.masked),
    "is_cidr": succeeds(parse_cidr),
    "cidr_to_string": lambda cidr: str(cidr.prefix),
}
_READ = ("string_to_ip", "ip_is_canonical", "is_ip", "string_to_cidr", "is_cidr")
COSTS = {
    **dict.fromkeys(IMPLEMENTATIONS, Cost(20)),
    **dict.fromkeys((*_READ, "cidr_contains_ip_string", "cidr_contains_cidr_string"), READING),
}
