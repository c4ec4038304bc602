"""Writes values in the style of the nodes that they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.printable import printable_literals
from kro_ls.render.yaml_text import indented, lines, scalar_text, text_block
from kro_ls.yaml_positions.conversion import to_python
from kro_ls.yaml_positions.nodes import Mapping, Scalar, ScalarStyle, Sequence
from kro_ls.yaml_positions.writing import double_quoted

if TYPE_CHECKING:
    from kro_ls.yaml_positions.nodes import Node

_BLOCKS = {ScalarStyle.LITERAL: "|", ScalarStyle.FOLDED: ">"}


def lines_of_block(value: Any, indent: int) -> str:
    """Return a value in block style without the last line end, its lines indented by a number of blanks."""
    return "\n".join(indented(line, indent) for line in lines(value))


def flow_text(value: Any, *, in_flow: bool = True) -> str:
    """Return a value on one line: `{a: 1, b: [x]}`."""
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{scalar_text(name, in_flow=True)}: {flow_text(each)}" for name, each in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    return scalar_text(value, in_flow=in_flow)


def written_like(text: str, node: Mapping | Sequence, value: Any) -> str:
    """Return a value in flow style; the unchanged entries of a collection keep their text."""
    inside = text[node.start + 1 : node.end - 1]
    before = inside[: len(inside) - len(inside.lstrip())] if inside.strip() else ""
    after = inside[len(inside.rstrip()) :] if inside.strip() else ""
    if isinstance(node, Mapping) and isinstance(value, dict):
        parts = [
            f"{text[node.index[name].start : node.index[name].value.start]}{_part(text, node.index[name].value, each)}"
            if name in node.index
            else f"{scalar_text(name, in_flow=True)}: {flow_text(each)}"
            for name, each in value.items()
        ]
    elif isinstance(node, Sequence) and isinstance(value, list):
        parts = [
            _part(text, node.items[index], each) if index < len(node.items) else flow_text(each)
            for index, each in enumerate(value)
        ]
    else:
        return flow_text(value)
    opening, closing = "{}" if isinstance(node, Mapping) else "[]"
    separator = f",{before}" if "\n" in before else ", "
    return f"{opening}{before}{separator.join(parts)}{after}{closing}" if parts else f"{opening}{closing}"


def _part(text: str, node: Node, value: Any) -> str:
    if to_python(node) == value and type(to_python(node)) is type(value):
        return text[node.start : node.end]
    if isinstance(node, Mapping | Sequence) and isinstance(value, dict | list):
        return written_like(text, node, value)
    return scalar_like(text, node, value, 0, in_flow=True)


def scalar_like(text: str, node: Node, value: Any, indent: int, *, in_flow: bool) -> str:
    """Return a value in the style of a scalar: its quotes, or its block, which is below `indent` blanks."""
    if not isinstance(node, Scalar) or not isinstance(value, str):
        return flow_text(value, in_flow=in_flow)
    if node.style is ScalarStyle.SINGLE_QUOTED and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if node.style in (ScalarStyle.SINGLE_QUOTED, ScalarStyle.DOUBLE_QUOTED):
        return printable_literals(double_quoted(value))
    if node.style in _BLOCKS:
        block = _block(text[node.start : node.end], value, indent)
        if block:
            return block
    return scalar_text(value, in_flow=in_flow)


def _block(source: str, value: str, indent: int) -> str | None:
    """Return a text as a literal block with the indentation of another block; None where it cannot be one."""
    block = text_block(value)
    if block is None:
        return None
    written = [line for line in source.split("\n")[1:] if line.strip()]
    blanks = len(written[0]) - len(written[0].lstrip(" ")) if written else indent + 2
    return "\n".join([block[0], *(indented(line, blanks) for line in block[1:])])
