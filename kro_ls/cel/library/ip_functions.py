"""IP addresses (apiserver `pkg/cel/library/ip.go`, Go's `net/netip`)."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import ClassVar

from kro_ls.cel.evaluation.errors import EvaluationError

_MAPPED = IPv6Network("::ffff:0:0/96")


@dataclass(frozen=True, slots=True)
class IP:
    """An IPv4 or IPv6 address without a zone."""

    address: IPv4Address | IPv6Address
    type_name: ClassVar[str] = "net.IP"


def parse_ip(text: str) -> IP:
    """Read an address. Raises EvaluationError for other text, zones and IPv4 mapped into IPv6."""
    before_zone, percent, _ = text.partition("%")
    try:
        address = ip_address(before_zone)
    except ValueError:
        raise EvaluationError(
            f'IP Address "{text[:100]}" parse error during conversion from string: ParseAddr("{text[:100]}"): '
            "unable to parse IP"
        ) from None
    if percent:
        raise EvaluationError(f'IP address "{text[:100]}" with zone value is not allowed')
    if address in _MAPPED:
        raise EvaluationError(f'IPv4-mapped IPv6 address "{text[:100]}" is not allowed')
    return IP(address)


def _is_ip(text: str) -> bool:
    try:
        parse_ip(text)
    except EvaluationError:
        return False
    return True


def _is_link_local_multicast(ip: IP) -> bool:
    packed = ip.address.packed
    if ip.address.version == 4:
        return packed[:3] == b"\xe0\x00\x00"
    return packed[0] == 0xFF and packed[1] & 0x0F == 0x02


def _is_link_local_unicast(ip: IP) -> bool:
    packed = ip.address.packed
    if ip.address.version == 4:
        return packed[:2] == b"\xa9\xfe"
    return packed[0] == 0xFE and packed[1] & 0xC0 == 0x80


def _is_loopback(ip: IP) -> bool:
    return ip.address.packed[0] == 127 if ip.address.version == 4 else int(ip.address) == 1


def _is_unspecified(ip: IP) -> bool:
    return int(ip.address) == 0


def _is_global_unicast(ip: IP) -> bool:
    first = ip.address.packed[0]
    is_multicast = first & 0xF0 == 0xE0 if ip.address.version == 4 else first == 0xFF
    is_broadcast = ip.address.packed == b"\xff\xff\xff\xff"
    excluded = _is_unspecified(ip) or is_broadcast or _is_loopback(ip) or is_multicast
    return not excluded and not _is_link_local_unicast(ip)


IMPLEMENTATIONS = {
    "string_to_ip": parse_ip,
    "ip_family": lambda ip: ip.address.version,
    "ip_is_canonical": lambda text: str(parse_ip(text).address) == text,
    "ip_is_unspecified": _is_unspecified,
    "ip_is_loopback": _is_loopback,
    "ip_is_link_local_multicast": _is_link_local_multicast,
    "ip_is_link_local_unicast": _is_link_local_unicast,
    "ip_is_global_unicast": _is_global_unicast,
    "is_ip": _is_ip,
    "ip_to_string": lambda ip: str(ip.address),
}
