"""Go's tables of characters: classes, case, and which ones are printable."""
