"""A digest of a text, by which what was made of it is found again."""

from __future__ import annotations


def digest_of(content: bytes) -> bytes:
    """Return 16 bytes that no other content has."""
    from hashlib import blake2b  # which loads OpenSSL, and most commands need no digest

    return blake2b(content, digest_size=16).digest()
