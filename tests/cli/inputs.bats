# What stages read beside IN: pictures by file and by name, and files of numbers.
load common

# ramp.npy and its mirror image, of which `max` and `min` are known.
pair() {
    ramp
    npy top.npy '|u1' '2, 4' 70 60 50 40 30 20 10 00
}
HIGHER='70 60 50 40 40 50 60 70'

@test "a second picture by its file, by a name, and from a file of stages" {
    pair
    works ramp.npy a.npy --stages blend:@top.npy:mode=max
    [ "$(samples a.npy)" = "$HIGHER" ]
    works ramp.npy b.npy --stages blend:top:mode=max --input top=top.npy
    cmp a.npy b.npy
    printf 'blend: top\n : mode=max\n' >stages.txt
    works ramp.npy b.npy --pipeline stages.txt --input top=./top.npy
    cmp a.npy b.npy
    gf --print-pipeline json --stages "blend:@'top.npy':mode=max" >stages.json
    grep -q '"with":"@top.npy"' stages.json
    works ramp.npy b.npy --pipeline stages.json
    cmp a.npy b.npy
    works --print-pipeline text --pipeline stages.json
    out_is 'blend:with=@top.npy:mode=max'
    cp top.npy 'a b.npy'
    works ramp.npy b.npy --stages "blend:@'a b.npy':mode=max,invert,invert" --compute f32 --verify
    cmp a.npy b.npy
}

@test "in is IN, and so is its file" {
    pair
    works ramp.npy a.npy --stages invert,blend:in:mode=max
    works ramp.npy b.npy --stages invert,blend:@ramp.npy:mode=max --verify
    cmp a.npy b.npy
    works ramp.npy b.npy --stages invert,blend:@ramp.npy:mode=max
    cmp a.npy b.npy
    works --explain ramp.npy b.npy --stages invert,blend:@ramp.npy:mode=max
    [[ $output == *"stream   no: a stage reads IN by its name, too"* ]]
    works - a.npy --stages invert,blend:in:mode=max <ramp.npy
    cmp a.npy b.npy
}

@test "a file that is named twice is read once; standard input may be one" {
    pair
    works ramp.npy a.npy --stages blend:@-:mode=max,blend:again:mode=max --input again=- <top.npy
    [ "$(samples a.npy)" = "$HIGHER" ]
    mkfifo pipe
    cat top.npy >pipe &
    works ramp.npy b.npy --stages blend:@pipe:mode=max,invert,invert,blend:top:mode=max --input top=pipe
    wait
    cmp a.npy b.npy
    fails 2 - b.npy --stages blend:@- <ramp.npy
    err_has "stage 1 'blend': it and IN are both standard input"
}

@test "what is missing is said at the stage that names it" {
    pair
    fails 2 ramp.npy out.npy --stages invert,blend:tpo --input top=top.npy --input m=top.npy
    err_has "error: stage 2 'blend': no picture or signal is called 'tpo': --input tpo=FILE says which; known: in, top, m"
    err_has $'\n  invert,blend:tpo\n               ^~~'
    fails 3 ramp.npy out.npy --stages invert,blend:@absent.npy
    err_has "error: stage 2 'blend': absent.npy: "
    err_has '^~~~~~~~~~~'
    printf 'invert\nblend: @absent.npy\n' >stages.txt
    fails 3 ramp.npy out.npy --pipeline stages.txt
    err_has "error: stages.txt:2:8: stage 2 'blend': absent.npy: "
    npy wide.npy '|u1' '2, 5' 0 0 0 0 0 0 0 0 0 0
    fails 2 ramp.npy out.npy --stages blend:@wide.npy
    err_has "stage 1 'blend': "
    head -c 130 top.npy >short.npy
    fails 3 ramp.npy out.npy --stages blend:@short.npy
    err_has "stage 1 'blend': short.npy: "
    fails 3 ramp.npy out.npy --stages blend:@top.npy --limit pixels=8 --limit width=3
    fails 2 ramp.npy out.npy --stages blend:@top --input top=top.npy
    err_is "error: stage 1 'blend': no such file, but an input is called top: write it without '@'"
    [ ! -e out.npy ]
}

@test "at most 255 pictures beside IN" {
    pair
    local many=blend:@1.npy i
    cp top.npy 1.npy
    for i in {2..255}; do
        ln 1.npy $i.npy
        many+=,blend:@$i.npy
    done
    works ramp.npy out.npy --stages "$many"
    fails 2 ramp.npy out.npy --stages "$many,blend:@256.npy"
    err_is "error: a pipeline reads at most 255 pictures beside IN, not 256"
}

@test "a second picture of any size lies where at= says, and all else is as it was" {
    pair
    npy dot.npy '|u1' '1, 2' 99 88
    works ramp.npy out.npy --stages blend:@dot.npy:at=1+1
    [ "$(samples out.npy)" = "00 10 20 30 40 99 88 70" ]
    works ramp.npy out.npy --stages blend:@dot.npy:at=southeast-1+0
    [ "$(samples out.npy)" = "00 10 20 30 40 50 60 99" ]
    works ramp.npy out.npy --stages blend:@dot.npy:at=-1+0:mode=add
    [ "$(samples out.npy)" = "88 10 20 30 40 50 60 70" ]
    works ramp.npy out.npy --stages blend:@dot.npy:at=centre --verify
    [ "$(samples out.npy)" = "00 99 88 30 40 50 60 70" ]
    works ramp.npy out.npy --stages blend:@dot.npy:at=centre:roi=2x2+0+0
    [ "$(samples out.npy)" = "00 99 20 30 40 50 60 70" ]
    works ramp.npy out.npy --stages blend:@dot.npy:at=0+0:scale=2:roi=4x1+0+0:mode=max
    [ "$(samples out.npy | cut -c13-)" = "40 50 60 70" ]
    fails 2 ramp.npy out.npy --stages blend:@dot.npy
    err_has "the second picture has 2 x 1 pixels, must have as many as the first, 4 x 2"
    err_has "resize makes it so, and blend and mask put one of any size where at= says"
    fails 2 ramp.npy out.npy --stages blend:@dot.npy:at=4+0
    err_has "at=4+0 puts the second picture, of 2 x 1 pixels, at 4, 0: none of it lies on the first"
    for at in 4 +4 south+3 sout 1+2+3 southeast+ 1+x; do
        fails 2 ramp.npy out.npy --stages "mask:@dot.npy:at=$at"
        err_has "at is '$at', must be the place of the upper left corner, as 30+40, or one of northwest"
    done
}

@test "a picture behind a stage has the name that save= gives it" {
    pair
    works ramp.npy a.npy --stages invert:save=dark,blend:@ramp.npy,blend:dark:mode=max --verify
    works ramp.npy b.npy --stages invert,blend:in:mode=max
    cmp a.npy b.npy
    works --explain ramp.npy b.npy --stages invert:save=dark,blur:1,blend:dark
    fails 2 ramp.npy out.npy --stages invert:save=in
    err_has "save=in: so the picture that the pipeline begins with is called; choose another name"
    fails 2 ramp.npy out.npy --stages invert:save=a,blur:1:save=a
    err_has "error: stage 2 'blur': save=a: so what stage 1 'invert' saves is called; choose another name"
    err_has $'\n  invert:save=a,blur:1:save=a\n                            ^'
    fails 2 ramp.npy out.npy --stages blend:a,invert:save=a
    err_has "stage 1 'blend': 'a' is what stage 2 'invert' saves, which is not made yet: only stages behind it can"
    fails 2 ramp.npy out.npy --stages invert:save=a,blend:b
    err_has "no picture or signal is called 'b': --input b=FILE says which; known: in, a"
    fails 2 ramp.npy out.npy --stages invert:save=a,blend:a --input a=top.npy
    err_is "error: --input a=top.npy: stage 1 saves what is called a: choose another name for one"
    fails 2 ramp.npy out.npy --stages "invert:save='a b'"
    err_has "save is 'a b', must be letters, digits, '_', '-' and '.', at most 63"
    fails 2 ramp.npy out.npy --stages resize:50%:save=small,blend:in:at=0+0,resize:300%,blend:small
    err_has "stage 4 'blend': the second picture has 2 x 1 pixels, must have as many as the first"
    fails 2 ramp.npy out.npy --stages threshold:0.1,label:save=n,blend:n
    err_has "stage 3 'blend': 'n' is u32, numbers that stage 2 'label' has found, and no picture of u8, u16 or f32"
}

@test "two pictures side by side, or one below the other" {
    pair
    npy dot.npy '|u1' '1, 2' 99 88
    works ramp.npy out.npy --stages beside:@dot.npy:gap=1:align=end:colour=1 --verify
    [ "$(samples out.npy)" = "00 10 20 30 ff ff ff 40 50 60 70 ff 99 88" ]
    works ramp.npy out.npy --stages below:@dot.npy:align=centre
    [ "$(samples out.npy)" = "00 10 20 30 40 50 60 70 00 99 88 00" ]
    fails 2 ramp.npy out.npy --stages 'below:@dot.npy:colour=[1 0 0]'
    err_has "colour has 3 numbers, and the picture 1 channel: put rgb before it, or give one"
    fails 2 ramp.npy out.npy --stages append:@dot.npy
    err_has "beside"
}

@test "a second picture of another height is streamed in bands, too" {
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" big.npy --stages resize:1500x4000
    gf -q "$BATS_TEST_DIRNAME/../../samples/sample.png" logo.npy --stages resize:70x45
    for stages in blend:@logo.npy:at=southeast+10+10:scale=1.5 beside:@logo.npy:gap=3 below:@logo.npy:align=centre; do
        works --explain big.npy out.npy --stages "$stages"
        [[ $output == *$'\nstream   '[^n]* ]]
        works big.npy a.npy --stages "$stages"
        works big.npy b.npy --stages "$stages" --memory 16M
        cmp a.npy b.npy
    done
}

@test "--input is NAME=FILE, each name once" {
    pair
    for form in top =top.npy top= 'a b=top.npy' a/b=top.npy; do
        fails 2 ramp.npy out.npy --stages invert --input "$form"
        err_has "--input $form: must be NAME=FILE"
    done
    fails 2 ramp.npy out.npy --stages invert --input in=top.npy
    err_has "'in' is IN itself"
    fails 2 ramp.npy out.npy --stages blend:a --input a=top.npy --input a=ramp.npy
    err_has "the name is taken by --input a=top.npy"
    works ramp.npy out.npy --stages invert --input a=absent.npy
    err_is "note: --input a=absent.npy changes nothing: no stage names a, which is written without '@'"
}

@test "OUT and other outputs replace nothing that stages read" {
    pair
    cp top.npy kept.npy
    fails 2 ramp.npy top.npy --stages blend:@top.npy
    err_has 'top.npy'
    fails 2 ramp.npy out.npy --stages blend:t --input t=top.npy --report ./top.npy
    ln top.npy other.npy
    fails 2 ramp.npy other.npy --stages blend:@top.npy
    cmp top.npy kept.npy
    works ramp.npy ramp.npy --stages blend:@top.npy:mode=max
    [ "$(samples ramp.npy)" = "$HIGHER" ]
}

@test "--explain and the report list them" {
    pair
    works --explain ramp.npy out.npy --stages blend:t --input t=top.npy
    [[ $output == *$'\ninput    t\n         4 x 2 gray u8\n'* ]]
    gf --explain=json ramp.npy out.npy --stages blend:t --input t=top.npy |
        jq -e '.plan.other_inputs == [{name: "t", shape: {width: 4, height: 2, channels: 1, depth: "u8"}}]'
    works ramp.npy out.npy --stages blend:@top.npy,blend:t --input t=top.npy --report report.json
    works top.npy --stages stats --report alone.json
    jq -e '.other_inputs | map(.name) == ["@top.npy", "t"]' report.json
    [ "$(jq '.other_inputs[0].picture' report.json)" = "$(jq .input alone.json)" ]
    only_files ramp.npy top.npy out.npy report.json alone.json
}

@test "numbers from a file are those that are written out" {
    colours
    npy m.npy '<f8' '3, 3' 00 00 00 00 00 00 00 00 00 00 00 00 00 00 f0 3f 00 00 00 00 00 00 00 00 \
        00 00 00 00 00 00 f0 3f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 e0 3f
    works colours.npy a.npy --stages 'matrix:[0 1 0; 1 0 0; 0 0 1/2]'
    works colours.npy b.npy --stages matrix:@m.npy --verify
    cmp a.npy b.npy
    works colours.npy b.npy --stages matrix:@m.npy --compute f32
    cmp a.npy b.npy
    npy k.npy '|u1' '2, 3' 1 2 3 4 5 6
    works k.npy k.png --stages invert,invert
    works colours.npy a.npy --stages conv:@k.npy:normalize=on
    works colours.npy b.npy --stages conv:@k.png:normalize=on
    cmp a.npy b.npy
    works --print-pipeline text --stages matrix:@m.npy
    [[ $output == matrix:*=@m.npy ]]
    fails 3 colours.npy b.npy --stages matrix:@absent.npy
    err_has "stage 1 'matrix': absent.npy: "
    fails 3 colours.npy c.npy --stages matrix:@colours.npy
    err_has "stage 1 'matrix': colours.npy: is an array of three dimensions; numbers come from a .npy of one or two"
    echo '1 2 3' >k.txt
    fails 3 colours.npy c.npy --stages conv:@k.txt
    err_has "stage 1 'conv': k.txt: not a format that numbers come in: .npy and .cube are"
    npy bad.npy '|u1' '1, 2' 1 2
    fails 2 colours.npy c.npy --stages matrix:@bad.npy
    err_has "stage 1 'matrix': "
    fails 2 colours.npy m.npy --stages matrix:@m.npy
    err_has 'm.npy'
}

# A row of small whole numbers as an array of that type, one of 1 to 8 bytes.
whole() { # FILE DESCR NUMBER...
    local file=$1 descr=$2 bytes=() number i
    shift 2
    for number in "$@"; do
        for ((i = 0; i < ${descr:2}; i++)); do
            bytes+=("$(printf %02x $((number >> 8 * i & 255)))")
        done
    done
    npy "$file" "$descr" "1, $#" "${bytes[@]}"
}

@test "numbers from a file have any type of NumPy's; True is 1" {
    ramp
    for type in '|i1' '<i2' '<i4' '<i8'; do
        whole k.npy "$type" -1 3 -1
        works ramp.npy a.npy --stages 'conv:[-1 3 -1]'
        works ramp.npy b.npy --stages conv:@k.npy
        cmp a.npy b.npy
    done
    for type in '|b1' '|u1' '<u2' '<u4' '<u8' '<i8'; do
        whole k.npy "$type" 1 0 1
        for stage in conv:%s:scale=1/2 erode:footprint=%s lut:%s; do
            works ramp.npy a.npy --stages "${stage/\%s/[1 0 1]}"
            works ramp.npy b.npy --stages "${stage/\%s/@k.npy}"
            cmp a.npy b.npy
        done
    done
    whole k.npy '<u8' 1 9007199254740992
    fails 3 ramp.npy b.npy --stages conv:@k.npy
    err_has "stage 1 'conv': k.npy: number 2 is about 9.0072e+15, must be below 2^53"
    whole k.npy '<i8' 1 -9007199254740991
    works ramp.npy b.npy --stages conv:@k.npy
    npy k.npy '<i8' '0,' </dev/null
    fails 3 ramp.npy b.npy --stages conv:@k.npy
    err_has "k.npy: has 1 x 0 numbers, a list has from 1 to 50331654"
}

@test "how a large kernel is summed, as --explain says" {
    local bytes
    ramp
    bytes=$(for ((i = 0; i < 226; i++)); do printf '%02x ' $((i * 37 % 100)); done)
    npy k.npy '|u1' '2, 113' $bytes
    works ramp.npy --explain --stages conv:@k.npy:normalize=on
    [[ $output == *'exact sums with a large kernel'* ]]
    works ramp.npy --explain --stages convert:f32,conv:@k.npy:normalize=on
    [[ $output == *'sums with a large kernel, by Fourier transforms of tiles'* ]]
    works ramp.npy a.npy --stages convert:f32,conv:@k.npy:normalize=on --verify
    npy k.npy '|u1' '2, 112' ${bytes::672}
    works ramp.npy --explain --stages convert:f32,conv:@k.npy:normalize=on
    [[ $output == *'conv 112x2'* ]]
}

@test "a kernel whose sum is beyond all numbers divides nothing" {
    ramp
    fails 2 ramp.npy b.npy --stages 'conv:[1e308 1e308]:normalize=on'
    err_has "normalize=on divides by the sum of the kernel, which is inf: leave it out"
    fails 2 ramp.npy b.npy --stages 'conv:[1 -1]:normalize=on'
    err_has "which is 0: leave it out"
}

@test "scale= that makes more pixels than a file may have is refused, with the numbers" {
    ramp
    npy dot.npy '|u1' '30, 40' < <(head -c 1200 /dev/zero)
    fails 2 ramp.npy out.npy --stages blend:@dot.npy:at=centre:scale=10000
    err_is "error: stage 1 'blend': scale=10000 makes 400000 x 300000 pixels of the second picture, which has 40 x 30: more than 256M; crop it to the part that is to be seen"
    works ramp.npy out.npy --stages blend:@dot.npy:at=centre:scale=40
    [ "$(samples out.npy)" = "00 00 00 00 00 00 00 00" ]
}

@test "picture after picture: limits hold for each, and what begins none is an error" {
    { printf 'P5 4 2 255\n' && head -c 8 /dev/zero; } >a.pgm
    cat a.pgm a.pgm a.pgm >three.pgm
    cat three.pgm | "$GPUFILTER_BIN" - - --format pgm -q --stages invert --limit input=19 >out.pgm
    [ "$(wc -c <out.pgm)" -eq $((3 * $(wc -c <a.pgm))) ]
    { cat a.pgm && printf '# next\n' && cat a.pgm; } >odd.pgm
    run bash -c '"$GPUFILTER_BIN" - - --format pgm --stages invert <odd.pgm 2>&1 >out.pgm'
    [ "$status" -eq 3 ]
    [[ $output == *"does not begin with P1 to P6"* ]]
}
