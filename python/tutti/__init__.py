"""The `tutti` command and what it is made of.  The library itself is libtutti.so, in lib/ of this package."""

__version__ = "0.1.0"
