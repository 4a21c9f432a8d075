# list, help, devices, version, completion.
load common

@test "version" {
    works version
    [ "${lines[0]}" = "gpufilter 0.1.0" ]
    case $(gpu) in
    cuda) [[ ${lines[1]} == "CUDA      built in" || ${lines[1]} == "CUDA      not built in" ]] ;;
    *) [ "${lines[1]}" = "CUDA      emulated on the CPU, for tests" ] ;;
    esac
    [[ $output == *"png: reads and writes"* ]]
    first=$output
    works --version
    [ "$output" = "$first" ]
}

@test "version --json" {
    works version --json
    [ "$(jq -r .version <<<"$output")" = 0.1.0 ]
    case $(gpu) in
    cuda) [ "$(jq -r '.cuda | type' <<<"$output")" = boolean ] ;;
    *) [ "$(jq -r .cuda <<<"$output")" = false ] ;;
    esac
    [ "$(jq -c '.formats[] | select(.name == "png") | .depths' <<<"$output")" = '["u8","u16"]' ]
    [ "$(jq -c '.formats[] | select(.name == "npy") | [.reads, .writes]' <<<"$output")" = '[true,true]' ]
}

@test "list: groups, stages, aliases" {
    works list
    [ "${lines[0]}" = point ]
    [[ $output == *"  blur         Gaussian blur (also gaussian, gblur)"* ]]
    for stage in gray invert brightness contrast gamma threshold convert blur box sobel hist stats equalize; do
        grep -q "^  $stage " <<<"$output"
    done
    [ "$(grep -c '^measure$' <<<"$output")" = 1 ]
}

@test "help fits a screen" {
    works help
    [ "${#lines[@]}" -le 60 ]
    for line in "${lines[@]}"; do [ "${#line}" -le 80 ]; done
    first=$output
    works --help
    [ "$output" = "$first" ]
    works -h
    [ "$output" = "$first" ]
    works in.png out.png --stages blur --help
    [ "$output" = "$first" ]
}

@test "help blur" {
    works help blur
    [ "${lines[0]}" = "blur:sigma=1:radius=auto" ]
    [ "${lines[1]}" = "  Gaussian blur" ]
    [[ $output == *"  also called gaussian or gblur"* ]]
    [[ $output == *"number from 0.05 to 10000 px; default 1; may stand without its name"* ]]
    [[ $output == *"whole number from 0 to 1000000 px, or auto; default auto"* ]]
    [[ $output == *"replicate, reflect101, reflect, wrap or constant; default replicate"* ]]
    first=$output
    works help gaussian
    [ "$output" = "$first" ]
}

@test "the examples of every stage work" {
    colours in.npy
    works list
    stages=$(sed -n 's/^  \([a-z0-9_]*\) .*/\1/p' <<<"$output")
    [ "$(wc -w <<<"$stages")" -ge 13 ]
    for stage in $stages; do
        works help "$stage"
        examples=$(sed -n 's/^  gpufilter .*--stages //p' <<<"$output")
        [ -n "$examples" ]
        for example in $examples; do
            works --print-pipeline text --stages "$example"
        done
    done
}

@test "help of a stage that is none: the nearest and all of them" {
    fails 2 help blurr
    err_is "error: unknown stage 'blurr'; did you mean 'blur'?"
    err_has "sobel"
    fails 2 help qqqqqqq
    err_is "error: unknown stage 'qqqqqqq'"
}

@test "help of commands" {
    works help compare
    [[ $output == *"--max-diff N"* && $output == *"Exit: 0 equal within the tolerance, 1 different, 2 trouble."* ]]
    first=$output
    works compare --help
    [ "$output" = "$first" ]
    works list --help
    [ "${lines[0]}" = "gpufilter list [formats]: the stages, or formats of files" ]
    works help version
    [ "${lines[0]}" = "gpufilter version [--json]: the version, and what is built in" ]
}

@test "one word too many" {
    fails 2 list formats blur
    err_is "error: 'blur' is one word too many: gpufilter list [formats]"
    fails 2 help blur box
    err_is "error: 'box' is one word too many: gpufilter help [STAGE|COMMAND]"
    fails 2 version --jason
    err_is "error: unknown option '--jason'; did you mean '--json'?"
}

@test "devices: the CPU first; no CUDA device is no error" {
    works devices
    [[ ${lines[0]} == "cpu       "* ]]
    [[ ${lines[1]} =~ ^(cuda(:0)?|emu:0)\ + ]]
    works devices --json
    [ "$(jq -r '.devices[0].device' <<<"$output")" = cpu ]
    [ "$(jq -r '.devices[0].units >= 1' <<<"$output")" = true ]
}

@test "completion bash" {
    fails 2 completion zsh
    err_is "error: completion is 'zsh': must be bash"
    fails 2 completion
    works completion bash
    eval "$output"
    complete_words() {
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        COMPREPLY=()
        _gpufilter
        echo "${COMPREPLY[*]}"
    }
    [ "$(complete_words gpufilter ver)" = version ]
    [ "$(complete_words gpufilter in.png --no-c)" = --no-clobber ]
    [ "$(complete_words gpufilter in.png --stages blur,so)" = blur,sobel ]
    [ "$(complete_words gpufilter help equ)" = equalize ]
    [ "$(complete_words gpufilter in.png --alpha p)" = premul ]
    [ "$(complete_words gpufilter in.png --device re)" = reference ]
    [ "$(complete_words gpufilter in.png --device '')" = "auto cpu $(gpu) reference" ]
    [ "$(complete_words gpufilter compare a b --max-c)" = --max-count ]
}

@test "standard output that cannot be written is an error" {
    for words in list help version devices "help blur" "completion bash"; do
        run --separate-stderr -4 bash -c "\"\$GPUFILTER_BIN\" $words >/dev/full"
        err_is "error: standard output: No space left on device"
    done
}

@test "a closed pipe ends it quietly" {
    run --separate-stderr bash -c '{ sleep 0.1; env --default-signal=PIPE "$GPUFILTER_BIN" help; echo $? >code; } | true'
    [ "$(cat code)" = 141 ]
    [ -z "$stderr" ]
}
