"""Text that is not YAML. The YAML room finds it; this module tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Related, Severity
from kro_ls.rules.rule import NO_KIND, InTemplates, Repair, Rule
from kro_ls.rules.text import damage
from kro_ls.yaml_positions.access import text_of
from kro_ls.yaml_positions.builder import MOST_REPEATED
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.stream import first_value

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from collections.abc import Mapping as MappingOf

    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.errors import YamlError
    from kro_ls.yaml_positions.runs import PlacedChunk

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

_CUT = (
    f"not checked from here on; the aliases of this document stand for more than {MOST_REPEATED:,} values, "
    "repeat less by reference"
)


def yaml_findings(
    content: str, document: YamlDocument, told: MappingOf[Chunk, Container[int]]
) -> Iterator[tuple[PlacedChunk, str, Finding, bool]]:
    """Yield the errors of a document's YAML, and whether each may be due to another one.

    `told` are the lines of each chunk that something else was reported about.
    """
    if document.frame.chunk.cut:  # with aliases, the frame is all there is
        yield (
            document.frame,
            YAML_SYNTAX.code,
            Finding(document.frame.chunk.cut, _CUT, severity=Severity.INFORMATION),
            False,
        )
    for placed in document.damaged:
        lines = told.get(placed.chunk, ())
        for error in placed.chunk.errors:
            may_follow = damage.follows(placed.chunk, error, lines)
            is_second = error.code is YamlErrorCode.SECOND_VALUE
            first = first_value(content[document.start : document.end]) if is_second else None
            if first:
                yield placed, YAML_SYNTAX.code, _second_value(error, first), may_follow
                break
            code = DUPLICATE_KEY.code if error.code == YamlErrorCode.DUPLICATE_KEY else YAML_SYNTAX.code
            related = (Related(error.related, "the first of the two"),) if error.related else ()
            span, kro_message = Span(error.start, error.end), error.printed or None
            yield placed, code, Finding(span, error.message, related, kro_message=kro_message), may_follow
    for placed, error in document.wrong_first_items:
        found = Finding(Span(error.start, error.end), error.message, kro_message=error.printed or None)
        yield placed, YAML_SYNTAX.code, found, False


def _second_value(error: YamlError, first: Chunk) -> Finding:
    """Return the finding about a value after the first one, which is all that kubectl reads of a document."""
    span, message = Span(error.start, error.end), f"{error.message}; kubectl reads the first one alone"
    if isinstance(first.root, Mapping) and text_of(first.root.get("kind")):
        return Finding(span, message, severity=Severity.WARNING)
    message = f"{message}, which has no 'kind', and refuses the file"
    return Finding(span, message, kro_message=NO_KIND)
