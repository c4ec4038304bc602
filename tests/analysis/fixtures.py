"""Fixtures of diagnostics: one string with an RGD, and under a line what is expected on it.

    name: ${shema.metadata.name}
    #       ^^^^^ unresolved-reference: did you mean 'schema'

The carets stand under the marked text; of a text over several lines they mark the first. What follows the code is a
part of the message. Such lines are taken out before the analysis, and a diagnostic that nobody expected fails the test.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, diagnose_text
from kro_ls.rules.diagnostics import Diagnostic
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.text import Text

_EXPECTATION = re.compile(r"^\s*#?\s*(\^+) ([a-z-]+):? ?(.*)$")

_HEAD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: example
spec:
"""
_SCHEMA = """\
schema:
  apiVersion: v1alpha1
  kind: Example
"""


@dataclass(frozen=True, slots=True, order=True)
class Expectation:
    """A diagnostic that should be there: 0-based line, columns in code points."""

    line: int
    start: int
    end: int
    code: str
    message: str


def rgd(fragment: str) -> str:
    """Return a whole RGD: `fragment` itself, or an RGD around a part of its `spec` (`schema:` or `resources:`)."""
    fragment = textwrap.dedent(fragment).lstrip("\n")
    if not re.match(r"(schema|resources):", fragment):
        return fragment
    schema = "" if re.search(r"^schema:", fragment, re.MULTILINE) else _SCHEMA
    return _HEAD + textwrap.indent(schema + fragment, "  ")


def read_fixture(source: str) -> tuple[str, list[Expectation]]:
    """Return the text of a fixture and what is expected of it."""
    lines: list[str] = []
    expected: list[Expectation] = []
    for line in rgd(source).split("\n"):
        found = _EXPECTATION.match(line)
        if found is None:
            lines.append(line)
        else:
            expected.append(Expectation(len(lines) - 1, *found.span(1), found[2], found[3]))
    return "\n".join(lines), expected


def check_diagnostics(source: str, settings: Settings = DEFAULT_SETTINGS) -> tuple[Diagnostic, ...]:
    """Check that the diagnostics of a fixture are the expected ones, and return them."""
    content, expected = read_fixture(source)
    text = Text(content)
    diagnostics = diagnose_text(text, settings).diagnostics
    found = sorted(_seen(text, diagnostic) for diagnostic in diagnostics)
    wanted = sorted(expected)
    assert [_place(each) for each in found] == [_place(each) for each in wanted], "\n".join(map(str, found))
    for each, message in zip(found, (each.message for each in wanted), strict=True):
        assert message in each.message, f"{message!r} is not in {each.message!r}"
    return diagnostics


def check_fixed(source: str, title: str, settings: Settings = DEFAULT_SETTINGS) -> str:
    """Check a fixture, apply the one fix with this title, check that nothing is wrong any more; return the new text."""
    diagnostics = check_diagnostics(source, settings)
    content, _ = read_fixture(source)
    fixes = [fix for diagnostic in diagnostics for fix in diagnostic.fixes]
    matching = [fix for fix in fixes if fix.title == title]
    assert len(matching) == 1, f"fixes: {[fix.title for fix in fixes]}"
    for replacement in sorted(matching[0].replacements, key=lambda each: each.span.start, reverse=True):
        content = content[: replacement.span.start] + replacement.text + content[replacement.span.end :]
    check_diagnostics(content, settings)
    return content


def _seen(text: Text, diagnostic: Diagnostic) -> Expectation:
    start, end = text.position(diagnostic.span.start), text.position(diagnostic.span.end)
    line_span = text.line_span(start.line)
    last = end.column if end.line == start.line else line_span.end - line_span.start
    return Expectation(start.line, start.column, last, diagnostic.code, diagnostic.message)


def _place(each: Expectation) -> tuple[int, int, int, str]:
    return each.line, each.start, each.end, each.code
