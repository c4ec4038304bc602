"""`kro-ls preview`: what kro would make of an instance, in a simulated cluster."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import replace

from kro_ls.cli.definitions import RefusedDefinitionError, read_definition
from kro_ls.cli.field_values import FieldValue, FieldValueType, with_values
from kro_ls.cli.input_error import InputError
from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.cli.options import VersionType, echo_json, format_option
from kro_ls.cli.settings_options import CRDS_OPTION, FEATURE_GATES_OPTION
from kro_ls.cli.written import Written, read_documents
from kro_ls.graphs import children_by_id
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.printable import printable, printable_literals
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import InputProblem, Observed, Scenario, read_observed, unknown_node
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.graphs.simulation import simulate_graph
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.passes.results import InstanceState
from kro_ls.runtime.values.sample_instance import empty_instance, sample_instance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cli.definitions import Definition
    from kro_ls.kro.versions.version import Version
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledNode

_FILE = click.Path(path_type=Path)


@click.command("preview")
@click.argument("file", metavar="RGD", type=_FILE)
@click.option("-i", "--instance", "instance_file", type=_FILE, help="The instance; without one it is made up.")
@click.option("--observed", "observed_file", type=_FILE, help="Observed objects from a cluster, by node id.")
@click.option("--set", "values", type=FieldValueType(), multiple=True, help="Change a field of the instance.")
@click.option(
    "later_values",
    "--then",
    type=FieldValueType(),
    multiple=True,
    help="Change a field of the instance when nothing changes any more: what is updated, what is deleted?",
)
@click.option("--not-ready", metavar="NODE", multiple=True, help="A node that never becomes ready. May be repeated.")
@click.option("--without", metavar="NODE", multiple=True, help="An external object that does not exist.")
@click.option(
    "namespaces",
    "--namespace",
    metavar="NAME",
    multiple=True,
    help="A namespace that the cluster has. Those that are not named, but for that of the instance, do not exist.",
)
@CRDS_OPTION
@FEATURE_GATES_OPTION
@click.option("--kro-version", "version", type=VersionType(), help="The version of kro that you run.")
@click.option("--step", is_flag=True, help="Show every pass: what was created, and what waits for what.")
@click.option("--deletion", is_flag=True, help="Show what happens when the instance is deleted.")
@click.option("--kro-metadata", "with_metadata", is_flag=True, help="Show the labels and annotations that kro adds.")
@format_option(
    "yaml is the objects alone; diff is what --set, --then, --not-ready, --without and --observed change; "
    "test is a file for `kro-ls test` that expects all of it.",
    "table",
    "yaml",
    "json",
    "diff",
    "test",
)
@click.pass_context
def command(
    context: click.Context,
    file: Path,
    instance_file: Path | None,
    observed_file: Path | None,
    values: tuple[FieldValue, ...],
    later_values: tuple[FieldValue, ...],
    not_ready: tuple[str, ...],
    without: tuple[str, ...],
    namespaces: tuple[str, ...],
    crds: tuple[str, ...],
    feature_gates: tuple[str, ...],
    version: Version | None,
    step: bool,
    deletion: bool,
    with_metadata: bool,
    output_format: str,
) -> None:
    """Show what kro would make of an instance, without a cluster.

    A cluster is simulated: applied objects exist at once, a Deployment becomes available, a claim is bound, and other
    kinds get a status from their schema. Passes are repeated until nothing changes. Nothing is contacted.

    \b
    Exit codes:
      0  the instance becomes active
      1  it does not: something waits forever or has an error
      2  wrong usage; a file that cannot be read or used; a definition or an instance that would be refused
    """
    written = _one_instance(instance_file) if instance_file else None
    given = written.value if written else None
    schemas = folder_kinds(file, crds)
    wanted_kind = given.get("kind") if isinstance(given, dict) else None
    try:
        definition = read_definition(file, schemas, wanted_kind, feature_gates, version, with_graphs=True)
    except RefusedDefinitionError as refused:
        if output_format == "json":
            echo_json(_refused_json(refused))
        raise
    rgd = definition.rgd
    if not rgd.rgd.form.declares_kind:
        if output_format == "test":
            raise click.UsageError("a Graph has no instance: --format test has nothing to test")
        if written or values or later_values:
            raise click.UsageError("a Graph has no instance: --instance, --set and --then have nothing to change")
        scenario = _scenario(rgd, observed_file, not_ready, without)
        click.echo("kind Graph is that of a candidate of kro 0.10: what it does may change", err=True)
        simulation = simulate_graph(rgd, scenario)
        alone = partial(simulate_graph, rgd)
        _show(context, definition, simulation, alone, output_format, with_metadata, steps=step, deletion=deletion)
        return
    base = given if isinstance(given, dict) else sample_instance(rgd)
    scenario = _scenario(rgd, observed_file, not_ready, without)
    wanted = with_values(base, values)
    budget = PreviewBudget()
    first = _admit(rgd, wanted, written, budget)
    then = (_admit(rgd, with_values(wanted, later_values), written, budget, first),) if later_values else ()
    given = None if written else admit_instance(rgd, with_values(empty_instance(rgd), values), budget).instance
    existing = frozenset(namespaces) if namespaces else None
    scenario = replace(scenario, then=then, given=given, kro=definition.kro, namespaces=existing)
    simulation = simulate(rgd, first, scenario, budget)
    if output_format == "test":
        later = with_values(wanted, later_values) if later_values else None
        click.echo(_test_file(file, rgd, wanted, simulation, later, crds, feature_gates), nl=False)
        return

    def plain() -> Simulation:
        other = PreviewBudget()
        return simulate(rgd, _admit(rgd, base, written, other), Scenario(kro=definition.kro), other)

    steps = step or bool(then)
    _show(context, definition, simulation, plain, output_format, with_metadata, steps=steps, deletion=deletion)


def _show(
    context: click.Context,
    definition: Definition,
    simulation: Simulation,
    plain: Callable[[], Simulation],
    output_format: str,
    with_metadata: bool,
    *,
    steps: bool,
    deletion: bool,
) -> None:
    """Print a simulation in a format; `plain` returns the simulation without the user's changes."""
    shown = _Shown(definition.rgd, simulation, with_metadata)
    if output_format == "json":
        from kro_ls.runtime.cluster.preview_data import as_json

        echo_json(as_json(definition.rgd, simulation, with_metadata=with_metadata))
    elif output_format == "yaml":
        click.echo(_objects_yaml(shown), nl=False)
    elif output_format == "diff":
        click.echo(_diff(_Shown(definition.rgd, plain(), with_metadata), shown), nl=False)
    else:
        from kro_ls.cli.formats import preview_table

        click.echo(preview_table.render(definition, simulation, steps=steps, deletion=deletion), nl=False)
        objects = _objects_yaml(shown)
        click.echo(f"\n{objects}" if objects else "", nl=False)
    context.exit(0 if simulation.state is InstanceState.ACTIVE and simulation.settled else 1)


def _test_file(
    file: Path,
    rgd: RgdAnalysis,
    instance: JsonObject,
    simulation: Simulation,
    then: JsonObject | None,
    crds: tuple[str, ...],
    feature_gates: tuple[str, ...],
) -> str:
    """Return a test file for the working folder."""
    from kro_ls.render.test_file import TestFileHead, new_test_file
    from kro_ls.runtime.testing.saved_tests import saved_test, scenario_name

    if str(file) == "-":
        raise click.UsageError("--format test names the file of the definition; standard input has none")
    head = TestFileHead(file.as_posix(), [Path(each).as_posix() for each in crds], feature_gates)
    parts = rgd, instance, simulation, simulation.scenario, then
    return printable_literals(new_test_file(head, scenario_name(*parts), saved_test(*parts)))


def _refused_json(refused: RefusedDefinitionError) -> dict[str, Any]:
    """Return the JSON for a definition that kro refuses; ranges are as in `check --format json`."""
    from kro_ls.cli.formats.json_report import range_of

    errors = [
        {"code": each.code, "message": each.message, "range": range_of(refused.text, each.span)}
        for each in refused.errors
    ]
    return {"state": InstanceState.REFUSED.value, "errors": errors}


class _Shown(Struct, frozen=True):
    """A simulation and how much of its objects to show."""

    rgd: RgdAnalysis
    simulation: Simulation
    with_metadata: bool


def _one_instance(path: Path) -> Written:
    documents = read_documents(path)
    if len(documents) != 1:
        raise InputError(f"{path} has {len(documents)} documents; an instance file has one")
    if not isinstance(documents[0].value, dict):
        raise InputError(documents[0].message(InputProblem((), "an instance must be a mapping")), shown=True)
    return documents[0]


def _admit(
    rgd: RgdAnalysis,
    instance: JsonObject,
    written: Written | None,
    budget: PreviewBudget,
    old: JsonObject | None = None,
) -> JsonObject:
    """Return the instance as it would be stored. Raises InputError, with the places, where it would be refused."""
    admission = admit_instance(rgd, instance, budget, old)
    for path in admission.unknown_fields:
        message = f"warning: unknown field '{place_of(path)}'; the API server drops it"
        problem = InputProblem(path, message, in_key=True)
        click.echo(written.message(problem) if written else printable(problem.message), err=True)
    if admission.errors:
        problems = [InputProblem(each.path, each.message) for each in admission.errors]
        messages = [
            written.message(each) if written else printable(f"instance: {place_of(each.path)}: {each.message}")
            for each in problems
        ]
        if not written:
            messages.append("give an instance that is valid with --instance, or change fields with --set")
        raise InputError("\n".join(["the API server would refuse this instance", *messages]), shown=True)
    return admission.instance


def _scenario(
    rgd: RgdAnalysis, observed_file: Path | None, not_ready: tuple[str, ...], without: tuple[str, ...]
) -> Scenario:
    nodes = dict(_nodes(rgd, ""))
    for option, ids in (("--not-ready", not_ready), ("--without", without)):
        for id_ in ids:
            if id_ not in nodes:
                raise click.UsageError(f"{option}: {unknown_node(id_, nodes)}")
    managed = [id_ for id_ in without if not nodes[id_].is_external and not nodes[id_].resource.form.is_patch]
    if managed:
        raise click.UsageError(f"--without: {managed[0]} is not an external reference: kro creates it")
    observed: dict[str, Observed] = {}
    for written in read_documents(observed_file) if observed_file else ():
        found, problems = read_observed(written.value, nodes)
        if problems:
            raise InputError("\n".join(written.message(each) for each in problems), shown=True)
        observed |= found
    observed |= {id_: Observed(()) for id_ in without}
    return Scenario(observed, frozenset(not_ready))


def _nodes(rgd: RgdAnalysis, prefix: str) -> Iterator[tuple[str, CompiledNode]]:
    """Yield the nodes by their ids, those of child graphs by their paths."""
    children = children_by_id(rgd)
    for node in compile_graph(rgd).nodes:
        yield prefix + node.id, node
        if node.id in children:
            yield from _nodes(children[node.id], f"{prefix}{node.id}/")


def _objects_yaml(shown: _Shown) -> str:
    from kro_ls.render.yaml_text import to_yaml
    from kro_ls.runtime.cluster.preview_data import objects_of

    objects = objects_of(shown.rgd, shown.simulation, with_metadata=shown.with_metadata)
    return "".join(f"---\n# {id_}\n{to_yaml(value)}" for id_, value in objects)


def _diff(given: _Shown, changed: _Shown) -> str:
    from difflib import unified_diff

    from kro_ls.render.yaml_text import to_yaml
    from kro_ls.runtime.passes.reasons import short_reason, state_word

    def lines(shown: _Shown) -> list[str]:
        nodes: dict[str, Any] = {
            each.id: " ".join(filter(None, [state_word(each), short_reason(each)]))
            for each in shown.simulation.final.result.nodes
        }
        text = to_yaml({"status": shown.simulation.status, "nodes": nodes}) + _objects_yaml(shown)
        return text.splitlines(keepends=True)

    return "".join(unified_diff(lines(given), lines(changed), "as given", "as changed"))
