"""What keeps kubectl from reading a file with ResourceGraphDefinitions, besides what is wrong inside of them.

kubectl cuts a file at lines that begin with `---` and reads each part on its own (k8s.io/apimachinery
`pkg/util/yaml/decoder.go`); every part must be YAML, and a mapping with a kind (k8s.io/cli-runtime `pkg/resource`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from kro_ls.analysis.model.documents import means_rgd
from kro_ls.yaml_positions.access import text_of
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import Alias, Mapping, Scalar
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.yaml_positions.document import YamlDocument

_SEPARATOR = "---"
_JSON = re.compile(r"\ufeff?[ \t\r\n]*\{")
_DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*(%[^\r\n]*)")
_NO_VALUE = re.compile(r"(---)?[ \t]*(?:#[^\n]*)?\r?\n?(?:[ \t]*(?:#[^\n]*)?\r?\n)*(\.\.\.)(?=\s|\Z)")
_TEMPLATE = re.compile(r"^[ \t]*(\{\{[^\r\n]*)", re.MULTILINE)


class Fault(NamedTuple):
    """Why kubectl refuses the file, and where in the text."""

    span: Span
    message: str


def faults(analysis: Analysis) -> Iterator[Fault]:
    """Yield the faults of a text that holds an RGD, or one that is only meant to be one; of another text none."""
    content = analysis.text.content
    known = {id(rgd.rgd.document) for rgd in analysis.rgds}
    others = [document for document in analysis.stream.documents if id(document) not in known]
    meant = [document for document in others if means_rgd(content, document)]
    if not analysis.rgds and not any(map(_is_unreadable, meant)):
        return
    is_json = _JSON.match(content) is not None
    if not is_json:
        yield from _separator_faults(content)
    spans = [(rgd.rgd.document.start, rgd.rgd.document.end) for rgd in analysis.rgds]
    first = analysis.stream.documents[0]
    is_ignored = False
    for document in analysis.stream.documents:
        follows_end = is_ignored and not content.startswith(_SEPARATOR, document.start)
        is_ignored = _ends(content, document) or follows_end
        if follows_end:
            continue  # kubectl reads one document between two separators
        if not is_json:
            yield from _frame_faults(content, document, is_first=document is first)
        if id(document) not in known:
            yield from _document_faults(content, document, spans)


def _is_unreadable(document: YamlDocument) -> bool:
    return bool(document.errors) or not isinstance(document.frame.chunk.root, Mapping)


def _separator_faults(content: str) -> Iterator[Fault]:
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
        start = content.find(f"\n{_SEPARATOR}", start) + 1
        if start == 0:
            return


def _frame_faults(content: str, document: YamlDocument, *, is_first: bool) -> Iterator[Fault]:
    directive = _DIRECTIVE.match(content, document.start, document.end)
    if directive:
        message = "did not find expected <document start>: kubectl cuts the file at `---` and cannot read directives"
        yield Fault(Span(directive.start(1), directive.end(1)), message)
    no_value = _NO_VALUE.match(content, document.start, document.end)
    if no_value and not (is_first and no_value[1]):
        message = "did not find expected node content: nothing stands before the end of this document, remove the dots"
        yield Fault(Span(no_value.start(2), no_value.end(2)), message)


def _ends(content: str, document: YamlDocument) -> bool:
    """Whether a document ends with `...`, so that the next one is no part of its own without `---`."""
    last = content.rfind("\n", 0, max(document.end - 1, 0)) + 1
    return last >= document.start and content.startswith("...", last)


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
