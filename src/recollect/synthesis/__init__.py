"""What is worth keeping of a turn, and of a session."""
