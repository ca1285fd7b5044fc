"""Which engine is asked: the one that is named, or the first that is there and allowed."""

from dataclasses import replace
from pathlib import Path

import pytest

from recollect.config import Access, Settings
from recollect.errors import EngineError
from recollect.llm.providers import choose

CLIENT = "/usr/bin/claude"


@pytest.fixture
def key(tmp_path: Path) -> str:
    file = tmp_path / "key"
    file.write_text("sk-made-up\n")
    return str(file)


def engine(settings: Settings, client: str = "") -> str:
    return choose.chosen(settings, home="/nowhere", client=client).name


def trouble(settings: Settings, client: str = "") -> EngineError:
    with pytest.raises(EngineError) as caught:
        choose.chosen(settings, home="/nowhere", client=client)
    return caught.value


@pytest.mark.parametrize("name", ["claude", "anthropic", "openai"])
def test_the_one_that_is_named_is_made(name: str) -> None:
    assert engine(Settings(synthesis_engine=name), CLIENT) == name


def test_extractive_is_none() -> None:
    assert "no model is switched on" in trouble(Settings()).message


def test_claude_needs_the_client() -> None:
    assert trouble(Settings(synthesis_engine="claude")).kind == "missing"


class TestAuto:
    def test_what_is_not_allowed_is_not_chosen(self, key: str) -> None:
        settings = Settings(synthesis_engine="auto", synthesis_anthropic=Access(key_file=key))

        assert "allowed: none" in trouble(settings, CLIENT).message

    def test_the_first_that_is_there_and_allowed(self, key: str) -> None:
        settings = Settings(
            synthesis_engine="auto",
            synthesis_allow=("openai", "anthropic", "claude"),
            synthesis_default_model="m",
            synthesis_anthropic=Access(key_file=key),
            synthesis_openai=Access(url="http://localhost:11434/v1"),
        )
        without_anthropic = replace(settings, synthesis_anthropic=Access())

        assert engine(settings, CLIENT) == "claude"
        assert engine(settings) == "anthropic"
        assert engine(without_anthropic) == "openai"

    def test_a_server_without_a_model_is_not_there(self) -> None:
        settings = Settings(
            synthesis_engine="auto",
            synthesis_allow=("openai",),
            synthesis_openai=Access(url="http://localhost:11434/v1"),
        )

        assert trouble(settings).kind == "missing"


class TestKeys:
    def test_a_key_file_that_is_not_there_is_said(self, tmp_path: Path) -> None:
        gone = Access(key_file=str(tmp_path / "gone"))
        settings = Settings(synthesis_engine="anthropic", synthesis_anthropic=gone)

        error = trouble(settings)

        assert error.kind == "auth"
        assert "synthesis.anthropic.key_file" in error.message

    def test_the_key_of_one_engine_is_never_read_for_another(self, tmp_path: Path) -> None:
        gone = Access(key_file=str(tmp_path / "gone"))
        settings = Settings(synthesis_engine="claude", synthesis_openai=gone)

        assert engine(settings, CLIENT) == "claude"

    def test_without_a_key_the_setup_is_the_same_wherever_we_are(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings = Settings(synthesis_engine="openai")
        before = choose.fingerprint(settings)
        monkeypatch.chdir(tmp_path)

        assert choose.fingerprint(settings) == before

    def test_another_key_makes_another_setup(self, key: str) -> None:
        settings = Settings(synthesis_engine="openai", synthesis_openai=Access(key_file=key))
        before = choose.fingerprint(settings)
        Path(key).write_text("sk-another-one\n")

        assert choose.fingerprint(settings) != before
        assert "sk-" not in before
