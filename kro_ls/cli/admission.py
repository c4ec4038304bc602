"""`kro-ls admission`: a validating webhook for definitions and instances."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from kro_ls.cli.checking import cores
from kro_ls.cli.input_error import InputError
from kro_ls.cli.settings_options import chosen_selection, chosen_settings, settings_options
from kro_ls.openapi.sources.pack.policy import ALL_GROUPS, PackPolicy

if TYPE_CHECKING:
    from kro_ls.cli.settings_options import GivenSettings

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_OFF = "off"  # the cluster itself has the kinds
_SECONDS = click.FloatRange(0, 30)
_MISSING = (
    "packages for this command are missing: install kro-ls with the extra 'admission' (pip install '.[admission]')"
)


@click.command("admission")
@click.option("--cert", required=True, type=_FILE, help="The certificate of the server, with those above it, in PEM.")
@click.option("--key", required=True, type=_FILE, help="The key of the certificate, in PEM.")
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")  # noqa: S104 (a pod)
@click.option("--port", type=click.IntRange(0, 65535), default=8443, show_default=True, help="The port to listen on.")
@click.option(
    "definitions",
    "--definitions",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="A file or folder with ResourceGraphDefinitions, whose instances are reviewed. May be repeated.",
)
@click.option("--cluster", is_flag=True, help="Read the definitions of the cluster, and follow their changes.")
@click.option("--deny-warnings", is_flag=True, help="Deny also what kro accepts but will fail or surprise later.")
@click.option("--workers", type=click.IntRange(1, 64), help="How many processes review; one for each core by default.")
@click.option(
    "--most-waiting", type=click.IntRange(1), default=100, show_default=True, help="How many reviews may wait."
)
@click.option(
    "--most-bytes", type=click.IntRange(1_000), default=8_000_000, show_default=True, help="The largest body."
)
@click.option(
    "--review-seconds", type=_SECONDS, default=2.0, show_default=True, help="How long a review may wait, and then take."
)
@click.option("--drain-seconds", type=_SECONDS, default=5.0, show_default=True, help="How long to go on after SIGTERM.")
@settings_options
def command(
    cert: Path,
    key: Path,
    host: str,
    port: int,
    definitions: tuple[Path, ...],
    cluster: bool,
    deny_warnings: bool,
    workers: int | None,
    most_waiting: int,
    most_bytes: int,
    review_seconds: float,
    drain_seconds: float,
    **given: Unpack[GivenSettings],
) -> None:
    """Serve an admission webhook for definitions and instances.

    An API server sends AdmissionReviews to /validate over TLS. What kro would refuse is denied with all errors; what
    the API server or a controller will not accept later is a warning. kubectl, Flux and Argo CD show both. What cannot
    be reviewed in time is let through with a warning. Nothing is changed or stored, so any number of replicas can
    run. /healthz, /readyz and /metrics (for Prometheus) are served, too.

    An instance is reviewed where its definition is known: from --definitions, or with --cluster from the cluster that
    the service account of the pod, else the kubeconfig names. Custom kinds come from --crds, or from the cluster. Files
    are read again when they change, the certificate as well.
    """
    try:
        from kro_ls.admission.webhook_server import WebhookOptions, serve_webhook
    except ImportError as error:
        raise InputError(_MISSING) from error
    from kro_ls.admission.certificates import CertificateError
    from kro_ls.admission.cluster_mirror import ClusterError
    from kro_ls.admission.known_definitions import ReviewOptions
    from kro_ls.admission.review_pool import EndedError, LateError, Limits

    if len(given["versions"]) > 1:
        raise click.UsageError("one version of kro runs in a cluster: give --kro-version one")
    selection, settings = chosen_selection(given), chosen_settings(given)
    review = ReviewOptions(
        selection.only_shown(selection.applied(settings, settings)),
        given["kubernetes_version"],
        PackPolicy.of(dict(given["well_known"]) or ({ALL_GROUPS: _OFF} if cluster else {})),
        deny_warnings,
    )
    options = WebhookOptions(
        review,
        host,
        port,
        cert,
        key,
        (*definitions, *map(Path, given["crds"])),
        cluster,
        workers or cores(),
        Limits(review_seconds, most_waiting),
        most_bytes,
        drain_seconds,
    )
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(message)s")
    try:
        serve_webhook(options, lambda address: click.echo(f"reviews are answered at {address}/validate", err=True))
    except CertificateError as error:
        raise InputError(str(error)) from error
    except OSError as error:
        raise InputError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    except ClusterError as error:
        raise InputError(f"--cluster: {error}") from error
    except (EndedError, LateError) as error:
        raise InputError("the processes that review do not start; is there enough memory?") from error
