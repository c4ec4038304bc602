"""The certificate of a server, which is renewed while it runs, by cert-manager or a kubelet that updates a Secret."""

from __future__ import annotations

import os
import ssl
from typing import TYPE_CHECKING

from kro_ls.workspace.files import warn

if TYPE_CHECKING:
    from pathlib import Path


class CertificateError(Exception):
    """A certificate or its key cannot be used; the message says why."""


class Certificate:
    """A certificate and its key in two files."""

    def __init__(self, certificate: Path, key: Path) -> None:
        """Raises CertificateError."""
        self.certificate = certificate
        self.key = key
        self.renewals = 0
        self._stamp = self._stamps()
        self.check()

    def check(self) -> None:
        """Raises CertificateError where the two cannot be used, or do not belong together."""
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key, password=_no_password)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or error
            named = f"the certificate {self.certificate} with the key {self.key}"
            raise CertificateError(f"cannot use {named}: {reason}") from error

    def renew(self, context: ssl.SSLContext) -> None:
        """Let new connections use what the files hold, where that has changed and can be used."""
        stamp = self._stamps()
        if stamp == self._stamp:
            return
        try:
            self.check()
        except CertificateError as error:
            warn("the last certificate stays in use: %s", error)  # the two files may be written one after the other
            return
        context.load_cert_chain(self.certificate, self.key, password=_no_password)
        self._stamp = stamp
        self.renewals += 1

    def _stamps(self) -> tuple[tuple[int, int, int], ...]:
        try:
            stats = [os.stat(path) for path in (self.certificate, self.key)]
        except OSError:
            return ()
        return tuple((each.st_mtime_ns, each.st_size, each.st_ino) for each in stats)


def _no_password() -> str:
    """Answer in the place of a terminal, on which OpenSSL would ask."""
    return ""
