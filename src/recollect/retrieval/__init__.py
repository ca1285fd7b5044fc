"""Find what answers a question, and show more of it on request."""
