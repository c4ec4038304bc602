"""The report that CI systems read: JUnit's XML, one suite per test file."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from click import unstyle

from kro_ls.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from kro_ls.cli.testing import TestResult


def report(results: Sequence[TestResult], broken: Iterable[tuple[Path, str]]) -> str:
    """Return the document; a file that could not be run is a suite with one error."""
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
        name = printable(str(file))
        suite = SubElement(root, "testsuite", name=name, tests="1", failures="0", errors="1")
        case = SubElement(suite, "testcase", classname=name, name=name)
        text = unstyle(message)
        SubElement(case, "error", message=text.splitlines()[0]).text = text
    return document(root)


def document(root: Element) -> str:
    """Return the text of a document, laid out."""
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'
