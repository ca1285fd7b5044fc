"""What becomes of a turn. `turn_pipeline` has the steps in order; the other files are the steps."""
