"""A plugin written in JavaScript, driven in Node line by line."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.client import node

# A launcher that keeps what it is handed, and says which home it was given.
KEEPING = r"""
said=$(cat)
printf '%s\n' "$said" >> KEPT
printf '{"hookSpecificOutput":{"additionalContext":"%s"}}' "$RECOLLECT_HOME"
"""


class Plugin:
    """*content* of a plugin in *folder*; *launchers* are where it looks for ours."""

    def __init__(self, folder: Path, content: bytes, *launchers: Path) -> None:
        self.folder = folder
        self._kept = folder / "kept.jsonl"
        self._launchers = launchers
        (folder / "plugin.mjs").write_bytes(content)
        self.launcher(KEEPING)

    def launcher(self, script: str) -> None:
        """Put *script* in the launcher's place; KEPT in it is the file of `events`."""
        for path in self._launchers:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(script.replace("KEPT", f"'{self._kept}'"))

    def replace(self, old: str, new: str) -> None:
        """Put *new* in place of *old* in the plugin."""
        path = self.folder / "plugin.mjs"
        content = path.read_text()
        assert old in content
        path.write_text(content.replace(old, new))

    def run(self, script: str, **env: str) -> Any:
        """What *script* printed, as JSON; nothing may have gone wrong."""
        (self.folder / "drive.mjs").write_text(script)
        done = subprocess.run(
            [node.program(), "drive.mjs"],
            cwd=self.folder,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.folder), **env},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout or "null")

    def events(self, name: str = "", *, count: int = 0) -> list[dict[str, Any]]:
        """What the launcher was handed, all or those with *name*, once there are *count*."""
        until = time.monotonic() + 10
        while len(found := self._events(name)) < count and time.monotonic() < until:
            time.sleep(0.05)
        return found

    def _events(self, name: str) -> list[dict[str, Any]]:
        lines = self._kept.read_text().splitlines() if self._kept.exists() else []
        found = [json.loads(line) for line in lines]
        return [event for event in found if name in ("", event["hook_event_name"])]
