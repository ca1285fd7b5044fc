"""`mcp`: the door for agents."""

import click


@click.command()
def mcp() -> None:
    """Serve the memory to an agent, over the Model Context Protocol on standard input and output.

    Agents start this by themselves: `recollect setup` writes it into their settings, and
    `recollect setup --mcp CLIENT` into those of any other client.
    """
    from recollect.mcp_server import server  # noqa: PLC0415 - takes a second to load

    server.run()
