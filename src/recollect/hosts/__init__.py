"""Install into a host, and leave it as it was."""
