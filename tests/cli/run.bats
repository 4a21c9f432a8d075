# The filter job: files, pipes, pipelines, explanations, reports.
load common

@test "a stage on a file" {
    ramp
    works ramp.npy out.npy --stages invert
    [ -z "$output" ]
    [ -z "$stderr" ]
    [ "$(samples out.npy)" = "ff ef df cf bf af 9f 8f" ]
    only_files ramp.npy out.npy
}

@test "a median of a picture that is smaller than its window" {
    npy one.npy '|u1' '1, 1' 50
    works one.npy out.npy --stages median:3
    [ "$(samples out.npy)" = 50 ]
    npy two.npy '|u1' '2, 1' 50 60
    works two.npy out.npy --stages median:64:border=constant:value=0
    [ "$(samples out.npy)" = "00 00" ]
    works two.npy out.npy --stages rank:3:percentile=100:border=constant:value=0
    [ "$(samples out.npy)" = "60 60" ]
    fails 2 two.npy out.npy --stages median:65
    err_has "radius is 65 px, must be from 0 to 64"
}

@test "the same on every device of the CPU" {
    ramp
    works ramp.npy cpu.npy --device cpu --stages blur:1,contrast:1.5
    works ramp.npy reference.npy --device reference --stages blur:1,contrast:1.5
    works ramp.npy unfused.npy --no-fuse --threads 1 --stages blur:1,contrast:1.5
    cmp cpu.npy reference.npy
    cmp cpu.npy unfused.npy
}

@test "--stages twice, and --pipeline, are one list" {
    ramp
    works ramp.npy a.npy --stages invert,blur
    works ramp.npy b.npy --stages invert --stages blur
    cmp a.npy b.npy
    printf '# the negative\ninvert   # first\nblur' >list.txt
    works ramp.npy c.npy --pipeline list.txt
    cmp a.npy c.npy
    works ramp.npy d.npy --pipeline - <list.txt
    cmp a.npy d.npy
    echo blur >blur.txt
    works ramp.npy e.npy --stages invert --pipeline blur.txt
    cmp a.npy e.npy
}

@test "lists that are none" {
    ramp
    fails 2 ramp.npy out.npy --stages ''
    err_has "gpufilter: error: --stages is empty"
    fails 2 ramp.npy out.npy --stages ' '
    fails 2 ramp.npy out.npy --pipeline /dev/null
    fails 3 ramp.npy out.npy --pipeline missing.txt
    err_is "error: --pipeline missing.txt: cannot be opened: No such file or directory"
    printf 'blur\0,box' >zero.txt
    fails 3 ramp.npy out.npy --pipeline zero.txt
    err_is "error: --pipeline zero.txt: holds a byte 0, so it is no text"
    only_files ramp.npy zero.txt
}

@test "a wrong stage: place, nearest, valid ones; before the input is looked at" {
    fails 2 missing.npy out.npy --stages invert,blurr:2
    err_is "error: stage 2 'blurr': unknown stage; did you mean 'blur'?"
    [ "${stderr_lines[1]}" = "  invert,blurr:2" ]
    [ "${stderr_lines[2]}" = "         ^~~~~" ]
    fails 2 missing.npy out.npy --stages blur:sigma=0
    err_has "must be from 0.05 to 10000"
}

@test "plain conversion, and the note when the format does not hold the depth" {
    ramp
    works ramp.npy a.png
    [ -z "$stderr" ]
    works a.png back.npy
    cmp ramp.npy back.npy
    works --explain a.png back.npy --threads 2
    [ "${lines[2]}" = "device   cpu, 2 threads (there are no stages)" ]
    npy f.npy '<f4' '1, 3' 00 00 00 00 00 00 00 3f 00 00 80 3f
    works f.npy f.png
    err_is "note: f.png: png does not hold f32, so convert:u16 is added"
    works f.png u16.npy
    [ "$(samples u16.npy)" = "00 00 00 80 ff ff" ]
    works f.npy quiet.png -q
    [ -z "$stderr" ]
    works --explain f.npy f.png
    [[ $output == *"1        convert"* && $output == *"output   3 x 1 gray u16"* ]]
}

@test "--depth appends convert, --compute f32 surrounds" {
    ramp
    works ramp.npy a.npy --stages invert --depth u16
    works ramp.npy b.npy --stages invert,convert:u16
    cmp a.npy b.npy
    works ramp.npy c.npy --stages blur:1 --compute f32
    works ramp.npy d.npy --stages convert:f32,blur:1,convert:u8
    cmp c.npy d.npy
    works --print-pipeline text ramp.npy --stages blur:1 --compute f32
    out_is convert,blur,convert:depth=u8
    works --print-pipeline text ramp.npy --stages blur:1 --compute f32 --depth u16
    out_is convert,blur,convert:depth=u16
    works --print-pipeline text --stages blur --compute f32 --depth u16
    out_is convert,blur,convert:depth=u16
    fails 2 --print-pipeline text --stages blur --compute f32
    err_is "error: --compute f32 converts back to the depth of IN: name IN, or --depth"
    npy f.npy '<f4' '1, 1' 00 00 00 3f
    works --print-pipeline text f.npy --stages blur:1 --compute f32
    out_is blur
}

@test "--print-pipeline: text to text to text, and JSON" {
    list='blur:2.5:border=wrap,threshold:otsu,hist:64:name=after,brightness:amount=-0.25:roi=2x2+1+0:channels=rgb'
    works --print-pipeline text --stages "$list"
    once=$output
    works --print-pipeline text --pipeline - <<<"$once"
    [ "$output" = "$once" ]
    works --print-pipeline json --stages "$list"
    json=$output
    [ "$(jq -c '[.stages[].op]' <<<"$json")" = '["blur","threshold","hist","brightness"]' ]
    works --print-pipeline json --stages "$once"
    [ "$output" = "$json" ]
    fails 2 --print-pipeline text
    err_is "error: --print-pipeline has nothing to print: give --stages or --pipeline"
}

@test "measuring only: OUT left out" {
    ramp
    works ramp.npy --stages stats
    [[ ${lines[0]} == "stats (stage 1)" ]]
    grep -Eq '^  max +112$' <<<"$output"
    grep -Eq '^  argmax +3,1$' <<<"$output"
    works ramp.npy --stages invert,hist:4
    grep -q '|####' <<<"$output"
    works ramp.npy --stages threshold:otsu
    grep -Eq '^  level ' <<<"$output"
    fails 2 ramp.npy --stages blur
    err_is "error: no OUT is given, and no stage measures anything"
    err_has "gpufilter ramp.npy OUT --stages LIST"
    only_files ramp.npy
}

@test "measuring stages leave the picture as it is" {
    ramp
    works ramp.npy out.npy --stages hist,stats
    cmp ramp.npy out.npy
    grep -q '^ramp.npy: hist (stage 1)' <<<"$output"
    grep -q '^ramp.npy: stats (stage 2)' <<<"$output"
}

@test "pipes in and out; results then go to standard error" {
    ramp
    "$GPUFILTER_BIN" - - --format npy --stages invert,stats <ramp.npy >out.npy 2>results.txt
    [ "$(samples out.npy)" = "ff ef df cf bf af 9f 8f" ]
    grep -q '^standard input: stats (stage 2)' results.txt
    "$GPUFILTER_BIN" ramp.npy - --format png | "$GPUFILTER_BIN" - back.npy
    cmp ramp.npy back.npy
    "$GPUFILTER_BIN" - /dev/stdout -q --format npy --stages invert,stats <ramp.npy 2>none.txt | cmp - out.npy
    [ ! -s none.txt ]
    cat ramp.npy | "$GPUFILTER_BIN" - --stages stats | grep -q '^stats'
    "$GPUFILTER_BIN" <(cat ramp.npy) out2.npy --stages invert
    cmp out.npy out2.npy
}

@test "standard output needs a format, and is no terminal" {
    ramp
    fails 2 ramp.npy - --stages invert
    err_is "error: OUT is standard output: --format EXT must say as what, like --format png"
    if command -v script >/dev/null; then
        run script -qec "'$GPUFILTER_BIN' ramp.npy - --format png" /dev/null
        [ "$status" = 2 ]
        [[ $output == *"standard output is a terminal"* ]]
    fi
}

@test "a terminal gets one closing line; -v always, -q never" {
    ramp
    line='out.npy: 4 x 2 gray u8, 1 pass on cpu; decode [0-9.]+, filter [0-9.]+, encode [0-9.]+ ms, [0-9.]+ in all'
    works ramp.npy out.npy --device cpu --stages blur -v
    grep -Eq "^gpufilter: $line\$" <<<"$stderr"
    grep -Eq '^gpufilter: pass 1: blur, [0-9.]+ ms$' <<<"$stderr"
    grep -q '^gpufilter: device cpu: as asked$' <<<"$stderr"
    npy large.npy '|u1' '2000, 3000' < <(seq 1000000 | head -c 6000000)
    works large.npy large.png --device cpu --stages blur,equalize -v
    grep -Eq ' ms, [0-9.]+ in all, as they overlap$' <<<"$stderr"
    [ "$(sed -nE 's/^gpufilter: ([a-z]+ [0-9]): (.*), [0-9.]+ ms$/\1 \2/p' <<<"$stderr" | tr '\n' ';')" = \
        "pass 1 blur + equalize;solve 2 equalize (equalize);pass 3 equalize;" ]
    works ramp.npy out.npy --device cpu --stages blur
    [ -z "$stderr" ]
    if command -v script >/dev/null; then
        run script -qec "'$GPUFILTER_BIN' ramp.npy out.npy --device cpu --stages blur" /dev/null
        [ "${#lines[@]}" = 1 ]
        grep -Eq "^gpufilter: $line" <<<"$output"
        run script -qec "'$GPUFILTER_BIN' ramp.npy out.npy --device cpu --stages blur -q" /dev/null
        [ -z "$output" ]
    fi
}

@test "formats of the output" {
    ramp
    fails 2 ramp.npy out.xyz --stages invert
    err_has "xyz"
    err_has "this build writes png"
    fails 2 ramp.npy out
    works ramp.npy out --format npy
    cmp ramp.npy out
    works ramp.npy odd.png --format npy
    cmp ramp.npy odd.png
}

@test "inputs that are none" {
    fails 3 missing.png out.png --stages blur
    err_has "missing.png"
    echo text >text.png
    fails 3 text.png out.png
    fails 3 . out.png
    : >empty.png
    fails 3 empty.png out.png
    head -c 100 /dev/zero >zero.npy
    fails 3 zero.npy out.png --stages hist
    only_files text.png empty.png zero.npy
}

@test "--explain: from the header alone, nothing is run or written" {
    npy big.npy '|u1' '6000, 4000, 3' 00
    truncate -s $((128 + 72000000)) big.npy
    works --explain big.npy out.png --device cpu --stages gray,blur:2,equalize,hist
    [ "${lines[0]}" = "file     big.npy: npy, 8 bit, 72000128 bytes (header only)" ]
    [ "${lines[1]}" = "input    4000 x 6000 RGB u8" ]
    [[ ${lines[2]} == "device   cpu, "* ]]
    [[ ${lines[3]} == "1        gray + blur"* ]]
    [ "${lines[-1]}" = "target   out.png: png" ]
    only_files big.npy
    works --explain - out.png --stages blur <big.npy
    [ "${lines[1]}" = "input    4000 x 6000 RGB u8" ]
    works --explain big.npy --stages hist
    [ "${lines[-1]}" = "target   none: results only" ]
}

@test "--explain: time and memory of a window larger than the picture, which the run keeps to" {
    ramp
    works ramp.npy f.npy --stages resize:500x420,convert:f32 --device cpu
    stages=median:radius=500 job=(--stages "$stages" --device cpu --threads 1)
    works --explain f.npy out.npy "${job[@]}"
    grep -Eqx 'time     about [0-9.]+ m?s to filter, by measured rates' <<<"$output"
    works --explain=json f.npy out.npy "${job[@]}"
    memory=$(jq .plan.memory <<<"$output")
    [ "$memory" -gt 40000000 ]
    [ "$(jq '.plan.expected_ms > 100 and .plan.expected_is_least == false' <<<"$output")" = true ]
    works --explain f.npy --stages label
    grep -Eq '^time     at least [0-9.]+ m?s to filter' <<<"$output"
    works --explain=json f.npy out.npy --stages blur --device reference
    [ "$(jq .plan.expected_ms <<<"$output")" = null ]
    within() { # KIB, of addresses in all
        (ulimit -v "$1" && exec "$GPUFILTER_BIN" f.npy out.npy "${job[@]}")
    }
    (ulimit -v 24000 && exec "$GPUFILTER_BIN" version) || skip "a sanitizer takes more addresses than that"
    run within $((memory / 1024 + 26000))
    [ "$status" = 0 ]
    run within $((memory / 1024))
    [ "$status" = 6 ]
}

@test "--explain=json" {
    ramp
    works --explain=json ramp.npy out.png --device cpu --stages blur,hist
    [ "$(jq -c '[.file.path, .file.format, .file.stored_bits, .target.path, .target.format]' <<<"$output")" = \
        '["ramp.npy","npy",8,"out.png","png"]' ]
    [ "$(jq -r '.plan.passes | length' <<<"$output")" = 1 ]
    [ "$(jq -c '.plan.input' <<<"$output")" = '{"width":4,"height":2,"channels":1,"depth":"u8"}' ]
    [ "$(jq -r .plan.device <<<"$output")" = cpu ]
}

@test "the report" {
    colours
    works colours.npy out.png --device cpu --stages gray,hist:4:name=tones,stats --report report.json
    [ "$(jq -r .version report.json)" = 0.1.0 ]
    [ "$(jq -c 'keys' report.json)" = '["device","input","output","plan","results","times_ms","version"]' ]
    [ "$(jq -c '.input | del(.hash)' report.json)" = \
        '{"path":"colours.npy","format":"npy","width":2,"height":2,"channels":3,"depth":"u8"}' ]
    [ "$(jq -c '.output | del(.hash)' report.json)" = \
        '{"path":"out.png","format":"png","width":2,"height":2,"channels":1,"depth":"u8"}' ]
    [ "$(jq -c '.times_ms | keys_unsorted' report.json)" = \
        '["start","decode","upload","kernels","download","encode","total","passes"]' ]
    [ "$(jq '.times_ms.passes | length' report.json)" = "$(jq '.plan.passes | length' report.json)" ]
    [ "$(jq -c '[.results[] | [.stage, .name, .index]]' report.json)" = '[["hist","tones",1],["stats","",2]]' ]
    [ "$(jq -c '.results[0].counts' report.json)" = '[[1,1,2,0]]' ]
    [ "$(jq -c '.results[1].count' report.json)" = '[4]' ]
    [ "$(jq -r .device report.json)" = cpu ]
}

@test "the hash is FNV-1a of the samples" {
    ramp
    works ramp.npy copy.npy --report r.json
    hash=$((16#cbf29ce484222325))
    for byte in 00 10 20 30 40 50 60 70; do hash=$(((hash ^ 16#$byte) * 16#100000001b3)); done
    [ "$(jq -r .input.hash r.json)" = "$(printf %016x $hash)" ]
    [ "$(jq -r .output.hash r.json)" = "$(printf %016x $hash)" ]
}

@test "a report on standard output is alone there" {
    ramp
    works ramp.npy --stages hist,stats --report -
    [ "$(jq -c '[.output, (.results | length)]' <<<"$output")" = '[null,2]' ]
    works - out.png --report - <ramp.npy
    [ "$(jq -c '[.input.path, .output.format, .plan.passes]' <<<"$output")" = '["-","png",[]]' ]
    "$GPUFILTER_BIN" ramp.npy --stages stats --report >(cat >through.json)
    sleep 0.1
    [ "$(jq -r '.results[0].stage' through.json)" = stats ]
}

@test "odd names in JSON" {
    ramp $'od"d\\\n\xff.npy'
    works $'od"d\\\n\xff.npy' --stages stats --report r.json
    [ "$(jq -r .input.path r.json)" = $'od"d\\\n\xef\xbf\xbd.npy' ]
}

@test "--verify says which judge agreed" {
    colours
    works colours.npy out.png --device cpu --verify --stages gray,blur:1,equalize,hist --report r.json
    err_has "gpufilter: verified: cpu and "
    err_has " give the same, bit for bit"
    [[ $(jq -r .verified_by r.json) == reference || $(jq -r .verified_by r.json) == "$(gpu)":* ]]
    works colours.npy --device reference --verify --stages stats
    err_is "verified: reference and cpu give the same, bit for bit"
    works colours.npy out.png --verify -q --stages sobel
    [ -z "$stderr" ]
}

@test "an array of one dimension as a picture of height 1" {
    npy signal.npy '<f4' '5,' 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 00 00 00 00 00 00
    works signal.npy out.npy --stages box:1 --signal picture
    grep -aq "'shape': (5,)" out.npy
    works --explain signal.npy out.npy --stages box:1 --signal picture
    [ "${lines[1]}" = "input    5 x 1 gray f32" ]
}

@test "alpha" {
    npy a.npy '|u1' '1, 2, 4' 10 20 30 40 50 60 70 80
    works a.npy out.npy --stages invert # an array does not say that the last channel is alpha
    [ "$(samples out.npy)" = "ef df cf bf af 9f 8f 7f" ]
    works a.npy out.npy --stages invert --alpha straight
    [ "$(samples out.npy)" = "ef df cf 40 af 9f 8f 80" ]
}

@test "an ICC profile is kept, and left out with a note when colour becomes gray" {
    base64 -d >icc.png <<<iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAL2lDQ1B0ZXN0AAB4nGNgYGjJSc4tZhJgYMjNKykKcndSiIiMUmBAAonJxQUMNAQAfo4H1I42h8gAAAAQSURBVHicY+ASkYMjBpwcADYPAtF+aHOjAAAAAElFTkSuQmCC
    works icc.png blurred.png --stages blur
    [ -z "$stderr" ]
    grep -aq iCCP blurred.png
    works icc.png gray.png --stages gray
    err_is "note: gray.png: the ICC profile of icc.png is for colour and is left out"
    ! grep -aq iCCP gray.png
}

# Red of alpha ff, then green that nobody sees, four pixels each.
edge() {
    npy edge.npy '|u1' '1, 8, 4' ff 00 00 ff ff 00 00 ff ff 00 00 ff ff 00 00 ff 00 ff 00 00 00 ff 00 00 00 ff 00 00 00 ff 00 00
    works edge.npy "$1"
}

@test "colour that nobody sees does not bleed: resize, blur and rotate of a picture that has alpha" {
    for suffix in png tga bmp; do
        edge "edge.$suffix"
        works "edge.$suffix" out.npy --stages resize:4x1:filter=triangle
        [ "$(samples out.npy)" = "ff 00 00 ff ff 00 00 df ff 00 00 20 00 00 00 00" ]
        works "edge.$suffix" out.npy --stages box:1
        [ "$(samples out.npy)" = "ff 00 00 ff ff 00 00 ff ff 00 00 ff ff 00 00 aa ff 00 00 55 00 00 00 00 00 00 00 00 00 00 00 00" ]
        works "edge.$suffix" out.npy --stages rotate:45
        [ "$(samples out.npy | cut -d ' ' -f 25-28)" = "00 00 00 00" ] # a new corner
        works "edge.$suffix" same.npy --stages rotate:45 --alpha premul
        cmp out.npy same.npy
    done
    works edge.png out.npy --stages resize:4x1:filter=triangle --alpha straight
    [ "$(samples out.npy | cut -d ' ' -f 5-8)" = "df 20 00 df" ]
    works edge.png out.npy --stages rotate:45 --alpha straight
    [ "$(samples out.npy | cut -d ' ' -f 25-28)" = "00 00 00 ff" ]
    works edge.npy out.npy --stages resize:4x1:filter=triangle # of an array the fourth channel is one as others
    [ "$(samples out.npy | cut -d ' ' -f 5-8)" = "df 20 00 df" ]
    works edge.npy out.npy --stages resize:4x1:filter=triangle --alpha premul
    [ "$(samples out.npy | cut -d ' ' -f 5-8)" = "ff 00 00 df" ]
}

@test "alpha weighs within roi=, and not where channels= names some; the rest stays to the bit" {
    edge edge.png
    works edge.png out.npy --stages box:1:roi=2x1+3+0
    [ "$(samples out.npy)" = "ff 00 00 ff ff 00 00 ff ff 00 00 ff ff 00 00 aa ff 00 00 55 00 ff 00 00 00 ff 00 00 00 ff 00 00" ]
    works edge.png out.npy --stages box:1:channels=rgb
    [ "$(samples out.npy | cut -d ' ' -f 13-20)" = "aa 55 00 ff 55 aa 00 00" ]
    works edge.png out.npy --stages box:1:channels=a
    [ "$(samples out.npy | cut -d ' ' -f 13-20)" = "ff 00 00 aa 00 ff 00 55" ]
}

@test "a batch weighs pictures by alpha, and no arrays" {
    edge edge.png
    mkdir in
    mv edge.png in/p.png
    mv edge.npy in/q.npy
    works batch in -o made --format npy --stages box:1 --no-fuse
    works in/p.png p.npy --stages box:1
    works in/q.npy q.npy --stages box:1
    ! cmp -s p.npy q.npy
    cmp p.npy made/p.npy
    cmp q.npy made/q.npy
}
