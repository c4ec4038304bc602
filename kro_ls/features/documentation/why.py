"""Why an instance that kubectl printed is stuck, as Markdown for an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.documentation.markdown import plain
from kro_ls.runtime.passes.reasons import object_name

if TYPE_CHECKING:
    from kro_ls.runtime.causes.cause import Explanation
    from kro_ls.workspace.stuck_instances import StuckInstance

_MOST_COMMANDS = 3


def why_text(stuck: StuckInstance) -> str:
    """Return Markdown with all causes, and what kro says."""
    explained = stuck.explained
    state = f"is {explained.state}" if explained.state else "has no state"
    parts = [f"# {plain(object_name(explained.subject))} {plain(state)}", causes_text(stuck, len(explained.causes))]
    if explained.says:
        parts += ["## kro says", "\n".join(f"- {plain(each)}" for each in explained.says)]
    return "\n\n".join(parts) + "\n"


def causes_text(stuck: StuckInstance, most: int) -> str:
    """Return Markdown with the first causes, each with its place in the definition."""
    return "\n\n".join(_text(stuck, each) for each in stuck.explained.causes[:most])


def _text(stuck: StuckInstance, cause: Explanation) -> str:
    lines = [f"**{plain(cause.message)}**"]
    place = stuck.place(cause)
    if place is not None:
        document, span = place
        line = document.text.position(span.start).line + 1
        lines.append(f"at [{plain(document.uri.rpartition('/')[2])}, line {line}]({document.uri}#L{line})")
    lines += [f"Matter of: {cause.kind.fault.value}", f"To unblock: {plain(cause.advice)}"]
    lines += [f"See also: `{command}`" for command in cause.fetch[:_MOST_COMMANDS]]
    return "  \n".join(lines)
