"""What a hook reads beforehand: flattened settings while they hold, and tries that failed."""

import json
import os
import time
from pathlib import Path

import pytest

from recollect import config, paths
from recollect.app.recollect import Recollect
from recollect.hooks import settings, wake


@pytest.fixture
def home(tmp_path: Path) -> str:
    home = tmp_path / "home"
    (home / "projects" / "shop-1f").mkdir(parents=True)
    (tmp_path / "shop").mkdir()
    return str(home)


@pytest.fixture
def published(home: str, tmp_path: Path) -> str:
    """The name of a project whose settings were published."""
    Path(paths.config(home)).write_text("[recall]\nlimit = 7\n")
    app = Recollect(home)
    project = app.inside.registry.meet(str(tmp_path / "shop"), now=1.0)
    app.settings.publish()
    app.close()
    return project.name


class TestSettings:
    def is_prepared(self, home: str, project: str) -> bool:
        """Tell whether the prepared file is used: it says what no TOML says."""
        path = Path(paths.hook_settings(home))
        prepared = json.loads(path.read_text())
        for values in prepared["projects"].values():
            values["recall.limit"] = 19
        path.write_text(json.dumps(prepared))
        return settings.values(home, project)["recall.limit"] == 19

    def test_are_what_config_says(self, home: str, published: str) -> None:
        every = config.load(home, project=published).flat()
        assert settings.values(home, published) == {key: every[key] for key in settings.NEEDED}
        assert settings.values(home, published)["recall.limit"] == 7

    def test_are_taken_from_the_prepared_file_while_it_holds(
        self, home: str, published: str
    ) -> None:
        assert self.is_prepared(home, published)

    @pytest.mark.parametrize("which", ["user", "project"])
    def test_a_file_that_changed_since_is_read(self, home: str, published: str, which: str) -> None:
        files = dict(zip(("user", "project"), settings.sources(home, published), strict=True))
        Path(files[which]).parent.mkdir(parents=True, exist_ok=True)
        Path(files[which]).write_text("[recall]\nlimit = 4\n")

        assert settings.values(home, published)["recall.limit"] == 4
        assert not self.is_prepared(home, published)

    def test_a_file_that_was_deleted_does_not_count(self, home: str, published: str) -> None:
        Path(paths.config(home)).unlink()

        default = config.Settings().recall_limit
        assert settings.values(home, published)["recall.limit"] == default

    def test_the_environment_decides(
        self, home: str, published: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RECOLLECT_RECALL_LIMIT", "2")

        assert settings.values(home, published)["recall.limit"] == 2

    @pytest.mark.parametrize("name", [*map(bytes.decode, paths.NOT_ANSWERS)])
    def test_a_variable_that_is_no_setting_costs_nothing(
        self, home: str, published: str, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        monkeypatch.setenv(name, "1")

        assert self.is_prepared(home, published)

    def test_of_a_project_met_later_are_right_too(self, home: str, published: str) -> None:
        assert settings.values(home, "new-00")["recall.limit"] == 7

    @pytest.mark.parametrize(("value", "number"), [(5, 5), (0.5, 0.5), ("x", 0.0), (None, 0.0)])
    def test_what_is_no_number_counts_as_none(self, value: object, number: float) -> None:
        assert settings.number({"key": value}, "key") == number


class TestWaking:
    def fail(self, home: str, times: int) -> None:
        for _ in range(times):
            wake._record_try(home, wake.recorded_tries(home))

    def test_a_try_is_remembered(self, home: str) -> None:
        before = time.time()
        self.fail(home, 1)

        (tried,) = wake.recorded_tries(home)

        assert before <= tried <= time.time()
        assert Path(paths.worker_tries(home)).stat().st_size < 500

    def test_after_four_tries_nothing_is_started(self, home: str) -> None:
        self.fail(home, len(wake.PATIENCE))

        assert not wake.start_worker(home)
        assert len(wake.recorded_tries(home)) == len(wake.PATIENCE)

    def test_right_after_a_try_in_vain_nothing_is_started(self, home: str) -> None:
        self.fail(home, 1)

        assert not wake.start_worker(home)

    def test_what_failed_before_a_change_does_not_count(self, home: str) -> None:
        self.fail(home, len(wake.PATIENCE))
        Path(paths.config(home)).write_text("# changed\n")

        assert wake.recorded_tries(home) == []

    @pytest.mark.parametrize("content", [b"", b"garbage", b"\xff\xfe", b"a\nb\nc\n"])
    def test_a_broken_record_counts_as_none(self, home: str, content: bytes) -> None:
        self.fail(home, 1)
        Path(paths.worker_tries(home)).write_bytes(content)

        assert wake.recorded_tries(home) == []

    def test_a_worker_is_given_what_it_needs_and_no_keys(
        self, home: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "CLAUDE_PID", "PYTHONPATH"):
            monkeypatch.setenv(name, "secret")
        monkeypatch.setenv("RECOLLECT_RECALL_LIMIT", "3")

        environment = wake.environment(home)

        assert "secret" not in environment.values()
        assert environment["RECOLLECT_HOME"] == home
        assert "RECOLLECT_RECALL_LIMIT" not in environment, "one session's setting is not all's"
        assert environment["PATH"] == os.environ["PATH"]
