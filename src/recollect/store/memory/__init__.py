"""A home in memory, for tests: dicts, no files, no database. Nothing outlives the process."""
