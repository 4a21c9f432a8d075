# Options, environment, and what is said when they are wrong.
load common

@test "no words: what to type" {
    fails 2
    [ "$(head -n 14 <<<"$stderr")" = "$(gf --help | head -n 14)" ]
    [ "${stderr_lines[-1]}" = "gpufilter --help says more" ]
}

@test "an unknown option: the nearest and all of them" {
    fails 2 --stage blur a b
    err_is "error: unknown option '--stage'; did you mean '--stages'?"
    err_has "--no-clobber"
    fails 2 --zzzzzz
    err_is "error: unknown option '--zzzzzz'"
    fails 2 -x
    err_is "error: unknown option '-x'"
    fails 2 -qx
    err_is "error: unknown option '-x'"
    err_has "one whose name begins with '-' is written ./-NAME, or behind --"
}

@test "names are not abbreviated" {
    fails 2 --dev cpu a b
    err_is "error: unknown option '--dev'"
}

@test "an option without its value, and a flag with one" {
    fails 2 a b --stages
    err_is "error: --stages needs a value: --stages LIST"
    fails 2 a b --verify=yes
    err_is "error: --verify takes no value, but has 'yes'"
}

@test "a word that is not a choice: the nearest and all of them" {
    fails 2 a b --alpha premult
    err_is "error: --alpha is 'premult': must be straight, premul or none; did you mean 'premul'?"
    fails 2 a b --depth u32
    err_is "error: --depth is 'u32': must be u8, u16 or f32; did you mean 'f32'?"
    fails 2 a b --compute f16
    err_is "error: --compute is 'f16': must be f32"
    fails 2 a b --explain=xml
    err_is "error: --explain is 'xml': must be text or json"
    fails 2 --print-pipeline xml --stages blur
    err_is "error: --print-pipeline is 'xml': must be text or json"
}

@test "numbers outside their interval" {
    fails 2 a b --threads 0
    err_is "error: --threads is '0': must be a whole number from 1 to 1024"
    fails 2 a b --threads 2x
    err_is "error: --threads is '2x': must be a whole number from 1 to 1024"
    fails 2 a b --threads ''
    err_is "error: --threads is '': must be a whole number from 1 to 1024"
    fails 2 a b --threads 99999999999999999999
    err_is "error: --threads is '99999999999999999999': must be a whole number from 1 to 1024"
    fails 2 a b --png-level 10
    err_is "error: --png-level is '10': must be a whole number from -1 to 9"
    fails 2 a b --png-level -2
    err_is "error: --png-level is '-2': must be a whole number from -1 to 9"
}

@test "sizes" {
    for size in 0 -1 x 1Q 1KK '' 99999999999999999999 20000000T; do
        fails 2 a b --memory "$size"
        err_is "error: --memory is '$size': must be a whole number from 1, as it is or with K, M, G or T (powers of 1024)"
    done
    ramp
    for size in 1048576 1024K 1m 2G 1T; do
        works ramp.npy out.npy --stages invert --memory "$size"
    done
}

@test "devices that are no words" {
    gpu=$(gpu)
    [[ $gpu == cuda || $gpu == emu ]]
    other=$([ "$gpu" = cuda ] && echo emu || echo cuda)
    for device in gpu "$gpu:" "$gpu:x" "$gpu:-1" "$gpu:1x" "${gpu^^}" "$other" "$other:0" ''; do
        fails 2 a b --device "$device"
        err_is "error: --device is '$device': must be auto, cpu, $gpu, $gpu:N or reference"
    done
    works --help
    [[ $output == *"--device DEVICE          auto, cpu, $gpu, $gpu:N or reference"* ]]
}

@test "a device that is not there" {
    ramp
    gpu=$(gpu)
    fails 5 ramp.npy out.npy --stages invert --device "$gpu:77"
    err_has "error: "
    err_has "device $gpu:77"
    only_files ramp.npy
}

@test "too many files, and the form for many" {
    fails 2 a b c --stages blur
    err_is "error: 3 files given, but it takes IN and OUT: 'a' and 'b' would be those."
    err_has "gpufilter batch a b ... -o DIR --stages LIST"
    fails 2 a b blurr:3,gray
    err_has "  stages stand behind an option:  --stages blur:2,gray"
    for words in "a b blur:3,gray" "a blur:3,gray b" "blur:3,gray a b"; do
        fails 2 $words
        err_is "error: 3 files given, but it takes IN and OUT, and no file is called 'blur:3,gray': did you mean --stages 'blur:3,gray'?"
    done
    ramp a
    fails 2 a blur:3
    err_is "error: 'blur:3' would be OUT, and is no name of a picture: did you mean --stages 'blur:3'?"
    for option in -o --output --out=; do
        fails 2 a $option b
        err_is "error: unknown option '${option%=}': files need no option: the first is IN, the second OUT"
        [ "${stderr_lines[-1]}" = "  gpufilter in.png out.png" ]
    done
}

@test "an option that is a stage, a word of other programs or another command's" {
    fails 2 a b --blur 2
    err_is "error: unknown option '--blur': stages stand behind --stages"
    err_has "  gpufilter in.png out.png --stages blur:"
    fails 2 a -resize 50% b
    err_is "error: unknown option '-resize': stages stand behind --stages"
    fails 2 a b --thumbnail=200
    err_is "error: unknown option '--thumbnail': stages stand behind --stages"
    err_has "  gpufilter in.png out.png --stages resize:200x200:fit=inside"
    fails 2 a b -j4
    err_has "--threads says how many"
    fails 2 a b --recursive
    err_is "error: unknown option '--recursive': it is one of \`gpufilter batch\`, which is for many files"
    fails 2 batch a -o b --resize 50%
    err_is "error: unknown option '--resize': stages stand behind --stages"
    fails 2 compare a b --blur # of which there is nothing to say
    err_is "error: unknown option '--blur'"
}

@test "an empty file name" {
    fails 2 '' out.npy
    err_is "error: a file name is empty"
}

@test "a command that is not first" {
    fails 2 -q list
    err_is "error: 'list' is a command: write it first, before any option, or ./list for a file of that name"
}

@test "a file with the name of a command" {
    ramp list
    works ./list out.npy --stages invert
    [ "$(samples out.npy)" = "ff ef df cf bf af 9f 8f" ]
}

@test "one file that is none, near to a command" {
    fails 2 lsit
    err_is "error: 'lsit' is no command, and no file has that name; did you mean 'gpufilter list'?"
    fails 2 -q lsit
    err_is "error: nothing to do with 'lsit', which is no file; did you mean 'gpufilter list'?"
    ramp
    fails 2 ramp.npy
    err_is "error: nothing to do with 'ramp.npy'"
    err_has "gpufilter ramp.npy --stages hist"
}

@test "a first word that is no file, with others behind it" {
    fails 2 compar a b
    err_is "error: 'compar' is no command, and no file has that name; did you mean 'gpufilter compare'?"
    fails 2 hepl
    err_has "did you mean 'gpufilter help'?"
    fails 2 blur in out
    err_is "error: 'blur' is a stage, and no file has that name: gpufilter IN OUT --stages blur"
    fails 2 gaussian
    err_has "gpufilter help gaussian"
    fails 2 convert a.png b.jpg # as in ImageMagick
    err_is "error: 'convert' is a stage, and no file has that name; formats are converted by"
    err_has "  gpufilter a.png b.jpg"
    err_has "gpufilter help formats"
    fails 2 magick in out
    err_has "the suffix of OUT says the format"
    fails 2 adaptive in out
    err_is "error: 'adaptive' is a word of other programs, and no file has that name: stages stand behind --stages"
    err_has "  gpufilter in.png out.png --stages threshold:sauvola"
    fails 2 identify in.png
    err_has "  gpufilter info in.png"
    ramp compar
    works ./compar out.npy --stages blur
    ramp blur
    works blur out.npy --stages blur
    fails 3 nofile.png out.npy
    err_is "error: nofile.png: cannot open: No such file or directory"
}

@test "options behind -- are files, and that is said" {
    fails 2 -- in.png out.png --stages blur
    err_is "error: 4 files given, but it takes IN and OUT: behind -- everything is a file,"
    err_has "also '--stages'; options stand before it"
}

@test "no input" {
    fails 2 --stages blur
    err_is "error: no input is given: gpufilter IN OUT --stages LIST"
}

@test "options that exclude each other" {
    fails 2 a b --stages blur --explain --verify
    err_is "error: --explain runs nothing: leave out --verify"
    fails 2 a b --stages blur --explain --report r.json
    err_is "error: --explain runs nothing: leave out --report"
    fails 2 a b --stages blur --explain --print-pipeline text
    err_is "error: --explain and --print-pipeline: choose one"
    fails 2 a - --format png --stages blur --report -
    err_is "error: OUT and --report are both standard output"
    fails 2 - b.png --pipeline - </dev/null
    err_is "error: --pipeline and IN are both standard input"
}

@test "a report replaces neither IN nor OUT" {
    ramp
    cp ramp.npy kept.npy
    fails 2 ramp.npy --stages stats --report ramp.npy
    err_is "error: IN and --report are both ramp.npy"
    fails 2 ramp.npy out.npy --stages stats --report out.npy
    err_is "error: OUT and --report are both out.npy"
    ln -s kept.npy link.npy
    fails 2 kept.npy out.npy --stages stats --report link.npy
    err_is "error: IN and --report are one file: kept.npy is link.npy"
    cmp ramp.npy kept.npy
    only_files ramp.npy kept.npy link.npy
    works ramp.npy /dev/null --format npy --stages stats --report /dev/null
}

@test "the report of one picture is no CSV" {
    ramp
    fails 2 ramp.npy --stages stats --report s.csv
    err_is "error: --report s.csv: it is JSON; --table and batch write .csv"
    only_files ramp.npy
}

@test "options may stand anywhere, and -- ends them" {
    ramp ./--odd.npy
    works --stages invert -- --odd.npy out.npy
    works -- --odd.npy out.npy
    ramp
    works ramp.npy --stages=invert out.npy -q
    [ "$(samples out.npy)" = "ff ef df cf bf af 9f 8f" ]
}

@test "options that change nothing are noted" {
    ramp
    works ramp.npy out.png --quality 90
    err_is "note: --quality changes nothing: OUT is neither JPEG nor WebP"
    works ramp.npy out.pgm --png-level 3
    err_is "note: --png-level changes nothing: OUT is no PNG"
    works ramp.npy out.png --png-level 3 --stages stats --no-clobber --format png --explain
    [ -z "$stderr" ]
    works ramp.npy --stages stats --png-level 3 --quality 3 --no-clobber --format png
    [ "$(grep -c ' changes nothing: there is no OUT$' <<<"$stderr")" = 4 ]
    works ramp.npy out.png --verify --report r.json
    err_is "note: --verify changes nothing: there are no stages, so nothing is computed"
    [ "$(jq .verified_by r.json)" = null ]
    works ramp.npy out.png --device reference --compute f32 --alpha none --no-fuse
    for option in device compute alpha no-fuse; do
        err_has "note: --$option changes nothing: there are no stages, so nothing is computed"
    done
    works ramp.npy out.png --stages blur --device cpu --compute f32 --alpha none --no-fuse
    [ -z "$stderr" ]
    works ramp.npy out.png --device cpu
    [ -z "$stderr" ]
    GPUFILTER_DEVICE=reference works ramp.npy out.png
    [ -z "$stderr" ]
    works --print-pipeline text --stages blur --report r2.json --verify
    err_is "note: --report changes nothing: --print-pipeline runs nothing"
    err_has "note: --verify changes nothing: --print-pipeline runs nothing"
    [ ! -e r2.json ]
    works -q ramp.npy out.png --quality 90 --verify
    [ -z "$stderr" ]
}

@test "-s is --stages" {
    ramp
    works ramp.npy a.npy -s invert -q -s blur
    works ramp.npy b.npy --stages invert,blur
    cmp a.npy b.npy
    works ramp.npy b.npy -sinvert,blur
    cmp a.npy b.npy
    fails 2 ramp.npy c.npy -s
    err_is "error: --stages needs a value: --stages LIST"
}

@test "the last of an option counts" {
    ramp
    works ramp.npy out.npy --depth f32 --depth u8
    [ "$(samples out.npy)" = "$(samples ramp.npy)" ]
}

@test "the environment, which options overrule" {
    ramp
    GPUFILTER_DEVICE=gpu fails 2 ramp.npy out.npy --stages invert
    err_is "error: GPUFILTER_DEVICE is 'gpu': must be auto, cpu, $(gpu), $(gpu):N or reference"
    GPUFILTER_THREADS=none fails 2 ramp.npy out.npy --stages invert
    err_is "error: GPUFILTER_THREADS is 'none': must be a whole number from 1 to 1024"
    GPUFILTER_MEMORY=lots fails 2 ramp.npy out.npy --stages invert
    err_has "GPUFILTER_MEMORY is 'lots'"
    GPUFILTER_DEVICE=reference works ramp.npy --report - --stages stats
    [ "$(jq -r .device <<<"$output")" = reference ]
    GPUFILTER_DEVICE=reference works ramp.npy --report - --stages stats --device cpu
    [ "$(jq -r .device <<<"$output")" = cpu ]
    GPUFILTER_DEVICE=gpu GPUFILTER_THREADS=x GPUFILTER_MEMORY=y works ramp.npy out.npy --stages invert \
        --device cpu --threads 1 --memory 1G
    GPUFILTER_DEVICE= GPUFILTER_THREADS= GPUFILTER_MEMORY= works ramp.npy out.npy --stages invert
}

@test "control characters of a name do not reach the terminal" {
    fails 2 $'a\e[31m' --stages hist --threads $'\e'
    err_is "error: --threads is '?': must be a whole number from 1 to 1024"
    fails 3 $'a\e[31m' --stages hist
    [[ $stderr != *$'\e'* ]]
    ramp $'a\e[31m\nb.npy'
    works $'a\e[31m\nb.npy' out.png --explain
    [[ $output != *$'\e'* ]]
    works compare $'a\e[31m\nb.npy' $'a\e[31m\nb.npy'
    [[ $output != *$'\e'* ]]
    works $'a\e[31m\nb.npy' $'no\nb.png' --depth f32
    [ "${#stderr_lines[@]}" = 1 ]
    err_is "note: no?b.png: png does not hold f32, so convert:u16 is added"
    # Those from U+0080 on, as UTF-8 and as a byte alone, and marks of direction; letters stay.
    local rest=$'y\xe2\x81\xa6x\xe2\x80\xa8\xd8\x9cz\xc3\xbc\xe4\xb8\xad\xf0\x9f\x98\x80.npy'
    local name=$'\xc2\x9b31m\x9b1m\xe2\x80\xae'$rest shown=$'?31m?1m?y?x??z\xc3\xbc\xe4\xb8\xad\xf0\x9f\x98\x80.npy'
    fails 3 "$name" out.png --stages invert
    err_is "error: $shown: cannot open: No such file or directory"
    ramp "$name"
    run --separate-stderr -0 gf batch -n "$name" -o o --stages invert
    [ "${lines[0]}" = "$shown -> o/$shown" ]
    works "$name" out.png --explain
    [[ $output == *"$shown"* ]]
    works compare "$name" "$name"
    [[ $output == "$shown and $shown are equal"* ]]
    works "$name" --stages stats --report - # whole, and no terminal obeys it
    [ "$(jq -r .input.path <<<"$output")" = $'\xc2\x9b31m\xef\xbf\xbd1m\xe2\x80\xae'"$rest" ]
    [[ $output == *'\u009b31m\ufffd1m\u202ey'* ]]
}
