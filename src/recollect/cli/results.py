"""Show what a search found. Light: the quick way to the worker loads nothing else."""

import os
import sys
import time

from recollect import ages

_BOLD, _DIM, _GREEN, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[0m"


def show(report: dict[str, object], *, explain: bool) -> None:
    """Print *report*, in colours where they can be seen."""
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    lines = _lines(report, explain=explain, now=time.time())
    text = "".join(f"{line}\n" for line in lines)
    if not coloured:
        for code in (_BOLD, _DIM, _GREEN, _RESET):
            text = text.replace(code, "")
    sys.stdout.write(text)


def _lines(report: dict[str, object], *, explain: bool, now: float) -> list[str]:
    results = report["results"]
    assert isinstance(results, list)
    lines: list[str] = []
    if results and results[0]["weak"]:
        lines.append("No good match. Closest:")
    for one in results:
        lines += _result(one, several=bool(report["several_projects"]), explain=explain, now=now)
    if results:
        lines.append(
            f"{_DIM}More of one: recollect expand ID · what was said: recollect"
            f" transcript ID · around it: recollect timeline ID{_RESET}"
        )
    else:
        lines.append("No match. Try other words.")
    notes = report["remarks"]
    assert isinstance(notes, list)
    return lines + [f"{_DIM}{note}{_RESET}" for note in notes]


def _result(one: dict[str, object], *, several: bool, explain: bool, now: float) -> list[str]:
    when = ages.ago(now - float(str(one["timestamp"]))) if one["timestamp"] else "undated"
    kind = str(one["category"]).replace("_", " ")
    kind = kind or ("Claude Code's own memory" if one["kind"] == "hosted" else "")
    weak = "weak match" if one["weak"] else ""
    parts = [when, kind, weak, str(one["project"]) if several else "", _visible(one["id"])]
    parts.append(str(one["hidden_reason"]))
    if one["similar"]:
        parts.append(f"{one['similar']} more like it")
    lines = [
        f"{_GREEN}{float(str(one['score'])):.2f}{_RESET} {_BOLD}{_visible(one['title'])}{_RESET}",
        f"     {_DIM}{' · '.join(filter(None, parts))}{_RESET}",
    ]
    if one["stale"]:
        lines.append(f"     {_visible(one['stale'])}")
    lines += _passages(one)
    why = one.get("why")
    if explain and isinstance(why, dict):
        lines.append(f"     {_visible(why['in_words'])}")
        lines.append(f"     {_DIM}{_figures(why)}{_RESET}")
    return lines


def _passages(one: dict[str, object]) -> list[str]:
    """Return what of a result answers, without what its headline says already."""
    passages = one["passages"]
    assert isinstance(passages, list)
    lines: list[str] = []
    for text in passages:
        if _visible(" ".join(text.split())) == _visible(one["title"]):
            continue
        lines += ["     …"] if lines else []
        lines += [f"     {_visible(line)}" for line in text.splitlines() if line.strip()]
    return lines


def _figures(why: dict[str, object]) -> str:
    told = [f"rank {why['rank']}"]
    for group in ("matches", "signals", "circumstances"):
        figures = why[group]
        assert isinstance(figures, dict)
        told += [f"{name} {value}" for name, value in figures.items() if value]
    return ", ".join(told)


def _visible(text: object) -> str:
    """Return *text* without what would move the cursor or colour the terminal."""
    return "".join(c if c.isprintable() else " " for c in str(text))
