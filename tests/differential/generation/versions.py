"""What a generated definition may use so that the version that is asked does not refuse it for that alone."""

from __future__ import annotations

from random import Random

from kro_ls.kro.versions.version import Version

_SHARE_OF_NEWER = 0.01


def may_use(random: Random, version: Version, first: Version) -> bool:
    """Return whether to use a feature of the version `first`: newer features than the target's are rare."""
    return version >= first or random.random() < _SHARE_OF_NEWER
