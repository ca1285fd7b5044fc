"""No example of a property is timed: a busy machine would make it fail."""

import os

from hypothesis import settings

# Enough to see a mistake within a week of changes; `make soak` looks longer.
settings.register_profile("quick", deadline=None, max_examples=40)
settings.register_profile("soak", deadline=None, max_examples=1_000)
settings.load_profile("soak" if os.environ.get("RECOLLECT_SOAK") else "quick")
