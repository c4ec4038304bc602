"""All delays and lifetimes of the server, each with its reason."""

from __future__ import annotations

from typing import Final

# While somebody types

BURST_SECONDS: Final = 0.05
"""Edits that follow one another closer than this are a burst, such as a key that is held down."""

DEBOUNCE_SECONDS: Final = 0.02
"""How long an edit of a burst waits for the next one; a newer edit restarts the wait."""

LONGEST_WAIT_SECONDS: Final = 0.2
"""After this long, diagnostics are published in the middle of a burst."""

FOLLOW_SECONDS: Final = 0.3
"""How long other files, tests and previews wait for the next edit, so that they follow when the author pauses."""

IDLE_SECONDS: Final = 0.5
"""Closed files are checked after this long without an edit."""

LOOK_AGAIN_SECONDS: Final = 0.1
"""How often a job that waits for an idle moment checks for it."""

PAUSE_SECONDS: Final = 1.0
"""After this long without an edit, diagnostics are shown unless further lines may fix them."""

UNFINISHED_SECONDS: Final = 3.0
"""After this long without an edit, a text counts as finished, and all diagnostics are shown."""

# At the start, and after changes

START_SECONDS: Final = 0.2
"""How long loading waits after `initialized`, so that the first open file comes first."""

DRAWING_SECONDS: Final = 3.0
"""How long after `initialized` the import of what graphs are drawn with waits: the first files come first."""

RENEWAL_SECONDS: Final = 0.2
"""About how long open documents and their previews take after a change of kinds."""

LET_GO_SECONDS: Final = 1.0
"""After closing a document, until the jobs about it have released it."""

CLUSTER_SECONDS: Final = 1800.0
"""How often a cluster is read: its kinds change when something is installed."""

# Turns of other work

SLICE_SECONDS: Final = 0.01
"""How long the reading of symbols may delay other requests."""

BREATH_SECONDS: Final = 0.03
"""How long it rests after a slice if no request waits for it."""

REST_SECONDS: Final = 2.0
"""How long an idle thread waits for work: starting a new one takes longer than many an edit."""

# Waiting for previews, disks and clients

HAND_SECONDS: Final = 0.05
"""How long hover and the like wait for a preview before they do without."""

BUSY_HAND_SECONDS: Final = 0.008
"""How long hover waits while the server is busy, when previews are late; it should answer within 20 ms."""

PATIENCE_SECONDS: Final = 10.0
"""How long hints and lenses wait for a preview if the client cannot be asked to refresh them.

Such a client requests them again only after the next edit. Nothing else waits meanwhile, and the client may cancel.
"""

DISK_SECONDS: Final = 2.0
"""How long to wait for a file that a client chose: a disk may be slow, or not answer at all."""

PROGRESS_SECONDS: Final = 2.0
"""How long a client may take to agree to show progress."""

SHOW_SECONDS: Final = 3.0
"""How long a client may take to say whether it opened a page."""

AGAIN_SECONDS: Final = 0.1
"""How long a page waits before it repeats a request that an edit or a newer one replaced."""

# Lifetimes

FRESH_SECONDS: Final = 1.0
"""How long the text of a chosen file is valid, for clients that do not report changed files."""

COMMIT_SECONDS: Final = 5.0
"""How long an answer of git is valid: git is not started at every key."""

TOKEN_SECONDS: Final = 300.0
"""How long the address of a page is valid."""

# Clients that are gone, silent or slow

CLIENT_CHECK_SECONDS: Final = 5.0
"""How often the server checks that the client's process exists."""

GREETING_SECONDS: Final = 10.0
"""How long a new connection to a port may be silent."""

HALF_GREETING_SECONDS: Final = 0.01
"""How long to wait for the rest of a greeting."""

STALLED_SECONDS: Final = 60.0
"""How long a message may take to be sent."""
