"""What the API server refuses in PersistentVolumes and StorageClasses.

Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go and pkg/apis/storage/validation/validation.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.openapi.json_values import JsonValue, as_list, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, go_json, place_of
from kro_ls.openapi.validation.object_meta import label_key_problems
from kro_ls.openapi.validation.objects.checks import Shape, error, invalid, is_empty, needs, one_of, subdomain, text_of
from kro_ls.openapi.validation.objects.claims import VOLUME_MODE, access_modes
from kro_ls.openapi.validation.objects.pod_references import no_parent
from kro_ls.openapi.validation.objects.quantities import amount, canonical
from kro_ls.openapi.validation.objects.selectors import NODE_SELECTOR, key
from kro_ls.openapi.validation.objects.volumes import HOST_PATH, NFS, csi_driver, source_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

_SOURCES: Final[dict[str, Check | None]] = {
    "hostPath": HOST_PATH,
    "gcePersistentDisk": None,
    "awsElasticBlockStore": needs("volumeID"),
    "glusterfs": needs("endpoints", "path"),
    "flocker": None,
    "nfs": NFS,
    "rbd": needs("monitors", "image"),
    "quobyte": None,
    "cephfs": needs("monitors"),
    "iscsi": needs("targetPortal", "iqn"),
    "cinder": needs("volumeID"),
    "fc": None,
    "flexVolume": needs("driver"),
    "azureFile": needs("secretName", "shareName"),
    "vsphereVolume": needs("volumePath"),
    "photonPersistentDisk": needs("pdID"),
    "portworxVolume": needs("volumeID"),
    "azureDisk": None,
    "scaleIO": needs("gateway", "system", "volumeName"),
    "local": Shape(("", needs("path")), ("path", no_parent)),
    "storageos": needs("volumeName"),
    "csi": Shape(("", csi_driver), ("", needs("volumeHandle"))),
}
"""The sources of a volume, in the order in which the API server checks them."""


def _capacity(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    capacity, here = spec.get("capacity"), (*path, "capacity")
    if is_empty(capacity):
        yield error(here, ErrorType.REQUIRED)
    if isinstance(capacity, dict | None) and ("storage" not in (capacity or {}) or len(capacity or {}) > 1):
        shown = "null" if capacity is None else go_json(capacity)
        message = f'Unsupported value: {shown}: supported values: "storage"'
        found = error(here, ErrorType.UNSUPPORTED, capacity)
        yield replace(found, text=f"{place_of(here)}: {message}", message=message)
    for name, quantity in as_object(capacity).items():
        size = amount(quantity)
        place = f"{place_of(here)}[{name}]"
        if size is None:
            continue
        if size < 0:
            message = f"Invalid value: {canonical(quantity)}: must be a valid resource quantity"
            found = error((*here, name), ErrorType.INVALID, quantity, "must be a valid resource quantity")
            yield replace(found, text=f"{place}: {message}", message=message)
        if size <= 0:
            yield field_error((*here, name), place, ErrorType.INVALID, canonical(quantity), "must be greater than zero")


def _sources(value: JsonValue, path: Path) -> Iterator[FieldError]:
    spec = as_object(value)
    yield from source_errors(spec, path, _SOURCES)
    if all(spec.get(each) is None for each in _SOURCES):
        yield error(path, ErrorType.REQUIRED, "", "must specify a volume type")
    if spec.get("volumeAttributesClassName") is not None:
        here = (*path, "volumeAttributesClassName")
        yield from subdomain(spec["volumeAttributesClassName"], here)
        if spec.get("csi") is None:
            detail = "has to be specified when using volumeAttributesClassName"
            yield error((*path, "csi"), ErrorType.REQUIRED, "", detail)


def _node_affinity(value: JsonValue, path: Path) -> Iterator[FieldError]:
    yield from needs("required", detail="must specify required node constraints")(value, path)
    required = as_object(value).get("required")
    if required is not None:
        yield from NODE_SELECTOR(required, (*path, "required"))


PERSISTENT_VOLUME: Final = Shape(
    ("", needs("accessModes")),
    ("accessModes", access_modes),
    ("", _capacity),
    ("persistentVolumeReclaimPolicy", one_of("Delete", "Recycle", "Retain")),
    ("nodeAffinity", _node_affinity),
    ("", _sources),
    ("storageClassName", subdomain),
    ("volumeMode", VOLUME_MODE),
)


def _provisioner(value: JsonValue, path: Path) -> Iterator[FieldError]:
    text = text_of(value, "provisioner")
    here = (*path, "provisioner")
    if text == "":
        yield error(here, ErrorType.REQUIRED)
    if text is not None:
        yield from invalid(here, text.lower(), label_key_problems(text.lower()))


def _topology(value: JsonValue, path: Path) -> Iterator[FieldError]:
    for number, each in enumerate(as_list(as_object(value).get("matchLabelExpressions"))):
        here = (*path, "matchLabelExpressions", number)
        yield from needs("values")(each, here)
        if isinstance(each, dict):
            yield from key(each, here)


STORAGE_CLASS: Final = Shape(
    ("", _provisioner),
    ("reclaimPolicy", one_of("Delete", "Retain")),
    ("volumeBindingMode", one_of("Immediate", "WaitForFirstConsumer", or_empty=False)),
    ("allowedTopologies[]", _topology),
)
