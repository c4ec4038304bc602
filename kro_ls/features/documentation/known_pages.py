"""The pages that Markdown made of other people's texts may link to: only their owners write them."""

from __future__ import annotations

import re
from typing import Final

_SITES: Final = (
    "kubernetes.io",
    "k8s.io",
    "kro.run",
    "docs.aws.amazon.com",
    "cloud.google.com",
    "learn.microsoft.com",
    "datatracker.ietf.org",
    "tools.ietf.org",
    "www.rfc-editor.org",
    "www.iana.org",
    "www.w3.org",
)
"""Each with the sites below it."""

_OWNERS: Final = ("cncf", "kro-run", "kubernetes", "kubernetes-client", "kubernetes-csi", "kubernetes-sigs")
"""Of repositories on GitHub, where everybody has pages."""

# Without brackets, quotes, stars, ampersands and backslashes every reader sees the same end of an address.
_ADDRESS: Final = re.compile(r"https?://([a-z0-9.-]+)(?:[/?#][\w.~:/?#@!$'+,=%-]*)?", re.ASCII | re.IGNORECASE)
_ON_GITHUB: Final = re.compile(rf"https://github\.com/(?:{'|'.join(_OWNERS)})(?:[/?#].*)?")


def is_known_page(address: str) -> bool:
    """Whether an address is that of a page that Markdown may link to."""
    found = _ADDRESS.fullmatch(address)
    if found is None or ".." in address or "%2e" in address.lower():
        return False
    host = found[1].lower()
    return any(host == site or host.endswith(f".{site}") for site in _SITES) or bool(_ON_GITHUB.fullmatch(address))
