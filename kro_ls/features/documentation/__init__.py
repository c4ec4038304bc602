"""Markdown about functions, resources, kinds and fields, for hovers and for what completion offers."""
