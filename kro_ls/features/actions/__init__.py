"""Code actions and renaming."""
