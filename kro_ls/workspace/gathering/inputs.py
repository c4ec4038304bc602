"""The parts of what the user names: files, folders, Helm charts, other `.tgz` files, and OCI layouts on disk."""

from __future__ import annotations

import io
import json
import re
import tarfile
import zlib
from gzip import BadGzipFile, GzipFile
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.sources.crds.served_kinds import KIND
from kro_ls.openapi.sources.provenance import UNKNOWN, Provenance
from kro_ls.workspace.files import UnreadableFileError, limits_of, read, yaml_files
from kro_ls.workspace.gathering.part import LARGEST_INPUT, Part, UnusableError
from kro_ls.yaml_positions.parsing.values import NeedsTreeError, simple_values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.workspace.gathering.part import OnProblem


def parts_of_path(path: Path, on_problem: OnProblem) -> Iterator[Part]:
    """Yield the parts of a file or folder, and of charts in it. Raises UnusableError."""
    if is_layout(path):
        yield from parts_of_layout(path)
    elif path.is_dir():
        yield from _parts_of_folder(path, on_problem)
    else:
        yield from _parts_of_file(path, Provenance())


def parts_of_content(name: str, content: bytes, origin: Provenance = UNKNOWN) -> Iterator[Part]:
    """Yield the parts of a content, which may be an archive. Raises UnusableError."""
    if is_archive(content):
        yield from parts_of_archive(name, content, origin)
    else:
        yield Part(name, content, origin)


def _parts_of_folder(folder: Path, on_problem: OnProblem) -> Iterator[Part]:
    charts: dict[Path, Provenance] = {}

    def report(error: UnreadableFileError) -> None:
        on_problem(UnusableError(str(error.path), error.reason))

    limits = limits_of(folder)
    files = [*yaml_files(folder, report, limits), *_others(folder)]
    for file in files:
        if file.name == "Chart.yaml":
            charts[file.parent] = chart_origin(_read(file))
    for file in files:
        origin = next((charts[each] for each in file.parents if each in charts), Provenance())
        try:
            yield from _parts_of_file(file, origin)
        except UnusableError as error:
            on_problem(error)


def _others(folder: Path) -> Iterator[Path]:
    """Yield the files directly in a folder that may hold definitions and are not YAML."""
    yield from (file for file in sorted(folder.iterdir()) if file.name.endswith((".json", ".tgz", ".tar.gz")))


def _parts_of_file(path: Path, origin: Provenance) -> Iterator[Part]:
    yield from parts_of_content(str(path), _read(path), origin)


def _read(path: Path) -> bytes:
    try:
        return read(path, LARGEST_INPUT)
    except UnreadableFileError as error:
        raise UnusableError(str(path), error.reason) from error


_GZIP = b"\x1f\x8b"
_TAR = (257, b"ustar")
_CHART = "Chart.yaml"
_SUFFIXES = (".yaml", ".yml", ".json")
_LARGEST_TEXT = 128 * 1024 * 1024
_DEEPEST_INDEX = 4
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


def is_archive(content: bytes) -> bool:
    """Whether a content is a tar archive, compressed or not."""
    return content.startswith(_GZIP) or content[_TAR[0] :].startswith(_TAR[1])


def parts_of_archive(name: str, content: bytes, origin: Provenance = UNKNOWN) -> Iterator[Part]:
    """Yield the texts with definitions of an archive. Raises UnusableError."""
    charts: dict[str, Provenance] = {}
    texts: list[tuple[str, bytes]] = []
    for path, text in _members(name, content):
        if PurePosixPath(path).name == _CHART:
            charts[str(PurePosixPath(path).parent)] = chart_origin(text)
        elif KIND.encode() in text:
            texts.append((path, text))
    for path, text in texts:
        folders = (charts.get(str(folder)) for folder in PurePosixPath(path).parents)
        chart = next((each for each in folders if each), Provenance())
        yield Part(f"{name}: {path}", text, chart.over(origin))


def chart_origin(text: bytes) -> Provenance:
    """Return what a `Chart.yaml` says of the chart."""
    try:
        values = simple_values(text.decode())
    except (NeedsTreeError, UnicodeDecodeError):
        return Provenance()
    chart = as_object(values[0] if values else None)
    version = as_text(chart.get("appVersion")) or as_text(chart.get("version"))
    return Provenance(as_text(chart.get("name")), version)


class _Bounded(io.RawIOBase):
    """An uncompressed archive that ends with an error where it is too large, so that none can fill the memory."""

    def __init__(self, name: str, content: bytes) -> None:
        self._name = name
        self._file = GzipFile(fileobj=io.BytesIO(content)) if content.startswith(_GZIP) else io.BytesIO(content)
        self._left = LARGEST_INPUT

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(min(size, self._left) if size >= 0 else self._left)
        self._left -= len(piece)
        if not self._left:
            raise UnusableError(self._name, f"an archive of more than {LARGEST_INPUT // 1024**2} MiB")
        return piece


def _members(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        with tarfile.open(fileobj=_Bounded(name, content), mode="r|") as archive:
            for member in archive:
                if member.isfile() and member.name.endswith(_SUFFIXES) and member.size <= _LARGEST_TEXT:
                    file = archive.extractfile(member)
                    if file:
                        yield member.name, file.read()
    except (tarfile.TarError, BadGzipFile, EOFError, zlib.error, ValueError) as error:
        raise UnusableError(name, f"a damaged archive ({error})") from error


def is_layout(folder: Path) -> bool:
    """Whether a folder is an OCI layout."""
    return (folder / "oci-layout").is_file() and (folder / "index.json").is_file()


def parts_of_layout(folder: Path) -> Iterator[Part]:
    """Yield the texts with definitions of an OCI layout. Raises UnusableError."""
    try:
        yield from _parts_of_manifest(folder, read(folder / "index.json"), Provenance(), 0)
    except UnreadableFileError as error:
        raise UnusableError(str(folder), str(error)) from error


def _parts_of_manifest(folder: Path, content: bytes, origin: Provenance, depth: int) -> Iterator[Part]:
    """Yield those of a manifest, or of an index of manifests."""
    try:
        manifest = as_object(json.loads(content))
    except (ValueError, RecursionError):
        raise UnusableError(str(folder), "a damaged OCI layout: a manifest is no JSON") from None
    origin = _annotated(manifest).over(origin)
    for each in map(as_object, as_list(manifest.get("manifests"))):
        if depth == _DEEPEST_INDEX:
            raise UnusableError(str(folder), "an OCI layout whose indexes are nested too deeply")
        yield from _parts_of_manifest(folder, _blob(folder, each), _annotated(each).over(origin), depth + 1)
    for layer in map(as_object, as_list(manifest.get("layers"))):
        content = _blob(folder, layer)
        title = as_text(as_object(layer.get("annotations")).get("org.opencontainers.image.title"))
        name = f"{folder}: {title}" if title else str(folder)
        if is_archive(content):
            yield from parts_of_archive(name, content, origin)
        else:
            yield Part(name, content, origin)


def _annotated(described: JsonObject) -> Provenance:
    annotations = as_object(described.get("annotations"))
    return Provenance(
        as_text(annotations.get("org.opencontainers.image.title")),
        as_text(annotations.get("org.opencontainers.image.version")),
        as_text(annotations.get("org.opencontainers.image.created"))[:10],
    )


def _blob(folder: Path, descriptor: JsonObject) -> bytes:
    found = _DIGEST.fullmatch(as_text(descriptor.get("digest")))
    if found is None:
        raise UnusableError(str(folder), "a damaged OCI layout: a blob has no SHA-256 digest")
    content = read(folder / "blobs" / "sha256" / found[1], _LARGEST_TEXT)
    if sha256(content).hexdigest() != found[1]:
        raise UnusableError(str(folder), f"a damaged OCI layout: blob {found[1][:12]} has another content")
    return content
