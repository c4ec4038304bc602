"""IP addresses and prefixes as Go's package net/netip reads and prints them, with its messages for what is neither."""

from __future__ import annotations

import re

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted

_HEX_DIGITS = re.compile(r"[0-9A-Fa-f]*")
_BITS = re.compile(r"[0-9]|[1-9][0-9]{1,17}")
_MOST_BITS = {4: 32, 6: 128}


class AddressError(ValueError):
    """A text that Go does not read as an address or a prefix; the text is Go's own."""


class Address(Struct, frozen=True):
    """An address: its bits as a number, 4 or 6, and the zone of one of version 6."""

    number: int
    version: int
    zone: str = ""

    @property
    def bits(self) -> int:
        """The length of the address, 32 or 128."""
        return _MOST_BITS[self.version]

    @property
    def is_4_in_6(self) -> bool:
        """Whether it is one of version 4 written as one of version 6 (`::ffff:1.2.3.4`)."""
        return self.version == 6 and self.number >> 32 == 0xFFFF

    @property
    def is_unspecified(self) -> bool:
        """Whether all of its bits are zero, and there is no zone."""
        return not self.number and not self.zone

    @property
    def is_loopback(self) -> bool:
        """Whether it is a loopback address."""
        plain = self._plain
        return plain.number >> 24 == 127 if plain.version == 4 else self.number == 1

    @property
    def is_multicast(self) -> bool:
        """Whether it is a multicast address."""
        plain = self._plain
        return plain.number >> 28 == 0xE if plain.version == 4 else self.number >> 120 == 0xFF

    @property
    def is_link_local_multicast(self) -> bool:
        """Whether it is a link-local multicast address."""
        plain = self._plain
        return plain.number >> 8 == 0xE00000 if plain.version == 4 else self.number >> 112 & 0xFF0F == 0xFF02

    @property
    def is_link_local_unicast(self) -> bool:
        """Whether it is valid on the same link only."""
        plain = self._plain
        return plain.number >> 16 == 0xA9FE if plain.version == 4 else self.number >> 118 == 0x3FA

    @property
    def is_global_unicast(self) -> bool:
        """Whether it is none of the others; private addresses are global in this sense."""
        plain = self._plain
        is_broadcast = plain.version == 4 and plain.number in (0, 0xFFFFFFFF)
        special = self.is_loopback or self.is_multicast or self.is_link_local_unicast
        return not (special or is_broadcast or self.is_unspecified)

    @property
    def _plain(self) -> Address:
        return Address(self.number & 0xFFFFFFFF, 4) if self.is_4_in_6 else self

    def __str__(self) -> str:
        if self.version == 4:
            return ".".join(str(self.number >> shift & 0xFF) for shift in (24, 16, 8, 0))
        zone = f"%{self.zone}" if self.zone else ""
        if self.is_4_in_6:
            return f"::ffff:{self._plain}{zone}"
        groups = [f"{self.number >> shift & 0xFFFF:x}" for shift in range(112, -1, -16)]
        runs = [
            (length, -start) for start in range(8) for length in range(2, 9 - start) if not self._any(start, length)
        ]
        if runs:
            length, start = max(runs)
            groups[-start : length - start] = ["", ""] if -start in (0, 8 - length) else [""]
            if length == 8:
                groups = ["", "", ""]
        return ":".join(groups) + zone

    def _any(self, start: int, length: int) -> bool:
        """Whether any of `length` groups of 16 bits from `start` on is not zero."""
        return bool(self.number >> 16 * (8 - start - length) & (1 << 16 * length) - 1)


class Prefix(Struct, frozen=True):
    """An address without a zone and the number of its first bits that count."""

    address: Address
    bits: int

    @property
    def network(self) -> int:
        """The bits that count."""
        return self.address.number >> (self.address.bits - self.bits)

    @property
    def masked(self) -> Prefix:
        """The prefix with all other bits set to zero."""
        return Prefix(Address(self.network << (self.address.bits - self.bits), self.address.version), self.bits)

    def contains(self, address: Address) -> bool:
        """Whether an address begins with the prefix; one with a zone never does."""
        same_family = address.version == self.address.version and not address.zone
        return same_family and Prefix(address, self.bits).network == self.network

    def __str__(self) -> str:
        return f"{self.address}/{self.bits}"


def parse_address(text: str) -> Address:
    """Read an address (`netip.ParseAddr`). Raises AddressError."""
    for character in text:
        if character == ".":
            return Address(_four_fields(text, text), 4)
        if character == ":":
            return _version_6(text)
        if character == "%":
            raise _refused(text, "missing IPv6 address")
    raise _refused(text, "unable to parse IP")


def parse_prefix(text: str) -> Prefix:
    """Read an address with a prefix length, such as `10.0.0.0/8` (`netip.ParsePrefix`). Raises AddressError."""
    before, slash, bits = text.rpartition("/")
    if not slash:
        raise _refused_prefix(text, "no '/'")
    try:
        address = parse_address(before)
    except AddressError as error:
        raise _refused_prefix(text, str(error)) from None
    if address.zone:
        raise _refused_prefix(text, "IPv6 zones cannot be present in a prefix")
    if not _BITS.fullmatch(bits):
        raise _refused_prefix(text, f"bad bits after slash: {go_quoted(bits)}")
    if int(bits) > address.bits:
        raise _refused_prefix(text, "prefix length out of range")
    return Prefix(address, int(bits))


def is_loose_address(text: str) -> bool:
    """Whether a text is an address without a zone in which decimal fields may have leading zeros.

    This is what Go's package net took until Go 1.17, and what Kubernetes still takes in places.
    """
    before, colon, last = text.rpartition(":")
    if not colon:
        return _is_loose_version_4(text)
    if "." in last:
        text = f"{before}:0:0" if _is_loose_version_4(last) else ""
    try:
        return not parse_address(text).zone and "%" not in text
    except AddressError:
        return False


def is_loose_prefix(text: str) -> bool:
    """Whether a text is a loose address with a prefix length, which may have leading zeros, too."""
    address, slash, bits = text.partition("/")
    most = 128 if ":" in address else 32
    return (
        bool(slash)
        and re.fullmatch(r"0*[0-9]{1,3}", bits) is not None
        and int(bits[-3:]) <= most
        and is_loose_address(address)
    )


def _is_loose_version_4(text: str) -> bool:
    fields = text.split(".")
    return len(fields) == 4 and all(re.fullmatch(r"0*[0-9]{1,3}", field) and int(field[-3:]) < 256 for field in fields)


def _refused(text: str, reason: str, at: str = "") -> AddressError:
    place = f" (at {go_quoted(at)})" if at else ""
    return AddressError(f"ParseAddr({go_quoted(text)}): {reason}{place}")


def _refused_prefix(text: str, reason: str) -> AddressError:
    return AddressError(f"netip.ParsePrefix({go_quoted(text)}): {reason}")


def _four_fields(text: str, decimal: str) -> int:
    """Return the number that the end `decimal` of the text stands for, four decimal fields."""
    fields = [0]
    digits = 0
    for place, character in enumerate(decimal):
        if "0" <= character <= "9":
            if digits == 1 and fields[-1] == 0:
                raise _refused(text, "IPv4 field has octet with leading zero")
            fields[-1] = fields[-1] * 10 + int(character)
            digits += 1
            if fields[-1] > 255:
                raise _refused(text, "IPv4 field has value >255")
        elif character != ".":
            raise _refused(text, "unexpected character", decimal[place:])
        elif not digits or place == len(decimal) - 1:
            raise _refused(text, "IPv4 field must have at least one digit", decimal[place:])
        elif len(fields) == 4:
            raise _refused(text, "IPv4 address too long")
        else:
            fields.append(0)
            digits = 0
    if len(fields) < 4:
        raise _refused(text, "IPv4 address too short")
    return int.from_bytes(bytes(fields), "big")


def _version_6(text: str) -> Address:
    rest, percent, zone = text.partition("%")
    if percent and not zone:
        raise _refused(text, "zone must be a non-empty string")
    groups: list[int] = []
    gap = 0 if rest.startswith("::") else -1
    rest = rest.removeprefix("::")
    while len(groups) < 8 and (rest or gap != len(groups)):
        digits = _leading_digits(text, rest)
        if rest[len(digits) : len(digits) + 1] == ".":
            if gap < 0 and len(groups) != 6:
                raise _refused(text, "embedded IPv4 address must replace the final 2 fields of the address", rest)
            if len(groups) > 6:
                reason = "too many hex fields to fit an embedded IPv4 at the end of the address"
                raise _refused(text, reason, rest)
            groups += divmod(_four_fields(text, rest), 1 << 16)
            rest = ""
            break
        groups.append(int(digits, 16))
        rest = rest[len(digits) :]
        if not rest:
            break
        rest = _after_colon(text, rest)
        if rest.startswith(":"):
            if gap >= 0:
                raise _refused(text, "multiple :: in address", rest)
            gap = len(groups)
            rest = rest[1:]
    if rest:
        raise _refused(text, "trailing garbage after address", rest)
    if len(groups) < 8 and gap < 0:
        raise _refused(text, "address string too short")
    if len(groups) == 8 and gap >= 0:
        raise _refused(text, "the :: must expand to at least one field of zeros")
    groups[gap:gap] = [0] * (8 - len(groups))
    return Address(int("".join(f"{group:04x}" for group in groups), 16), 6, zone)


def _leading_digits(text: str, rest: str) -> str:
    found = _HEX_DIGITS.match(rest)
    digits = found[0] if found else ""
    if not digits:
        raise _refused(text, "each colon-separated field must have at least one digit", rest)
    if len(digits) > 4:
        raise _refused(text, "each group must have 4 or less digits", rest)
    return digits


def _after_colon(text: str, rest: str) -> str:
    if rest[0] != ":":
        raise _refused(text, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise _refused(text, "colon must be followed by more characters", rest)
    return rest[1:]
