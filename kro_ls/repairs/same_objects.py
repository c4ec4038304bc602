"""Proves a change of a definition by what it renders: the sample instance gives the same objects before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kro_ls.authoring.from_manifests.input_objects import key_of
from kro_ls.cursor.parts import rgd_at
from kro_ls.repairs.proof import document_after, errors
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.preview_data import objects_of
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.values.sample_instance import sample_instance

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.authoring.from_manifests.input_objects import Key
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.scalars.writing import Replacement

Objects: TypeAlias = "dict[Key, JsonObject]"


def objects_before_and_after(
    document: Document, rgd: RgdAnalysis, replacements: tuple[Replacement, ...]
) -> tuple[Objects, Objects] | None:
    """Return what the sample instance of a definition gives before replacements, and what it gives after them.

    None where either cannot be rendered: kro refuses the document or the instance.
    """
    after = document_after(document, replacements)
    changed = rgd_at(after.analysis, rgd.rgd.document.start)
    if errors(document) or errors(after) or changed is None:
        return None
    instance = sample_instance(rgd)
    found = rendered(rgd, instance), rendered(changed, instance)
    return (found[0], found[1]) if found[0] is not None and found[1] is not None else None


def rendered(rgd: RgdAnalysis, instance: JsonObject) -> Objects | None:
    """Return the objects that an instance gives, without kro's metadata; None if it is refused or two are the same."""
    admission = admit_instance(rgd, instance)
    if admission.errors:
        return None
    made = [value for _, value in objects_of(rgd, simulate(rgd, admission.instance), with_metadata=False)]
    found = {key_of(each): each for each in made}
    return found if len(found) == len(made) else None
