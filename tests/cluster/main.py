"""A real Kubernetes control plane with real kro, on loopback, without containers: `scripts/cluster`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.cluster.build import build
from tests.cluster.control_plane import ControlPlane
from tests.cluster.versions import ClusterError

DESCRIPTION = """\
A real Kubernetes control plane with the real kro controller, on loopback, without containers.

  build   build etcd, kube-apiserver, kube-controller-manager and kro from Go modules, each version once
  start   start them, and install kro; prints the kubeconfig
  stop    stop them
  wipe    stop them, and forget all state
"""


def main(arguments: list[str]) -> int:
    """Run the command; exit with status 3 if a requirement is missing."""
    parser = argparse.ArgumentParser(
        "scripts/cluster", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["build", "start", "stop", "wipe"])
    parser.add_argument("name", nargs="?", default="default", help="which cluster: several may run at once")
    options = parser.parse_args(arguments)
    cluster = ControlPlane(options.name)
    try:
        if options.what in ("build", "start"):
            build()
        if options.what == "start":
            started = time.monotonic()
            cluster.start()
            print(f"started in {time.monotonic() - started:.1f} s", file=sys.stderr)
            print(cluster.kubeconfig)
    except ClusterError as error:
        print(f"scripts/cluster: {error}", file=sys.stderr)
        return 3
    if options.what == "stop":
        cluster.stop()
    if options.what == "wipe":
        cluster.wipe()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
