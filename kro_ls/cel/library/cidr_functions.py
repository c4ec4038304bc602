"""IP networks (apiserver `pkg/cel/library/cidr.go`, Go's `net/netip`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from kro_ls.cel.evaluation.errors import EvaluationError, no_such_overload
from kro_ls.cel.library.ip_functions import IP, parse_ip


@dataclass(frozen=True, slots=True)
class CIDR:
    """An address, as written, and the number of bits of its prefix."""

    ip: IP
    bits: int
    type_name: ClassVar[str] = "net.CIDR"


def parse_cidr(text: str) -> CIDR:
    """Read a network. Raises EvaluationError for other text."""
    address, _, bits = text.rpartition("/")
    try:
        ip = parse_ip(address)
    except EvaluationError as error:
        raise _invalid(error.message) from None
    if not re.fullmatch(r"0|[1-9][0-9]{0,2}", bits) or int(bits) > ip.address.max_prefixlen:
        raise _invalid(f'netip.ParsePrefix("{text[:100]}"): bad bits after slash: "{bits[:20]}"')
    return CIDR(ip, int(bits))


def _invalid(reason: str) -> EvaluationError:
    return EvaluationError(f"network address parse error during conversion from string: {reason}")


def _is_cidr(text: str) -> bool:
    try:
        parse_cidr(text)
    except EvaluationError:
        return False
    return True


def _network(ip: IP, bits: int) -> int:
    """Return the first bits of an address."""
    return int(ip.address) >> (ip.address.max_prefixlen - bits)


def _contains_ip(cidr: CIDR, ip: IP) -> bool:
    return ip.address.version == cidr.ip.address.version and _network(ip, cidr.bits) == _network(cidr.ip, cidr.bits)


def _contains_ip_string(cidr: CIDR, text: str) -> bool:
    try:
        return _contains_ip(cidr, parse_ip(text))
    except EvaluationError:
        raise no_such_overload() from None


def _contains_cidr(cidr: CIDR, other: CIDR) -> bool:
    return cidr.bits <= other.bits and _contains_ip(cidr, other.ip)


def _contains_cidr_string(cidr: CIDR, text: str) -> bool:
    try:
        return _contains_cidr(cidr, parse_cidr(text))
    except EvaluationError:
        raise no_such_overload() from None


def _masked(cidr: CIDR) -> CIDR:
    host_bits = cidr.ip.address.max_prefixlen - cidr.bits
    return CIDR(IP(type(cidr.ip.address)(int(cidr.ip.address) >> host_bits << host_bits)), cidr.bits)


IMPLEMENTATIONS = {
    "string_to_cidr": parse_cidr,
    "cidr_contains_ip_string": _contains_ip_string,
    "cidr_contains_ip_ip": _contains_ip,
    "cidr_contains_cidr_string": _contains_cidr_string,
    "cidr_contains_cidr": _contains_cidr,
    "cidr_ip": lambda cidr: cidr.ip,
    "cidr_prefix_length": lambda cidr: cidr.bits,
    "cidr_masked": _masked,
    "is_cidr": _is_cidr,
    "cidr_to_string": lambda cidr: f"{cidr.ip.address}/{cidr.bits}",
}
