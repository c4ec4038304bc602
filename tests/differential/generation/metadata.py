"""Random metadata of a definition: names, labels, annotations, finalizers and owners, most of them valid."""

from __future__ import annotations

from random import Random

_KEYS = (
    "a", "app", "a.b/c", "A/b", "a/B", "a/b/c", "/a", "a/", "a b", "-a", "a_", "x" * 63, "x" * 64, "kro.run/x", "é",
    "A.b_c", f"{'a.' * 126}a/b", f"{'a.' * 127}a/b", "1", "a-b.c/d_e.f", "ex_ample.com/a", "a..b/c", "",
)  # fmt: skip
_VALUES = ("web", "web shop", "", "a/b", "-a", "A_b.c", "x" * 63, "x" * 64, "1", "é", "${schema.spec.a}", "a\nb", "a.")
_NAMES = (
    "app",
    "a.b",
    "A",
    "a_b",
    "a-",
    "-a",
    "x" * 63,
    "x" * 64,
    "x" * 253,
    "x" * 254,
    "a..b",
    "1",
    "é",
    "",
    "a b",
    "a/b",
)
_FINALIZERS = ("a", "kro.run/finalizer", "a b", "a/b/c", "orphan", "foregroundDeletion", "", "A/b", "example.com/x")
_VERSIONS = ("v1", "apps/v1", "", "a/b/c", "v1/", "/v1")


def random_metadata(random: Random) -> dict[str, object]:
    """Return metadata, of which few parts are odd."""
    metadata: dict[str, object] = {"name": random.choice(_NAMES) if random.random() < 0.15 else "app"}
    if random.random() < 0.5:
        metadata["labels"] = {_key(random): random.choice(_VALUES[: random.choice([1, 13])]) for _ in range(2)}
    if random.random() < 0.5:
        size = random.choice([1, 1, 1, 1, 1, 100_000, 200_000])
        metadata["annotations"] = {_key(random): random.choice(_VALUES) * size for _ in range(2)}
    if random.random() < 0.2:
        metadata["finalizers"] = random.sample(_FINALIZERS, random.choice([1, 1, 2]))
    if random.random() < 0.2:
        metadata["ownerReferences"] = [_owner(random) for _ in range(random.choice([1, 2]))]
    if random.random() < 0.1:
        metadata["generateName"] = random.choice(["a-", "A-", "a", "-", "a_b", ""])
    if random.random() < 0.1:
        metadata["namespace"] = random.choice(["a", "A", "a.b", ""])
    if random.random() < 0.05:
        metadata[random.choice(["uid", "resourceVersion", "selfLink"])] = random.choice(["1", "a"])
    if random.random() < 0.05:
        metadata["creationTimestamp"] = random.choice([None, "2026-01-02T03:04:05Z", "yesterday", "2026-01-02", ""])
    return metadata


def _key(random: Random) -> str:
    return random.choice(_KEYS) if random.random() < 0.4 else random.choice(_KEYS[:3])


def _owner(random: Random) -> dict[str, object]:
    owner: dict[str, object] = {"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "b"}
    if random.random() < 0.5:
        owner[random.choice([*owner])] = random.choice(["", *_VERSIONS, "Event"])
    if random.random() < 0.4:
        owner["controller"] = random.choice([True, True, False])
    if random.random() < 0.1:
        owner.pop(random.choice([*owner]))
    return owner
