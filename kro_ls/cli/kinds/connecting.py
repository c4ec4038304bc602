"""Connects to the cluster that a user names, after asking whether programs may run for that."""

from __future__ import annotations

import sys

import click

from kro_ls.cli.options import together
from kro_ls.printable import printable
from kro_ls.workspace.gathering.kubectl import Kubectl
from kro_ls.workspace.gathering.part import UnusableError

cluster_options = together(
    click.option(
        "--context",
        "name",
        metavar="NAME",
        default="",
        help="A context of your kubeconfig, by default the current one.",
    ),
    click.option(
        "--allow-exec",
        is_flag=True,
        help="Let kubectl run the program that the context names for its credentials, without asking.",
    ),
)
"""Give a command the options that name a cluster."""


def connected_kubectl(name: str, *, allow_exec: bool) -> Kubectl:
    """Return the kubectl of a context. Raises InputError where there is none, and without consent."""
    kubectl = Kubectl(name)
    if kubectl.plugins and not allow_exec:
        _require_consent(kubectl)
    return kubectl


def _require_consent(kubectl: Kubectl) -> None:
    """Ask on a terminal whether kubectl may run what a context names. Raises UnusableError where it may not."""
    name = f"context {kubectl.context!r}"
    programs = " and ".join(map(repr, kubectl.plugins))
    if not all(stream and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        raise UnusableError(name, f"runs {programs} for its credentials; allow that with --allow-exec")
    if not click.confirm(printable(f"{name} runs {programs} for its credentials. Run it?"), err=True):
        raise UnusableError(name, f"{programs} may not run")
