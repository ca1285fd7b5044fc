"""The library on disk: journal, notes, their history, and the archive of turns."""
