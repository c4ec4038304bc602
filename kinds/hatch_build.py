"""Build hook of `kro-ls-kinds`: writes the pack and its page of licences. It needs the checkout around it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CHECKOUT = Path(__file__).parents[1]
sys.path.insert(0, str(CHECKOUT))  # a build backend does not look there
from hatch_build import kinds_folder  # noqa: E402
from kinds.pack import LICENCES, read_records, write  # noqa: E402

TARGET = "kro_ls_kinds/kinds.bin"


class KindsFiles(BuildHookInterface[Any]):
    """Writes the files before a distribution is built. Raises SourcesError if their sources are missing."""

    PLUGIN_NAME = "kinds-files"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (the interface's name)
        """Write the files and add them to the distribution."""
        write(read_records(kinds_folder(CHECKOUT)), Path(self.root) / TARGET)
        build_data["artifacts"] += [TARGET, f"kro_ls_kinds/{LICENCES}"]
