"""What goes wrong when a definition becomes Python."""


class CannotBePythonError(ValueError):
    """No composition builds an equal definition; the text says what is in the way."""
