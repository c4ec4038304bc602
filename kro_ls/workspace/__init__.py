"""Files on disk and in the editor, and immutable snapshots of them."""
