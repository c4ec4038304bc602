"""Previews and graphs that are kept fresh beside the editing."""
