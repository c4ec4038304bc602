"""`kro-ls plan`: what merging a change would do to the objects of every instance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kro_ls.cli.checking import cores, results_of, waiting_processes
from kro_ls.cli.file_check import Options
from kro_ls.cli.input_error import InputError
from kro_ls.cli.kinds.connecting import cluster_options, connected_kubectl
from kro_ls.cli.options import format_option
from kro_ls.cli.plan_inputs import PlanWork, Sides, new_sources, sources_at
from kro_ls.cli.progress import Progress
from kro_ls.cli.report import Failure
from kro_ls.cli.settings_options import CRDS_OPTION
from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.runtime.plans.plan import Plan
from kro_ls.workspace.editions import definition_plans
from kro_ls.workspace.planning import changes_between, unplanned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cli.file_check import KindSources
    from kro_ls.runtime.plans.plan import InstancePlan
    from kro_ls.workspace.gathering.kubectl import Kubectl
    from kro_ls.workspace.planning import InstanceChange

_CHANGES_OF_WORKER: Final = 40
"""So many instances take a worker about as long as starting one."""
_SECONDS: Final = 120.0
"""The most that the instances of one file may take."""


@click.command("plan")
@click.argument("paths", metavar="[PATH...]", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--git", "ref", metavar="REF", help="Compare with this commit, such as origin/main.  [default: HEAD]")
@click.option("--cluster", "from_cluster", is_flag=True, help="Compare with a cluster, read with your kubectl.")
@click.option(
    "--dry-run",
    "asks_server",
    is_flag=True,
    help="With --cluster: have the API server validate each object, without writing anything.",
)
@cluster_options
@CRDS_OPTION
@format_option("markdown is for the comment of a pull request.", "text", "json", "markdown")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[Path, ...],
    ref: str | None,
    from_cluster: bool,
    asks_server: bool,
    name: str,
    allow_exec: bool,
    crds: tuple[str, ...],
    output_format: str,
    quiet: bool,
) -> None:
    """Show what a change would do to every instance.

    The definitions and instances in the PATHs (this folder without any) are compared with what they are in a commit.
    Every instance is rendered with the old definition and then, in the simulated cluster that this leaves, with the new
    one: which objects are created, changed, replaced and deleted, what the API server or kro refuses, what waits. What
    instances make of kinds that other definitions declare is rendered as well. Nothing is contacted.

    With --cluster the definitions and instances are those of your cluster, and the PATHs are what you would apply to
    it. It is only read; --dry-run has the API server say what it thinks of each object that would be written.

    \b
    Exit codes:
      0  nothing is refused, and nothing fails that did not fail before
      1  a definition, an instance or an object is refused, or an instance ends in an error
      2  wrong usage, or files that cannot be read or compared
    """
    if ref is not None and from_cluster:
        raise click.UsageError("compare with a commit (--git) or with a cluster (--cluster), not with both.")
    if asks_server and not from_cluster:
        raise click.UsageError("--dry-run asks a cluster: name it with --cluster.")
    paths = paths or (Path(),)
    options = Options(DEFAULT_SETTINGS, crds, is_quiet=quiet)
    progress = Progress(is_quiet=quiet)
    now = new_sources(paths, options, progress)
    if from_cluster:
        kubectl = connected_kubectl(name, allow_exec=allow_exec)
        plan = _cluster_plan(kubectl, now, options, progress, asks_server=asks_server)
    else:
        ref = ref or "HEAD"
        sides = Sides(sources_at(ref, paths, now), now, options)
        _require_kinds(sides)
        changes = list(changes_between(sides.old_sources.texts, now.texts, sides.planner.kinds))
        plan = _planned(ref, sides, changes, progress)
    click.echo(_rendered(plan, output_format), nl=False)
    context.exit(1 if plan.fails else 0)


def _cluster_plan(
    kubectl: Kubectl, now: KindSources, options: Options, progress: Progress, *, asks_server: bool
) -> Plan:
    from kro_ls.cli.plan_cluster import cluster_changes, cluster_sides, dry_run
    from kro_ls.workspace.gathering.instance_objects import live_definitions

    definitions = live_definitions(kubectl)
    sides = cluster_sides(definitions, now, options, with_values=asks_server)
    _require_kinds(sides)
    changes = cluster_changes(kubectl, definitions, sides)
    plan = _planned(f"context {kubectl.context!r}", sides, changes, progress)
    return dry_run(kubectl, plan, progress) if asks_server else plan


def _require_kinds(sides: Sides) -> None:
    if not sides.planner.kinds:
        raise InputError("no ResourceGraphDefinition found")


def _planned(against: str, sides: Sides, changes: list[InstanceChange], progress: Progress) -> Plan:
    """Return the plan of some changes, made on all cores when there is enough to do."""
    definitions = tuple(definition_plans(sides.old, sides.new))
    found: dict[int, list[InstancePlan]] = {}
    for number, each in progress.of("Planning", _results(sides, changes), len(changes), "instance"):
        found[number] = [unplanned(changes[number], each.reason)] if isinstance(each, Failure) else each
    instances = tuple(each for number in range(len(changes)) for each in found[number])
    return Plan(against, definitions, instances)


def _results(sides: Sides, changes: list[InstanceChange]) -> Iterator[tuple[int, list[InstancePlan] | Failure]]:
    processes = min(cores(), len(changes) // _CHANGES_OF_WORKER)
    with waiting_processes() as waiting:
        yield from results_of(PlanWork(sides), changes, processes, lambda _: _SECONDS, waiting)


def _rendered(plan: Plan, output_format: str) -> str:
    if output_format == "json":
        from kro_ls.render.plan_json import plan_json

        return plan_json(plan)
    if output_format == "markdown":
        from kro_ls.render.plan_markdown import plan_markdown

        return plan_markdown(plan)
    from kro_ls.cli.formats.plan_text import render

    return render(plan)
