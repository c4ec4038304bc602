"""Faults of CustomResourceDefinitions: of those in a text, and of those in templates of definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.kind_schema import CRD
from kro_ls.rules.diagnostics import Diagnostic, Finding, Findings, Severity
from kro_ls.rules.fixes import change_to
from kro_ls.rules.ignores import separate
from kro_ls.rules.rule import BrokenYaml, InTemplates, Rule
from kro_ls.yaml_positions.documents.stream import YamlStream, parse_stream
from kro_ls.yaml_positions.nodes import Mapping, field, key_at, nearest_at, node_at, resolved, to_python
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import Resource
    from kro_ls.analysis.model.paths import Path
    from kro_ls.analysis.scope import Scope
    from kro_ls.openapi.sources.crds.constraints import StructuralProblem
    from kro_ls.openapi.sources.crds.parsing import CrdProblem
    from kro_ls.openapi.sources.disk_cache import DiskCache
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.text import Text

# A template of that kind in an RGD does not stand at the start of a line.
_CRD = r"(?m)^(?:[\"']?kind[\"']?[ ]*:[ ]*[\"']?(?:CustomResourceDefinition|[A-Za-z]*List)\b|\{)"


def may_hold_crds(text: Text) -> bool:
    """Whether a text may hold CRDs of its own; this is fast."""
    return text.contains("CustomResourceDefinition") and re.search(_CRD, text.content) is not None


def check_crds(
    text: Text, settings: Settings, cache: DiskCache | None = None
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Return the diagnostics about the CRDs of a text, in its order, and those that comments silence.

    The problems of a text are cached, with a `cache` also for the next process.
    """
    severity = settings.severity_of(RULE) if may_hold_crds(text) else None
    if severity is None:
        return (), ()
    from kro_ls.openapi.sources.crds.parsing import crd_problems  # imported when needed: most texts have no CRDs

    problems = crd_problems(text.content, cache)
    found = tuple(_diagnostic(each, severity) for each in problems)
    # Only a comment that silences requires parsing the text again.
    stream = parse_stream(text) if found and text.contains("kro-ls:") else YamlStream(text, ())
    return separate(stream, found) if stream.documents else (found, ())


def _diagnostic(problem: CrdProblem, severity: Severity) -> Diagnostic:
    span = Span(problem.start, problem.end)
    fixes = (change_to(span, problem.meant),) if problem.meant else ()
    return Diagnostic(RULE.code, severity, span, problem.message, fixes=fixes, kro_message=problem.printed or None)


def check(resource: Resource, scope: Scope) -> Findings:
    """Find the faults in the template of a CustomResourceDefinition, of which kro only reads the metadata."""
    kind, template = scope.kind, resolved(resource.template)
    if kind is None or kind.name != CRD or not isinstance(template, Mapping) or field(template, "metadata") is None:
        return  # without metadata it is no object, and kro itself refuses it
    from kro_ls.openapi.sources.crds.definition_problems import definition_problems  # most definitions have none
    from kro_ls.openapi.sources.crds.definition_schema import full_schema

    expressions = [each.path for each in resource.expressions if each.place is Place.TEMPLATE]
    for problem in definition_problems(as_object(to_python(template)), full_schema(kind)):
        if not any(_depends_on(problem.path, each) for each in expressions):
            yield _finding(template, problem)


def _depends_on(problem: Path, expression: Path) -> bool:
    """Whether the value of an expression decides about a problem."""
    length = min(len(problem), len(expression))
    if problem == ("metadata", "name") and expression[:2] in (("spec", "group"), ("spec", "names")):
        return True
    return problem[:length] == expression[:length]


def _finding(template: Mapping, problem: StructuralProblem) -> Finding:
    """Return the finding at the key or value of a problem's path, or at the nearest node above."""
    node = node_at(template, problem.path) if problem.at_value else key_at(template, problem.path)
    marked = node or nearest_at(template, problem.path) or template.entries[0].key
    fixes = (change_to(marked.span, problem.meant),) if node and problem.meant else ()
    return Finding(marked.span, problem.message, fixes=fixes, kro_message=problem.printed or None)


# Source: k8s.io/apiextensions-apiserver; the findings come from `openapi/sources/crds`, in files by
# `workspace/check.py`.
RULE = Rule(
    code="broken-crd",
    severity=Severity.WARNING,
    summary="A CustomResourceDefinition would be refused by the API server, or part of it ignored.",
    explanation="""\
The kinds of a broken CustomResourceDefinition never get into the cluster, so kro refuses the templates that use them.
What can be read of it is used all the same to check those templates. This rule looks at the files of
CustomResourceDefinitions, and at the templates of definitions that create some: kro reads only their metadata, and the
API server refuses the rest when there is an instance. Below `items` and `additionalProperties` it drops unknown
fields, and it takes any `format` but makes use of its own alone. Rules in CEL have to compile, and must not be able to
cost too much for the largest object that the schema allows, each alone and all together.""",
    check_resource=check,
    in_graphs=GRAPHS,
    in_broken_yaml=BrokenYaml.HIDDEN,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    waits_for="rest",
    kro_messages=(
        "type: Required value: must not be empty for specified {place}",
        "{path}: Forbidden: must be {absent} to be structural",
        "{path}: Forbidden: {keyword} is not supported",
        'spec.scope: Unsupported value: {value}: supported values: "Cluster", "Namespaced"',
        'metadata.name: Invalid value: {name}: must be spec.names.plural+"."+spec.group',
        "spec.versions: Invalid value: must have exactly one version marked as storage version",
        "{path}: Required value",
        ".{path}: field not declared in schema",
        "{path}: Forbidden: additionalProperties and properties are mutual exclusive",
        "{path}: Unsupported value: {value}: supported values: {values}",
        "{path}: Invalid value: {keys}: entries must all be names of item properties",
        'unrecognized format "{name}"',
        "estimated rule cost exceeds budget by factor of {factor}",
        "oldSelf cannot be used on the uncorrelatable portion of the schema",
    ),
)
