"""The command that downloads the definitions of unknown kinds, after asking the user."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

from kro_ls.server.background import in_thread
from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.inputs.file_progress import CalledOffError, FileProgress
from kro_ls.server.request import Command, needed_text_of, refuse_others

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.gathering.part import Gathered, UnusableError
    from kro_ls.workspace.gathering.releases import PinnedFile


class DefinitionsAnswer(TypedDict):
    """How many kinds were added to the user's store; 0 if the user declined."""

    kinds: int


async def _get_definitions(server: KroLanguageServer, arguments: Mapping[str, object]) -> DefinitionsAnswer:
    from kro_ls.workspace.gathering.part import UnusableError
    from kro_ls.workspace.gathering.releases import HOST, pinned_files

    refuse_others(arguments, ("group",))
    group = needed_text_of(arguments, "group")
    files = pinned_files(group)
    if not files:
        raise NoAnswerError(f"the definitions of '{group}' cannot be downloaded; 'kro-ls kinds add' takes a file")
    mirror = os.environ.get("KRO_LS_MIRROR", HOST)
    count = "1 file" if len(files) == 1 else f"{len(files)} files"
    what = f"the definitions of {group} ({files[0].origin}, {count})"
    if not await server.agrees(f"Download {what} from {mirror} into your store?", "Download"):
        return {"kinds": 0}
    progress = FileProgress(server.work_done_progress, f"Getting the definitions of {group}")
    is_shown = server.client_shows_progress and await progress.begin()
    try:
        kinds = await in_thread(group, lambda: _collect(files, mirror, progress.read if is_shown else lambda: None))
    except CalledOffError:
        return {"kinds": 0}
    except UnusableError as error:
        server.warn_user(f"{error}. No definition was taken.")
        return {"kinds": 0}
    finally:
        if is_shown:
            progress.end()
    server.schema_keeper.reload()
    return {"kinds": kinds}


def _collect(files: Sequence[PinnedFile], mirror: str, on_file: Callable[[], None]) -> int:
    """Write the kinds that some files define to the user's store, and return their number.

    `on_file` is called after each file. Raises UnusableError, and what `on_file` raises.
    """
    from kro_ls.workspace.gathering.download import fetched
    from kro_ls.workspace.gathering.keeping import keep_in_store
    from kro_ls.workspace.gathering.texts import definitions_of, gathered, stretches

    def refuse(error: UnusableError) -> None:
        raise error

    found: list[Gathered] = []
    for part in fetched(files, mirror):
        for stretch in stretches(part, refuse):
            found += [gathered(each, part) for each in definitions_of(stretch, refuse)]
        on_file()
    return len(keep_in_store(found))


REGISTERED = (Command("kro.getDefinitions", _get_definitions),)
