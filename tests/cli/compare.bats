# gpufilter compare.
load common

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    npy a.npy '|u1' '2, 4' 00 10 20 30 40 50 60 70
    npy b.npy '|u1' '2, 4' 00 10 20 32 40 50 5c 70
}

@test "equal pictures, also of other formats" {
    works compare a.npy a.npy
    out_is "a.npy and a.npy are equal: 4 x 2 gray u8"
    works a.npy a.png
    works compare a.npy a.png
    out_is "a.npy and a.png are equal: 4 x 2 gray u8"
    works compare -q a.npy a.png
    [ -z "$output" ]
}

@test "different pictures: count, share, largest, PSNR, first" {
    run --separate-stderr -1 gf compare a.npy b.npy
    out_is "a.npy and b.npy differ: 4 x 2 gray u8" \
        "  differing  2 of 8 samples (25%) by more than 0" \
        "  largest    4 at x 2 y 1 channel 0: 96 and 92" \
        "  PSNR       44.15 dB" \
        "  first      x 3 y 0 channel 0: 48 and 50" \
        "  passes     with --max-diff 4 or --max-count 25%"
    [ -z "$stderr" ]
    run -1 gf compare --quiet a.npy b.npy
    [ -z "$output" ]
}

@test "--max-diff" {
    works compare a.npy b.npy --max-diff 4
    [ "${lines[0]}" = "a.npy and b.npy are equal within the tolerance: 4 x 2 gray u8" ]
    run --separate-stderr -1 gf compare a.npy b.npy --max-diff 3
    [ "${lines[1]}" = "  differing  1 of 8 samples (12.5%) by more than 3" ]
    [ "${lines[4]}" = "  first      x 2 y 1 channel 0: 96 and 92" ]
    fails 2 compare a.npy b.npy --max-diff 3.999
    err_is "error: --max-diff is 3.999: samples of u8 are whole numbers, and so are their differences"
    fails 2 compare a.npy a.npy --max-diff 0.001
}

@test "--max-count, as a number and as a share" {
    works compare a.npy b.npy --max-count 2
    run -1 gf compare a.npy b.npy --max-count 1
    works compare a.npy b.npy --max-count 25%
    run -1 gf compare a.npy b.npy --max-count 24.9%
    works compare a.npy b.npy --max-diff 3 --max-count 12.5%
}

@test "--psnr, alone and with a count" {
    works compare a.npy b.npy --psnr 44.1
    run -1 gf compare a.npy b.npy --psnr 44.2
    run -1 gf compare a.npy b.npy --psnr 40 --max-count 1
    works compare a.npy b.npy --psnr 40 --max-diff 4
    works compare a.npy a.npy --psnr 1000
}

@test "another size, depth or number of channels is a difference" {
    npy size.npy '|u1' '4, 2' 00 10 20 30 40 50 60 70
    run --separate-stderr -1 gf compare a.npy size.npy --max-diff 255
    out_is "a.npy and size.npy differ in size:" "  a.npy: 4 x 2 gray u8" "  size.npy: 2 x 4 gray u8"
    works a.npy depth.npy --depth u16
    run --separate-stderr -1 gf compare a.npy depth.npy
    [ "${lines[0]}" = "a.npy and depth.npy differ in depth:" ]
    npy channels.npy '|u1' '2, 4, 2' 00 ff 10 ff 20 ff 30 ff 40 ff 50 ff 60 ff 70 00
    run --separate-stderr -1 gf compare a.npy channels.npy
    out_is "a.npy and channels.npy differ in channels:" "  a.npy: 4 x 2 gray u8" \
        "  channels.npy: 4 x 2 gray+alpha u8"
    run -1 gf compare a.npy size.npy --json
    [ "$(jq -c '[.equal, .reason]' <<<"$output")" = '[false,"size"]' ]
}

@test "--ignore-alpha" {
    npy c.npy '|u1' '2, 4, 2' 00 ff 10 ff 20 ff 30 ff 40 ff 50 ff 60 ff 70 00
    npy d.npy '|u1' '2, 4, 2' 00 ff 10 ff 20 ff 30 ff 40 ff 50 ff 60 00 70 00
    run --separate-stderr -1 gf compare c.npy d.npy
    [ "${lines[4]}" = "  first      x 2 y 1 channel 1: 255 and 0" ]
    works compare c.npy d.npy --ignore-alpha
    works compare a.npy c.npy --ignore-alpha
}

@test "--roi" {
    works compare a.npy b.npy --roi 3x1+0+0
    out_is "a.npy and b.npy are equal: 3 x 1 gray u8"
    run --separate-stderr -1 gf compare a.npy b.npy --roi 2x1+2+1
    [ "${lines[4]}" = "  first      x 2 y 1 channel 0: 96 and 92" ]
    fails 2 compare a.npy b.npy --roi 2x2+3+0
    err_is "error: --roi 2x2+3+0 reaches outside the pictures, which are 4 x 2"
    fails 2 compare a.npy b.npy --roi 2,2
    err_is "error: --roi is '2,2': must be WIDTHxHEIGHT+X+Y, like 64x48+10+20"
    fails 2 compare a.npy b.npy --roi 0x1+0+0
    fails 2 compare a.npy b.npy --roi 1x1+0+9223372036854775807
}

@test "--diff draws the difference, the largest white" {
    run -1 gf compare a.npy b.npy --diff d.npy --diff-style difference
    [ "$(samples d.npy)" = "00 00 00 80 00 00 ff 00" ]
    run -1 gf compare a.npy b.npy --diff d.png --diff-style difference
    works compare d.png d.npy
    works compare a.npy a.npy --diff none.npy --diff-style difference
    [ "$(samples none.npy)" = "00 00 00 00 00 00 00 00" ]
    npy c.npy '|u1' '1, 2, 4' 00 00 00 ff 10 10 10 ff
    npy d4.npy '|u1' '1, 2, 4' 00 00 00 00 10 10 90 ff
    run -1 gf compare c.npy d4.npy --diff e.npy --diff-style difference
    [ "$(samples e.npy)" = "ff ff ff 00 00 80" ]
    fails 2 compare a.npy b.npy --diff missing/d.png
    fails 2 compare a.npy b.npy --diff d.xyz
}

@test "--json" {
    run --separate-stderr -1 gf compare a.npy b.npy --json
    [ "$(jq -c '[.equal, .identical, .samples, .count, .share, .max_diff]' <<<"$output")" = \
        '[false,false,8,2,0.25,4]' ]
    [ "$(jq -c .first <<<"$output")" = '{"x":3,"y":0,"channel":0,"a":48,"b":50}' ]
    [ "$(jq '.psnr * 100 | floor' <<<"$output")" = 4415 ]
    works compare a.npy a.npy --json
    [ "$(jq -c '[.equal, .identical, .count, .psnr, .first]' <<<"$output")" = '[true,true,0,"inf",null]' ]
}

@test "floats: NaN equals NaN of the same bits, 0 equals -0" {
    npy f.npy '<f4' '1, 3' 00 00 c0 7f 00 00 00 00 00 00 00 3f
    npy g.npy '<f4' '1, 3' 00 00 c0 7f 00 00 00 80 00 00 00 3f
    npy h.npy '<f4' '1, 3' 01 00 c0 7f 00 00 00 00 00 00 00 3f
    npy i.npy '<f4' '1, 3' 00 00 80 3f 00 00 00 00 00 00 00 3f
    works compare f.npy f.npy
    works compare f.npy g.npy
    run --separate-stderr -1 gf compare f.npy h.npy --max-diff 1000
    [ "${lines[2]}" = "  largest    inf at x 0 y 0 channel 0: nan and nan" ]
    [ "${lines[5]}" = "  passes     with --max-count 34%" ]
    run --separate-stderr -1 gf compare f.npy h.npy --json
    [ "$(jq -c '[.first, .max_diff, .psnr]' <<<"$output")" = \
        '[{"x":0,"y":0,"channel":0,"a":"nan","b":"nan"},"inf","-inf"]' ]
    works compare f.npy g.npy --json
    [ "$(jq -c '[.identical, .max_diff]' <<<"$output")" = '[true,0]' ]
    run --separate-stderr -1 gf compare f.npy i.npy --psnr 1
    [ "${lines[3]}" = "  PSNR       -inf dB" ]
    npy j.npy '<f4' '1, 3' 00 00 c0 7f 00 00 00 00 cd cc cc 3e
    run --separate-stderr -1 gf compare f.npy j.npy --max-diff 0.05
    [ "${lines[4]}" = "  first      x 2 y 0 channel 0: 0.5 and 0.400000006" ]
    works compare f.npy j.npy --max-diff 0.11
}

@test "result depths: whole numbers beyond 2^53" {
    npy l.npy '<u8' '1, 1' 00 00 00 00 00 00 00 80
    npy m.npy '<u8' '1, 1' 01 00 00 00 00 00 00 80
    works compare l.npy l.npy
    run --separate-stderr -1 gf compare l.npy m.npy
    [[ ${lines[2]} == "  largest    1 at x 0 y 0 channel 0: "* ]]
    fails 2 compare l.npy m.npy --psnr 40
    err_is "error: --psnr: full scale of u64 is not defined"
}

@test "from standard input" {
    run --separate-stderr -0 bash -c '"$GPUFILTER_BIN" compare - a.npy <a.npy'
    fails 2 compare - -
    err_is "error: A and B are both standard input"
}

@test "--limit" {
    fails 2 compare a.npy b.npy --limit pixels=7
    err_is "error: a.npy: claims 4 x 2 pixels, beyond the limit of 7"
    [ "${stderr_lines[1]}" = "  to allow it: --limit pixels=8" ]
    cp a.npy max_width.npy
    fails 2 compare max_width.npy b.npy --limit pixels=7
    err_is "error: max_width.npy: claims 4 x 2 pixels, beyond the limit of 7"
    [ "${stderr_lines[1]}" = "  to allow it: --limit pixels=8" ]
    works compare a.npy a.npy --limit pixels=8
    fails 2 compare a.npy b.npy --limit pixel=8
    err_has "did you mean 'pixels'?"
}

@test "--diff replaces neither A nor B" {
    cp b.npy kept.npy
    fails 2 compare a.npy b.npy --diff b.npy
    err_is "error: B and --diff are both b.npy"
    fails 2 compare ./b.npy a.npy --diff b.npy
    err_is "error: A and --diff are one file: ./b.npy is b.npy"
    cmp b.npy kept.npy
}

@test "trouble is exit 2" {
    fails 2 compare a.npy
    err_is "error: compare needs two files: gpufilter compare A B"
    fails 2 compare a.npy b.npy c.npy
    err_is "error: compare takes two files, and 'c.npy' is a third"
    fails 2 compare a.npy missing.npy
    err_has "missing.npy"
    fails 2 compare a.npy b.npy --max-diff -1
    err_is "error: --max-diff is '-1': must be a number from 0"
    fails 2 compare a.npy b.npy --max-diff 1u32
    fails 2 compare a.npy b.npy --max-diff nan
    fails 2 compare a.npy b.npy --max-diff 0x1
    fails 2 compare a.npy b.npy --max-count many
    err_is "error: --max-count is 'many': must be a number from 0, or a percentage like 0.5%"
    fails 2 compare a.npy b.npy --max-dif 1
    err_is "error: unknown option '--max-dif'; did you mean '--max-diff'?"
    echo text >text.png
    fails 2 compare a.npy text.png
    run --separate-stderr -2 bash -c '"$GPUFILTER_BIN" compare a.npy b.npy >/dev/full'
    err_is "error: standard output: No space left on device"
}

@test "signals: largest and rms difference, SNR, where; and what cannot be compared" {
    printf '%s\n' 0.5,1 0.25,-1 0,0 0.5,1 >a.csv
    printf '%s\n' 0.5,1 0.25,-0.75 0,0 0.5,0.5 >b.csv
    gf a.csv a.wav --rate 8kHz
    works compare a.csv a.wav
    out_is "a.csv and a.wav are equal: 4 frames of 2 channels"
    run --separate-stderr -1 gf compare a.csv b.csv
    out_is "a.csv and b.csv differ: 4 frames of 2 channels" \
        "  differing  2 of 8 samples (25%) by more than 0" \
        "  largest    0.5 at frame 3 of channel 2: 1 and 0.5" \
        "  rms        0.197642" \
        "  SNR        10.57 dB" \
        "  first      frame 1 of channel 2: -1 and -0.75"
    works compare a.csv b.csv --max-diff 50%
    works compare a.csv b.csv --max-count 2
    run -1 gf compare a.csv b.csv --max-diff 0.25
    run --separate-stderr -1 gf compare --json a.wav b.csv
    [ "$(jq -c '[.equal, .reason, .count, .max_diff, .first.frame, .largest.channel, .b.rate]' <<<"$output")" = '[false,null,2,0.5,1,2,0]' ]
    head -n 3 a.csv >short.csv
    run --separate-stderr -1 gf compare a.csv short.csv
    [ "${lines[0]}" = "a.csv and short.csv differ in frames:" ]
    [ "${lines[2]}" = "  3 frames of 2 channels" ]
    gf a.csv other.wav --rate 44.1kHz
    run --separate-stderr -1 gf compare --json a.wav other.wav
    [ "$(jq -r .reason <<<"$output")" = rate ]
    gf a.csv one.wav --rate 8kHz --columns 1
    run --separate-stderr -1 gf compare a.wav one.wav
    [ "${lines[0]}" = "a.wav and one.wav differ in channels:" ]
    printf '%s\n' nan,1 0.25,-1 0,0 0.5,1 >nan.csv
    run --separate-stderr -1 gf compare a.csv nan.csv
    [ "${lines[2]}" = "  largest    inf at frame 0 of channel 1: 0.5 and nan" ]
    fails 2 compare a.wav a.csv --psnr 40
    err_is "error: --psnr: A and B are signals, and that is for pictures"
    head -c "$(($(stat -c %s a.wav) - 5))" a.wav >cut.wav
    fails 2 compare a.wav cut.wav
    err_has "cut.wav: ends early"
    fails 2 compare a.wav a.npy
}
