"""Damaged CEL expressions and regular expressions."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import Budget
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.cel.syntax.ast import walk
from kro_ls.cel.syntax.formatting import usual_blanks
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import DYN
from kro_ls.golang.re2.examples import example_of
from kro_ls.golang.re2.pattern_cache import find, pattern_error
from kro_ls.golang.re2.pattern_errors import UndecidedError
from kro_ls.kro.conversion import to_json
from kro_ls.kro.environment import LIBRARIES, base_environment, parse
from tests.cel.syntax.unparse import dump
from tests.fixtures.definitions import rgd
from tests.soak.damage import damaged
from tests.soak.definitions import run_text
from tests.soak.subject import Subject
from tests.soak.texts import expressions

if TYPE_CHECKING:
    from random import Random

    from kro_ls.cel.types.declarations import Environment

_MORE = (
    "schema.spec.name + 'a' == \"b\" ? [1, 2u, 3.5] : {'a': b'\\x01', 'c': null}",
    "a.b.?c[?0].orValue(size(x)).map(i, i * 2 % 3 - -1).exists_one(j, j in [1, 2] || !has(j.k))",
    "[1, 2, 3].transformList(i, v, i + v).filter(x, x > 1 && x <= 0x1F).all(y, string(y).matches('^[a-z]+$'))",
    'quantity("1Gi").add(duration("1h2m")).compareTo(url("https://a/b")) != timestamp("2020-01-01T00:00:00Z")',
    "json.unmarshal(base64.encode(bytes('a'))).x.y['z'].startsWith(random.seededString(5, schema.metadata.uid))",
    "'%s %d %x %.3f %b'.format(['a', 1, b'b', 2.5, true]) + 'a,b'.split(',').join('-').replace('a', 'b', -1)",
    "timestamp('2024-02-29T23:59:60Z').getHours('Europe/Berlin') + duration('1.5h').getSeconds() / int('7')",
    "cidr('10.0.0.0/8').containsIP(ip('10.1.2.3')) && semver('1.2.3-a+b').isLessThan(semver('2.0.0'))",
    "cel.bind(a, [3, 1, 2], a.sort().slice(0, 2).reverse().flatten().distinct().sum() + a.max() - a.indexOf(1))",
    "'a1b2'.find('[0-9]+') + string('x'.findAll('(?i)[a-z&&]{0,3}')) + 'tacocat'.substring(1, 4).charAt(0)",
)
_VALUES = {
    "schema": {"spec": {"name": "a", "count": 3, "f": 1.5}, "metadata": {"name": "n", "namespace": "d", "uid": "u"}},
    "a": {"b": {"c": [1, 2, 3]}, "metadata": {"name": "a"}},
    "x": [1, -2, 9223372036854775807],
}


@cache
def _environment() -> Environment:
    return base_environment().extend(dict.fromkeys(_VALUES, DYN))


def _make_cel(random: Random) -> str:
    return damaged(random, random.choice(_MORE if random.random() < 0.4 else expressions()))


def _run_cel(text: str) -> int:
    """Check that a damaged expression has a tree within the text, and can be checked, formatted and evaluated."""
    parsed = parse(text)
    assert all(0 <= node.start <= node.end <= len(text) for node in walk(parsed.root))
    checked = check(parsed.root, _environment())
    places = [(each.start, each.end) for each in parsed.errors] + [(each.start, each.end) for each in checked.errors]
    assert all(0 <= start <= end <= len(text) for start, end in places)
    if not parsed.errors:
        formatted = text
        for blank in reversed(usual_blanks(text)):
            formatted = formatted[: blank.start] + blank.text + formatted[blank.end :]
        assert dump(parse(formatted).root) == dump(parsed.root)
    try:
        to_json(compile_program(parsed.root, LIBRARIES, checked).evaluate(_VALUES, Budget(20_000)), Budget(20_000))
    except EvaluationError:
        return 1
    return 1


def _run_in_definition(text: str) -> int:
    """Check that every question about a definition with a damaged expression is answered."""
    written = json.dumps("${" + text + "}")
    resource = f"- id: a\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {{name: {written}}}"
    return run_text(rgd(resource))


_PATTERNS = (
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
    "(?P<year>\\d{4})-(?:\\d{1,2}|x)*?[[:alpha:]\\pL\\P{Greek}]+",
    "(?i:a|b|)(?s).+\\Q.*\\E\\x{1F600}[^\\w\\s-]{2,5}$",
    "((a*)*)*b|\\bword\\B|[\\x00-\\x{10FFFF}]{0,1000}",
    "^(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$",
)
_TEXT = "2024-10 abc é\U0001f600 word.*x" + "a" * 60
_REGEX_PIECES = (
    *(
        "*",
        "+",
        "?",
        "{2}",
        "{0,}",
        "{3,1}",
        "{1001}",
        "(",
        ")",
        "[",
        "]",
        "^",
        "$",
        "|",
        ".",
        "\\",
        "(?",
        "(?P<",
        "(?i)",
    ),
    *(
        "\\Q",
        "\\E",
        "\\p",
        "\\p{",
        "}",
        "[:alpha:]",
        "[[:^word:]]",
        "\\x{",
        "-",
        "[^",
        "\\C",
        "(?-s:",
        "\\8",
        "&&",
        "\\z",
    ),
)


def _run_regex(pattern: str) -> int:
    """Check that a damaged pattern is refused at a place in it or decides quickly, and that its example matches."""
    error = pattern_error(pattern)
    if error is not None:
        assert 0 <= error.start <= error.end <= len(pattern), (error.start, error.end)
        return 1
    try:
        place = find(pattern, _TEXT)
        assert place is None or 0 <= place[0] <= place[1] <= len(_TEXT)
        example = example_of(pattern)
        assert example is None or find(pattern, example) is not None
    except UndecidedError:
        return 1
    return 1


def _make_regex(random: Random) -> str:
    pattern = random.choice(_PATTERNS)
    for _ in range(random.randint(1, 5)):
        start = random.randint(0, len(pattern))
        end = start + random.choice((0, 0, 0, 1, 4, 12))
        pattern = pattern[:start] + random.choice(_REGEX_PIECES) + pattern[end:]
    return pattern


CEL = Subject(_make_cel, _run_cel, share=60)
CEL_IN_PLACE = Subject(_make_cel, _run_in_definition, share=25)
REGEXES = Subject(_make_regex, _run_regex, share=20)
