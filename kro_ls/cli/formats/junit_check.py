"""The findings of a check as JUnit's XML: a suite for each file, and a failed test for each error and warning."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement

from kro_ls.cli.formats.junit import document
from kro_ls.cli.report import LEVELS, fails
from kro_ls.printable import printable

if TYPE_CHECKING:
    from kro_ls.cli.report import CheckedFile, Report
    from kro_ls.rules.diagnostics import Diagnostic


def render(report: Report, level: str) -> str:
    """Return the document with the errors and warnings that a level shows.

    A file without any is a suite with one test, which passed.
    """
    root = Element("testsuites", name="kro-ls check")
    for file in report.files:
        shown = (each for each in file.diagnostics if each.severity in LEVELS[level])
        _add_suite(root, file, [each for each in shown if fails(each)])
    for error in report.unreadable:
        name = printable(str(error.path))
        suite = SubElement(root, "testsuite", name=name, tests="1", failures="0", errors="1")
        case = SubElement(suite, "testcase", classname=name, name="readable")
        SubElement(case, "error", message=error.reason).text = str(error)
    return document(root)


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
