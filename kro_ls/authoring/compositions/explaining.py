"""What the rules find in an expression, and in the definitions of compositions. Imported lazily: it loads the rules.

An expression is put into a definition that has what the composition has so far, and that is diagnosed as a file is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from kro_ls.analysis.analysis import analyze
from kro_ls.authoring.compositions.definition_text import resource_entry
from kro_ls.authoring.known_kinds import kinds_beside
from kro_ls.kro.forms import API_VERSION, KIND
from kro_ls.render.yaml_text import to_yaml
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS, diagnose
from kro_ls.rules.diagnostics import Severity
from kro_ls.workspace.check import check_document
from kro_ls.workspace.snapshot import file_snapshot
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kro_ls.authoring.compositions.composing import Composing
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.rules.diagnostics import Diagnostic


_PROBE: Final = "probedExpression"


def explained(code: str, composing: Composing, variables: Iterable[str]) -> str:
    """Return the first error of the rules in an expression, empty where there is none."""
    loops: list[JsonValue] = [{name: f"${{{composing.loops[name]}}}"} for name in variables if name in composing.loops]
    probe: JsonObject = {
        "id": _PROBE,
        **({"forEach": loops} if loops else {}),
        "template": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "x"},
            "data": {"x": f"${{{code}}}"},
        },
    }
    resources = [resource_entry(each) for each in composing.resources]
    definition = {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": {"name": composing.name},
        "spec": {"schema": composing.schema, "resources": [probe, *resources]},
    }
    text = to_yaml(definition)
    start = text.index("data:", text.index(_PROBE))
    end = text.find("\n  - id:", start) if resources else len(text)
    found = diagnose(analyze(Text(text), composing.kinds), DEFAULT_SETTINGS).diagnostics
    errors = (each for each in found if each.severity is Severity.ERROR and each.kro_message)
    return next((each.message for each in errors if start < each.span.start < end), "")


def check_text(path: str, text: Text, texts: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a text that is or would be a file, without hints; `texts` are definitions beside it."""
    document = file_snapshot(Path(path), text, kinds_beside(texts)).document
    return tuple(each for each in check_document(document).diagnostics if each.severity is not Severity.HINT)
