"""Reads the expressions of one part of an RGD from its YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import Expression, compile_parts, compile_scalar
from kro_ls.analysis.model.extraction import extract, is_standalone
from kro_ls.analysis.model.model import Dimension, FaultyText, TextFault
from kro_ls.analysis.names.inspection import inspect
from kro_ls.kro.collection_form import KREP_2_FORM
from kro_ls.kro.places import STANDALONE_ONLY, Place
from kro_ls.yaml_positions.access import entries, items, resolved, text_of
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.kro.versions.dialect import Dialect

# Aliases can make a small file stand for a huge tree; an object of a cluster never has this many strings.
_MOST_SCALARS = 100_000


def is_expression(node: Node | None) -> bool:
    """Whether a value is one expression and nothing else."""
    text = text_of(node)
    return text is not None and is_standalone(text, extract(text))


class ExpressionReader:
    """Collects the expressions of one part, in document order within each field."""

    def __init__(self, chunk_text: str, dialect: Dialect) -> None:
        self._dialect = dialect
        self.expressions: list[Expression] = []
        self.faulty_texts: list[FaultyText] = []
        self._chunk_text = chunk_text
        self._scalars_left = _MOST_SCALARS

    def tree(self, node: Node | None, place: Place, path: Path = ()) -> None:
        """Read every string under `node`; keys are never searched."""
        pending: list[tuple[Node | None, Path]] = [(node, path)]
        while pending and self._scalars_left > 0:
            node, path = pending.pop()
            node = resolved(node)
            if type(node) is Scalar:  # nodes are many: `isinstance` takes five times as long to say no
                self._scalar(node, place, path)
            elif type(node) is Mapping:
                pending += [(each.value, (*path, each.name)) for each in entries(node)[::-1] if each.name is not None]
            elif type(node) is Sequence:
                pending += [(item, (*path, index)) for index, item in enumerate(node.items)][::-1]

    def list(self, node: Node | None, place: Place) -> None:
        """Read the entries of a list of standalone expressions."""
        for index, item in enumerate(items(node)):
            if isinstance(item, Scalar):
                self._scalar(item, place, (index,))

    def conditions(self, node: Node | None, place: Place, *, may_be_one: bool) -> None:
        """Read a list of conditions, or the one that stands in place of a list."""
        value = resolved(node) if may_be_one else None
        if isinstance(value, Scalar):
            self._scalar(value, place, ())
        else:
            self.list(node, place)

    def dimensions(self, node: Node | None) -> Iterator[Dimension]:
        """Read the iterators of a `forEach`."""
        if isinstance(node, Scalar) and is_expression(node):
            self._scalar(node, Place.FOR_EACH, (KREP_2_FORM.iterator,))
            yield Dimension(KREP_2_FORM.iterator, node, node, self.expressions[-1])
        for index, item in enumerate(items(node)):
            for entry in entries(item):
                if entry.name is None or not isinstance(entry.key, Scalar):
                    continue
                value = resolved(entry.value)
                before = len(self.expressions)
                if isinstance(value, Scalar):
                    self._scalar(value, Place.FOR_EACH, (index, entry.name))
                expression = self.expressions[-1] if len(self.expressions) > before else None
                yield Dimension(entry.name, entry.key, entry.value, expression)

    def _scalar(self, scalar: Scalar, place: Place, path: Path) -> None:
        self._scalars_left -= 1
        text = scalar.value
        if not isinstance(text, str) or ("${" not in text and place not in STANDALONE_ONLY):
            return
        extraction = extract(text, self._dialect)
        if extraction.nested or extraction.unterminated:
            self._report_text(scalar, place, path)
        compiled = compile_scalar(text, extraction)
        if place in STANDALONE_ONLY and not (compiled and compiled.standalone) and not extraction.nested:
            whole = Span(scalar.start, scalar.end)
            self.faulty_texts.append(FaultyText(TextFault.NOT_STANDALONE, whole, scalar, place, path))
        elif compiled:
            separate = self._dialect.separate_parts and not compiled.standalone
            self.expressions += [
                Expression(place, path, scalar, self._chunk_text, each, inspect(each.text))
                for each in (compile_parts(text, extraction) if separate else (compiled,))
            ]

    def _report_text(self, scalar: Scalar, place: Place, path: Path) -> None:
        extraction = extract(scalar.text, self._dialect)
        source = source_map(self._chunk_text, scalar)
        if extraction.nested:
            span = source.source_span(extraction.nested)
            self.faulty_texts.append(FaultyText(TextFault.NESTED, span, scalar, place, path))
        for offset in extraction.unterminated if place not in STANDALONE_ONLY else ():
            span = source.source_span(Span(offset, offset + 2))
            self.faulty_texts.append(FaultyText(TextFault.UNTERMINATED, span, scalar, place, path))
