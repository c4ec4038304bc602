"""What the API server refuses in the volumes of a pod, and in the mounts of its containers.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, place_of
from kro_ls.openapi.validation.object_meta import label_problems, subdomain_problems
from kro_ls.openapi.validation.objects.checks import (
    Shape,
    error,
    invalid,
    is_empty,
    needed_text,
    needs,
    number_of,
    one_of,
    text_of,
)
from kro_ls.openapi.validation.objects.claims import CLAIM
from kro_ls.openapi.validation.objects.pod_references import (
    KEY_TO_PATH,
    descending_path,
    file_path,
    mode,
    no_parent,
    readable_field,
    resource_field,
)
from kro_ls.openapi.validation.objects.quantities import amount

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

_SHORTEST_TOKEN = 600
_HOST_PATHS = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")
_VOLUME_FIELD: Final = readable_field(
    "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"
)


def _empty_dir(value: JsonValue, path: Path) -> Iterator[FieldError]:
    size = amount(as_object(value).get("sizeLimit"))
    if size is not None and size < 0:
        detail = "SizeLimit field must be a valid resource quantity"
        yield error((*path, "sizeLimit"), ErrorType.FORBIDDEN, "", detail)


def _absolute(value: JsonValue, path: Path) -> Iterator[FieldError]:
    text = text_of(value, "path")
    if text is not None and isinstance(value, dict) and not text.startswith("/"):
        yield error((*path, "path"), ErrorType.INVALID, text, "must be an absolute path")


HOST_PATH: Final = Shape(
    ("", needs("path")),
    ("path", no_parent),
    ("type", one_of(*_HOST_PATHS, or_empty=False)),
)
NFS: Final = Shape(("", needs("server")), ("", needs("path")), ("", _absolute))


def csi_driver(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the name of a driver of volumes."""
    if len(text_of(value, "driver") or "") > 63:
        yield error((*path, "driver"), ErrorType.TOO_LONG, "", "may not be more than 63 bytes")
    yield from needed_text(value, path, "driver", lambda name: subdomain_problems(name.lower()))


def _file_of_pod(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a file of the downward API."""
    if not isinstance(value, dict):
        return
    text = text_of(value, "path")
    if text == "":
        yield error((*path, "path"), ErrorType.REQUIRED)
    yield from file_path(text, (*path, "path"))
    field, resource = value.get("fieldRef"), value.get("resourceFieldRef")
    if field is not None:
        yield from _VOLUME_FIELD(field, (*path, "fieldRef"))
        if resource is not None:
            detail = "fieldRef and resourceFieldRef can not be specified simultaneously"
            yield error(path, ErrorType.INVALID, "resource", detail)
    elif resource is not None:
        yield from resource_field(in_volume=True)(resource, (*path, "resourceFieldRef"))
    else:
        yield error(path, ErrorType.REQUIRED, "", "one of fieldRef and resourceFieldRef is required")
    yield from mode(value.get("mode"), (*path, "mode"))


def _downward(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    yield from mode(fields.get("defaultMode"), (*path, "defaultMode"))
    for number, each in enumerate(as_list(fields.get("items"))):
        for found in _file_of_pod(each, (*path, "items", number)):
            yield _at_group(found, path, ("items", number))


def _at_group(found: FieldError, path: Path, steps: Path) -> FieldError:
    """Return an error whose text does not include the item of a group."""
    place = place_of((*path, *found.path[len(path) + len(steps) :]))
    return replace(found, text=f"{place}: {found.message}")


def _token(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the token of an account; errors of its path have the place of the volume."""
    if not isinstance(value, dict):
        return
    seconds = number_of(value, "expirationSeconds")
    if seconds and seconds < _SHORTEST_TOKEN:
        detail = "may not specify a duration less than 10 minutes"
        yield error((*path, "expirationSeconds"), ErrorType.INVALID, seconds, detail)
    place, text = f"{place_of(path[:-3])}.path", text_of(value, "path")
    if text == "":
        yield field_error((*path, "path"), place, ErrorType.REQUIRED)
    for each in file_path(text, (*path, "path")):
        yield field_error((*path, "path"), place, each.type, each.value, each.detail)


def _projected(value: JsonValue, path: Path) -> Iterator[FieldError]:
    fields = as_object(value)
    yield from mode(fields.get("defaultMode"), (*path, "defaultMode"))
    seen: set[str] = set()
    for number, source in enumerate(map(as_object, as_list(fields.get("sources")))):
        here = (*path, "sources", number)
        kinds = [
            name
            for name in ("secret", "configMap", "downwardAPI", "serviceAccountToken")
            if source.get(name) is not None
        ]
        for name in kinds:
            group = as_object(source[name])
            if name == "serviceAccountToken":
                yield from _token(group, (*here, name))
                continue
            if name != "downwardAPI":
                yield from needs("name")(group, (*here, name))
            for place, item in enumerate(as_list(group.get("items"))):
                steps = ("items", place)
                if name == "downwardAPI":
                    for each in _file_of_pod(item, (*here, name, *steps)):
                        yield _at_group(each, (*here, name), steps)
                else:
                    yield from KEY_TO_PATH(item, (*here, name, *steps))
                written = text_of(item, "path")
                if written and written in seen:
                    shown = written if name == "downwardAPI" else as_text(group.get("name"))
                    place_in, detail = (*here, name, *steps, "path"), "conflicting duplicate paths"
                    yield field_error(place_in, place_of(path), ErrorType.INVALID, shown, detail)
                seen.add(written or "")
        if len(kinds) > 1:
            yield error(here, ErrorType.FORBIDDEN, "", "may not specify more than 1 volume type per source")


def _files(name: str) -> Check:
    return Shape(("", needs(name)), ("defaultMode", mode), ("items[]", KEY_TO_PATH))


def _claim_template(value: JsonValue, path: Path) -> Iterator[FieldError]:
    template = as_object(value).get("volumeClaimTemplate")
    here = (*path, "volumeClaimTemplate")
    if template is None:
        yield error(here, ErrorType.REQUIRED)
    elif isinstance(template, dict):
        yield from CLAIM(template.get("spec", {}), (*here, "spec"))


def _needs_either(*names: str, field: str = "", detail: str) -> Check:
    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if isinstance(value, dict) and all(is_empty(value.get(each)) for each in names):
            yield error((*path, field) if field else path, ErrorType.REQUIRED, "", detail)

    return check


_SOURCES: Final[dict[str, Check]] = {
    "emptyDir": _empty_dir,
    "hostPath": HOST_PATH,
    "gitRepo": needs("repository"),
    "gcePersistentDisk": lambda value, path: needs("pdName")(value, (*path[:-1], "persistentDisk")),
    "awsElasticBlockStore": needs("volumeID"),
    "secret": _files("secretName"),
    "nfs": NFS,
    "iscsi": needs("targetPortal", "iqn"),
    "glusterfs": needs("endpoints", "path"),
    "flocker": _needs_either("datasetName", "datasetUUID", detail="one of datasetName and datasetUUID is required"),
    "persistentVolumeClaim": needs("claimName"),
    "rbd": needs("monitors", "image"),
    "cinder": needs("volumeID"),
    "cephfs": needs("monitors"),
    "quobyte": Shape(
        ("", needs("registry", detail="must be a host:port pair or multiple pairs separated by commas")),
        ("", needs("volume")),
    ),
    "downwardAPI": _downward,
    "fc": _needs_either(
        "targetWWNs", "wwids", field="targetWWNs", detail="must specify either targetWWNs or wwids, but not both"
    ),
    "flexVolume": needs("driver"),
    "configMap": _files("name"),
    "azureFile": needs("secretName", "shareName"),
    "vsphereVolume": needs("volumePath"),
    "photonPersistentDisk": needs("pdID"),
    "portworxVolume": needs("volumeID"),
    "azureDisk": needs("diskName", "diskURI"),
    "storageos": needs("volumeName"),
    "projected": _projected,
    "scaleIO": needs("gateway", "system", "volumeName"),
    "csi": csi_driver,
    "ephemeral": _claim_template,
    "image": Shape(),
}
"""The sources of a volume, in the order in which the API server checks them."""
_MISNAMED: Final = {"downwardAPI": "downwarAPI", "cephfs": "cephFS"}
"""How the API server calls a source in errors, where that is not its name."""


def source_errors(volume: JsonObject, path: Path, sources: Mapping[str, Check | None]) -> Iterator[FieldError]:
    """Yield what is wrong with what a volume is made of, which must be one of some sources."""
    for number, name in enumerate(each for each in sources if volume.get(each) is not None):
        check = sources[name]
        if number:
            place = f"{place_of(path)}.{_MISNAMED.get(name, name)}"
            yield field_error((*path, name), place, ErrorType.FORBIDDEN, "", "may not specify more than 1 volume type")
        elif check is not None:
            yield from check(volume[name], (*path, name))


class Volumes:
    """The volumes of one pod: what is wrong with them, and which of them can be mounted."""

    def __init__(self, spec: JsonObject, path: Path, pod_name: str, templates: frozenset[str] | None) -> None:
        self.errors: list[FieldError] = []
        self.is_block: dict[str, bool] = dict.fromkeys(templates or (), False)
        """Whether a valid volume can be a device, by its name."""
        written = spec.get("volumes")
        self.is_known = templates is not None and isinstance(written, list | None)
        """Whether the names of all volumes are known."""
        for number, volume in enumerate(as_list(written)):
            self._add(volume, (*path, "volumes", number), pod_name)

    def _add(self, volume: JsonValue, path: Path, pod_name: str) -> None:
        name = text_of(volume, "name")
        if not isinstance(volume, dict) or name is None:
            self.is_known = False
            return
        found = list(source_errors(volume, path, _SOURCES))
        here = (*path, "name")
        if volume.get("ephemeral") is not None and pod_name and name:
            claim = f"{pod_name}-{name}"
            found += invalid(here, name, (f'PVC name "{claim}": {each}' for each in subdomain_problems(claim)))
        if not name:
            found.append(error(here, ErrorType.REQUIRED))
        else:
            found += invalid(here, name, label_problems(name))
        if name in self.is_block:
            found.append(error(here, ErrorType.DUPLICATE, name))
        if not found:
            self.is_block[name] = volume.get("persistentVolumeClaim") is not None or volume.get("ephemeral") is not None
        self.errors += found


_RECURSIVE: Final = one_of("Disabled", "Enabled", "IfPossible", or_empty=False)
_PROPAGATION: Final = one_of("Bidirectional", "HostToContainer", "None", or_empty=False)


def mount_errors(container: JsonObject, path: Path, volumes: Volumes) -> Iterator[FieldError]:
    """Yield what is wrong with the mounts of a container."""
    devices = [as_object(each) for each in as_list(container.get("volumeDevices"))]
    device_names = {as_text(each.get("name")) for each in devices}
    device_paths = {as_text(each.get("devicePath")) for each in devices}
    folder = (*path, "volumeMounts")
    seen: set[str] = set()
    for number, mount in enumerate(as_list(container.get("volumeMounts"))):
        if not isinstance(mount, dict):
            continue
        here = (*folder, number)
        name, target = text_of(mount, "name"), text_of(mount, "mountPath")
        if name == "":
            yield error((*here, "name"), ErrorType.REQUIRED)
        if name is not None and volumes.is_known and name not in volumes.is_block:
            yield error((*here, "name"), ErrorType.NOT_FOUND, name)
        if target == "":
            yield error((*here, "mountPath"), ErrorType.REQUIRED)
        if target is not None and target in seen:
            yield error((*here, "mountPath"), ErrorType.INVALID, target, "must be unique")
        seen |= {target} if target is not None else set()
        if name in device_names:
            yield error((*here, "name"), ErrorType.INVALID, name, "must not already exist in volumeDevices")
        if target in device_paths:
            detail = "must not already exist as a path in volumeDevices"
            yield error((*here, "mountPath"), ErrorType.INVALID, target, detail)
        yield from _sub_paths(mount, here, container)


def _sub_paths(mount: JsonObject, path: Path, container: JsonObject) -> Iterator[FieldError]:
    """Yield what is wrong with the mounted part of a volume; the texts do not include the number of the mount."""
    sub_path, expression = as_text(mount.get("subPath")), as_text(mount.get("subPathExpr"))
    yield from (_without_number(each) for each in descending_path(sub_path, (*path, "subPath")))
    if expression:
        if sub_path:
            detail = "subPathExpr and subPath are mutually exclusive"
            yield error((*path, "subPathExpr"), ErrorType.INVALID, expression, detail)
        yield from (_without_number(each) for each in descending_path(expression, (*path, "subPathExpr")))
    propagation = mount.get("mountPropagation")
    if propagation == "Bidirectional" and as_object(container.get("securityContext")).get("privileged") is not True:
        detail = "Bidirectional mount propagation is available only to privileged containers"
        yield _without_number(error((*path, "mountPropagation"), ErrorType.FORBIDDEN, "", detail))
    else:
        yield from (_without_number(each) for each in _PROPAGATION(propagation, (*path, "mountPropagation")))
    recursive = mount.get("recursiveReadOnly")
    yield from (_without_number(each) for each in _RECURSIVE(recursive, (*path, "recursiveReadOnly")))


def _without_number(found: FieldError) -> FieldError:
    *steps, _, last = found.path
    return replace(found, text=f"{place_of((*steps, last))}: {found.message}")


def device_errors(container: JsonObject, path: Path, volumes: Volumes) -> Iterator[FieldError]:
    """Yield what is wrong with the devices of a container."""
    seen_names: set[str] = set()
    seen_paths: set[str] = set()
    for number, device in enumerate(as_list(container.get("volumeDevices"))):
        if not isinstance(device, dict):
            continue
        here = (*path, "volumeDevices", number)
        name, target = text_of(device, "name"), text_of(device, "devicePath")
        if name == "":
            yield error((*here, "name"), ErrorType.REQUIRED)
        if name and name in seen_names:
            yield error((*here, "name"), ErrorType.INVALID, name, "must be unique")
        if name is not None and volumes.is_known:
            if name not in volumes.is_block:
                yield error((*here, "name"), ErrorType.NOT_FOUND, name)
            elif not volumes.is_block[name]:
                detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
                yield error((*here, "name"), ErrorType.INVALID, name, detail)
        if target == "":
            yield error((*here, "devicePath"), ErrorType.REQUIRED)
        if target and target in seen_paths:
            yield error((*here, "devicePath"), ErrorType.INVALID, target, "must be unique")
        if target and ".." in target.split("/"):
            yield error((*here, "devicePath"), ErrorType.INVALID, target, "can not contain backsteps ('..')")
        seen_names |= {name or ""}
        seen_paths |= {target or ""}
