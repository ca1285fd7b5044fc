# Tab completion of `recollect` for bash: source <(recollect completion bash)
_recollect() {
    local line program="${1/#\~\//$HOME/}"
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line%%$'\t'*}")
    done < <("$program" _complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _recollect recollect
