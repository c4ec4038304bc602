"""The programs of the cluster, and the folder where they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CACHE = (ROOT / ".cache").resolve() / "cluster"  # worktrees may share it by a link

KUBERNETES = "v1.36.3"
ETCD = "v3.6.8"
KRO = "v0.9.4"


class ClusterError(Exception):
    """The reason why a cluster cannot be built or started, in a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program of the control plane, built from a Go module."""

    name: str
    module: str
    version: str
    package: str

    @property
    def path(self) -> Path:
        """The path of the built program. It includes the version, so that a newer one is built beside it."""
        return CACHE / "bin" / f"{self.name}-{self.version}"


ETCD_SERVER = Program("etcd", "go.etcd.io/etcd/server/v3", ETCD, "go.etcd.io/etcd/server/v3")
KRO_CONTROLLER = Program("kro", "github.com/kubernetes-sigs/kro", KRO, "github.com/kubernetes-sigs/kro/cmd/controller")
KUBERNETES_MODULE = "k8s.io/kubernetes"
API_SERVER = Program("kube-apiserver", KUBERNETES_MODULE, KUBERNETES, "k8s.io/kubernetes/cmd/kube-apiserver")
CONTROLLER_MANAGER = Program(
    "kube-controller-manager", KUBERNETES_MODULE, KUBERNETES, "k8s.io/kubernetes/cmd/kube-controller-manager"
)
PROGRAMS = (ETCD_SERVER, KRO_CONTROLLER, API_SERVER, CONTROLLER_MANAGER)

KRO_DEFINITIONS = CACHE / "bin" / f"kro-{KRO}-crds"
"""The CustomResourceDefinitions of kro itself, from its module."""
