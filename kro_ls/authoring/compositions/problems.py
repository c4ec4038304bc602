"""What is wrong in a composition, raised at the line of Python that is to be changed."""


class CompositionError(Exception):
    """A composition cannot become a definition; the message gives the remedy."""


class NotInCelError(CompositionError, TypeError):
    """Python that has no equivalent in CEL; the message gives what to write instead."""


class UnknownFieldError(CompositionError, AttributeError):
    """A field that a value does not have."""


class WrongTypeError(CompositionError, TypeError):
    """An expression that the checker of CEL refuses."""
