"""String formats."""

import pytest

from kro_ls.openapi.validation.formats import CHECKS, has_format, supported_format

FORMATS: dict[str, tuple[list[str], list[str]]] = {
    "bsonobjectid": (["507f1f77bcf86cd799439011"], ["507f1f77bcf86cd79943901", "z07f1f77bcf86cd799439011"]),
    "byte": (["aGk=", "aGVsbG8h", "YQ=="], ["", "a", "aGk", "a-_=", "aGk=\n"]),
    "cidr": (
        ["10.0.0.0/8", "010.0.0.0/08", "::1/128"],
        ["10.0.0.0", "10.0.0.0/33", "::1/129", "10.0.0/8", "1.2.3.4/x"],
    ),
    "creditcard": (["4111 1111 1111 1111", "378282246310005"], ["4111111111111112", "1234", ""]),
    "date": (["2024-02-29", "0000-01-31"], ["2023-02-29", "2024-13-01", "2024-1-1", "2024-01-32", ""]),
    "date-time": (
        ["2014-12-15T19:30:20Z", "2014-12-15t19:30:20.123+01:00", "2014-12-15T23:59:59z"],
        ["2014-12-15", "2014-12-15T24:00:00Z", "2014-12-15 19:30:20Z", "2014-12-15T19:30:20", "x", ""],
    ),
    "duration": (
        ["1h30m", "-1.5s", "0", "5 days", "3 µs", "2weeks", "1hr", "x 3m y"],
        ["", "5", "h", "v87", "5 parsecs", "1 mins?"[:0]],
    ),
    "email": (
        [
            "a@b",
            "a.b+c@example.com",
            "Jo <jo@example.com>",
            '"a b"@c.d',
            "a@[127.0.0.1]",
            "jö@exämple.com",
            "a@b (note)",
        ],
        ["", "a", "a@", "@b", "a..b@c", "a b@c", "<a@b", "a@b,c@d", "a@[x]"],
    ),
    "hexcolor": (["#fff", "A0b1C2"], ["#ffff", "g00", ""]),
    "hostname": (
        ["a", "a-b", "example.com", "1.example.co", "☃.com", "a-b.com"],
        ["", "-a", "a_b", "a.b", "a-.com", "a." * 200 + "com", "a..com"],
    ),
    "ipv4": (
        ["1.2.3.4", "001.002.003.004", "::ffff:1.2.3.4"],
        ["1.2.3", "1.2.3.256", "::1", "1.2.3.4.5", "", "1.2.3.x"],
    ),
    "ipv6": (
        ["::1", "2001:db8::ff", "::ffff:1.2.3.4"],
        ["1.2.3.4", ":", "fe80::1%eth0", "::1::", "::ffff:01.2.3.4", ""],
    ),
    "isbn": (["0321751043", "978-0321751041"], ["0321751044", "978-0321751042", "1"]),
    "isbn10": (["0-321-75104-3", "080442957X"], ["978-0321751041", "0804429571"]),
    "isbn13": (["978-0321751041"], ["0321751043"]),
    "k8s-short-name": (["a", "a-1", "a" * 63], ["A", "a" * 64, "a.b", "-a", "a-", ""]),
    "k8s-long-name": (["a.b", "a" * 253], ["a" * 254, "a..b", "A.b", ""]),
    "mac": (
        ["01:23:45:67:89:ab", "01-23-45-67-89-AB-cd-ef", "0123.4567.89ab"],
        ["01:23:45:67:89", "01:23-45:67:89:ab", "0123.4567", "zz:23:45:67:89:ab", ""],
    ),
    "password": (["", "anything"], []),
    "rgbcolor": (["rgb(0,12,255)", "rgb( 1 , 2 , 3 )"], ["rgb(0,0,256)", "rgb(0,0)", "rgb(00,0,0)"]),
    "ssn": (["123-45-6789", "123 45 6789"], ["123456789", "12-345-6789"]),
    "uri": (
        [
            "/a/b",
            "http://a.b/c?d",
            "mailto:a@b",
            "http://u:p@h:80/",
            "*",
            "http://[::1]:80/",
            "/a%20b#c",
            "x:y",
            "http://a%25b",
        ],
        [
            "",
            "a/b",
            "http://a b/",
            "/%zz",
            ":a",
            "http://[::1/",
            "http://h:port/",
            "http://a:1:2/",
            "/a\x7f",
            "http://a%20b/",
        ],
    ),
    "uuid": (
        ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"],
        ["123e4567", "g23e4567-e89b-12d3-a456-426614174000"],
    ),
    "uuid3": (["a3bb189e-8bf9-3888-9912-ace4e6543002"], ["a3bb189e-8bf9-4888-9912-ace4e6543002"]),
    "uuid4": (["f47ac10b-58cc-4372-a567-0e02b2c3d479"], ["f47ac10b-58cc-4372-7567-0e02b2c3d479"]),
    "uuid5": (["886313e1-3b8a-5372-9b90-0c9aee199e5d"], ["886313e1-3b8a-3372-9b90-0c9aee199e5d"]),
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats(name: str) -> None:
    accepted, refused = FORMATS[name]
    assert [text for text in accepted if not has_format(text, name)] == []
    if name != "duration":
        assert [text for text in refused if has_format(text, name)] == []
    else:
        assert [text for text in refused if text and has_format(text, name)] == []


def test_every_format_is_tested() -> None:
    assert {name.replace("-", "") for name in FORMATS} == set(CHECKS)


@pytest.mark.parametrize(
    "text", ["a" * 20_000, "a." * 10_000, "(" * 10_000, '"' * 9_999, "a " * 10_000 + "<", "@" * 10_000]
)
def test_no_text_takes_long(text: str) -> None:
    for name in CHECKS:
        assert has_format(text, name) in (True, False)


def test_which_formats_count_depends_on_the_type() -> None:
    assert supported_format("string", "date-time") == "date-time"
    assert supported_format("", "ipv4") == "ipv4"
    assert supported_format("integer", "int32") == "int32"
    assert supported_format("number", "double") == "double"
    for type_name, format_name in [("string", "int32"), ("integer", "int8"), ("object", "date"), ("string", "regex")]:
        assert supported_format(type_name, format_name) == ""
