"""Fetches the files of releases that are pinned."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.workspace.gathering.download import download, without_secrets
from kro_ls.workspace.gathering.part import Part
from kro_ls.workspace.gathering.releases import HOST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.workspace.gathering.releases import PinnedFile

_MOST_CONNECTIONS: Final = 8


def fetched(files: Sequence[PinnedFile], mirror: str = HOST) -> Iterator[Part]:
    """Yield what the files contain, in their order; `mirror` is the address of a copy of their host.

    Raises UnusableError for the first that cannot be had.
    """
    urls = [f"{mirror.rstrip('/')}/{file.path}" for file in files]
    pool = ThreadPoolExecutor(_MOST_CONNECTIONS)
    try:
        contents = pool.map(download, urls, (file.digest for file in files))
        for url, file, content in zip(urls, files, contents, strict=True):
            location = without_secrets(url)
            yield Part(location, content, replace(file.origin, location=location, digest=f"sha256:{file.digest}"))
    finally:
        pool.shutdown(cancel_futures=True)
