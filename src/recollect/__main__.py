"""`recollect` and `python -m recollect`."""

import os
import sys


def main() -> None:
    """Run the command line, or say where it does not run."""
    if os.name != "posix":
        sys.exit("Recollect runs on Linux and macOS only; on Windows use it inside WSL.")
    from recollect.cli.main import main as run  # noqa: PLC0415 - cannot be imported elsewhere

    run()


if __name__ == "__main__":
    main()
