"""Tea in Python."""


def brew(minutes: int) -> str:
    """Brew tea."""
    return "tea" * minutes
