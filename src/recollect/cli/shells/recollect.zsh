#compdef recollect
# Tab completion of `recollect` for zsh: source <(recollect completion zsh), after compinit
_recollect() {
    local line value
    local -a found
    for line in "${(@f)$("${words[1]/#\~\//$HOME/}" _complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        value="${line%%$'\t'*}"
        [[ -n $value ]] && found+=("${value//:/\\:}:${line#*$'\t'}")
    done
    if (( $#found )); then
        _describe -V recollect found
    else
        _files
    fi
}
if [[ ${funcstack[1]-} == _recollect ]]; then
    _recollect "$@"
else
    compdef _recollect recollect
fi
