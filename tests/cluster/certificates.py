"""The certificates, tokens and settings with which the programs of a cluster authenticate; openssl creates the keys."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
from pathlib import Path

from tests.cluster.versions import ClusterError

DAYS = "30"
NAMES = "subjectAltName=IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes.default.svc"
ELLIPTIC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")

KRO_USER = "system:serviceaccount:kro-system:kro"
USERS = {
    "admin": ("admin", "system:masters"),
    "kro": (KRO_USER, "system:serviceaccounts,system:serviceaccounts:kro-system"),
    "kcm": ("system:kube-controller-manager", "system:masters"),
    "viewer": ("viewer", "viewers"),
}
"""Users by the names of their files, with their groups. A ClusterRoleBinding grants rights to kro; viewer has none."""

WRITING = ["create", "update", "patch", "delete"]
AUDIT = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [{"level": "RequestResponse", "users": [KRO_USER], "verbs": WRITING}, {"level": "None"}],
}
"""The policy of the audit log: the writes of kro, with the answers."""


def make_certificates(folder: Path, server: str) -> None:
    """Write the authority, the API server's certificate, the service accounts' key, and a kubeconfig per user."""
    if shutil.which("openssl") is None:
        raise ClusterError(
            "the certificates of the cluster are made with openssl: install it (apt-get install openssl)"
        )
    folder.mkdir(parents=True, mode=0o700)
    _openssl(
        folder,
        "req",
        "-x509",
        *ELLIPTIC,
        "-days",
        DAYS,
        "-subj",
        "/CN=kro-ls-test",
        "-keyout",
        "ca.key",
        "-out",
        "ca.crt",
    )
    _openssl(folder, "req", *ELLIPTIC, "-subj", "/CN=kube-apiserver", "-keyout", "api.key", "-out", "api.csr")
    (folder / "api.ext").write_text(NAMES, encoding="utf-8")
    signing = ("-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", DAYS, "-extfile", "api.ext")
    _openssl(folder, "x509", "-req", "-in", "api.csr", *signing, "-out", "api.crt")
    _openssl(folder, "genrsa", "-out", "sa.key", "2048")
    _openssl(folder, "rsa", "-in", "sa.key", "-pubout", "-out", "sa.pub")
    (folder / "audit.json").write_text(json.dumps(AUDIT), encoding="utf-8")
    _write_users(folder, server)


def _write_users(folder: Path, server: str) -> None:
    lines = []
    for file, (user, groups) in USERS.items():
        token = secrets.token_hex(16)
        lines.append(f'{token},{user},{file},"{groups}"\n')
        (folder / f"{file}.token").write_text(token, encoding="utf-8")
        (folder / f"{file}.kubeconfig").write_text(json.dumps(_kubeconfig(folder, server, token)), encoding="utf-8")
    (folder / "tokens.csv").write_text("".join(lines), encoding="utf-8")


def _kubeconfig(folder: Path, server: str, token: str) -> dict[str, object]:
    """Return a kubeconfig; JSON is YAML."""
    cluster = {"server": server, "certificate-authority": str(folder / "ca.crt")}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "kro-ls-test", "cluster": cluster}],
        "users": [{"name": "user", "user": {"token": token}}],
        "contexts": [
            {"name": "kro-ls-test", "context": {"cluster": "kro-ls-test", "user": "user", "namespace": "default"}}
        ],
        "current-context": "kro-ls-test",
    }


def _openssl(folder: Path, *arguments: str) -> None:
    ran = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if ran.returncode:
        raise ClusterError(f"openssl {arguments[0]} failed:\n{ran.stderr.strip()}")
