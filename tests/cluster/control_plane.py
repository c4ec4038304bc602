"""A control plane on loopback: etcd, the API server, the controller manager and kro, in a separate folder."""

from __future__ import annotations

import json
import shutil
import ssl
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.cluster.certificates import KRO_USER, make_certificates
from tests.cluster.client import Client, read_objects
from tests.cluster.processes import Process, free_ports
from tests.cluster.versions import (
    API_SERVER,
    CACHE,
    CONTROLLER_MANAGER,
    ETCD_SERVER,
    KRO_CONTROLLER,
    KRO_DEFINITIONS,
    ClusterError,
    Program,
)

START_SECONDS = 120.0
WITHOUT_NODES = (
    "*,-node-lifecycle-controller,-pod-garbage-collector-controller,-taint-eviction-controller,-node-ipam-controller"
)


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports at which the programs listen."""

    etcd: int
    etcd_peer: int
    api: int
    manager: int
    kro_metrics: int
    kro_probes: int


@dataclass(frozen=True, slots=True)
class ControlPlane:
    """A cluster with a name; several may run at once."""

    name: str

    @property
    def home(self) -> Path:
        """The folder of its state."""
        return CACHE / "run" / self.name

    @property
    def certificates(self) -> Path:
        """The folder of its keys and the kubeconfig of each user."""
        return self.home / "certificates"

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig, for kubectl."""
        return self.certificates / "admin.kubeconfig"

    @property
    def audit_log(self) -> Path:
        """The log of the writes of kro."""
        return self.home / "audit.log"

    def client(self, user: str = "admin") -> Client:
        """Return a client of the API server."""
        token = (self.certificates / f"{user}.token").read_text(encoding="utf-8")
        return Client(self._ports().api, token, self.certificates / "ca.crt")

    def start(self) -> None:
        """Start the programs that do not run, wait until they are ready, and install kro. Raises ClusterError."""
        missing = [
            each.name
            for each in (ETCD_SERVER, API_SERVER, CONTROLLER_MANAGER, KRO_CONTROLLER)
            if not each.path.is_file()
        ]
        if missing:
            raise ClusterError(f"{', '.join(missing)}: not built yet; run scripts/cluster build")
        if any(each.pid() for each in self._processes()):
            raise ClusterError(f"the cluster '{self.name}' runs already; scripts/cluster stop {self.name} ends it")
        self.home.mkdir(parents=True, exist_ok=True)
        if not self.certificates.is_dir():
            ports = Ports(*free_ports(6))
            (self.home / "ports.json").write_text(json.dumps(asdict(ports)), encoding="utf-8")
            make_certificates(self.certificates, f"https://127.0.0.1:{ports.api}")
        try:
            self._start_etcd()
            self._start_api_server()
            self._start_controller_manager()
            self._install_kro()
            self.start_kro()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the running programs, in reverse order."""
        for process in reversed(self._processes()):
            process.stop()

    def wipe(self) -> None:
        """Stop the running programs and delete all state."""
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def start_kro(self) -> None:
        """Start kro's controller, and wait until it is ready."""
        ports = self._ports()
        kro = self._process("kro", KRO_CONTROLLER)
        kro.start(
            [
                f"--metrics-bind-address=127.0.0.1:{ports.kro_metrics}",
                f"--health-probe-bind-address=127.0.0.1:{ports.kro_probes}",
            ],
            {"KUBECONFIG": str(self.certificates / "kro.kubeconfig")},
        )
        kro.wait_until(lambda: _answers(f"http://127.0.0.1:{ports.kro_probes}/readyz"), START_SECONDS)

    def _start_etcd(self) -> None:
        ports = self._ports()
        client, peer = f"http://127.0.0.1:{ports.etcd}", f"http://127.0.0.1:{ports.etcd_peer}"
        etcd = self._process("etcd", ETCD_SERVER)
        etcd.start(
            [
                f"--data-dir={self.home / 'etcd'}",
                f"--listen-client-urls={client}",
                f"--advertise-client-urls={client}",
                f"--listen-peer-urls={peer}",
                f"--initial-advertise-peer-urls={peer}",
                f"--initial-cluster=default={peer}",
                "--unsafe-no-fsync",
            ],
            {},
        )
        etcd.wait_until(lambda: _answers(f"{client}/health"), START_SECONDS)

    def _start_api_server(self) -> None:
        ports, keys = self._ports(), self.certificates
        server = self._process("kube-apiserver", API_SERVER)
        server.start(
            [
                f"--etcd-servers=http://127.0.0.1:{ports.etcd}",
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                f"--secure-port={ports.api}",
                f"--tls-cert-file={keys / 'api.crt'}",
                f"--tls-private-key-file={keys / 'api.key'}",
                f"--client-ca-file={keys / 'ca.crt'}",
                f"--token-auth-file={keys / 'tokens.csv'}",
                "--authorization-mode=RBAC",
                "--service-cluster-ip-range=10.96.0.0/12",
                "--service-account-issuer=https://kubernetes.default.svc",
                f"--service-account-signing-key-file={keys / 'sa.key'}",
                f"--service-account-key-file={keys / 'sa.pub'}",
                "--endpoint-reconciler-type=none",
                "--allow-privileged=true",
                f"--audit-policy-file={keys / 'audit.json'}",
                f"--audit-log-path={self.audit_log}",
                "--audit-log-mode=blocking",
                "--audit-log-maxsize=100000",
            ],
            {},
        )
        admin = self.client()
        server.wait_until(admin.is_ready, START_SECONDS)

    def _start_controller_manager(self) -> None:
        ports, keys = self._ports(), self.certificates
        kubeconfig = keys / "kcm.kubeconfig"
        manager = self._process("kube-controller-manager", CONTROLLER_MANAGER)
        manager.start(
            [
                f"--kubeconfig={kubeconfig}",
                f"--authentication-kubeconfig={kubeconfig}",
                f"--authorization-kubeconfig={kubeconfig}",
                "--bind-address=127.0.0.1",
                f"--secure-port={ports.manager}",
                "--leader-elect=false",
                f"--service-account-private-key-file={keys / 'sa.key'}",
                f"--root-ca-file={keys / 'ca.crt'}",
                f"--cluster-signing-cert-file={keys / 'ca.crt'}",
                f"--cluster-signing-key-file={keys / 'ca.key'}",
                f"--controllers={WITHOUT_NODES}",
            ],
            {},
        )
        manager.wait_until(lambda: _answers(f"https://127.0.0.1:{ports.manager}/healthz"), START_SECONDS)

    def _install_kro(self) -> None:
        """Install kro's own kinds, and the rights that its chart grants it by default."""
        admin = self.client()
        for file in sorted(KRO_DEFINITIONS.glob("*.yaml")):
            for definition in read_objects(file):
                admin.apply(definition)
        admin.apply(
            {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRoleBinding",
                "metadata": {"name": "kro"},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
                "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": KRO_USER}],
            }
        )

    def _processes(self) -> list[Process]:
        return [
            self._process(each.name, each) for each in (ETCD_SERVER, API_SERVER, CONTROLLER_MANAGER, KRO_CONTROLLER)
        ]

    def _process(self, name: str, program: Program) -> Process:
        return Process(self.home, name, program.path)

    def _ports(self) -> Ports:
        return Ports(**json.loads((self.home / "ports.json").read_text(encoding="utf-8")))


def _answers(address: str) -> bool:
    """Whether a program on loopback reports that it is healthy; the manager's certificate is self-signed."""
    try:
        with urllib.request.urlopen(address, timeout=2, context=ssl._create_unverified_context()) as answer:
            return int(answer.status) == 200
    except (OSError, urllib.error.URLError):
        return False
