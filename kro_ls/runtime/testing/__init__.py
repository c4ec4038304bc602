"""Test files: what they say, whether it holds, and files made of what a preview shows."""
