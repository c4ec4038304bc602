"""`kro-ls admission` as an API server, a kubelet and Prometheus see it: a real process, TLS and HTTP."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.admission.test_reviewer import WEB, value_of, web
from tests.fixtures.processes import environment, start
from tests.fixtures.webhook import RunningWebhook, make_certificate, review

pytest.importorskip("uvicorn")
pytest.importorskip("prometheus_client")
pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")


@pytest.fixture(scope="module")
def webhook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    folder = tmp_path_factory.mktemp("webhook")
    (folder / "definitions").mkdir()
    (folder / "definitions" / "web.yaml").write_text(WEB, encoding="utf-8")
    options = ["--definitions", "definitions", "--workers", "1", "--drain-seconds", "0", "--most-bytes", "100000"]
    running = RunningWebhook(folder, *options)
    try:
        yield running
    finally:
        assert running.close() == 0


def until(holds: object, seconds: float = 30.0) -> None:
    """Wait until something holds, for so long at most."""
    assert callable(holds)
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_reviews_are_answered(webhook: RunningWebhook) -> None:
    assert webhook.review(value_of(WEB)) == {"uid": "705ab4f5", "allowed": True}
    broken = value_of(WEB.replace("schema.spec.port", "shema.spec.port"))
    assert "[unresolved-reference]" in webhook.review(broken)["status"]["message"]


def test_instances_are_reviewed_by_the_definitions_of_a_folder(webhook: RunningWebhook) -> None:
    assert not webhook.review(web(name="much-too-long"))["allowed"]


def test_one_connection_serves_many_reviews(webhook: RunningWebhook) -> None:
    connection = webhook.connection()
    for _ in range(3):
        connection.request("POST", "/validate", json.dumps(review(value_of(WEB))))
        answer = connection.getresponse()
        assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
        assert json.loads(answer.read())["response"]["allowed"]
    connection.close()


def test_a_query_of_the_api_server_is_understood(webhook: RunningWebhook) -> None:
    body = json.dumps(review(value_of(WEB))).encode()
    assert webhook.ask("POST", "/validate?timeout=5s", body)[0] == 200


def test_probes_and_metrics(webhook: RunningWebhook) -> None:
    assert webhook.ask("GET", "/healthz") == (200, b"ok\n")
    assert webhook.ask("GET", "/readyz") == (200, b"ok\n")
    name = 'kro_ls_admission_reviews_total{outcome="allowed",subject="definition"}'
    before = webhook.metric(name)
    webhook.review(value_of(WEB))
    assert webhook.metric(name) == before + 1
    assert webhook.metric("kro_ls_admission_review_seconds_count") > 0
    assert webhook.metric("kro_ls_admission_files") == 1


def test_what_is_no_review_gets_a_clear_answer(webhook: RunningWebhook) -> None:
    status, body = webhook.ask("POST", "/validate", b"{")
    assert (status, body[:37]) == (400, b"the body is no AdmissionReview in JSO")
    assert webhook.ask("GET", "/validate") == (405, b"send AdmissionReviews by POST\n")
    assert webhook.ask("GET", "/")[0] == 404
    status, body = webhook.ask("POST", "/validate", b" " * 100_001)
    assert (status, body) == (413, b"the body has more than 100000 bytes")


def test_what_is_no_http_does_not_hinder_others(webhook: RunningWebhook) -> None:
    with socket.create_connection(("127.0.0.1", webhook.port)) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\n\r\n")
        assert b"200" not in plain.recv(100)
    assert webhook.ask("GET", "/healthz")[0] == 200


def test_a_changed_definition_counts_soon(webhook: RunningWebhook) -> None:
    file = webhook.authority.parent / "definitions" / "web.yaml"
    file.write_text(WEB.replace("maxLength=10", "maxLength=20"), encoding="utf-8")
    until(lambda: webhook.review(web(name="much-too-long"))["allowed"])
    file.write_text(WEB, encoding="utf-8")


def test_a_process_that_ends_is_replaced(webhook: RunningWebhook) -> None:
    """A review on which a process ends, perhaps for want of memory, is let through with a warning."""
    children = Path(f"/proc/{webhook.process.pid}/task/{webhook.process.pid}/children")
    if not children.exists():
        pytest.skip("the processes are looked up in /proc")
    for child in children.read_text(encoding="utf-8").split():
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(int(child), signal.SIGKILL)
    (warning,) = webhook.review(value_of(WEB))["warnings"]
    assert warning == "kro-ls did not review this: the process that reviewed it has ended; is there enough memory?"
    until(lambda: "warnings" not in webhook.review(value_of(WEB)))
    assert webhook.metric("kro_ls_admission_worker_restarts") == 1


def test_a_renewed_certificate_is_used_for_new_connections(webhook: RunningWebhook) -> None:
    def serial() -> str:
        context = ssl.create_default_context(cafile=str(webhook.authority))
        plain = socket.create_connection(("127.0.0.1", webhook.port))
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as secured:
            found = secured.getpeercert()
            assert found is not None
            return str(found["serialNumber"])

    before = serial()
    make_certificate(webhook.authority.parent)
    until(lambda: webhook_accepts(webhook) and serial() != before)
    assert webhook.metric("kro_ls_admission_certificate_renewals") == 1


def webhook_accepts(webhook: RunningWebhook) -> bool:
    try:
        return webhook.ask("GET", "/healthz")[0] == 200
    except ssl.SSLCertVerificationError:
        return False


def test_a_review_under_way_is_finished_while_it_drains(tmp_path: Path) -> None:
    running = RunningWebhook(tmp_path, "--workers", "1", "--drain-seconds", "2")
    connection = running.connection()
    connection.request("GET", "/readyz")
    assert connection.getresponse().read() == b"ok\n"
    running.process.send_signal(signal.SIGTERM)
    until(lambda: running.ask("GET", "/readyz") == (503, b"draining\n"))
    connection.request("POST", "/validate", json.dumps(review(value_of(WEB))))
    answer = connection.getresponse()
    assert (answer.status, answer.headers["connection"]) == (200, "close")
    assert json.loads(answer.read())["response"]["allowed"]
    connection.close()
    assert running.process.wait(30) == 0


def test_a_certificate_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tls.crt").write_text("nothing", encoding="utf-8")
    (tmp_path / "tls.key").write_text("nothing", encoding="utf-8")
    ran = start("admission", "--cert", "tls.crt", "--key", "tls.key", folder=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"Error: cannot use the certificate tls.crt with the key tls.key: ")
    assert b"Traceback" not in ran.stderr


def test_a_port_that_is_taken_is_reported(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        options = ["--cert", "tls.crt", "--key", "tls.key", "--host", "127.0.0.1", "--port", port]
        ran = start("admission", *options, folder=tmp_path)
    assert ran.returncode == 2
    assert ran.stderr.decode().startswith(f"Error: cannot listen on 127.0.0.1:{port}: Address already in use")


def test_a_cluster_that_nothing_names_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("kubernetes")
    make_certificate(tmp_path)
    options = ["--cert", "tls.crt", "--key", "tls.key", "--port", "0", "--cluster"]
    ran = start("admission", *options, folder=tmp_path, KUBECONFIG=str(tmp_path / "none"), HOME=str(tmp_path))
    assert ran.returncode == 2
    assert ran.stderr.startswith(b"Error: --cluster: ")


def test_packages_that_are_missing_are_named(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    hiding = "import sys; sys.modules['uvicorn'] = None; from kro_ls.cli.main import main; main()"
    command = [sys.executable, "-c", hiding, "admission", "--cert", "tls.crt", "--key", "tls.key"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False)
    assert ran.returncode == 2
    assert b"pip install '.[admission]'" in ran.stderr
