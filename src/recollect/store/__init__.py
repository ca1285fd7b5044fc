"""Where memories are kept: Markdown files, and SQLite beside them."""
