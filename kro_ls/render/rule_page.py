"""The page of a rule, for the documentation, for `kro-ls explain`, and for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.kro_messages import shown

if TYPE_CHECKING:
    from kro_ls.rules.rule import Rule

_MEANINGS = {
    Severity.ERROR: "kro refuses the definition",
    Severity.WARNING: "kro accepts the definition, and it may fail or surprise later",
    Severity.INFORMATION: "good to know",
    Severity.HINT: "nothing fails, and something could be better",
}


def page(rule: Rule) -> str:
    """Return the Markdown page of a rule."""
    return f"""\
# {rule.code}

{rule.summary}

Severity: {rule.severity} ({_MEANINGS[rule.severity]}){_since(rule)}

{rule.explanation.strip()}
{_kro_messages(rule)}
## Wrong

```yaml
{rule.wrong.rstrip()}
```

## Right

```yaml
{rule.right.rstrip()}
```
"""


def _kro_messages(rule: Rule) -> str:
    if not rule.kro_messages:
        return ""
    texts = "".join(f"- `{shown(each)}`\n" for each in rule.kro_messages)
    return f"\n## In a cluster\n\nkro or the API server reports it as:\n\n{texts}"


def _since(rule: Rule) -> str:
    first = rule.versions.since
    return f"\n\nSince kro {first.release}; older versions accept it." if first else ""
