# Completion: what is offered, and how each shell asks for it.
load common

# What is offered for the words, the last of which is typed; blanks at the end as _.
offered() {
    gf completion words "$@" | sed 's/|.*//; s/ $/_/' | tr '\n' ' '
}

offers() { # EXPECTED WORDS...
    local expected=$1 found
    shift
    found=$(offered "$@")
    [ "${found% }" = "$expected" ] || { printf 'for: %s\noffered: %s\nmust be: %s\n' "$*" "$found" "$expected"; return 1; }
}

@test "commands, options and their values" {
    offers "version_" ver
    offers "--no-clobber_" in.png --no-c
    offers "--explain_ --explain=" in.png --expl
    offers "--explain=text_ --explain=json_" in.png --explain=
    offers "premul_" in.png --alpha p
    offers "auto_ cpu_ $(gpu)_ reference_" in.png --device ''
    offers "reference_" in.png --device re
    offers "png_ pnm_ pfm_" in.png - --format p
    offers "pixels=" in.png --limit p
    offers "--max-diff_ --max-count_" compare a b --max
    offers "exit_ environment_ expr_ erode_ equalize_ envelope_" help e
    offers "--quality_ --quiet_" help --qu
    offers "stages_" list st
    offers "bash_ zsh_ fish_" completion ''
    offers "scan_ scan_by_key_" prim sc
    offers "exclusive_ inclusive_" prim scan --kind ''
    [[ $(offered prim reduce --algo '') == "all_ auto_ "*sequential_* ]]
    offers "" in.png out
    offers "" in.png --report r
    offers "" -- --no-c
}

@test "stages, parameters and choices" {
    offers "blend blur blackhat" in.png --stages bl
    [ "$(offered in.png --stages gray, | wc -w)" = "$(offered in.png --stages '' | wc -w)" ]
    offers "blur,sobel" in.png --stages blur,so
    offers "gray,blur:border=" in.png --stages gray,blur:b
    offers "blur:2:radius= blur:2:roi=" in.png --stages blur:2:r
    offers "blur:border=replicate blur:border=reflect101 blur:border=reflect" in.png --stages blur:border=re
    offers "threshold:otsu" in.png -s threshold:ot
    offers "blur:radius=auto" in.png --stages blur:radius=
    offers "gray,stats:channels=rgb gray,stats:channels=r" in.png --stages gray,stats:channels=r
    offers "--stages=gray" in.png --stages=gr
    offers "" in.png --stages nonsense:
    # every stage and every own parameter of the tables
    works list
    for stage in $(sed -n 's/^  \([a-z0-9_]*\) .*/\1/p' <<<"$output"); do
        [[ " $(offered x --stages "$stage") " == *" $stage "* ]]
        works help "$stage"
        for name in $(sed -n '/^Parameters$/,/^$/s/^  \([a-z_]*\) .*/\1/p' <<<"$output"); do
            [[ " $(offered x --stages "$stage:") " == *" $stage:$name= "* ]]
        done
    done
}

# The shells call the program by the name that was typed.
in_path() {
    mkdir bin
    ln -s "$GPUFILTER_BIN" bin/gpufilter
    PATH=$PWD/bin:$PATH
}

@test "bash: the function, with the words that readline makes" {
    in_path
    eval "$(gpufilter completion bash)"
    replies() {
        COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
        _gpufilter
        printf '[%s]' "${COMPREPLY[@]}"
    }
    [ "$(replies 'gpufilter ver')" = '[version ]' ]
    [ "$(replies 'gpufilter in.png --stages blur,so')" = '[blur,sobel]' ]
    [ "$(replies 'gpufilter in.png --stages gray,blur:bor')" = '[border=]' ]
    [ "$(replies 'gpufilter in.png --stages gray,blur:border=w')" = '[wrap]' ]
    [ "$(replies 'gpufilter in.png --stages=blur:sig')" = '[sigma=]' ]
    [ "$(replies 'gpufilter in.png --stages "gray,th')" = '[gray,threshold]' ]
    [ "$(replies 'gpufilter in.png --device re')" = '[reference ]' ]
    [ "$(replies 'gpufilter compare a b --max-c')" = '[--max-count ]' ]
    [ "$(replies 'gpufilter in.png ')" = '[]' ]
    complete -p gpufilter | grep -q -- '-o default'
}

@test "zsh: the function, with what it hands to compadd" {
    command -v zsh >/dev/null || skip "no zsh here"
    in_path
    run --separate-stderr -0 zsh -fc '
        compadd() { print -r -- "<$finished>" "<$open>" "$@" }
        _files() { print files }
        source <(gpufilter completion zsh)
        words=(gpufilter in.png --device re); CURRENT=4; _gpufilter
        words=(gpufilter in.png --stages gray,blur:bor); CURRENT=4; _gpufilter
        words=(gpufilter in.png out); CURRENT=3; _gpufilter'
    out_is "<reference> <> -Q -l -d finished_said -a finished" \
        "<> <gray,blur:border=> -Q -l -S  -d open_said -a open" files
}

@test "fish: what complete -C answers" {
    command -v fish >/dev/null || skip "no fish here"
    in_path
    run --separate-stderr -0 env HOME="$PWD" fish --no-config -c '
        gpufilter completion fish | source
        touch only.npy
        complete -C "gpufilter in.png --device re"
        complete -C "gpufilter in.png --stages gray,blur:bor"
        complete -C "gpufilter in.png only"'
    out_is reference "gray,blur:border="$'\t'"what a window reads outside the picture" only.npy
}

@test "another shell" {
    fails 2 completion tcsh
    err_is "error: completion is 'tcsh': must be bash, zsh or fish"
    fails 2 completion
    err_has "must be bash, zsh or fish"
}
