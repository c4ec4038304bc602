"""The simulation of an instance that stands for an RGD: the input of lenses, values and previews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.rules.refusals import refusals, refused_text
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.cluster.simulation import simulate, without_state
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.values.sample_instance import empty_instance

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.runtime.cluster.instance import AdmittedInstance
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.passes.results import NodeResult
    from kro_ls.workspace.instances import FoundInstance


class Preview(Struct, frozen=True, eq=False):
    """A simulation, or where there is none the reasons why the API server would refuse the instance.

    `errors` are those because of which kro refuses the definition: the simulation then shows what would happen without
    them, and has no state of kro's. They are there once the preview is `judged`.
    """

    rgd: RgdAnalysis
    instance: FoundInstance
    simulation: Simulation | None
    refusals: tuple[str, ...] = ()
    admitted: AdmittedInstance | None = None
    """The instance as the API server takes it; None for a Graph, which has none."""
    errors: tuple[Diagnostic, ...] = ()
    previous: Simulation | None = None
    """Of the last instance that the API server took, where it refuses the one that is being typed."""

    def node(self, id_: str) -> NodeResult | None:
        """Return the result of a resource; None where there is none, as in a cycle."""
        return self.simulation.final.result.node(id_) if self.simulation else None


def judged(preview: Preview, diagnosis: Diagnosis) -> Preview:
    """Return a preview that says whether kro refuses its definition, according to the diagnosis of its document.

    The diagnosis may be of the same text in a newer analysis.
    """
    errors = refusals(diagnosis, preview.rgd)
    if not errors:
        return preview
    simulation, previous = (
        each and without_state(each, refused_text(errors)) for each in (preview.simulation, preview.previous)
    )
    return replace(preview, errors=errors, simulation=simulation, previous=previous)


def make_preview(
    rgd: RgdAnalysis, instance: FoundInstance, budget: PreviewBudget | None = None, scenario: Scenario | None = None
) -> Preview:
    """Return the preview of an instance, not yet `judged`; of an RGD that kro would refuse, as far as possible.

    Raises PreviewCancelledError if the budget is cancelled meanwhile.
    """
    budget = budget or PreviewBudget()
    if not rgd.rgd.form.declares_kind:
        from kro_ls.runtime.graphs.simulation import simulate_graph

        return Preview(rgd, instance, simulate_graph(rgd, scenario, budget))
    admitted = admit_instance(rgd, instance.value, budget)
    if admitted.errors:
        return Preview(rgd, instance, None, tuple(each.text for each in admitted.errors), admitted)
    given = None if instance.uri is not None else admit_instance(rgd, empty_instance(rgd), budget).instance
    scenario = replace(scenario or Scenario(), given=given)
    return Preview(rgd, instance, simulate(rgd, admitted.instance, scenario, budget), admitted=admitted)
