"""What keeps kubectl from reading a file with ResourceGraphDefinitions, besides what is wrong inside of them.

kubectl cuts a file at lines that begin with `---` and reads each part on its own (k8s.io/apimachinery
`pkg/util/yaml/decoder.go`); every part must be YAML, and a mapping with a kind (k8s.io/cli-runtime `pkg/resource`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from kro_ls.analysis.model.documents import ends, means_rgd, unread_documents
from kro_ls.analysis.model.reading import is_rgd
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.access import text_of
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import Alias, Mapping, Scalar, Sequence
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.stream import begins_with_value, json_head, json_objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.text import Text

_SEPARATOR = "---"
_DIRECTIVE = re.compile(r"((?:[ \t]*(?:#[^\n]*)?\r?\n)*---[^\n]*\n)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*(%[^\r\n]*)")
_NO_VALUE = re.compile(r"(---)?[ \t]*(?:#[^\n]*)?\r?\n?(?:[ \t]*(?:#[^\n]*)?\r?\n)*(\.\.\.)(?=\s|\Z)")
_TEMPLATE = re.compile(r"^[ \t]*(\{\{[^\r\n]*)", re.MULTILINE)


_UNREAD = "kubectl reads one document between two `---`: what follows `...` is not applied; write `---` before it"


class Fault(NamedTuple):
    """Why kubectl refuses the file, or with a lesser severity what it does not read, and where in the text."""

    span: Span
    message: str
    severity: Severity | None = None


def faults(analysis: Analysis) -> Iterator[Fault]:
    """Yield the faults of a text that holds an RGD, or one that is only meant to be one; of another text none."""
    content = analysis.text.content
    known = {id(rgd.rgd.document) for rgd in analysis.rgds}
    others = [document for document in analysis.stream.documents if id(document) not in known]
    meant = [document for document in others if means_rgd(content, document)]
    unread = unread_documents(analysis.stream)
    if not analysis.rgds and not any(_is_unreadable(each) or each.start in unread for each in meant):
        return
    yield from _separator_faults(analysis.text)
    yield from _json_faults(content)
    spans = [(rgd.rgd.document.start, rgd.rgd.document.end) for rgd in analysis.rgds]
    before: YamlDocument | None = None
    for document in analysis.stream.documents:
        if before and document.start < before.end:
            continue  # an item of a list
        after_end = before is not None and (before.start in unread or ends(content, before))
        before = document
        if document.start in unread:
            if is_rgd(document):
                yield Fault(_kind_span(document), _UNREAD, Severity.WARNING)
            for error in document.errors:
                if error.code is YamlErrorCode.INVALID_CHARACTER:
                    yield Fault(Span(error.start, error.end), f"{error.message}; kubectl refuses the file")
            continue
        yield from _frame_faults(content, document, after_end=after_end)
        if id(document) not in known:
            yield from _document_faults(content, document, spans)


def _is_unreadable(document: YamlDocument) -> bool:
    return bool(document.errors) or not isinstance(document.frame.chunk.root, Mapping)


def _json_faults(content: str) -> Iterator[Fault]:
    if len(json_objects(content)) > 1:
        rest = content[json_head(content) :].strip()
        if rest:
            start = content.index(rest, json_head(content))
            message = "kubectl refuses the file: after two JSON objects it takes all of it for JSON"
            yield Fault(Span(start, start + len(rest.split("\n", 1)[0])), message)


def _separator_faults(text: Text) -> Iterator[Fault]:
    content = text.content
    if not content.startswith(_SEPARATOR) and not text.contains(f"\n{_SEPARATOR}"):
        return
    start = 0 if content.startswith(_SEPARATOR) else content.find(f"\n{_SEPARATOR}") + 1
    while start > 0 or content.startswith(_SEPARATOR, start):
        line_end = content.find("\n", start)
        line_end = len(content) if line_end < 0 else line_end
        after = content[start + len(_SEPARATOR) : line_end]
        written = after.strip()
        if written and not written.startswith("#"):
            place = start + len(_SEPARATOR) + after.index(written[0])
            message = f"invalid Yaml document separator: {written}: kubectl allows nothing but a comment after `---`"
            yield Fault(Span(place, place + len(written)), message)
        start = content.find(f"\n{_SEPARATOR}", start) + 1 if text.contains(f"\n{_SEPARATOR}") else 0
        if start == 0:
            return


def _kind_span(document: YamlDocument) -> Span:
    kind = document.child(("kind",))
    return document.frame.document_span(kind.node.span) if kind else Span(document.start, document.start)


def _frame_faults(content: str, document: YamlDocument, *, after_end: bool) -> Iterator[Fault]:
    starts_here = content.startswith(_SEPARATOR, document.start) and _keeps_separator(content, document.start)
    directive = _DIRECTIVE.match(content, document.start, document.end)
    if directive and not (starts_here if directive[1] else after_end):
        message = "did not find expected <document start>: kubectl cuts the file at `---` and cannot read directives"
        yield Fault(Span(directive.start(2), directive.end(2)), message)
    no_value = _NO_VALUE.match(content, document.start, document.end)
    if no_value and not starts_here:
        message = "did not find expected node content: nothing stands before the end of this document, remove the dots"
        yield Fault(Span(no_value.start(2), no_value.end(2)), message)


def _keeps_separator(content: str, start: int) -> bool:
    """Whether kubectl leaves a `---` in what it reads: where there is nothing yet to be ended by it."""
    count, place, head = 0, start, json_head(content)
    while place > head and content.startswith(_SEPARATOR, line := content.rfind("\n", 0, place - 1) + 1):
        count, place = count + 1, line
    return count % 2 == (place > head)


def _document_faults(content: str, document: YamlDocument, spans: list[tuple[int, int]]) -> Iterator[Fault]:
    """Yield the first fault of a document: of one that is not an RGD, more would be guesses."""
    template = _TEMPLATE.search(content, document.start, document.end) if document.errors else None
    if template:
        message = "kubectl cannot read a template: render it first, for example with `helm template`"
        yield Fault(Span(template.start(1), template.end(1)), f"{message}; kubectl refuses the file")
        return
    errors = [
        error
        for error in document.errors
        if error.code is not YamlErrorCode.DUPLICATE_KEY and content[error.start : error.end] != "\ufeff"
    ]
    is_second = errors[:1] and errors[0].code is YamlErrorCode.SECOND_VALUE
    if is_second and begins_with_value(content[document.start : document.end]):
        errors = []
    for error in errors[:1]:
        if not any(start <= error.start < end for start, end in spans):
            yield Fault(Span(error.start, error.end), f"{error.message}; kubectl refuses the file")
    root = document.frame.chunk.root
    root = root.target if isinstance(root, Alias) else root
    if errors or root is None or (isinstance(root, Scalar) and root.value is None):
        return
    span = document.frame.document_span(root.span)
    if not isinstance(root, Mapping):
        yield Fault(span, "kubectl refuses the file: a document has to be a mapping with `apiVersion` and `kind`")
    elif not text_of(root.get("kind")):
        first = document.frame.document_span(root.entries[0].key.span) if root.entries else span
        yield Fault(first, "Object 'Kind' is missing: kubectl refuses a file with a document without `kind`")
    else:
        items = root.get("items")
        if (
            items is not None
            and not isinstance(items, Sequence)
            and not (isinstance(items, Scalar) and items.value is None)
        ):
            yield Fault(document.frame.document_span(items.span), "kubectl refuses the file: `items` has to be a list")
