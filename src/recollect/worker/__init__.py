"""The one process that does what hooks must not wait for."""
