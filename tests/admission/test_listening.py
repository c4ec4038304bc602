"""The socket at which the webhook listens."""

from __future__ import annotations

import socket

from kro_ls.admission.webhook_server import listening_socket


def test_connections_send_each_part_of_an_answer_at_once() -> None:
    with listening_socket("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
