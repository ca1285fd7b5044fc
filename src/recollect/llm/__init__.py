"""Models on request: what they are asked, how answers are checked, what they may cost."""
