"""How literals of a marker are shown."""


def shortened(text: str) -> str:
    """Return `text`, cut to a length that suits a message."""
    return text if len(text) <= 80 else f"{text[:77]}..."
