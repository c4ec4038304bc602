"""Text that is not YAML. The YAML room finds it; this module explains it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.diagnostics import Finding, Severity
from kro_ls.rules.kro_texts import NO_KIND
from kro_ls.rules.rule import InTemplates, Repair, Rule
from kro_ls.yaml_positions.access import text_of
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.errors import YamlError

RULE = Rule(
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


def second_value(error: YamlError, first: Chunk) -> Finding:
    """Return the finding about a value after the first one, which is all that kubectl reads of a document."""
    span, message = Span(error.start, error.end), f"{error.message}; kubectl reads the first one alone"
    if isinstance(first.root, Mapping) and text_of(first.root.get("kind")):
        return Finding(span, message, severity=Severity.WARNING)
    message = f"{message}, which has no 'kind', and refuses the file"
    return Finding(span, message, kro_message=NO_KIND)
