"""Expressions that are meant to be costly: any functions, of large values, in loops. Their previews must end."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from kro_ls.cel.types.types import Kind
from kro_ls.features.previews.preview import make_preview
from kro_ls.kro.environment import LIBRARIES
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.workspace.instances import find_instance
from kro_ls.yaml_positions.text import Text
from tests.fixtures.bombs import bound, definition_of, doubled
from tests.fixtures.large_values import calls
from tests.soak.subject import Subject

if TYPE_CHECKING:
    from random import Random

    from kro_ls.cel.types.declarations import Overload
    from kro_ls.cel.types.types import Type

_STEPS = 2_000_000
"""A quarter of a second; the attack allows four times as much."""

_PIECES = ("a", "1", "ab", "é", "中", " ", "9", "0.", "1h", "a.", "f:", "[],", "%s", "a=b&", "<", "x,")
_LEAVES = {
    Kind.STRING: ("text", "other", "text + 'b'", "'b' + text", "'a'", "','", "'[a-z]*b'", "string(number)"),
    Kind.INT: ("number", "7", "numbers.size()", "text.size()", "-1"),
    Kind.UINT: ("1u", "uint(7)"),
    Kind.DOUBLE: ("1.5", "double(number)"),
    Kind.BOOL: ("true", "text == other", "numbers == numbers", "number > 3"),
    Kind.BYTES: ("bytes(text)", "b'a'"),
    Kind.LIST: ("numbers", "texts", "numbers.map(i, [i])", "[text, other]", "texts.map(i, {i: i})"),
    Kind.MAP: ("entries", "{text: 1}", "{'a': text}", "numbers.transformMap(i, v, v)"),
    Kind.DURATION: ("duration('1h1m')", "duration(text)"),
    Kind.TIMESTAMP: ("timestamp(number)", "timestamp('2020-01-01T00:00:00Z')"),
    Kind.NULL: ("null",),
}
_READERS = {
    "kubernetes.Quantity": "quantity(string(number))",
    "kubernetes.URL": "url('https://a/' + text)",
    "kubernetes.Semver": "semver('1.2.3-' + text)",
    "net.IP": "ip('10.0.0.1')",
    "net.CIDR": "cidr('10.0.0.0/8')",
    "optional_type": "optional.of(text)",
}
_LOOPS = {
    Kind.BOOL: ("{0}.exists(i, {1})", "{0}.all(i, {1})", "{0}.exists_one(i, {1})"),
    Kind.LIST: ("{0}.map(i, {1})", "{0}.filter(i, {1})", "{0}.sortBy(i, {1})"),
    Kind.MAP: ("{0}.transformMap(i, v, {1})",),
    Kind.INT: ("{0}.map(i, {1}).size()",),
}


@cache
def _overloads(kind: Kind) -> tuple[tuple[Overload, str], ...]:
    return tuple((overload, text) for overload, text in calls(LIBRARIES) if overload.result.kind is kind)


def _expression(random: Random, wanted: Type | None, depth: int) -> str:
    """Return an expression of roughly the wanted type, or of any type if none is wanted."""
    kind = random.choice(list(_LEAVES)) if wanted is None or wanted.is_dynamic else wanted.kind
    if kind is Kind.TYPE_PARAMETER:
        kind = random.choice((Kind.INT, Kind.STRING, Kind.LIST))
    if wanted is not None and wanted.name in _READERS:
        return _READERS[wanted.name]
    if depth and kind in _LOOPS and random.random() < 0.3:
        body = _expression(random, None, depth - 1)
        return random.choice(_LOOPS[kind]).format(random.choice(_LEAVES[Kind.LIST][:2]), body)
    if not depth or not _overloads(kind) or random.random() < 0.2:
        return random.choice(_LEAVES.get(kind, ("text",)))
    overload, text = random.choice(_overloads(kind))
    for number, parameter in reversed(list(enumerate(overload.parameters))):
        text = text.replace(f"x{number}", f"({_expression(random, parameter, depth - 1)})")
    return text


def _make(random: Random) -> str:
    values = {
        "text": doubled(f"'{random.choice(_PIECES)}'", random.randint(2, 20), "big"),
        "other": "text + 'b' + text" if random.random() < 0.5 else "text",
        "number": str(10 ** random.randint(1, 18)),
        "numbers": f"lists.range({10 ** random.randint(1, 6)})",
        "texts": "lists.range(1000).map(i, string(i) + 'a')",
        "entries": "lists.range(1000).transformMap(i, v, string(v))",
    }
    result = _expression(random, None, random.randint(1, 4))
    if random.random() < 0.5:
        result = f"lists.range(1000000).map(i, {result}).size()"
    return definition_of(bound(values, result))


def _run(text: str) -> int:
    for rgd in diagnose_text(Text(text)).analysis.rgds:
        make_preview(rgd, find_instance(rgd, "file:///a.yaml", ()), PreviewBudget(_STEPS))
    return 1


BOMBS = Subject(_make, _run, share=8)
