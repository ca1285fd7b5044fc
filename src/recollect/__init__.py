"""Recollect gives coding agents a memory."""

__version__ = "0.1.0"
