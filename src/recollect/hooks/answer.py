"""Answer a hook without the worker: what was prepared beforehand, ages filled in.

There is no second ranking and no second renderer here. `context.render` prepared every text
and escaped it for JSON; this module only picks, checks that the files behind it are
unchanged, and joins.
"""

import _json
import os
import time

import recollect
from recollect import ages, paths, projects
from recollect.hooks import claude_code, settings
from recollect.hooks.payload import is_object, parse
from recollect.index import lookup

# Events wait for seconds; for longer only when nobody takes them in.
PATIENT_MINUTES = 10

# Between the pieces of a prepared start block, and between the fields of a piece.
PIECE, FIELD = "\x1e", "\x1f"


def plainly(home: str, name: str, payload: bytes, *, version: str, trouble: str = "") -> bytes:
    """Return the answer to the event called *name*, or nothing.

    *version* is the plugin's; *trouble* is why the event could not be kept: the user is told
    of both when there is something to tell.
    """
    try:
        answer = _remembered(home, name, parse(payload.decode("utf-8", "surrogateescape")))
    except Exception as error:  # A broken index or setting: the user is told all the same.
        from recollect.hooks import debug  # noqa: PLC0415 - only when something is wrong

        debug.report(error)
        answer = ""
    told = notices(name, version, trouble)
    if name == "SessionStart" and (waiting := _waiting_minutes(home)) > PATIENT_MINUTES:
        told.append(f"Recollect has taken in nothing for {waiting} min. See: recollect doctor")
    answer = with_notices(answer, told)
    return answer.encode("utf-8", "surrogateescape")


def _remembered(home: str, name: str, event: dict[str, object]) -> str:
    # The session's own project, wherever a `cd` has led since.
    folder = paths.variable("CLAUDE_PROJECT_DIR") or event.get("cwd")
    if not isinstance(folder, str) or not folder:
        return ""
    project = projects.known(paths.places(home), projects.identity(folder))
    return _about(home, project, name, event) if project else ""


def _about(home: str, project: str, name: str, event: dict[str, object]) -> str:
    chosen = settings.values(home, project)
    if name == "SessionStart":
        if not chosen["start.enabled"] or event.get("source") not in claude_code.SPEAKING_SOURCES:
            return ""
        return start_block(paths.start_block(home, project), now=time.time())
    prompt = event.get("prompt")
    if not chosen["recall.enabled"] or not isinstance(prompt, str):
        return ""
    if not claude_code.is_question(prompt):
        return ""
    index = lookup.open_index(paths.index(home))
    frame = index.execute("SELECT value FROM meta WHERE key = 'prompt_frame'").fetchone()
    hits = lookup.recall(
        index,
        project,
        prompt,
        limit=int(settings.number(chosen, "recall.limit")),
        bar=settings.number(chosen, "recall.bar"),
        asked_in=str(event.get("session_id", "")),
    )
    if not frame or not hits:
        return ""
    tokens = int(settings.number(chosen, "recall.budget_tokens"))
    shown = _affordable(hits, characters=3 * tokens - len(frame[0]))
    return prompt_answer(frame[0], shown, now=time.time()) if shown else ""


def _waiting_minutes(home: str) -> int:
    """Return for how long the oldest event has been lying in the inbox."""
    try:
        names = os.listdir(paths.inbox(home))
    except OSError:
        return 0
    oldest = min((name[:20] for name in names if name[:20].isdigit()), default="")
    return int(time.time() - int(oldest) / 1e9) // 60 if oldest else 0


def start_block(path: str, *, now: float) -> str:
    """Return the prepared block at *path*, without the pieces whose files have changed.

    The first piece is the frame; it holds `@@body@@`, and `@@headline@@` in the line for the
    user, where the others go. When all are gone, or the block is broken, nothing is left to say.
    """
    texts = {"body": "", "headline": ""}
    try:
        with open(path, encoding="utf-8") as prepared:
            frame, *pieces = prepared.read().split(PIECE)
        for piece in pieces:
            place, source, size, mtime_ns, text = piece.split(FIELD)
            if lookup.is_unchanged(source, int(size), int(mtime_ns)):
                texts[place] += text
    except (OSError, ValueError, KeyError):
        return ""
    if not texts["body"] and "@@body@@" in frame:
        return ""
    for place, text in texts.items():
        frame = frame.replace(f"@@{place}@@", text)
    block = ages.fill(frame, now=now)
    return block if is_object(block) else ""


def prompt_answer(frame: str, hits: list[lookup.Hit], *, now: float) -> str:
    """Return *frame* with the cards of *hits* and the line that tells the user of them."""
    shown = ", ".join(f"[{hit.score:.2f}] {ages.ago(now - hit.at)} {hit.line}" for hit in hits)
    count = f"{len(hits)} {'memory' if len(hits) == 1 else 'memories'}"
    cards = "".join(hit.card for hit in hits)
    filled = frame.replace("@@line@@", f"{count}: {shown}").replace("@@cards@@", cards)
    return ages.fill(filled, now=now)


def _affordable(hits: list[lookup.Hit], *, characters: int) -> list[lookup.Hit]:
    """Return the first *hits* whose cards fit, by the estimate of `context.budget`.

    That is three characters a token, and two tokens for a character that is not Latin.
    """
    shown = []
    for hit in hits:
        cost = sum(1 if ord(character) < 0x250 else 6 for character in hit.card)
        if cost <= characters:
            shown.append(hit)
            characters -= cost
    return shown


def notices(name: str, version: str, trouble: str = "") -> list[str]:
    """Return what the user must be told besides: a plugin out of step, an event not kept."""
    told = []
    if trouble:
        told.append(f"Recollect could not keep this: {trouble}. See: recollect doctor")
    if name == "SessionStart" and version != recollect.__version__:
        told.append(
            f"Recollect: the plugin is {version}, the package {recollect.__version__}."
            " Run: recollect setup"
        )
    return told


def with_notices(answer: str, told: list[str]) -> str:
    """Return *answer* with *told* in front of what it says to the user."""
    if not told:
        return answer
    said = _json.encode_basestring_ascii(" · ".join(told))
    key = '{"systemMessage":"'
    if answer.startswith(key):
        return f"{key}{said[1:-1]} · {answer[len(key) :]}"
    rest = f",{answer[1:]}" if answer else "}"
    return f'{{"systemMessage":{said}{rest}'
