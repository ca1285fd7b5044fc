#!/bin/sh
# Hands one hook event to Recollect: launch.sh EVENT [HOST]. `recollect setup` records the interpreter;
# everything else is decided there. Never fails the host: hooks.json reads this file only if it is
# there, because a shell that misses its script exits 2, and the host takes that for a refusal.
version=0.1.0
[ -n "$RECOLLECT_DEBUG" ] || exec 2>/dev/null
python='' hook=''
{ read -r python && read -r hook; } <"${RECOLLECT_HOME:-$HOME/.recollect}/run/launch"
if [ -x "$python" ] && [ -f "$hook" ]; then
    "$python" -I -S "$hook" "${2:-claude-code}" "$1" "$version" && exit 0
fi
if [ "$1" = SessionStart ]; then
    echo '{"systemMessage":"Recollect is off: it is not installed, or was moved. Run: pip install recollect && recollect setup"}'
fi
exit 0
