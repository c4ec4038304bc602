"""Expressions that Flux replaces as variables of its own, before kro sees them.

Source: fluxcd/pkg, packages kustomize (kustomize_varsub.go) and envsubst (parse/parse.go, parse/scan.go).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.graphs import frames_of
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Diagnostic, Fix, PlacedRelated, RelatedFile, Severity
from kro_ls.rules.files.reported_places import span_at
from kro_ls.rules.rule import Rule
from kro_ls.shortening import shortened
from kro_ls.yaml_positions.nodes import Mapping, text_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kro_ls.analysis.analysis import Analysis, RgdAnalysis
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.nodes import Scalar
    from kro_ls.yaml_positions.text import Text

SUBSTITUTE: Final = "kustomize.toolkit.fluxcd.io/substitute"
"""The annotation or label whose value `disabled` makes Flux leave an object unchanged."""
_DISABLED: Final = "disabled"

_EXPRESSION = r"(?<!\$)(?:\$\$)*(?P<start>\$\{)(?P<name>\w*)(?P<after>\W?)"
"""What Flux reads as a variable; `$$` is an escaped `$`."""
_READABLE: Final = frozenset("}:=,^/#%")
"""What may follow the name of a variable: the closing brace, and the operators of a shell."""


class Substitution(Struct, frozen=True):
    """A Kustomization of Flux, or a script, that substitutes variables, with the path of its file.

    A script (`is_shell`) substitutes with `envsubst` the variables with these `names`, or all if these are None.
    """

    name: str
    path: str
    is_shell: bool = False
    names: tuple[str, ...] | None = None


class _Taken(Struct, frozen=True):
    """An expression that Flux reads as a variable, or fails on, in the text of its part.

    `name` is set if the expression is only the name of a variable.
    """

    span: Span
    text: str
    fails: bool
    name: str


def check_substituted(
    analysis: Analysis, substitution: Substitution | None, settings: Settings
) -> Iterator[Diagnostic]:
    """Yield the definitions of a text that Flux or a script would change, or fail on, in document offsets."""
    severity = settings.severity_of(RULE) if substitution else None
    if substitution is None or severity is None:
        return
    if substitution.is_shell:
        yield from _by_script(analysis.rgds, substitution, severity)
        return
    for rgd in analysis.rgds:
        document = rgd.rgd.document
        taken = None if _is_left_alone(document) else _most_important(_in_parts(rgd))
        if taken:
            what = f"fails on '{taken.text}'" if taken.fails else f"takes '{taken.text}' for a variable of its own"
            message = f"Flux substitutes variables in this definition and {what}"
            span, fixes = span_at(document, ("metadata", "name")), tuple(_leave_alone(analysis.text, document))
            related = (PlacedRelated(taken.span, "the expression"),)
            files = (RelatedFile(substitution.path, f"the Kustomization '{substitution.name}' substitutes variables"),)
            yield Diagnostic(RULE.code, severity, span, message, related, fixes, files=files)


def _by_script(rgds: Sequence[RgdAnalysis], script: Substitution, severity: Severity) -> Iterator[Diagnostic]:
    """Yield the expressions that `envsubst` reads as variables: those that are only a name."""
    for rgd in rgds:
        for taken in _in_parts(rgd):
            if taken.name and (script.names is None or taken.name in script.names):
                what = f"{script.name} pipes this through envsubst, which replaces '{taken.text}' before kro sees it"
                message = f"{what}; name the script's own variables: envsubst '$NAME $OTHER'"
                files = (RelatedFile(script.path, "envsubst is used here"),)
                yield Diagnostic(RULE.code, severity, taken.span, message, files=files)
                break


def _is_left_alone(document: YamlDocument) -> bool:
    found = (document.child(("metadata", name, SUBSTITUTE)) for name in ("annotations", "labels"))
    return any(each and text_of(each.node) == _DISABLED for each in found)


def _in_parts(rgd: RgdAnalysis) -> Iterator[_Taken]:
    """Yield the expressions of each part that may be reported, in document offsets."""
    for frame in frames_of(rgd):
        for placed, part in zip(frame.rgd.places, frame.parts, strict=True):
            for found in _in_part(part):
                yield replace(found, span=placed.document_span(found.span))
        schema = frame.rgd.schema
        if schema:
            for found in _in_part(schema.section):
                yield replace(found, span=schema.placed.document_span(found.span))


@cached
def _in_part(part: Resource | SchemaSection) -> tuple[_Taken, ...]:
    """Return the first expression for each name, and before them the most important one, if it has no name."""
    found = [taken for each in part.expressions for taken in _in_scalar(part.chunk_text, each.scalar)]
    named = {each.name: each for each in reversed(found) if each.name}
    first = _most_important(found)
    return (*((first,) if first and not first.name else ()), *reversed(named.values()))


def _in_scalar(text: str, scalar: Scalar) -> Iterator[_Taken]:
    for match in re.compile(_EXPRESSION).finditer(text, scalar.start, scalar.end):
        start, end = match.start("start"), text.find("}", match.end("name"), scalar.end) + 1
        span = Span(start, end or scalar.end)
        fails = not match["name"] or match["after"] not in _READABLE
        name = match["name"] if match["after"] == "}" else ""
        yield _Taken(span, shortened(text[span.start : span.end], 40), fails, name)


def _most_important(found: Iterable[_Taken]) -> _Taken | None:
    """Return the first that fails, because then nothing is applied, else the first."""
    first = None
    for each in found:
        if each.fails:
            return each
        first = first or each
    return first


def _leave_alone(text: Text, document: YamlDocument) -> Iterator[Fix]:
    """Yield the fix that adds the annotation, if the definition is in a usual form."""
    name, annotations = (document.child(("metadata", each)) for each in ("name", "annotations"))
    metadata, entry = document.child(("metadata",)), f"{SUBSTITUTE}: {_DISABLED}"
    if not (name and name.key_span and metadata and isinstance(metadata.node, Mapping)):
        return
    if annotations is None and metadata.node.flow:
        place, new = name.span.end, f", annotations: {{{entry}}}"
    elif annotations is None:
        column = text.position(name.key_span.start).column
        place = text.line_span(text.position(name.span.end).line).end
        new = f"\n{' ' * column}annotations:\n{' ' * (column + 2)}{entry}"
    elif isinstance(annotations.node, Mapping) and annotations.node.entries:
        place = annotations.placed.span(annotations.node.entries[0].key).start
        new = f"{entry}, " if annotations.node.flow else f"{entry}\n{' ' * text.position(place).column}"
    else:
        return
    yield Fix(f"Have Flux leave the definition alone: '{entry}'", (Replacement(Span(place, place), new),))


RULE = Rule(
    code="substituted-expression",
    severity=Severity.WARNING,
    summary="Flux or a script would take expressions for variables of its own.",
    explanation=f"""\
A Kustomization of Flux with `postBuild` substitutes variables in all that it applies, and writes them `${{name}}` as
kro writes expressions. Before kro sees the definition, Flux puts the value of a variable, or nothing, in the place of
`${{deployment}}`. On `${{schema.spec.name}}` it fails with `variable substitution failed: missing closing brace`, and
applies nothing of the Kustomization. The annotation `{SUBSTITUTE}: disabled` has it leave the
definition alone. Flux also turns `$${{schema.spec.name}}` into an expression; but then nobody can apply or check the
file without Flux. Such Kustomizations are looked for in the workspace, and by `kro-ls check` in its PATHs.

A script, a Makefile or a CI file beside the definition or above it may pipe it through `envsubst`, as in
`envsubst < web.yaml | kubectl apply -f -`. That replaces `${{deployment}}` and `${{region}}`, but nothing that is more
than a name. Tell it which variables are its own: `envsubst '$IMAGE $HOST' < web.yaml`.""",
)
"""It has no check: `workspace/check.py` calls `check_substituted`, because it knows the Kustomizations."""
