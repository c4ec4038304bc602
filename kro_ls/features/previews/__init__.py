"""Previews and the texts made of them."""
