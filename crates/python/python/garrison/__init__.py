"""Chess variants: rules, search and games of Garrison."""

from ._garrison import __version__

__all__ = ["__version__"]
