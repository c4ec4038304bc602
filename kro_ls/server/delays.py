"""How long the server waits for what, and how long something counts: all delays, each with its reason."""

from __future__ import annotations

from typing import Final

# While somebody types

BURST_SECONDS: Final = 0.05
"""Edits that follow one another closer than this are a burst, such as a key that is held down."""

DEBOUNCE_SECONDS: Final = 0.02
"""How long an edit of a burst waits for the next one; a newer edit starts the wait anew."""

LONGEST_WAIT_SECONDS: Final = 0.2
"""After this long, what a burst has left so far is published."""

FOLLOW_SECONDS: Final = 0.3
"""How long other files, tests and previews wait for the next edit: they follow when the author pauses."""

IDLE_SECONDS: Final = 0.5
"""Files that are not open are looked at when nobody has typed for so long."""

LOOK_AGAIN_SECONDS: Final = 0.1
"""How often one who waits for an idle moment looks whether it has come."""

PAUSE_SECONDS: Final = 1.0
"""After this long without an edit, everything is shown that the lines still to come cannot mend."""

UNFINISHED_SECONDS: Final = 3.0
"""After this long without an edit, a text is taken to be finished, and everything is shown."""

# At the start, and after changes

START_SECONDS: Final = 0.2
"""How long loading waits after `initialized`, so that the first open file is answered before."""

RENEWAL_SECONDS: Final = 0.2
"""About as long as it takes to look at the open documents, and at their previews, with other kinds."""

LET_GO_SECONDS: Final = 1.0
"""After a document was closed, until then what worked on it has let go of it."""

CLUSTER_SECONDS: Final = 1800.0
"""How long until a cluster is asked again: its kinds change when somebody installs something."""

# What others get their turn between

LONG_SECONDS: Final = 0.03
"""In processor time: what takes longer would be felt in other documents."""

SLICE_SECONDS: Final = 0.01
"""How long the reading of symbols may hold up other requests."""

BREATH_SECONDS: Final = 0.03
"""How long it rests after a slice while nobody waits for it."""

REST_SECONDS: Final = 2.0
"""So long a thread waits for more to do: to start another one takes longer than many an edit."""

# What is waited for

HAND_SECONDS: Final = 0.05
"""How long hover and the like wait for a preview before they do without."""

BUSY_HAND_SECONDS: Final = 0.008
"""How long hover waits while the server is busy: previews are late then, and an answer is to be there in 20 ms."""

PATIENCE_SECONDS: Final = 10.0
"""How long hints and lenses wait for a preview where the client cannot be told that it has come.

Such a client asks again at the next edit only. Nothing else waits meanwhile, and the client may cancel.
"""

DISK_SECONDS: Final = 2.0
"""How long a file that a client chose is waited for: a disk may be slow, or not answer at all."""

PROGRESS_SECONDS: Final = 2.0
"""How long a client may take to say that it shows progress."""

SHOW_SECONDS: Final = 3.0
"""So long a client may take to say whether it has opened a page."""

AGAIN_SECONDS: Final = 0.1
"""When a page asks again after an edit, or a newer question."""

# How long something counts

FRESH_SECONDS: Final = 1.0
"""How long the text of a chosen file counts, for clients that do not tell of changed files."""

COMMIT_SECONDS: Final = 5.0
"""So long what git said is used again: it is not started for every key."""

TOKEN_SECONDS: Final = 300.0
"""How long the address of a page is good for its one visit."""

# Clients that are gone, silent or slow

CLIENT_CHECK_SECONDS: Final = 5.0
"""How often the server looks whether the client's process is there."""

GREETING_SECONDS: Final = 10.0
"""How long who connects to a port may be silent."""

HALF_GREETING_SECONDS: Final = 0.01
"""When to look again at one who has said half a greeting: the rest is not there at once."""

STALLED_SECONDS: Final = 60.0
"""How long a message may take to be sent."""
