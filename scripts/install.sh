#!/bin/sh
# Installs Recollect from this clone, for you alone, and connects it to your agents:
#     scripts/install.sh [OPTIONS of `recollect setup`, such as --yes or --dry-run]
# By uv or pipx if you have one of them, else into an environment of its own. Run it again to upgrade.
set -eu
clone=$(cd "$(dirname "$0")/.." && pwd)

if command -v uv >/dev/null; then
    uv tool install --quiet --force --reinstall-package recollect "$clone"
    bin=$(uv tool dir --bin)
elif command -v pipx >/dev/null; then
    pipx install --quiet --force "$clone"
    bin=$(pipx environment --value PIPX_BIN_DIR)
else
    for python in "${PYTHON:-python3}" python3.13 python3.12 python3.11 ''; do
        "${python:-false}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break
    done
    if [ -z "$python" ]; then
        echo 'Recollect needs Python 3.11 or newer. With uv (https://docs.astral.sh/uv) there, it gets one.' >&2
        exit 1
    fi
    own="${XDG_DATA_HOME:-$HOME/.local/share}/recollect/venv"
    bin="$HOME/.local/bin"
    "$python" -m venv "$own"
    "$own/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$clone"
    mkdir -p "$bin"
    ln -sf "$own/bin/recollect" "$bin/recollect"
fi

echo "Installed: $bin/recollect"
case ":$PATH:" in
*":$bin:"*) ;;
*) echo "Not on your PATH yet. For new shells, add to your profile:  export PATH=\"$bin:\$PATH\"" ;;
esac
exec "$bin/recollect" setup --after-install "$@"
