"""kro's hash functions (kro `pkg/cel/library/hash.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, function
from kro_ls.cel.types.libraries import Library


def _hash(name: str, text: str, base64: str) -> FunctionDeclaration:
    documentation = Documentation(
        f"{text} The result is bytes; make text of it with `base64.encode(...)`.",
        f"base64.encode(hash.{name}('hello')) == '{base64}'",
    )
    return function(f"hash.{name}", documentation, {f"hash.{name}_string": "(text: string) -> bytes"})


FUNCTIONS = (
    _hash("fnv64a", "The 64 bit FNV-1a hash of the string, 8 bytes, fast but not secure.", "pDDYRoCqvQs="),
    _hash("sha256", "The SHA-256 hash of the string, 32 bytes.", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="),
    _hash("md5", "The MD5 hash of the string, 16 bytes, not secure.", "XUFAKrxLKna5cZ2REBfFkg=="),
)

LIBRARY = Library(__name__, FUNCTIONS)
