"""JUnit's XML, which CI systems read: the results of tests, a suite per test file, and the findings of a check."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from click import unstyle

from kro_ls.cli.report import LEVELS, fails
from kro_ls.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from kro_ls.cli.report import CheckedFile, Report
    from kro_ls.cli.testing import TestResult
    from kro_ls.rules.diagnostics import Diagnostic


def report(results: Sequence[TestResult], broken: Iterable[tuple[Path, str]]) -> str:
    """Return the document of a test run; a file that could not be run is a suite with one error."""
    root = Element("testsuites", name="kro-ls test")
    for file, tests in groupby(results, key=lambda each: each.file):
        cases, name = list(tests), printable(str(file))
        failures = sum(bool(each.messages) for each in cases)
        suite = SubElement(root, "testsuite", name=name, tests=str(len(cases)), failures=str(failures), errors="0")
        for each in cases:
            case = SubElement(suite, "testcase", classname=name, name=printable(each.name))
            if each.messages:
                texts = [unstyle(message) for message in each.messages]
                failure = SubElement(case, "failure", message=texts[0].splitlines()[0])
                failure.text = "\n".join(texts)
    for file, message in broken:
        text = unstyle(message)
        _add_broken(root, file, printable(str(file)), text.splitlines()[0], text)
    return document(root)


def render(report: Report, level: str) -> str:
    """Return the document of a check: a suite per file, and a failed test for each error and warning of a level.

    A file without any is a suite with one test, which passed.
    """
    root = Element("testsuites", name="kro-ls check")
    for file in report.files:
        shown = (each for each in file.diagnostics if each.severity in LEVELS[level])
        _add_suite(root, file, [each for each in shown if fails(each)])
    for error in report.unreadable:
        _add_broken(root, error.path, "readable", error.reason, str(error))
    return document(root)


def document(root: Element) -> str:
    """Return the text of a document, laid out."""
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _add_broken(root: Element, path: Path, case: str, message: str, text: str) -> None:
    """Add the suite of a file that cannot be used."""
    name = printable(str(path))
    suite = SubElement(root, "testsuite", name=name, tests="1", failures="0", errors="1")
    SubElement(SubElement(suite, "testcase", classname=name, name=case), "error", message=message).text = text


def _add_suite(root: Element, file: CheckedFile, failing: list[Diagnostic]) -> None:
    name = printable(file.path)
    count = str(len(failing))
    suite = SubElement(root, "testsuite", name=name, tests=str(len(failing) or 1), failures=count, errors="0")
    for each in failing:
        place = file.text.position(each.span.start)
        line, column = str(place.line + 1), place.column + 1
        case = SubElement(suite, "testcase", classname=name, name=f"{each.code}:{line}:{column}")
        message = printable(each.message)
        failure = SubElement(case, "failure", type=each.severity.value, message=message)
        note = f"\n{printable(each.kro_note)}" if each.kro_note else ""
        note += "".join(f"\n{printable(f'{one.message}: {one.path}:{one.line}')}" for one in each.files if one.line)
        failure.text = f"{name}:{line}:{column}: {each.severity}[{each.code}]: {message}{note}"
    if not failing:
        SubElement(suite, "testcase", classname=name, name="accepted")
