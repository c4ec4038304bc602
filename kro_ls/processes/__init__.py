"""Processes that work for us, and that can be ended whatever they are doing."""
