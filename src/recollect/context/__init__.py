"""What the agent is shown: chosen within a budget, fenced as data."""
