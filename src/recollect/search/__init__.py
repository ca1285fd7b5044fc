"""Find the passages that answer: what a turn is cut into, and what a prompt asks for."""
