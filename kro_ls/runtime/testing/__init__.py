"""Test files: reading them, running them, and writing them from previews."""
