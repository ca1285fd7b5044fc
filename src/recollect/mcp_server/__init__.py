"""The door for agents: `recollect mcp`, a server for any client of the Model Context Protocol.

Each session has a process of its own, so that process is a pipe: `pipe` passes calls on to the
worker, and answers by itself what never changes (`listings`). In the worker `server` takes them:
`tools` says what there is, `calls` does it with one call to `Memory`, `texts` tells what came of
it, `pages` are notes and days to read. `rpc` is the language of both.
"""
