"""A macro's variable that hides the resource which the macro is called on.

Source: kro `pkg/cel/ast/inspector.go`: a variable hides its name in the whole macro, its range included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.library.comprehensions import BIND
from kro_ls.cel.syntax import ast
from kro_ls.kro.environment import MACROS
from kro_ls.rules.diagnostics import Finding, Findings, Related, ResourceDeclaration, Severity
from kro_ls.rules.fixes import rename
from kro_ls.rules.rule import Rule

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.names.inspection import LocalVariable
    from kro_ls.analysis.scope import NamedScope


def check(part: Resource | SchemaSection, scope: NamedScope) -> Findings:
    """Find the variables whose name also means a resource where the variable does not exist yet."""
    for expression in part.expressions:
        inspection = expression.inspection
        variables = [each for each in inspection.variables if each.name in scope.resource_ids or each.name == "schema"]
        if not variables or not inspection.parsed.is_valid:
            continue
        calls = [node.call for node in ast.walk(inspection.parsed.root) if isinstance(node, ast.MacroCall)]
        for variable in variables:
            hidden = _hidden_uses(variable, calls)
            if hidden:
                yield _finding(expression, variable, hidden)


def _hidden_uses(variable: LocalVariable, calls: list[ast.Call]) -> list[ast.Identifier]:
    """Return the uses of the variable's name in the target of the macro, or in what it binds the variable to."""
    for call in calls:
        if not any((argument.start, argument.end) == variable.span for argument in call.arguments):
            continue
        source = call.arguments[1] if MACROS.get(call.function) is BIND else call.target
        if source is not None:
            return [use for use in variable.uses if source.start <= use.start and use.end <= source.end]
    return []


def _finding(expression: Expression, variable: LocalVariable, hidden: list[ast.Identifier]) -> Finding:
    name = variable.name
    hides = "the instance" if name == "schema" else "a resource"
    message = f"the variable '{name}' hides {hides} in the whole macro, so the value stays pending; rename it"
    related = () if name == "schema" else (Related(ResourceDeclaration(name), "the resource"),)
    uses = (expression.span(use.start, use.end) for use in variable.uses if use not in hidden)
    return Finding(
        expression.span(*variable.span), message, related, (rename(expression.span(*variable.span), "x", uses),)
    )


RULE = Rule(
    code="shadowed-name",
    severity=Severity.WARNING,
    summary="A macro's variable hides the resource that the macro is called on.",
    explanation="""\
In `pods.map(pods, pods.name)` the variable has the name of the resource. kro then takes every `pods` in the macro for
the variable, the first one too: it sees no reference to the resource, creates the two in any order, and the expression
never gets a value.""",
    wrong="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-copy
      data:
        keys: ${config.data.map(config, config).join(",")}
""",
    right="""\
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-copy
      data:
        keys: ${config.data.map(key, key).join(",")}
""",
    check_names=check,
)
