"""`python -m recollect`: the same as the command `recollect`."""

from recollect.cli.main import main

if __name__ == "__main__":
    main()
