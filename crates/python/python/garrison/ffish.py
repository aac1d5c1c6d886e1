"""The functions of pyffish, Fairy-Stockfish's Python module, for every game of Garrison.

A program that calls pyffish tries Garrison by its import:

    import garrison.ffish as pyffish

What differs stands in a table in the README of this package.
"""

from ._garrison import ffish as _ffish

__all__ = [name for name in dir(_ffish) if not name.startswith("_")]

globals().update({name: getattr(_ffish, name) for name in __all__})
