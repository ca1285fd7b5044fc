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
[ "$1" = SessionStart ] || exit 0
# Of what is missing: the one command that puts it right. The plugin comes with its repository, either
# read where it lies or as the host's own clone of it.
fix='scripts/install.sh in a clone of Recollect'
clones="${CLAUDE_CONFIG_DIR:-$HOME/.claude}/plugins/marketplaces"
for script in "${0%/src/recollect/plugins/*}/scripts/install.sh" "$clones/recollect/scripts/install.sh"; do
    case "$script" in *[\'\"\\]*) continue ;; esac
    [ -r "$script" ] && fix="sh '$script'" && break
done
found=$(command -v recollect)
# Where it was set up once, only the recorded interpreter has moved.
[ -z "$python" ] || fix='recollect setup'
[ -z "$found" ] || [ "$found" = "${0%/hooks/*}/bin/recollect" ] || fix='recollect setup'
echo '{"systemMessage":"Recollect is off: its plugin is here, its command is not set up. Run once: '"$fix"'"}'
exit 0
