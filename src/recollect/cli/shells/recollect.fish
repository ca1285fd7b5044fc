# Tab completion of `recollect` for fish: recollect completion fish | source
function __recollect_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (recollect _complete $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c recollect -f -a '(__recollect_complete)'
