import json
from pathlib import Path

import pytest
from benchmarks.report import Report, at_least, at_most


def test_a_broken_promise_is_told_and_ends_the_run_badly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report(tmp_path)

    with report.part("speed") as part:
        part.figure("warm search", 31.2, unit="ms", promise=at_most(15))

    assert report.conclude() is False
    assert "speed: warm search is 31.2 ms, promised ≤ 15" in capsys.readouterr().out


def test_a_promise_that_holds_is_not_spoken_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report(tmp_path)

    with report.part("locomo") as part:
        part.figure("recall@10", 0.79, promise=at_least(0.76))

    assert report.conclude() is True
    assert "← broken" not in capsys.readouterr().out


def test_missing_data_is_said_where_it_is_missed_and_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report(tmp_path)

    with report.part("locomo") as part:
        part.lacks(Path("data/locomo"))

    assert report.conclude() is True
    assert capsys.readouterr().out.count("data/locomo") == 2


def test_a_figure_stands_beside_what_it_was_in_the_run_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Report(tmp_path).part("locomo") as part:
        part.figure("recall@10", 0.72)
    capsys.readouterr()

    with Report(tmp_path).part("locomo") as part:
        part.figure("recall@10", 0.79)

    (line,) = [line for line in capsys.readouterr().out.splitlines() if "recall@10" in line]
    assert line.split() == ["recall@10", "0.790", "0.720"]


def test_a_run_of_one_part_leaves_the_figures_of_the_others(tmp_path: Path) -> None:
    for name in ("locomo", "speed"):
        with Report(tmp_path).part(name) as part:
            part.figure("figure", 1.0)

    recorded = json.loads((tmp_path / "figures.json").read_text())

    assert set(recorded) == {"locomo", "speed"}


def test_every_question_is_written_on_a_line_of_its_own(tmp_path: Path) -> None:
    with Report(tmp_path).part("locomo") as part:
        part.asked(question="Wann?", recall10=1.0)
        part.asked(question="为什么？", recall10=0.0)

    lines = (tmp_path / "locomo.jsonl").read_text(encoding="utf-8").splitlines()

    assert [json.loads(line)["question"] for line in lines] == ["Wann?", "为什么？"]


def test_a_part_that_fails_records_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), Report(tmp_path).part("speed") as part:
        part.figure("warm search", 1 / 0)

    assert not (tmp_path / "figures.json").exists()
