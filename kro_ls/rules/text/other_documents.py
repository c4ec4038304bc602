"""Why kubectl cannot read a file with ResourceGraphDefinitions, besides the faults inside of them.

kubectl cuts a file at lines that begin with `---` and reads each part on its own (k8s.io/apimachinery
`pkg/util/yaml/decoder.go`); every part must be YAML, and a mapping with a kind (k8s.io/cli-runtime `pkg/resource`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.analysis.model.reading import is_rgd, means_rgd, second_object, unread_documents
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.rule import NO_KIND
from kro_ls.yaml_positions.documents.parts import SEPARATOR, json_objects, separator_lines, yaml_parts, yaml_start
from kro_ls.yaml_positions.documents.runs import PlacedChunk
from kro_ls.yaml_positions.documents.stream import first_value
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import Alias, Mapping, Scalar, Sequence, text_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.errors import YamlError
    from kro_ls.yaml_positions.text import Text

_NO_DOCUMENT = r"\ufeff?(?>[ \t]*(?:#[^\n]*)?\r?\n)*+(?:(%[^\r\n]*)|(\.\.\.)(?=\s|\Z))"
_NO_START = ("<document start>", "kubectl cuts the file at '---' and cannot read directives; remove this one")
_NO_CONTENT = ("node content", "nothing stands before the end of this document; remove the dots")
_SEPARATOR = "invalid Yaml document separator: {text}"
_LEAST_AFTER_JSON = 4
"""The bytes that kubectl needs after a JSON object to read the rest as YAML."""
_TEMPLATE = r"^[ \t]*(\{\{[^\r\n]*)"
_SECOND_OBJECT = "a second object begins here, and kubectl drops the first; put '---' before it, or indent it"
_UNREAD = "kubectl does not read what follows '...'; write '---' before it"


def _of_yaml(error: YamlError) -> Finding:
    message = f"{error.message}; kubectl refuses the file"
    return Finding(Span(error.start, error.end), message, kro_message=error.printed or None)


def faults(analysis: Analysis) -> Findings:
    """Yield the faults of a text with an RGD, or with a document that is meant to be one, in document offsets."""
    content = analysis.text.content
    known = {id(rgd.rgd.document) for rgd in analysis.rgds}
    others = [document for document in analysis.stream.documents if id(document) not in known]
    meant = [document for document in others if means_rgd(content, document)]
    unread = unread_documents(analysis.stream)
    if not analysis.rgds and not any(_is_unreadable(each) or each.start in unread for each in meant):
        return
    if not analysis.stream.is_plain:
        yield from _separator_faults(analysis.text)
        yield from _part_faults(analysis.text)
        yield from _json_faults(content)
    spans = [(rgd.rgd.document.start, rgd.rgd.document.end) for rgd in analysis.rgds]
    before: YamlDocument | None = None
    for document in analysis.stream.documents:
        if before and document.start < before.end:
            continue  # an item of a list
        before = document
        if document.start in unread:
            if is_rgd(document):
                yield Finding(_kind_span(document), _UNREAD, severity=Severity.WARNING)
            for error in document.errors:
                if error.code is YamlErrorCode.INVALID_CHARACTER and not _is_byte_order_mark(content, error):
                    yield _of_yaml(error)
            continue
        if id(document) not in known:
            yield from _document_faults(content, document, spans)


def _is_byte_order_mark(content: str, error: YamlError) -> bool:
    return content[error.start : error.end] == "\ufeff"


def _is_unreadable(document: YamlDocument) -> bool:
    return bool(document.errors) or not isinstance(document.frame.chunk.root, Mapping)


def _json_faults(content: str) -> Findings:
    objects = json_objects(content)
    if not objects:
        return
    start = yaml_start(content)
    rest = content[start:].strip()
    if not rest:
        return
    if len(objects) > 1:
        message = "this is not JSON; after two JSON objects, kubectl takes all of the file for JSON"
    elif len(content) - start + content.endswith("\n", 0, start) < _LEAST_AFTER_JSON:
        message = "this is not JSON; kubectl takes so short a rest of the file for JSON"
    else:
        return
    start = content.index(rest, start)
    yield Finding(Span(start, start + len(rest.split("\n", 1)[0])), message)


def _separator_faults(text: Text) -> Findings:
    content = text.content
    for start in separator_lines(text):
        after = content[start + len(SEPARATOR) : content.find("\n", start) + 1 or len(content)]
        written = after.strip()
        if written and not written.startswith("#"):
            found = start + len(SEPARATOR) + after.index(written[0])
            message = f"'{written}' cannot follow '---'; kubectl allows nothing but a comment there"
            kro_message = _SEPARATOR.format(text=written)
            yield Finding(Span(found, found + len(written)), message, kro_message=kro_message)


def _part_faults(text: Text) -> Findings:
    """Yield what YAML cannot read at the head of a part, where a `---` would begin a document."""
    for start, end in yaml_parts(text):
        found = re.compile(_NO_DOCUMENT).match(text.content, start, end)
        if found is None:
            continue
        kind, reason = _NO_START if found[1] else _NO_CONTENT
        span, kro_message = Span(*found.span(found.lastindex or 0)), f"did not find expected {kind}"
        yield Finding(span, reason, kro_message=kro_message)


def _kind_span(document: YamlDocument) -> Span:
    kind = document.child(("kind",))
    return document.frame.document_span(kind.node.span) if kind else Span(document.start, document.start)


def _document_faults(content: str, document: YamlDocument, spans: list[tuple[int, int]]) -> Findings:
    """Yield the first fault of a document that is not an RGD; more would be guesses."""
    template = (
        re.compile(_TEMPLATE, re.MULTILINE).search(content, document.start, document.end) if document.errors else None
    )
    if template:
        message = "kubectl cannot read a template; render it first, for example with 'helm template'"
        yield Finding(Span(template.start(1), template.end(1)), message)
        return
    second = second_object(document)
    if second is not None:
        fix = Fix("Put '---' before it", (Replacement(Span(second.start, second.start), f"{SEPARATOR}\n"),))
        yield Finding(second, _SECOND_OBJECT, fixes=(fix,))
    errors = [
        error
        for error in document.errors
        if error.code is not YamlErrorCode.DUPLICATE_KEY and not _is_byte_order_mark(content, error)
    ]
    is_second = errors[:1] and errors[0].code is YamlErrorCode.SECOND_VALUE
    alone = first_value(content[document.start : document.end]) if is_second else None
    if alone:
        errors = []
    for error in errors[:1]:
        if not any(start <= error.start < end for start, end in spans):
            yield _of_yaml(error)
    placed = PlacedChunk(alone, (), document.start) if alone else document.frame
    root = placed.chunk.root
    root = root.target if isinstance(root, Alias) else root
    if errors or root is None or (isinstance(root, Scalar) and root.value is None):
        return
    span = placed.document_span(root.span)
    if not isinstance(root, Mapping):
        yield Finding(span, "a document must be a mapping with 'apiVersion' and 'kind'; kubectl refuses the file")
    elif not text_of(root.get("kind")):
        first = placed.document_span(root.entries[0].key.span) if root.entries else span
        yield Finding(first, "this document has no 'kind'; kubectl refuses the file", kro_message=NO_KIND)
    else:
        items = root.get("items")
        if (
            items is not None
            and not isinstance(items, Sequence)
            and not (isinstance(items, Scalar) and items.value is None)
        ):
            yield Finding(placed.document_span(items.span), "'items' must be a list; kubectl refuses the file")
