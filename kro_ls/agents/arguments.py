"""The arguments that several tools take, each with its description."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

PathArgument = Annotated[str, Field(description="A file, relative to the workspace folder.")]
TextArgument = Annotated[
    str, Field(description="The YAML text itself; with a path, the text that the file is to have. It is never written.")
]
LineArgument = Annotated[int, Field(ge=1, description="The line of the position; the first one is 1.")]
ColumnArgument = Annotated[
    int, Field(ge=1, description="The column of the position in characters; the first one is 1.")
]
KroVersionArgument = Annotated[
    str,
    Field(description="A version of kro such as 0.9.4. By default the settings of the folder decide, else the newest."),
]
WriteArgument = Annotated[
    bool, Field(description="Write the result into the file. Refused unless the server was started with --write.")
]
