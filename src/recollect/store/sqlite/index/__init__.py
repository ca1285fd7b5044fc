"""The search index: derived from the library, disposable, rebuilt by one command."""
