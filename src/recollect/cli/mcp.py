"""`mcp`: the door for agents."""

import click

from recollect.mcp_server import pipe


@click.command()
def mcp() -> None:
    """Serve your memories to an agent, over the Model Context Protocol (stdio).

    You do not run this yourself: `recollect setup` writes it into the settings of your agents, and
    `recollect setup --mcp CLIENT` into those of another client.
    """
    pipe.run()
