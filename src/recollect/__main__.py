"""`recollect` and `python -m recollect`."""

import os
import sys


def main() -> None:
    """Run the command line, or say where it does not run."""
    if os.name != "posix":
        sys.exit("Recollect runs on Linux and macOS only; on Windows use it inside WSL.")
    if sys.argv[1:] in (["--version"], ["--help"], ["-h"], ["help"]):
        from recollect.cli import front  # noqa: PLC0415 - click alone costs five times as much

        is_version = sys.argv[1] == "--version"
        sys.stdout.write(front.version() if is_version else front.text(front.columns()))
        return
    if sys.argv[1:2] == ["_complete"]:
        from recollect.cli import complete  # noqa: PLC0415 - somebody waits with a finger on Tab

        complete.run(sys.argv[2:])
        return
    if sys.argv[1:2] in (["search"], ["find"]):
        from recollect.cli import quick  # noqa: PLC0415 - costs a third of the ordinary way

        if quick.search(sys.argv[2:]):
            return
    if sys.argv[1:] == ["mcp"]:
        from recollect.mcp_server import pipe  # noqa: PLC0415 - a session pays for all it loads

        pipe.run()
    from recollect.cli.main import main as run  # noqa: PLC0415 - cannot be imported elsewhere

    run()


if __name__ == "__main__":
    main()
