"""Every command: its group, where it is, and what it does in a line.

Light: help, `--version` and shell completion read it without loading click or any command.
"""

GROUPS = (
    (
        "Find",
        (
            ("search", "find.search", "Find the memories that answer a question"),
            ("ask", "ask.ask", "Have a model answer from your memories, with sources"),
            ("expand", "find.expand", "Show one memory in full"),
            ("timeline", "find.timeline", "Show what happened around a memory or a date"),
            ("transcript", "find.transcript", "Show the turns of a session, or behind a memory"),
            ("summary", "summary.summary", "Show how recent sessions went"),
        ),
    ),
    (
        "Notes",
        (
            ("remember", "notes.remember", "Keep a sentence as a note"),
            ("save", "save.save", "Save what the latest session has said so far"),
            ("list", "notes.list_", "List notes"),
            ("show", "notes.show_", "Show a note, its history or an earlier version"),
            ("edit", "notes.edit", "Change a note in your editor"),
            ("pin", "notes.pin", "Show notes first when a session starts"),
            ("review", "review.review", "Accept or reject notes that wait for you"),
            ("import", "fill.import_", "Read old transcripts, or exported notes"),
            ("export", "export.export", "Write notes out, as JSON or Markdown"),
        ),
    ),
    (
        "Take back",
        (
            ("forget", "forget.forget", "Remove memories; they can be restored for a while"),
            ("retire", "notes.retire", "Stop showing notes; `gc` deletes them later"),
            ("archive", "notes.archive", "Stop showing notes, but keep them for good"),
            ("unarchive", "notes.unarchive", "Make archived notes active again"),
            ("restore", "forget.restore", "Bring back what was retired or forgotten"),
            ("gc", "notes.gc", "Delete what is past its grace period"),
        ),
    ),
    (
        "Look after",
        (
            ("status", "health.status", "Show at a glance whether all is well"),
            ("doctor", "health.doctor", "Check everything, and say how to fix what is wrong"),
            ("logs", "logs.logs", "Show what the worker did"),
            ("stats", "stats.stats", "Show what agents were given, used, and what it cost"),
            ("context", "context.context", "Show what an agent would be given now, and why"),
            ("projects", "projects.projects", "List projects; rename, join, split or exclude one"),
            ("index", "fill.index", "Bring the search index up to date"),
            ("worker", "worker.worker", "Start, stop or inspect the background process"),
        ),
    ),
    (
        "Models",
        (
            ("spend", "spend.spend", "Show how many tokens models used"),
            ("retry", "synthesis.retry", "Ask a model again about turns that failed"),
            ("resynthesise", "synthesis.resynthesise", "Write journal entries anew"),
        ),
    ),
    (
        "Set up",
        (
            ("setup", "setup.setup", "Connect Recollect to your agents"),
            ("uninstall", "setup.uninstall", "Disconnect it; your memories stay"),
            ("config", "settings.config", "Show and change settings"),
            ("completion", "completion.completion", "Print a script for Tab completion"),
            ("demo", "demo.demo", "See what it does, in a throwaway home"),
            ("mcp", "mcp.mcp", "Serve the memory to an agent (agents start this)"),
        ),
    ),
)
"""Headings in the order of help, each with its commands: name, place, summary.

A place is a module of this package and the command in it.
"""

COMMANDS = {name: place for _, commands in GROUPS for name, place, _ in commands}

ALIASES = {
    "add": "remember",
    "find": "search",
    "ls": "list",
    "resynthesize": "resynthesise",
    "rm": "forget",
}
"""Names that people try first, each with the command that it stands for."""
