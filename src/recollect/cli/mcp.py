"""`mcp`: the door for agents."""

import click

from recollect.mcp_server import pipe


@click.command()
def mcp() -> None:
    """Serve the memory to an agent, over the Model Context Protocol on standard input and output.

    Agents start this by themselves: `recollect setup` writes it into their settings, and
    `recollect setup --mcp CLIENT` into those of any other client.
    """
    pipe.run()
