"""Where everything lives. Part of the hot path: plain strings and `posix`, nothing more.

`posix` is what `os` is made of; `os` itself costs a fifth of an interpreter's start.
"""

import posix

# Set for the worker and so for all that it starts: what we do ourselves is not captured.
GUARD = "RECOLLECT_GUARD"

# Variables of ours that change no answer.
NOT_ANSWERS = (
    *(b"RECOLLECT_HOME", b"RECOLLECT_DEBUG", b"RECOLLECT_GUARD"),
    b"RECOLLECT_CAPTURE_ENABLED",
)

# The kernel allows 108 bytes (104 on macOS) for the name of a unix socket.
LONGEST_SOCKET_NAME = 100


def variable(name: str) -> str:
    """Return the environment variable *name*, empty if unset."""
    return posix.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")


def sets_something(environment: dict[bytes, bytes]) -> bool:
    """Tell whether a setting that changes an answer stands in *environment*."""
    return any(name.startswith(b"RECOLLECT_") and name not in NOT_ANSWERS for name in environment)


def home() -> str:
    """Return Recollect's own folder: `$RECOLLECT_HOME`, else `~/.recollect`."""
    chosen = variable("RECOLLECT_HOME").rstrip("/")
    if not chosen:
        if not variable("HOME").startswith("/"):
            raise OSError("no home folder: set HOME or RECOLLECT_HOME")
        chosen = variable("HOME").rstrip("/") + "/.recollect"
    return chosen if chosen.startswith("/") else f"{posix.getcwd()}/{chosen}"


def make(folder: str) -> None:
    """Make *folder* and those above it that are missing, for the user's eyes alone."""
    try:
        posix.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    except FileNotFoundError:
        make(folder.rpartition("/")[0])
        posix.mkdir(folder, 0o700)


def inbox(home: str) -> str:
    """Return the folder of events that wait to be read."""
    return home + "/inbox"


def set_aside(home: str) -> str:
    """Return the folder of events that failed three times."""
    return home + "/set-aside"


def run(home: str) -> str:
    """Return the folder of what holds only while we run: socket, lock, prepared answers."""
    return home + "/run"


def children(home: str) -> str:
    """Return the folder in which programs are recorded that ask a model, while they run."""
    return f"{run(home)}/children"


def logs(home: str) -> str:
    """Return the folder of logs."""
    return home + "/logs"


def index(home: str) -> str:
    """Return the search index, which may be deleted at any time."""
    return home + "/index.db"


def state(home: str) -> str:
    """Return the database of what is not Markdown: sessions, aliases, offsets."""
    return home + "/state.db"


def config(home: str) -> str:
    """Return the file with the settings the user changed."""
    return home + "/config.toml"


# The library of what holds in every project. A project's own name ends in a hash.
EVERYWHERE = "global"


def project(home: str, name: str) -> str:
    """Return the folder that holds the memory of the project called *name*."""
    return home + ("/" if name == EVERYWHERE else "/projects/") + name


def project_config(home: str, name: str) -> str:
    """Return the file with the user's own settings for the project called *name*."""
    return project(home, name) + "/config.toml"


def places(home: str) -> str:
    """Return the list that tells a hook which folder on disk belongs to which project."""
    return home + "/run/places"


def start_block(home: str, project: str) -> str:
    """Return what a session of *project* would be given at its start, prepared beforehand."""
    return home + "/run/start/" + project


def compact_block(home: str, session: str) -> str:
    """Return what *session* would be given after its context was compacted."""
    return home + "/run/compact/" + _file_name(session)


def subagent_block(home: str, project: str) -> str:
    """Return what a subagent in *project* would be given."""
    return home + "/run/subagent/" + project


def shown(home: str, session: str) -> str:
    """Return the log of what *session* has been shown."""
    return home + "/run/shown/" + _file_name(session)


def verbose(home: str) -> str:
    """Return the file that is there while somebody wants to hear what is captured."""
    return home + "/run/verbose"


def hook_settings(home: str) -> str:
    """Return the settings that hooks need, flattened."""
    return home + "/run/settings.json"


def _file_name(session: str) -> str:
    """Return the id of a session as the name of a file; a host's own is a UUID.

    >>> _file_name("9ee0ccc7-1a"), _file_name("../a b")
    ('9ee0ccc7-1a', '_._a_b')
    """
    name = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in session)
    return (name if name[:1] != "." else "_" + name[1:])[:100]


def launch_record(home: str) -> str:
    """Return the file that tells the launcher which interpreter runs which hook."""
    return home + "/run/launch"


def worker_tries(home: str) -> str:
    """Return the record of attempts to start a worker."""
    return home + "/run/worker.tries"


def worker_lock(home: str) -> str:
    """Return the file whose lock makes the worker the only one."""
    return home + "/run/worker.lock"


def socket(home: str) -> str:
    """Return the worker's socket: in `run/`, or where `run/socket-folder` says if that is too long.

    Empty when there is no such record: no worker has been there yet.
    """
    here = home + "/run/worker.sock"
    if len(here.encode("utf-8", "surrogateescape")) <= LONGEST_SOCKET_NAME:
        return here
    try:
        with open(home + "/run/socket-folder", encoding="utf-8") as record:
            folder = record.read().strip()
        # Somebody else may have made a folder of this name when ours was gone.
        return f"{folder}/worker.sock" if posix.lstat(folder).st_uid == posix.getuid() else ""
    except (OSError, ValueError):
        return ""
