"""What a form of an instance needs: the schema of what users write, and what is wrong with which field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.cluster.instance import instance_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.features.previews.preview import Preview
    from kro_ls.features.previews.scenario import ReadScenario
    from kro_ls.render.page_data import Fault, InstanceForm
    from kro_ls.runtime.cluster.instance import AdmittedInstance

    _Text = Literal["instance", "then", "observed"]


def instance_form(preview: Preview, scenario: ReadScenario) -> InstanceForm:
    """Return the members of an answer to `kro-ls/preview` that forms read; `docs/editor-commands.md` describes them."""
    kind = instance_kind(preview.rgd)
    properties = as_object(kind.schema.get("properties")) if kind else {}
    return {
        "schema": as_object(properties.get("spec")),
        "namespaced": kind is not None and kind.namespaced,
        "faults": [
            *_unread(scenario),
            *_faults("instance", preview.admitted),
            *_faults("then", scenario.admitted_then),
        ],
    }


def _unread(scenario: ReadScenario) -> Iterator[Fault]:
    for each in scenario.unread:
        yield {
            "of": cast("_Text", each.name),
            "severity": "error",
            "line": each.line,
            "path": [],
            "message": each.message,
        }


def _faults(of: _Text, admitted: AdmittedInstance | None) -> Iterator[Fault]:
    for error in admitted.errors if admitted else ():
        if not error.is_about_others:
            message, text = error.message, error.text
            yield {"of": of, "severity": "error", "path": list(error.path), "message": message, "text": text}
    for path in admitted.unknown_fields if admitted else ():
        message = f"unknown field '{path[-1]}'; the API server drops it"
        yield {"of": of, "severity": "warning", "path": list(path), "message": message}
