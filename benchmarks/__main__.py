"""`make bench`: print every figure, and say which promise does not hold."""

import argparse
import sys
from pathlib import Path

from benchmarks import coding_sessions, hooks


def main() -> int:
    """Run the benchmarks that were asked for; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"))
    parser.add_argument("--only", choices=["hooks", "coding-sessions"])
    parser.add_argument("--runs", type=int, default=41, help="runs of each hook")
    chosen = parser.parse_args()
    kept = True
    if chosen.only in (None, "hooks"):
        kept &= hooks.run(runs=chosen.runs)
    if chosen.only in (None, "coding-sessions"):
        kept &= coding_sessions.run(chosen.data)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
