"""The door for agents: `recollect mcp`, a server for any client of the Model Context Protocol.

`tools` says what there is, `calls` does it with one call to `Memory`, `texts` tells what came of
it, `pages` are notes and days to read, `server` speaks the protocol.
"""
