"""Turns into the journal: day files, entries made without a model, summaries. Pure."""
