"""`completion`: what a shell has to read so that Tab completes commands, options and ids."""

import sys

import click

from recollect.cli import complete

HOW = {
    "bash": "To have it in every shell, add to ~/.bashrc:  source <(recollect completion bash)",
    "zsh": "To have it in every shell, add to ~/.zshrc, after compinit:"
    "  source <(recollect completion zsh)",
    "fish": "To have it in every shell, add to ~/.config/fish/config.fish:"
    "  recollect completion fish | source",
}


@click.command()
@click.argument("shell", type=click.Choice(complete.SHELLS))
def completion(shell: str) -> None:
    """Print the script with which the Tab key completes commands, options, ids and projects.

    Load it with `source <(recollect completion bash)`, or the same with `zsh`; with fish it is
    `recollect completion fish | source`. To have it in every shell, put that line into `~/.bashrc`,
    `~/.zshrc` (after `compinit`) or `~/.config/fish/config.fish`.
    """
    show(shell)


def show(shell: str) -> None:
    """Print the script; a person who looks at it is told what to do with it."""
    click.echo(complete.script(shell), nl=False)
    if sys.stdout.isatty():
        click.echo(HOW[shell], err=True)
