"""Addresses; most is compared with Go in test_agreement.py."""

import pytest

from kro_ls.golang.ip import is_loose_address, is_loose_prefix, parse_address


@pytest.mark.parametrize("text", ["010.1.02.3", "::ffff:01.2.3.4", "0" * 10_000 + "1.2.3.4", "::", "fe80::1"])
def test_loose_addresses(text: str) -> None:
    assert is_loose_address(text)


@pytest.mark.parametrize(
    "text", ["", "1.2.3", "256.1.1.1", "1.2.3.4.5", "fe80::1%eth0", "::1.2.3.4:5", "١.2.3.4", "1::2::3"]
)
def test_what_is_not_a_loose_address(text: str) -> None:
    assert not is_loose_address(text)


def test_loose_prefixes() -> None:
    assert is_loose_prefix("010.0.0.0/08")
    assert is_loose_prefix("::/" + "0" * 10_000 + "128")
    assert not is_loose_prefix("10.0.0.0/33")
    assert not is_loose_prefix("10.0.0.0")


@pytest.mark.parametrize(
    "text", ["::", "1::", "::1", "1::1:0:0:2", "1:0:2:0:3:0:4:0", "0:1:2:3:4:5:6:7", "2001:db8::a:0:b"]
)
def test_addresses_are_printed_as_short_as_can_be(text: str) -> None:
    assert str(parse_address(text)) == text
