"""SQL kept in `.sql` files: each statement stands under a line `-- name: what_it_does`."""

from importlib import resources


def load(package: str, file: str) -> dict[str, str]:
    """Return the named statements of *file* in *package*."""
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    statements: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("-- name: "):
            name = line.removeprefix("-- name: ").strip()
            statements[name] = []
        elif name:
            statements[name].append(line)
    return {name: "\n".join(lines).strip() for name, lines in statements.items()}


def script(package: str, file: str) -> str:
    """Return the whole of *file* in *package*, a script of many statements."""
    return resources.files(package).joinpath(file).read_text(encoding="utf-8")
