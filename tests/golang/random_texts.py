"""Random texts for Go's readers: most are nearly right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from tests.golang.re2.random_patterns import questions as patterns

_NOISE = [*"0123456789abcdefABCDEF:./%+-_ ,;=&?#@[]<>\"\\'*!$()", "é", "\t", "\x00", "😀"]


def _spoiled(chance: Random, text: str) -> str:
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        at = chance.randint(0, len(text))
        text = text[:at] + chance.choice([*_NOISE, ""]) + text[at + chance.choice((0, 1)) :]
    return text


def _address(chance: Random) -> str:
    if chance.random() < 0.4:
        fields = [
            chance.choice(("0", "1", "9", "127", "169", "224", "254", "255", chance.choice(("1", "256", "01", ""))))
            for _ in range(4)
        ]
        return ".".join(fields[: chance.choice((4, 4, 4, 4, 3))])
    groups = [
        chance.choice(("0", "0", "1", "ffff", "FE80", "ff02", "db8", "00a", chance.choice(("1", "12345", ""))))
        for _ in range(8)
    ]
    groups = groups[: chance.choice((8, 8, 7, 4, 2, 6))]
    if chance.random() < 0.5:
        groups.insert(chance.randint(0, len(groups)), "")
    if chance.random() < 0.2:
        groups = ["", "", "ffff"] if chance.random() < 0.5 else groups[:6]
        groups.append(_address_4(chance))
    start = ":" if chance.random() < 0.2 else ""
    end = chance.choice(("", "", "", "", ":", "::", "%eth0", "%"))
    return f"{start}{':'.join(groups)}{end}"


def _address_4(chance: Random) -> str:
    return ".".join(str(chance.choice((0, 1, 10, 127, 192, 255))) for _ in range(4))


def addresses(chance: Random) -> list[str]:
    """Return an address."""
    return [_spoiled(chance, _address(chance))]


def prefixes(chance: Random) -> list[str]:
    """Return a prefix and an address."""
    bits = chance.choice(("0", "8", "24", "32", "33", "64", "128", "129", "08", "", "+8", "-1", "9" * 20))
    one = chance.choice((_address(chance), _address_4(chance), "2001:db8::"))
    return [_spoiled(chance, f"{one}/{bits}"), chance.choice((_address(chance), _address_4(chance), "2001:db8::1"))]


def urls(chance: Random) -> list[str]:
    """Return a URL, and a second argument that asks for `url.Parse`, too."""
    scheme = chance.choice(("http:", "https:", "HTTP:", "mailto:", "a+b.c:", "", "", ":", "1a:"))
    host = chance.choice(
        ("example.com", "a b", "[::1]", "[fe80::1%25en0]", "[1.2.3.4]", "h%C3%A9", "é", "x%41", "", "[::1")
    )
    port = chance.choice(("", "", ":80", ":", ":x", ":1:2", "::1"))
    user = chance.choice(("", "", "", "me@", "me:pa%20ss@", "m%zz@", "a@b@", "é@"))
    path = chance.choice(
        ("", "/", "/a/b", "/a%2Fb", "/a b", "/é", "/%", "/%4", "/[x]", "a:b", "*", "//x", "/a{b}", "/~'!")
    )
    query = chance.choice(("", "", "?", "?a=1&b=2&a=3", "?a", "?a=%zz&b", "?a;b=1", "?x=+%20%ff", "??"))
    fragment = chance.choice(("", "", "#", "#a%20b", "#%", "#a#b"))
    slashes = chance.choice(("//", "//", "//", "", "///", "/"))
    return [_spoiled(chance, f"{scheme}{slashes}{user}{host}{port}{path}{query}{fragment}"), "parse"]


def versions(chance: Random) -> list[str]:
    """Return two versions."""
    return [_spoiled(chance, _version(chance)), _version(chance)]


def _version(chance: Random) -> str:
    numbers = [chance.choice(("0", "1", "2", "10", "01", "18446744073709551616", "")) for _ in range(3)]
    prerelease = chance.choice(("", "", "-", "-1", "-a", "-a.1", "-01", "-a.b.c", "-1.a", "-a-b", "-2", "-é"))
    build = chance.choice(("", "", "+", "+b", "+01", "+a..b"))
    return f"{chance.choice(('', '', '', 'v'))}{'.'.join(numbers[: chance.choice((3, 3, 3, 2))])}{prerelease}{build}"


def quantities(chance: Random) -> list[str]:
    """Return two quantities."""
    return [_spoiled(chance, _quantity(chance)), _quantity(chance)]


def _quantity(chance: Random) -> str:
    sign = chance.choice(("", "", "+", "-"))
    digits = "".join(chance.choices("0123456789", k=chance.choice((0, 1, 1, 2, 3, 9, 18, 19, 20, 30))))
    decimals = chance.choice(("", "", ".", f".{chance.randint(0, 999)}", ".000000001", ".0000000001", ".5"))
    suffix = chance.choice(
        (
            *"numkMGTPE",
            "",
            "",
            "",
            "Ki",
            "Mi",
            "Gi",
            "Ti",
            "Pi",
            "Ei",
            "e3",
            "E3",
            "e-3",
            "e+3",
            "e",
            "K",
            "e19",
            "E-19",
        )
    )
    return f"{sign}{digits}{decimals}{suffix}"


def literals(chance: Random) -> list[str]:
    """Return a boolean, a number or a text in quotes."""
    sign = chance.choice(("", "", "+", "-"))
    digits = "".join(chance.choices("0123456789", k=chance.choice((0, 1, 2, 5, 18, 19, 20, 21))))
    decimals = chance.choice(("", "", ".", ".5", ".000", "e5", "e400", "E-400", ".1e+2", "p1", "_0", "e1_0"))
    start = chance.choice(("", "", "0x", "0X_1", "0b1", "1_"))
    word = chance.choice(
        ("true", "False", "t", "TRUE", "tRue", "inf", "-Infinity", "+nan", "NaN", "ınf", "", " ", "\x1c", "\x85")
    )
    return [_spoiled(chance, chance.choice((f"{sign}{start}{digits}{decimals}", f"{sign}{start}{digits}", word)))]


def quotes(chance: Random) -> list[str]:
    """Return characters from everywhere."""
    limits = (0x80, 0x100, 0x3000, 0xD800, 0x110000)
    characters = [chr(chance.randrange(chance.choice(limits))) for _ in range(chance.randint(0, 12))]
    return ["".join("\ufffd" if "\ud800" <= each < "\ue000" else each for each in characters)]


_WORDS = """
    app application bus box index status policy ingress database proxy gateway cache alias person child mouse
    analysis crisis datum medium matrix vertex quiz fish sheep series species news half wolf knife roof hero potato
    photo piano video toy key day boy fly spy city house horse gas lens canvas virus octopus cactus focus process
    access class glass dish batch search fix tax buzz waltz tooth foot goose man woman human german ox axis basis
    thesis oasis data media criteria money rice equipment information aws s3 dns https sqs iam vpc eks rds lambda
    stream queue topic bucket role user group net subnet cluster job node pod service account secret
""".split()


def kinds(chance: Random) -> list[str]:
    """Return the name of a kind."""
    if chance.random() < 0.3:
        return ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(1, 7))).capitalize()]
    words = chance.choices(_WORDS, k=chance.choice((1, 1, 2, 3)))
    ending = chance.choice(("", "", "", "s", "es", chance.choice("aeiouxyzshf")))
    return ["".join(map(str.capitalize, words)) + ending]


_FORMATS = ["ipv4", "ipv6", "cidr", "uri"]


def formats(chance: Random) -> list[str]:
    """Return a text and the names of formats."""
    text = chance.choice((lambda: _address(chance), lambda: prefixes(chance)[0], lambda: urls(chance)[0]))()
    return [_spoiled(chance, text), *_FORMATS]


_NAMES = (
    *("dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "labelValue"),
    *("dns1123LabelPrefix", "dns1123SubdomainPrefix", "dns1035LabelPrefix"),
)


def names(chance: Random) -> list[str]:
    """Return the name of an object, the key or the value of a label, and the format by which it is asked for."""
    long = chance.choice((61, 62, 63, 64, 125, 251, 252, 253, 254))
    words = ("a", "my-app", "1st", "A", "a_b", "-a", "a-", "--", "", "é", "é-", "a" * long, f"{'a' * long}-")
    parts = [chance.choice(words) for _ in range(chance.choice((1, 1, 2, 3)))]
    prefix = chance.choice(("", "", "", "example.com/", "/", "a/b/", "Example.com/", f"{'a.' * 127}b/"))
    return [_spoiled(chance, f"{prefix}{chance.choice(('.', '.', '-', '')).join(parts)}"), chance.choice(_NAMES)]


_MADE: dict[str, Callable[[Random], list[str]]] = {
    "addr": addresses,
    "format": formats,
    "literal": literals,
    "names": names,
    "plural": kinds,
    "prefix": prefixes,
    "quantity": quantities,
    "quote": quotes,
    "semver": versions,
    "url": urls,
}

FUNCTIONS = ("regexp", *_MADE)


def questions(function: str, seed: int, count: int) -> Iterator[list[str]]:
    """Yield the arguments of questions to a function of the oracle."""
    if function == "regexp":
        yield from patterns(seed, count)
        return
    chance = Random(seed)
    for _ in range(count):
        yield _MADE[function](chance)
