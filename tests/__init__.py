"""The tests. A contract that ships with the package shows its numbers when it is broken here."""

import pytest

pytest.register_assert_rewrite("recollect.testing")
