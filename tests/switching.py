"""`recollect setup` and `uninstall` at the shell of somebody who has a certain agent."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pexpect

from tests import command_line


class Shell:
    """The shell of a user with *env*, who has these *programs*, in *folder*, and no other agent."""

    def __init__(self, *programs: str, env: Mapping[str, str], folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for program in programs:
            (folder / program).write_text("#!/bin/sh\nexit 1\n")
            (folder / program).chmod(0o755)
        self.env = {**env, "PATH": f"{folder}:/usr/bin:/bin"}
        self._folder = folder

    def recollect(self, *args: str, succeeds: bool = True) -> str:
        """What `recollect` says to *args*; nobody sits at a terminal."""
        done = command_line.run(*args, cwd=self._folder, env=self.env)
        assert (done.returncode == 0) == succeeds, done.stdout + done.stderr
        return done.stdout + done.stderr

    def answered(self, command: str, *answers: str) -> str:
        """What is shown when a person runs *command* in a terminal and gives *answers*."""
        program = pexpect.spawn(
            sys.executable,
            ["-m", "recollect", *command.split()],
            cwd=str(self._folder),
            env=self.env,
            encoding="utf-8",
            timeout=30,
        )
        shown = ""
        for answer in answers:
            program.expect(r"Go ahead\?|Use your Claude Code for that\?")
            shown += str(program.before)
            program.sendline(answer)
        program.expect(pexpect.EOF)
        program.close()
        return shown + str(program.before)
