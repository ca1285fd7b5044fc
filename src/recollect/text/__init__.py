"""Words, names and sentences of any text: pure, and nothing of ours stands below but privacy."""
