"""The engines there are: the user's own Claude Code, and two kinds of servers."""
