"""What becomes of a turn, step by step: clean, record, take note, index."""
