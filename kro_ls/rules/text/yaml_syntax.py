"""Reports the errors of the YAML, and says what a wrong indentation may cause: one mistake gives one diagnostic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Finding, Related, Severity
from kro_ls.rules.rule import NO_KIND, BrokenYaml, InTemplates, Repair, Rule
from kro_ls.yaml_positions.documents.stream import first_value
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import Mapping, text_of
from kro_ls.yaml_positions.parsing.builder import MOST_REPEATED
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from collections.abc import Mapping as MappingOf

    from kro_ls.yaml_positions.documents.chunks import Chunk
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.errors import YamlError


YAML_SYNTAX = Rule(
    code="yaml-syntax",
    severity=Severity.ERROR,
    summary="The text is not valid YAML.",
    explanation="""\
The file cannot be read as YAML, so nothing can be applied. The damaged lines are set aside; the rest of the file is
still checked. In the same resource, what seems to be missing, or in a wrong place after those lines, is not reported
until they are right: a wrong indentation would bring many such errors.

kubectl cuts a file at the lines that begin with `---`, and refuses it if one of the parts is not YAML or not a mapping
with a `kind`. It allows nothing but a comment on such a line, and no `%YAML` or `%TAG` before it.

A frequent cause is an expression that holds `: ` or ` #`, as the conditional operator often does: YAML ends a plain
value there. Quote the whole value then.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name == "" ? "none": "some"}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: '${schema.metadata.name == "" ? "none": "some"}'
""",
    in_graphs=GRAPHS,
    in_patches=True,
    in_templates=InTemplates.NEVER,
    repairs=(Repair.MENDED_LINES, Repair.GLUED_KEYS),
    kro_messages=(
        "mapping values are not allowed in this context",
        "could not find expected ':'",
        "did not find expected key",
        "did not find expected {token}",
        "found character that cannot start any token",
        "found unexpected end of stream",
        "found a tab character that violates indentation",
        "control characters are not allowed",
        "unknown anchor '{name}' referenced",
        "invalid map key",
        "document contains excessive aliasing",
        NO_KIND,
        "invalid Yaml document separator: {text}",
    ),
)

DUPLICATE_KEY = Rule(
    code="duplicate-key",
    severity=Severity.WARNING,
    summary="A mapping has the same key twice.",
    explanation="""\
A mapping should hold a key once. kubectl silently drops all values but the last before the API server and kro see the
file.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        color: red
        color: blue
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data:
        color: red
        background: blue
""",
    in_graphs=GRAPHS,
    in_patches=True,
    in_templates=InTemplates.NEVER,
    repairs=(Repair.REMOVED_REPETITION,),
    kro_messages=('key "{name}" already set in map',),
)

RULES = (YAML_SYNTAX, DUPLICATE_KEY)

_BREAKS: Final = frozenset({YamlErrorCode.SYNTAX, YamlErrorCode.INDENTATION, YamlErrorCode.TAB_INDENTATION})
_IGNORE: Final = "kro-ls: ignore"
_FOLLOWS: Final = frozenset({YamlErrorCode.INDENTATION, YamlErrorCode.DUPLICATE_KEY})
_CUT = (
    f"not checked from here on; the aliases of this document stand for more than {MOST_REPEATED:,} values, "
    "repeat less by reference"
)


def yaml_findings(
    content: str, document: YamlDocument, reported: MappingOf[Chunk, Container[int]]
) -> Iterator[tuple[PlacedChunk, str, Finding, bool]]:
    """Yield the errors of a document's YAML, and whether each may be due to another one.

    `reported` are the lines of each chunk with other diagnostics.
    """
    if document.frame.chunk.cut:  # with aliases, the frame is all there is
        yield (
            document.frame,
            YAML_SYNTAX.code,
            Finding(document.frame.chunk.cut, _CUT, severity=Severity.INFORMATION),
            False,
        )
    for placed in document.damaged:
        lines = reported.get(placed.chunk, ())
        for error in placed.chunk.errors:
            is_consequence = follows(placed.chunk, error, lines)
            is_second = error.code is YamlErrorCode.SECOND_VALUE
            first = first_value(content[document.start : document.end]) if is_second else None
            if first:
                yield placed, YAML_SYNTAX.code, _second_value(error, first), is_consequence
                break
            code = DUPLICATE_KEY.code if error.code == YamlErrorCode.DUPLICATE_KEY else YAML_SYNTAX.code
            related = (Related(error.related, "the first of the two"),) if error.related else ()
            span, kro_message = Span(error.start, error.end), error.printed or None
            yield placed, code, Finding(span, error.message, related, kro_message=kro_message), is_consequence
    for placed, error in document.wrong_first_items:
        found = Finding(Span(error.start, error.end), error.message, kro_message=error.printed or None)
        yield placed, YAML_SYNTAX.code, found, False


def _second_value(error: YamlError, first: Chunk) -> Finding:
    """Return the finding about a second value in a document; kubectl reads the first one only."""
    span, message = Span(error.start, error.end), f"{error.message}; kubectl reads the first one alone"
    if isinstance(first.root, Mapping) and text_of(first.root.get("kind")):
        return Finding(span, message, severity=Severity.WARNING)
    message = f"{message}, which has no 'kind', and refuses the file"
    return Finding(span, message, kro_message=NO_KIND)


def may_follow(chunk: Chunk, shown: BrokenYaml, span: Span) -> bool:
    """Whether a finding may be due to an error of the YAML in its chunk; `shown` comes from its rule."""
    if not chunk.errors or shown is BrokenYaml.SHOWN:
        return False
    start = _uncertain_from(chunk)
    return start is not None and (shown is BrokenYaml.HIDDEN or span.start >= start)


def follows(chunk: Chunk, error: YamlError, reported: Container[int]) -> bool:
    """Whether an error of a chunk's YAML may be due to an earlier one, or to a fault in the shallower line above it.

    `reported` are the starts of lines with other diagnostics: if that line is one, it is the one to be moved.
    """
    first = _first(chunk)
    if first is None or error.code not in _FOLLOWS:
        return False
    return error.start > first.start or (error.code is YamlErrorCode.INDENTATION and _lines_above(chunk)[1] in reported)


def line_of_misplaced(chunk: Chunk, shown: BrokenYaml, span: Span) -> int | None:
    """Return the start of the line of a finding about a misplaced line in a chunk with errors, else None."""
    if not chunk.errors or shown is not BrokenYaml.BEFORE or _IGNORE in chunk.text:
        return None
    return chunk.text.rfind("\n", 0, span.start) + 1


def _first(chunk: Chunk) -> YamlError | None:
    broken = (error for error in chunk.errors if error.code in _BREAKS)
    return min(broken, key=lambda error: error.start, default=None)


def _uncertain_from(chunk: Chunk) -> int | None:
    """Return where the content of a chunk becomes uncertain, None if all of it is YAML.

    That is the line of its first error, or above it the first of the deeper lines that the error ends. A plain value
    that cannot go on in the line of the error began in the shallower line before.
    """
    first = _first(chunk)
    if first is None:
        return None
    start, shallower = _lines_above(chunk)
    return start if first.code is YamlErrorCode.INDENTATION or shallower is None else shallower


@cached
def _lines_above(chunk: Chunk) -> tuple[int, int | None]:
    """Return where the deeper lines above the first error begin, and where the shallower line above them begins."""
    first = _first(chunk)
    start = chunk.text.rfind("\n", 0, first.start) + 1 if first else 0
    column = _column(chunk.text, start)
    while start > 0:
        above = chunk.text.rfind("\n", 0, start - 1) + 1
        if chunk.text[above:start].strip() and _column(chunk.text, above) <= column:
            return start, above if _column(chunk.text, above) < column else None
        start = above
    return start, None


def _column(text: str, start: int) -> int:
    end = start
    while text[end : end + 1] == " ":
        end += 1
    return end - start
