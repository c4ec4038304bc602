"""`kro-ls kinds fetch`, and `kro-ls kinds add` with a URL, from a server on loopback."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from urllib.error import URLError

import pytest

from kro_ls.openapi.sources.provenance import projects
from kro_ls.openapi.sources.store import origin_in
from kro_ls.render.yaml_text import to_yaml
from kro_ls.workspace.gathering import download, releases
from kro_ls.workspace.gathering.releases import Release, fetchable, pinned_files
from tests.fixtures.crds import archive, crd
from tests.fixtures.processes import Invoke
from tests.fixtures.web import Web, web

ROLE = to_yaml(crd("Role", "iam.services.k8s.aws")).encode()
EXPORT = to_yaml(crd("FieldExport", "services.k8s.aws")).encode()
PATH = "/aws/iam/0123abc/helm/crds/roles.yaml"


def pinned(path: str, content: bytes, group: str) -> tuple[str, ...]:
    return (path, sha256(content).hexdigest(), group)


RELEASES = tuple(
    Release("ack", f"aws/{name}", version, date, "0123abc", (
        pinned("helm/crds/roles.yaml", ROLE, f"{name}.services.k8s.aws"),
        pinned("helm/crds/exports.yaml", EXPORT, "services.k8s.aws"),
    ))
    for name, version, date in (("iam", "1.8.1", "2026-08-13"), ("s3", "1.10.0", "2026-08-12"))
)  # fmt: skip


@pytest.fixture
def server(store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setattr(releases, "releases", lambda: RELEASES)
    monkeypatch.setattr(download, "_WAITING_SECONDS", 5.0)
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with web() as found:
        found.contents[PATH] = ROLE
        found.contents["/aws/iam/0123abc/helm/crds/exports.yaml"] = EXPORT
        monkeypatch.setenv("KRO_LS_MIRROR", found.url)
        yield found


def test_the_kinds_of_a_group(invoke: Invoke, store: Path, server: Web) -> None:
    result = invoke("kinds", "fetch", "iam.services.k8s.aws")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"iam.services.k8s.aws     1 kind   AWS Controllers for Kubernetes 1.8.1, 2026-08\n1 added in {store}\n"
    )
    assert server.asked == [PATH]
    origin = origin_in((store / "iam.services.k8s.aws" / "Role.yaml").read_text())
    assert (origin.location, origin.digest) == (server.url + PATH, f"sha256:{sha256(ROLE).hexdigest()}")


def test_what_several_releases_have_comes_from_the_newest(invoke: Invoke, server: Web) -> None:
    assert invoke("kinds", "fetch", "services.k8s.aws", "-o", "crds").exit_code == 0
    assert server.asked == ["/aws/iam/0123abc/helm/crds/exports.yaml"]
    assert Path("crds/services.k8s.aws/FieldExport.yaml").is_file()


def test_another_content_is_refused(invoke: Invoke, store: Path, server: Web) -> None:
    server.contents[PATH] = ROLE + b"# more\n"
    result = invoke("kinds", "fetch", "iam.services.k8s.aws")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"error: {server.url}{PATH}: not what is expected: "
        f"its SHA-256 is not {sha256(ROLE).hexdigest()}; nothing of it is used\n"
    )
    assert not store.exists()


@pytest.mark.parametrize(
    ("status", "headers", "message"),
    [
        (404, {}, "the server answers 404 Not Found"),
        (429, {}, "the server answers 429 Too Many Requests; try again later, or use --mirror"),
        (302, {"Location": "file:///etc/passwd"}, "the server answers 302 "),
        (
            302,
            {"Location": "ftp://example.com/a?token=secret"},
            "cannot be downloaded: it leads to ftp://example.com/a",
        ),
        (302, {"Location": PATH}, "the server answers 302 "),
        (200, {"Content-Length": "100000"}, "the connection ended early; try again"),
    ],
)
def test_a_server_that_does_not_give_it(
    invoke: Invoke, store: Path, server: Web, status: int, headers: dict[str, str], message: str
) -> None:
    server.answers[PATH] = status, headers
    result = invoke("kinds", "fetch", "iam.services.k8s.aws")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr
    assert not store.exists()


def test_no_server(invoke: Invoke, store: Path, server: Web) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        mirror = f"http://127.0.0.1:{bound.getsockname()[1]}"
        result = invoke("kinds", "fetch", "iam.services.k8s.aws", "--mirror", mirror)
    message = "the connection is refused; check the network and HTTPS_PROXY"
    assert (result.exit_code, result.stderr) == (2, f"error: {mirror}{PATH}: {message}\n")


def test_a_server_that_hangs(invoke: Invoke, store: Path, server: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "_WAITING_SECONDS", 0.1)
    with socket.socket() as hanging:
        hanging.bind(("127.0.0.1", 0))
        hanging.listen()
        mirror = f"http://127.0.0.1:{hanging.getsockname()[1]}"
        result = invoke("kinds", "fetch", "iam.services.k8s.aws", "--mirror", mirror)
    message = "no answer in time; check the network and HTTPS_PROXY"
    assert (result.exit_code, result.stderr) == (2, f"error: {mirror}{PATH}: {message}\n")


def test_a_proxy_is_asked(invoke: Invoke, store: Path, server: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    server.contents[f"http://example.invalid{PATH}"] = ROLE
    result = invoke("kinds", "fetch", "iam.services.k8s.aws", "--mirror", "http://example.invalid")
    assert (result.exit_code, result.stderr) == (0, "")
    assert server.asked == [f"http://example.invalid{PATH}"]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("iam.service.k8s.aws", "did you mean 'iam.services.k8s.aws'?"),
        ("unheard.of", "'kro-ls kinds fetch' lists those that are"),
    ],
)
def test_an_unknown_name(invoke: Invoke, server: Web, name: str, advice: str) -> None:
    result = invoke("kinds", "fetch", name)
    message = f"{name!r} is no group or project that can be fetched; {advice}"
    assert (result.exit_code, result.stderr, server.asked) == (2, f"Error: {message}\n", [])


def test_the_projects_are_listed_without_a_connection(invoke: Invoke, server: Web) -> None:
    result = invoke("kinds", "fetch")
    assert (result.exit_code, server.asked) == (0, [])
    assert result.stdout.splitlines()[0].split() == ["PROJECT", "VERSION", "GROUPS"]


def test_the_address_of_a_mirror(invoke: Invoke, server: Web) -> None:
    result = invoke("kinds", "fetch", "iam.services.k8s.aws", "--mirror", "file:///tmp")
    assert result.exit_code == 2
    assert "--mirror takes an address of HTTP or HTTPS, not 'file:///tmp'" in result.stderr


def test_a_url_can_be_added(invoke: Invoke, store: Path, server: Web) -> None:
    server.contents["/widgets.tgz"] = archive(
        {"w/Chart.yaml": "name: w\nversion: 1.0.0\n", "w/crds/w.yaml": to_yaml(crd())}
    )
    result = invoke("kinds", "add", f"{server.url}/widgets.tgz?token=secret")
    assert (result.exit_code, result.stderr) == (0, "")
    text = (store / "example.com" / "Widget.yaml").read_text()
    assert origin_in(text).location == f"{server.url}/widgets.tgz"
    assert re.fullmatch(r"w 1\.0\.0, \d{4}-\d\d", str(origin_in(text)))
    assert "secret" not in text


def test_passwords_are_not_sent(invoke: Invoke, server: Web) -> None:
    result = invoke("kinds", "add", server.url.replace("://", "://me:secret@") + "/a.yaml")
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: {server.url}/a.yaml: a name or a password in an address is not sent; download the file yourself\n"
    )
    assert server.asked == []


def test_a_certificate_that_nobody_vouches_for(
    invoke: Invoke, store: Path, server: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bytes:
        error = ssl.SSLCertVerificationError(1, "certificate verify failed")
        error.verify_message = "self-signed certificate"
        raise URLError(error)

    monkeypatch.setattr(download, "_content", refuse)
    result = invoke("kinds", "fetch", "iam.services.k8s.aws")
    assert result.exit_code == 2
    assert result.stderr.partition(": its ")[2] == (
        "certificate cannot be verified (self-signed certificate); "
        "for a certificate of your company, set SSL_CERT_FILE\n"
    )


def test_each_pinned_release_can_be_asked_for() -> None:
    assert {release.project for release in releases.releases()} <= {project.name for project in projects()}
    for release in releases.releases():
        assert re.fullmatch(r"[0-9a-f]{40}", release.commit)
        assert release.files
        assert all(re.fullmatch(r"[0-9a-f]{64}", digest) and groups for _, digest, *groups in release.files)
    assert all(pinned_files(name) for name in fetchable())
