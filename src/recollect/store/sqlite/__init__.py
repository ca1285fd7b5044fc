"""What is kept in SQLite: the index, which is derived, and the state, which is not."""
