"""No example of a property is timed: a busy machine would make it fail."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
