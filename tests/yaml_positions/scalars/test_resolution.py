"""The expected values follow go-yaml v2 (`resolve.go`), sigs.k8s.io/yaml (`yaml.go`) and Kubernetes' JSON reader."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.yaml_positions.scalars.resolution import ScalarStyle, ScalarValue, resolve

TAG = "tag:yaml.org,2002:"

PLAIN: dict[str, ScalarValue] = {
    **dict.fromkeys(["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"], True),
    **dict.fromkeys(["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"], False),
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **{text: text for text in ["yEs", "oN", "nULL", "tRUE", "~x", "yesterday", "nil", "none", "t", "f"]},
    "0": 0,
    "-0": 0,
    "+1": 1,
    "12": 12,
    "017": 15,
    "0o17": 15,
    "0O17": 15,
    "0x1F": 31,
    "-0x1f": -31,
    "0b101": 5,
    "-0b101": -5,
    "1_000": 1000,
    "0b1_01": 5,
    "0x_1": 1,
    "0b-1": -1,
    "00": 0,
    "08": 8,
    "09.5": 9.5,
    "1.": 1,
    "1.5": 1.5,
    ".5": 0.5,
    "-.5": -0.5,
    "+.5": 0.5,
    "1e3": 1000,
    "3.0": 3,
    "-0.0": 0,
    "1e-3": 0.001,
    "1E5": 100000,
    "1_0.5": 10.5,
    "1e21": 1e21,
    "1e20": 1e20,
    "9e18": 9 * 10**18,
    "9223372036854775807": 2**63 - 1,
    "-9223372036854775808": -(2**63),
    "9223372036854775808": 2.0**63,
    "18446744073709551616": 2.0**64,
    "-9223372036854775809": -(2**63),
    **{text: text for text in ["._5", ".5_0", ".", "..", "-", "+", "--1", "1e", "0x", "0b", "0b2", "0o8", "0xg", "_1"]},
    **{
        text: text for text in ["1e999", ".5e999", "1 000", "1:30", "190:20:30", "0x1p4", "1,5", "٣", "+-1", "infinity"]
    },
    **{
        text: text
        for text in ["2001-12-14", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10", "<<", "=", "${x}"]
    },
}


@pytest.mark.parametrize(("text", "value"), PLAIN.items())
def test_plain_scalars(text: str, value: ScalarValue) -> None:
    resolved = resolve(text, ScalarStyle.PLAIN).value
    assert resolved == value
    assert type(resolved) is type(value)


@pytest.mark.parametrize("text", [".inf", "-.Inf", "+.INF", ".nan", ".NaN"])
def test_numbers_that_json_cannot_hold_are_refused(text: str) -> None:
    resolution = resolve(text, ScalarStyle.PLAIN)
    assert isinstance(resolution.value, float)
    assert not math.isfinite(resolution.value)
    assert resolution.problem is not None


@pytest.mark.parametrize("style", [style for style in ScalarStyle if style not in ("plain", "missing")])
@pytest.mark.parametrize("text", ["1", "true", "~", "", "0x1F"])
def test_quoted_and_block_scalars_are_strings(text: str, style: ScalarStyle) -> None:
    assert resolve(text, style).value == text


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        ("str", "1", "1"),
        ("str", "", ""),
        ("int", "3", 3),
        ("float", "3", 3),
        ("float", "3.5", 3.5),
        ("bool", "yes", True),
        ("null", "", None),
        ("timestamp", "2001-12-14", "2001-12-14"),
        ("binary", "aGVs\nbG8=", "hello"),
        ("set", "1", "1"),
    ],
)
def test_tags_of_yaml(tag: str, text: str, value: ScalarValue) -> None:
    resolution = resolve(text, ScalarStyle.DOUBLE_QUOTED, TAG + tag)
    assert (resolution.value, resolution.problem) == (value, None)


@pytest.mark.parametrize(
    ("tag", "text"),
    [("int", "foo"), ("int", "1.5"), ("bool", "1"), ("null", "x"), ("timestamp", "2001-13-14"), ("binary", "***")],
)
def test_a_value_that_does_not_fit_its_tag_is_refused(tag: str, text: str) -> None:
    assert resolve(text, ScalarStyle.PLAIN, TAG + tag).problem is not None


def test_other_tags_make_strings() -> None:
    assert resolve("1", ScalarStyle.PLAIN, "!custom").value == "1"
    assert resolve("true", ScalarStyle.PLAIN, "!").value == "true"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a", "a"),
        ("1", "1"),
        ("0x10", "16"),
        ("yes", "true"),
        ("off", "false"),
        ("1.5", "1.5"),
        ("1e3", "1000"),
        ("1e6", "1e+06"),
        ("1e-5", "1e-05"),
        ("0.0001", "0.0001"),
        ("123456.7", "123456.7"),
        ("123456789.0", "1.2345679e+08"),
        (".inf", ".inf"),
        ("~", None),
        ("18446744073709551615", None),
    ],
)
def test_keys_are_strings(text: str, key: str | None) -> None:
    assert resolve(text, ScalarStyle.PLAIN).key == key


@given(st.text(alphabet="+-.0123456789_xXoObBeEaAfFnNyYsStTlLuU~:TtZ ", max_size=12))
def test_any_text_resolves(text: str) -> None:
    for tag in (None, TAG + "int", TAG + "float", TAG + "bool", TAG + "null", TAG + "timestamp", TAG + "binary"):
        value = resolve(text, ScalarStyle.PLAIN, tag).value
        assert value is None or isinstance(value, str | int | float)
