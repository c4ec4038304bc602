"""Random CEL expressions of a wanted type: most pass the checker, so more than refusals are compared.

A type is written `string`, `int`, `double`, `bool`, `bytes`, `list(string)`, `map(string)`, `optional(string)` or
`any`. A variable may also have `dyn`, which fits everywhere, while `any` fits no particular place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from kro_ls.kro.versions.history import (
    FUNCTIONS,
    ONLY_0_7_1,
    QUOTED_FIELDS,
    REFUSED_BY_0_7_1,
    TWO_VARIABLE_MACROS,
)
from kro_ls.kro.versions.version import NEXT, OLDEST, Version

_FORMS: dict[str, tuple[str, ...]] = {
    "string": (
        "'a'", '"x y"', "'a-b'", "{string} + {string}", "string({int})",
        "{bool} ? {string} : {string}", "{string}.lowerAscii()", "{string}.replace('a', {string})", "{string}.trim()",
        "{list(string)}.join(',')", "{list(string)}[0]", "{map(string)}[{string}]", "{map(string)}.a",
        "'%s-%d'.format([{string}, {int}])", "{string}.split('-')[0]", "string({double})", "string({bool})",
        "{string}.substring(0, 1)", "base64.encode(bytes({string}))", "{string}.charAt(0)", "'''it's'''", "r'a\\d'",
        "{optional(string)}.orValue({string})", "{string}.upperAscii()", "string({bytes})", "{any}", "dyn({string})",
        "url('https://' + {string}).getHost()", "{string}.find('[a-z]+')", "{list(string)}.filter(x, x != {string})[0]",
        "random.seededString(5, {string})", "'\\u00e9\\n'", "{map(string)}[?'a'].orValue({string})",
        "{{'b/c': {string}}}.`b/c`", "({string} // c\n)",
    ),
    "int": (
        "1", "0", "-2", "size({list(string)})", "{string}.size()", "{int} + {int}", "{int} * {int}", "int({string})",
        "int({double})", "{bool} ? {int} : {int}", "{string}.indexOf('a')", "{int} % 3", "-{int}", "{list(int)}[0]",
        "{map(string)}.size()", "timestamp('2026-01-01T00:00:00Z').getFullYear()", "duration('90m').getHours()",
        "{int} / 2", "{int} - {int}", "0x1F", "{list(int)}.size()", "{list(string)}.map(x, {int}).size()",
    ),
    "double": ("1.5", "double({int})", "{double} * {double}", "{double} + 0.5", "double({string})", "1e3", "-{double}"),
    "bool": (
        "true", "false", "{string} == {string}", "{int} > {int}", "!{bool}", "{bool} && {bool}", "{bool} || {bool}",
        "{string}.startsWith({string})", "{string}.matches('^[a-z]+$')", "{string} in {list(string)}",
        "{list(string)}.exists(x, {string+x} == {string})", "{list(int)}.all(x, {int+x} > {int})",
        "{map(string)}.exists(k, {string+k} == 'a')", "{string} in {map(string)}", "{int} in [1, 2]", "{int} != {int}",
        "{optional(string)}.hasValue()", "{list(string)} == {list(string)}", "{double} < {double}", "{int} >= 0",
        "{list(string)}.exists_one(x, x == {string})", "{string}.contains('a')", "{any} == {any}", "{any} == null",
        "{bool} ? {bool} : {bool}", "{map(string)} != {map(string)}", "{string} < {string}", "{double} == {int}",
    ),
    "bytes": ("b'a'", "bytes({string})", "base64.decode({string})"),
    "list(string)": (
        "[{string}]", "[{string}, {string}]", "{string}.split(',')", "{list(string)}.map(x, {string+x})", "['a']",
        "{list(string)}.filter(x, {bool})", "{list(string)} + {list(string)}", "{map(string)}.map(k, {string+k})",
        "{list(int)}.map(i, string(i))", "{list(string)}.sort()", "{list(string)}.distinct()", "[?{optional(string)}]",
        "{list(string)}.reverse()", "{bool} ? {list(string)} : {list(string)}", "{string}.findAll('[a-z]')",
        "{list(string)}.map(x, x != '', {string+x})", "[[{string}], {list(string)}].flatten()",
    ),
    "list(int)": (
        "[1, 2]", "[{int}]", "{list(int)}.map(x, {int+x})", "{list(string)}.map(x, x.size())", "{list(int)} + [{int}]",
        "{list(int)}.filter(x, x > {int})", "{list(int)}.sort()", "lists.range(3)",
    ),
    "map(string)": (
        "{{'a': {string}}}", "{{'a': {string}, 'b': {string}}}", "{{{string}: {string}}}",
        "{bool} ? {map(string)} : {map(string)}",
        "{{'a': 'b', ?'c': {optional(string)}}}",
    ),
    "optional(string)": ("{map(string)}[?{string}]", "{list(string)}[?0]", "{any}.?a",
    "{optional(string)}.or({optional(string)})"),
    "any": (
        "{string}", "{int}", "{bool}", "{list(string)}", "{map(string)}", "{list(int)}", "{double}", "null", "[]",
        "{{}}",
        "[{any}, {any}]", "{{'k': {any}}}", "{list(string)}.map(x, {{'name': x}})", "{{'a': {any}, 'b': [{any}]}}",
        "dyn({any})", "type({any}) == string ? {any} : {any}", "{{'a': {{'b': {int}}}}}.a",
    ),
}  # fmt: skip
_SINCE_0_9: dict[str, tuple[str, ...]] = {
    "string": (
        "json.marshal({any})", "cel.bind(v, {string}, v + {string+v})", "strings.quote({string})", "json.encode({any})",
        "string(quantity({string}).isGreaterThan(quantity('1')))", "{optional(string)}.optMap(v, v + 'x').orValue('')",
        "base64.encode(hash.sha256({string}))", "{list(string)}.last().orValue('')",
        "{list(string)}.first().orValue('')",
        "string(hash.fnv64a({string}))", "string(ip('10.0.0.1'))",
    ),
    "int": (
        "{list(int)}.sum()", "{list(int)}.max()", "random.seededInt(0, 5, {string})", "{list(int)}.indexOf(1)",
        "semver('1.2.3').major()", "quantity('5').asInteger()",
    ),
    "bool": (
        "{list(string)}.all(i, x, {string+x} != string(i))", "isQuantity({string})", "{list(string)}.isSorted()",
        "cidr('10.0.0.0/8').containsIP('10.0.0.1')", "isIP({string})", "isSemver({string})", "isCIDR({string})",
    ),
    "bytes": ("hash.md5({string})",),
    "list(string)": (
        "{list(string)}.sortBy(x, {string+x})", "{list(string)}.transformList(i, x, {string+x} + string(i))",
        "lists.setAtIndex({list(string)}, 0, {string})", "{list(string)}.slice(0, 1)",
    ),
    "list(int)": ("{map(string)}.transformList(k, v, {int})", "lists.insertAtIndex({list(int)}, 0, {int})"),
    "map(string)": (
        "{map(string)}.merge({map(string)})", "{list(string)}.transformMapEntry(i, x, {{x: {string+x}}})",
        "{map(string)}.transformMap(k, v, {string+v})", "{map(string)}.deepMerge({map(string)})",
    ),
    "optional(string)": ("optional.of({string})", "optional.ofNonZeroValue({string})", "{list(string)}.first()"),
    "any": ("json.unmarshal({string})", "{list(string)}.transformMap(i, x, x.size() > 1, {any})", "quantity({string})"),
}  # fmt: skip
_TYPES = tuple(_FORMS)
_SLOT = re.compile(r"\{\{|\}\}|\{([a-z]+(?:\([a-z]+\))?)(\+([a-z]*))?\}")


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may use: `variables` are texts with their types.

    `version` is the newest whose functions may be used; `wildness` is the chance that a part has another type than it
    should.
    """

    variables: tuple[tuple[str, str], ...]
    version: Version = NEXT
    wildness: float = 0.0

    def with_variables(self, *more: tuple[str, str]) -> Scope:
        """Return the scope with some variables more, which are likely to be used."""
        return replace(self, variables=self.variables + more * 3)


def expression(random: Random, wanted: str, scope: Scope, depth: int = 0) -> str:
    """Return an expression of a type."""
    if random.random() < scope.wildness:
        wanted = random.choice(_TYPES)
    if wanted not in _FORMS:
        wanted = "any"
    fitting = [text for text, type_ in scope.variables if wanted in (type_, "any") or type_ == "dyn"]
    if fitting and random.random() < (0.5 if depth == 0 else 0.75):
        return _read(random, random.choice(fitting), wanted, scope, depth)
    forms = _known(wanted, scope.version, is_new=False)
    if random.random() < 0.3:
        forms = _known(wanted, scope.version, is_new=True) or forms
    if depth > 1:
        forms = tuple(each for each in forms if "{" not in each.replace("{{", "")) or _FORMS[wanted][:1]
    return _fill(random, random.choice(forms), scope, depth)


@lru_cache(maxsize=1024)
def _known(wanted: str, version: Version, *, is_new: bool) -> tuple[str, ...]:
    """Return the forms of a type that a version knows; the new ones came with kro 0.9."""
    oldest, forms = (TWO_VARIABLE_MACROS, _SINCE_0_9.get(wanted, ())) if is_new else (OLDEST, _FORMS[wanted])
    return tuple(each for each in forms if version >= max(oldest, _first_version(each, version)))


def _first_version(form: str, version: Version) -> Version:
    calls = set(re.findall(r"[\w.]*\w(?=\()", form))
    names = calls | {each.rpartition(".")[2] for each in calls}
    if "`" in form:
        return QUOTED_FIELDS
    if names & REFUSED_BY_0_7_1 and version < ONLY_0_7_1[1]:
        return ONLY_0_7_1[1]
    return max((FUNCTIONS[name] for name in names if name in FUNCTIONS), default=OLDEST)


def _fill(random: Random, form: str, scope: Scope, depth: int) -> str:
    def part(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0][0]
        inner = scope.with_variables((found[3], found[1])) if found[3] else scope
        text = expression(random, found[1], inner, depth + 1)
        return f"({text})" if " " in text else text

    return _SLOT.sub(part, form)


def _read(random: Random, text: str, wanted: str, scope: Scope, depth: int) -> str:
    """Return an expression that reads a variable, now and then as something that may be missing."""
    head, dot, last = text.rpartition(".")
    if not dot or not last.isidentifier() or random.random() < 0.75:
        return text
    if wanted == "optional(string)":
        return f"{head}.?{last}"
    other = expression(random, wanted, scope, depth + 1)
    if random.random() < 0.03:
        return f"{head}[?'{last}'].orValue({other})"
    return random.choice([f"{head}.?{last}.orValue({other})", f"(has({text}) ? {text} : {other})"])
