"""Figures, not tests: speed as ratios in one run, quality on data kept outside the project."""
