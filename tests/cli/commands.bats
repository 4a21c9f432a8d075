# list, help, devices, version, completion.
load common

@test "version" {
    works version
    [ "${lines[0]}" = "gpufilter 0.1.0" ]
    case $(gpu) in
    cuda) [[ ${lines[1]} == "CUDA      available" || ${lines[1]} == "CUDA      no CUDA backend: "* ]] ;;
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
    [ "${#lines[@]}" -le 65 ]
    for line in "${lines[@]}"; do [ "${#line}" -le 80 ]; done
    first=$output
    works --help
    [ "$output" = "$first" ]
    works -h
    [ "$output" = "$first" ]
    works in.png out.png --stages blur --help
    [ "$output" = "$first" ]
}

@test "help blur: what a user needs first, the formula last" {
    works help blur
    [ "${lines[0]}" = "blur: Gaussian blur" ]
    [ "${lines[1]}" = "  also called gaussian or gblur" ]
    [[ $output == *"  blur:sigma=1:radius=auto"* ]]
    [[ $output == *"number from 0.05 to 10000 px; default 1; may stand without its name"* ]]
    [[ $output == *"whole number from 0 to 1000000 px, or auto; default auto"* ]]
    [[ $output == *"replicate, reflect101, reflect, wrap or constant; default replicate"* ]]
    [[ $output == *Usage*Parameters*Examples*"Formula and exactness"*"w[i] = exp"* ]]
    [[ $output != *"default none"* ]]
    first=$output
    works help gaussian
    [ "$output" = "$first" ]
}

@test "the examples of every stage run as they stand, and change or measure something" {
    cp "$BATS_TEST_DIRNAME/../../samples/sample.png" in.png
    export GPUFILTER_DEVICE=cpu # an emulated GPU takes minutes for pictures of this size
    tones="$BATS_TEST_DIRNAME/../oracle/signal_files/tones.csv"
    for _ in 1 2 3 4 5 6; do tail -n +2 "$tones"; done | cat <(head -n 1 "$tones") - >tones.csv # long enough for spectra
    gf tones.csv in.wav --columns both,high --rate 88.2kHz
    cp in.wav other.wav && cp in.wav clap.wav
    gf in.png template.png --stages crop:16x16+565+286
    gf in.png first.png --stages pad:5:right=0:bottom=0,crop:768x512+0+0
    local size before stated=0
    size='s/.*"input":{[^}]*"width":\([0-9]*\),"height":\([0-9]*\).*/\1 x \2/'
    before=$(gf in.png --stages stats --report - -q | sed "$size")
    works list
    stages=$(sed -n 's/^  \([a-z0-9_]*\) .*/\1/p' <<<"$output")
    [ "$(wc -w <<<"$stages")" -ge 14 ]
    for stage in $stages; do
        works help "$stage"
        [[ $output != *"default none"* ]]
        readarray -t examples < <(sed -n '/^  gpufilter .*--stages/{N;s/^  gpufilter //;s/\n */\t/;p}' <<<"$output")
        [ "${#examples[@]}" -ge 1 ]
        for example in "${examples[@]}"; do
            says=${example#*$'\t'} example=${example%%$'\t'*}
            rm -f out.png out.npy
            [[ $example == *"$stage"* ]]
            if [[ $example == *:channels=a* || $example == *alpha:[do]* ]]; then # a picture with alpha
                npy in.npy '|u1' '1, 2, 2' 00 10 20 30
                eval "works in.npy out.npy ${example#*out.png }"
                [ "$(samples out.npy)" != "$(samples in.npy)" ]
                continue
            fi
            if [[ $example == "in.wav out.wav "* ]]; then
                eval "works $example"
                ! cmp -s in.wav out.wav
                continue
            fi
            eval "works $example"
            if [[ $example == *out.png* && $example != *:move=off* && $example != *deskew:[v5]* ]]; then
                ! gf compare in.png out.png -q || { echo "nothing changes: $example"; return 1; }
                after=$(gf out.png --stages stats --report - -q | sed "$size")
                if [ "$after" != "$before" ] && [[ $says =~ ([0-9]+)\ (x\ [0-9]+|pixels\ wide) ]]; then
                    [[ $after == "${BASH_REMATCH[0]/pixels wide/x}"* ]] || { echo "$after, not as it says: $example: $says"; return 1; }
                    stated=$((stated + 1))
                fi
            elif [[ $example == *out.npy* ]]; then # numbers that no picture file holds
                [ "$(wc -c <out.npy)" -gt $((4 * 768 * 512)) ]
            else
                [[ $output == *"(stage "* ]]
            fi
        done
    done
    [ "$stated" -ge 2 ]
}

@test "help answers its own words" {
    for word in topics stages formats limits intensity roi feather channels border value name save depth commands options exit \
        environment; do
        works help "$word"
        [[ ${lines[0]} == "$word: "* ]] || { echo "$word: ${lines[0]}"; return 1; }
        [ "${#lines[@]}" -ge 3 ]
        works help topics
        grep -q "^  $word " <<<"$output"
    done
    works help limits
    [[ $output == *"pixels=256M "* && $output == *"--limit pixels=1G"* ]]
    works help roi
    [[ $output == *":roi=64x64+190+180"* ]]
    works help stages
    [[ $output == *"  sobel "* ]]
    works help formats
    [[ $output == *"png "* ]]
    works help gamma
    [ "${lines[0]}" = "gamma: power law: lighten or darken the middle, keep black and white" ]
}

@test "help of every option, with and without dashes" {
    works --help
    options=$(sed -n '/^Options$/,/^$/s/.*--\([a-z-]*\).*/\1/p' <<<"$output" | grep -v -e '^help$')
    [ "$(wc -w <<<"$options")" -ge 20 ]
    for option in $options; do
        works help "--$option"
        [[ $output == *"--$option"* ]]
        case $option in
        version | quiet | verbose | limit) ;;
        *) [ "${#lines[@]}" -ge 2 ] || { echo "nothing more is said of --$option"; return 1; } ;;
        esac
    done
    works help --limit
    [[ $output == *"pixels=256M "* && $output == *"of gpufilter compare"* ]]
    works help max-count
    [[ $output == *"of gpufilter compare"*"--max-count P%"* ]]
    works help png-level
    works help -q
    [[ ${lines[0]} == "  -q, --quiet "* && $output == *"of gpufilter compare"* ]]
    first=$output
    works help --quiet
    [ "$output" = "$first" ]
    works help -s
    [[ ${lines[0]} == "  -s, --stages LIST "* && ${#lines[@]} -ge 2 ]]
    works help -h
    [ "${lines[0]}" = "gpufilter help [WORD]: a stage, an option or another word" ]
    fails 2 help -z
    err_is "error: no help on '-z'"
    fails 2 help --stagse
    err_is "error: no help on '--stagse'; did you mean 'stages'?"
}

@test "help of a word of other programs: the command that it is here" {
    works help thumbnail
    out_is "thumbnail, a word of other programs: stages stand behind --stages" \
        "  gpufilter in.png out.png --stages resize:200x200:fit=inside" "\`gpufilter help resize\` says more"
    first=$output
    works help Thumb-Nail
    [ "${output#*,}" = "${first#*,}" ]
    works help anonymize
    [[ $output == *"gpufilter in.jpg out.jpg --strip"* ]]
    fails 2 --print-pipeline text --stages blur,identify
    err_is "error: stage 2 'identify': unknown stage"
    err_has "  'identify' of other programs: what a file holds"
    err_has "  gpufilter info in.png"
}

@test "every command that a word of other programs leads to runs" {
    gf "$BATS_TEST_DIRNAME/../../samples/sample.png" in.png --stages resize:220x180
    gf in.png in.jpg
    cp in.png golden.png
    gf in.png top.png --stages invert
    gf in.png part.png --stages crop:40x30+100+90
    head -c 400000 /dev/zero | tr '\\0' '\\20' | gf - in.wav --raw s16le:44100:2 --stages dither
    gpufilter() { gf "$@"; }
    commands=0
    while read -r line; do
        [[ $line == "gpufilter "* ]] || continue
        commands=$((commands + 1))
        rm -rf out.* small
        eval "$line" >said 2>&1 || { echo "$line"; cat said; return 1; }
        [[ $line != *" out."* || $line == *--explain* ]] || compgen -G "out.*" >/dev/null || { echo "no output: $line"; return 1; }
    done < <(gf help other-words)
    [ $commands -gt 80 ]
}

@test "primitives by the words of others, alone or several, and beside a stage of that name" {
    for words in "prefix sum:scan" "stream-compaction:compact" "gemm:matmul" "SpMV:spmv" "breadth first search:bfs" "LowerBound:bounds"; do
        # shellcheck disable=SC2086 # several words
        works help ${words%:*}
        [[ $output == *"gpufilter prim ${words#*:} --help"*"docs/primitives/"* ]]
    done
    works help scan
    [ "${lines[1]}" = "  docs/primitives/scan.md, step by step from the naive kernel to the fast one" ]
    works help histogram
    [[ $output == "hist: "*"Of arrays"*"  histogram: "*"gpufilter prim histogram --help says more"* ]]
    works prim scan --help
    first=$output
    works help prim scan
    [ "$output" = "$first" ]
    fails 2 help breadth first nonsense
    err_has "error: 'first' is one word too many"
}

@test "variants of CUDA have their names where there is no CUDA" {
    works prim scan --help
    [[ $output == *"  cuda  hillis-steele "* ]]
    [[ $output == *"  cuda  none: "* ]] || skip "this build has them"
    fails 5 prim scan --algo naive --n 10
    err_has "error: scan, variant naive, is for CUDA, and not here: "
    err_has "-DGPUFILTER_CUDA=EMU runs it on the CPU (docs/course.md)"
    fails 2 prim scan --algo naiv --n 10
}

@test "help of a word that is none: what is near, and no more" {
    fails 2 help blurr
    err_is "error: no help on 'blurr'; did you mean 'blur'?"
    err_has "environment"
    fails 2 help skeletonize
    err_is "error: no help on 'skeletonize'"
    fails 2 help qqqqqqq
    err_is "error: no help on 'qqqqqqq'"
    fails 2 --print-pipeline text --stages skeletonize:1
    err_is "error: stage 1 'skeletonize': unknown stage"
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
    err_is "error: 'box' is one word too many: gpufilter help [WORD]"
    fails 2 version --jason
    err_is "error: unknown option '--jason'; did you mean '--json'?"
}

@test "devices: the CPU first; no CUDA device is no error" {
    works devices
    [[ ${lines[0]} == "cpu       "* ]]
    [[ ${lines[1]} =~ ^(cuda|emu)(:0)?\ + ]]
    works devices --json
    [ "$(jq -r '.devices[0].device' <<<"$output")" = cpu ]
    [ "$(jq -r '.devices[0].units >= 1' <<<"$output")" = true ]
}

@test "standard output that cannot be written is an error" {
    for words in list help version devices "help blur" "help roi" "completion bash"; do
        run --separate-stderr -4 bash -c "\"\$GPUFILTER_BIN\" $words >/dev/full"
        err_is "error: standard output: No space left on device"
    done
}

@test "a closed pipe ends it quietly" {
    run --separate-stderr bash -c '{ sleep 0.1; env --default-signal=PIPE "$GPUFILTER_BIN" help; echo $? >code; } | true'
    [ "$(cat code)" = 141 ]
    [ -z "$stderr" ]
}
