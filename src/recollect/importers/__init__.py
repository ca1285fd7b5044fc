"""Old transcripts become memories, through the same pipeline as new ones."""
