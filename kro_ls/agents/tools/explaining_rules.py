"""The tool `explain`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kro_ls.agents.agent_workspace import AgentWorkspace
from kro_ls.agents.answers import ExplainAnswer, ExplainedRule
from kro_ls.agents.arguments import UnusableArgumentsError, first
from kro_ls.rules.registry import rules_about
from kro_ls.rules.rule import Rule

_MOST_RULES = 5


def explain(
    workspace: AgentWorkspace,  # noqa: ARG001 (as of all tools)
    code: Annotated[str, Field(description="The code of a problem, or a message that kro or kubectl printed.")],
) -> ExplainAnswer:
    """Explain a code, or a message that kro printed in a cluster: what it means, a wrong and a right example."""
    try:
        found = rules_about(code)
    except LookupError as error:
        raise UnusableArgumentsError(
            str(error).replace("'kro-ls explain' lists them", "'check' reports codes")
        ) from error
    shown, left_out = first(found, _MOST_RULES)
    return ExplainAnswer([_explained(each) for each in shown], left_out)


def _explained(rule: Rule) -> ExplainedRule:
    return ExplainedRule(rule.code, rule.severity.value, rule.summary, rule.explanation.strip(), rule.wrong, rule.right)
