"""A readyWhen that is true as soon as the object exists, for which kro waits anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.kro.places import Place
from kro_ls.rules.diagnostics import Finding, Findings, Fix, Severity
from kro_ls.rules.fixes import remove_entry
from kro_ls.rules.rule import Rule
from kro_ls.rules.surprises.certain_fields import CertainFields
from kro_ls.yaml_positions.nodes import entry_of, items
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression


def check(checked: CheckedExpression, part: Resource | SchemaSection, scope: Scope) -> Findings:
    """Find a condition that waits for nothing."""
    if not isinstance(part, Resource) or part.type is ResourceType.EXTERNAL_COLLECTION:
        return
    expression = checked.expression
    certain = CertainFields(part, scope.kind).answer(expression.inspection.parsed.root)
    if certain is not None and certain.answer:
        message = f"this is always true, so it waits for nothing; {certain.reason}"
        yield Finding(expression.span(0, len(expression.text)), message, fixes=tuple(_fixes(checked, part, scope)))


def _fixes(checked: CheckedExpression, resource: Resource, scope: Scope) -> Iterator[Fix]:
    """Yield the fix that waits for the usual condition of the kind, or the one that removes the only condition."""
    from kro_ls.analysis.readiness import conditions_of

    scalar, entry = checked.expression.scalar, entry_of(resource.node, "readyWhen")
    written = {each.text for each in resource.expressions if each.place is Place.READY_WHEN}
    best = next((each for each in conditions_of(resource, scope.kind) if not each.is_guess), None)
    if best is None and entry is not None and len(items(entry.value)) == 1:
        edit = remove_entry(resource.chunk_text, entry, ())
        yield from (Fix("Remove the readyWhen", (edit,)),) if edit else ()
    elif best is not None and best.expression not in written:
        yield Fix(f"Wait until {best.means}", (Replacement(scalar.span, quoted(f"${{{best.expression}}}")),))


RULE = Rule(
    code="needless-ready-when",
    severity=Severity.HINT,
    summary="A readyWhen is true as soon as the object exists.",
    explanation="""\
kro looks at `readyWhen` when the object exists. Its name, its uid and what its template writes are there from the
beginning, so a condition on them alone waits for nothing: what depends on the resource goes on before the controller
has done its work. Ask for something that the controller writes, such as a condition of the status.""",
    wrong="""\
resources:
  - id: web
    readyWhen:
      - ${web.metadata.name != ""}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}
      spec:
        selector:
          matchLabels:
            app: web
        template:
          metadata:
            labels:
              app: web
          spec:
            containers:
              - name: web
                image: nginx
""",
    right="""\
resources:
  - id: web
    readyWhen:
      - ${web.status.availableReplicas == web.spec.replicas}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}
      spec:
        selector:
          matchLabels:
            app: web
        template:
          metadata:
            labels:
              app: web
          spec:
            containers:
              - name: web
                image: nginx
""",
    check_expression=check,
    places=frozenset({Place.READY_WHEN}),
)
