"""What becomes of memories once they are kept: corrected, retired, forgotten."""
