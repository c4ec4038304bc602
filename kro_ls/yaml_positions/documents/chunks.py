"""A chunk: a piece of a document that is parsed on its own, and found by its text as long as it is alive.

A text that is too large for any cluster is not parsed.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from kro_ls.queries.cells import Interned
from kro_ls.yaml_positions.errors import ExcessiveAliasingError, ParseFailure, YamlError, YamlErrorCode, describe
from kro_ls.yaml_positions.nodes import Alias, Mapping, Node, Sequence, entries_by_name, walk
from kro_ls.yaml_positions.parsing.builder import TreeBuilder
from kro_ls.yaml_positions.parsing.events import replace_invalid_characters
from kro_ls.yaml_positions.parsing.values import MOST_BYTES, SURELY_STORABLE, is_storable

if TYPE_CHECKING:
    from kro_ls.yaml_positions.parsing.repair import WorkingText
    from kro_ls.yaml_positions.positions import Span

_FEW_NODES, _MANY_NODES = 400_000, 4_000_000
_LARGEST_REPAIRED = 1_000_000
_MOST_REPAIRS = 16
_REPAIR_BUDGET = 2_000_000
_LONGEST_HELD = 4000
_living: Final[Interned[str, Chunk]] = Interned()
_repaired: Final[Interned[str, Chunk]] = Interned()
_held: Final[deque[Chunk]] = deque(maxlen=128)
"""The short broken chunks that were parsed last, without cached results: each took up to `_MOST_REPAIRS` parses.

While a document is damaged, every edit elsewhere in it needs the same chunks again, and nothing else keeps them alive.
"""


class Chunk(Struct, frozen=True, eq=False, weakref=True):
    """A parsed piece of text. Offsets of nodes and errors are in `text`. `root` is None where nothing is written.

    `unfinished` is the offset of a quote or bracket that is still open where the text ends. `cut` is the first alias
    without a target because there are too many, unless the YAML library refuses the text for that. `cells` caches
    results about the chunk; they are freed with it.
    """

    text: str
    root: Node | None
    errors: tuple[YamlError, ...]
    has_anchor: bool
    has_alias: bool
    unfinished: int | None
    cut: Span | None = None
    cells: dict[object, Any] = field(default_factory=dict)

    @property
    def is_entangled(self) -> bool:
        """Whether the chunk may depend on the rest of the document: it has an anchor, an alias or an open token."""
        return self.has_anchor or self.has_alias or self.unfinished is not None

    @property
    def is_flawed(self) -> bool:
        """Whether it has errors or may depend on the rest of the document, as few chunks do."""
        return bool(self.errors) or self.is_entangled


def parse_chunk(text: str) -> Chunk:
    """Return the chunk of a text: the same object for the same text as long as it is alive."""
    chunk = _living.get(text)
    if chunk is None:
        repaired = _repaired.get(text)
        chunk = _living[text] = replace(repaired, cells={}) if repaired else _parse(text)
        if chunk.errors and repaired is None and len(text) < _LONGEST_HELD:
            _repaired[text] = held = replace(chunk, cells={})
            _held.append(held)
    return chunk


def _parse(text: str) -> Chunk:
    clean, errors = replace_invalid_characters(text)
    if len(clean) > SURELY_STORABLE and not is_storable(clean):
        return _without_nodes(text, errors)
    builder = TreeBuilder(clean)
    unfinished = None
    try:
        builder.build()
    except ParseFailure as failure:
        unfinished = _unfinished(clean, failure, builder)
        builder = _parse_broken(clean, failure, builder, errors)
    cut = builder.cut
    if builder.has_alias and builder.anchors:
        excess = _excessive_aliasing((builder.again(math.inf) if cut else builder).root)
        if excess is not None:
            builder, cut = builder.again(0), None  # never read: the targets of aliases are dropped
            builder.errors.append(excess)
    errors = sorted(errors + builder.errors, key=lambda error: (error.start, error.end))
    return Chunk(text, builder.root, tuple(errors), bool(builder.anchors), builder.has_alias, unfinished, cut)


def _without_nodes(text: str, errors: list[YamlError]) -> Chunk:
    """Return the chunk of a text that is too large to parse."""
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    message = (
        f"not checked, because it has more than {MOST_BYTES // 1024**2} MiB; "
        "the API server takes no larger request, move what is large out of it"
    )
    error = YamlError(start, len(text) if end < 0 else end, message, YamlErrorCode.TOO_LARGE)
    return Chunk(text, None, (error, *errors), has_anchor=False, has_alias=False, unfinished=None)


def _excessive_aliasing(root: Node | None) -> YamlError | None:
    if root is None or not _is_mostly_repeated(root):
        return None
    first = next(node for node in walk(root) if isinstance(node, Alias))
    printed = "document contains excessive aliasing"
    message = str(ExcessiveAliasingError())
    return YamlError(first.start, first.end, message, YamlErrorCode.EXCESSIVE_ALIASING, printed=printed)


def _is_mostly_repeated(root: Node) -> bool:
    """Return whether aliases repeat more of a tree than go-yaml allows (`decode.go`), expanding no more than that."""
    nodes = repeated = 0
    pending: list[tuple[Node, bool]] = [(root, False)]
    while pending:
        node, is_repeated = pending.pop()
        nodes += 1
        repeated += is_repeated
        if repeated > 100 and nodes > 1000 and repeated > _allowed_share(nodes) * nodes:
            return True
        if isinstance(node, Mapping):
            pending += [(entry.value, is_repeated) for entry in reversed(tuple(entries_by_name(node).values()))]
        elif isinstance(node, Sequence):
            pending += [(item, is_repeated) for item in reversed(node.items)]
        elif isinstance(node, Alias) and node.target is not None:
            pending.append((node.target, True))
    return False


def _allowed_share(nodes: int) -> float:
    """Return which share of a tree may be repeated; it shrinks as the tree grows."""
    if nodes <= _FEW_NODES:
        return 0.99
    if nodes >= _MANY_NODES:
        return 0.10
    return 0.99 - 0.89 * (nodes - _FEW_NODES) / (_MANY_NODES - _FEW_NODES)


def _unfinished(text: str, failure: ParseFailure, builder: TreeBuilder) -> int | None:
    if failure.problem_offset < len(text.rstrip()):
        return None
    if failure.context == "while scanning a quoted scalar":
        return failure.context_offset
    return next((collection.start for collection in builder.open if collection.flow), None)


def _parse_broken(text: str, failure: ParseFailure, builder: TreeBuilder, errors: list[YamlError]) -> TreeBuilder:
    """Repair and parse again until the text parses; drop line after line, then the rest."""
    if len(text) > _LARGEST_REPAIRED:
        message, code = describe(failure, text, failure.problem_offset)
        end = min(failure.problem_offset + 1, len(text))
        errors.append(YamlError(failure.problem_offset, end, message, code, printed=failure.problem))
        return TreeBuilder("")
    from kro_ls.yaml_positions.parsing.repair import WorkingText, set_line_aside

    working = WorkingText(text)
    furthest = -1
    rounds = max(4, min(_MOST_REPAIRS, _REPAIR_BUDGET // len(text)))
    for remaining in range(rounds, 0, -1):
        place = working.locate(failure.problem_offset)
        if remaining <= 3:
            _report(working, failure, errors)
            set_line_aside(working, 0 if remaining == 1 else place, to_end=True)
        elif place <= furthest:
            set_line_aside(working, place, to_end=False)
        else:
            _report(working, failure, errors, builder)
        furthest = max(furthest, place)
        builder = TreeBuilder(working.text, working.locate, working.damage)
        try:
            builder.build()
        except ParseFailure as next_failure:
            # A traceback would keep this frame and its values alive in a reference cycle.
            failure = next_failure.with_traceback(None)
        else:
            return builder
    return TreeBuilder("")


def _report(
    working: WorkingText, failure: ParseFailure, errors: list[YamlError], builder: TreeBuilder | None = None
) -> None:
    """Add the error, and repair it if the builder is given."""
    offset = failure.problem_offset
    message, code = describe(failure, working.text, offset)
    start = working.locate(offset)
    text_end = working.locate(len(working.text))
    end = start + 1
    if builder is not None:
        from kro_ls.yaml_positions.parsing.repair import repair

        found = repair(working, failure, builder)
        start, end, message = found.start, max(found.end, found.start), found.message or message
    if not any(error.start <= start < error.end and error.code is not YamlErrorCode.DUPLICATE_KEY for error in errors):
        errors.append(YamlError(start, min(end, text_end), message, code, printed=failure.problem))
