"""The one door to a home: what every surface calls."""
