# gpufilter compare: what it says of a difference, its picture, and criteria that are none.
load common

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    npy a.npy '|u1' '2, 4' 00 10 20 30 40 50 60 70
    npy b.npy '|u1' '2, 4' 00 10 20 32 40 50 5c 70
    npy size.npy '|u1' '4, 2' 00 10 20 30 40 50 60 70
    npy c.npy '|u1' '1, 2, 3' 00 00 00 10 10 10
    npy d.npy '|u1' '1, 2, 3' 00 03 00 10 14 08
}

@test "counts that are none" {
    fails 2 compare a.npy b.npy --max-count 101%
    err_is "error: --max-count is '101%': there are no more samples than 100%"
    fails 2 compare a.npy b.npy --max-count 0.1
    err_is "error: --max-count is '0.1': must be a whole number of samples, or a percentage; did you mean '0.1%'?"
    fails 2 compare a.npy b.npy --max-count 1.5
    works compare a.npy b.npy --max-count 100%
    run -1 gf compare a.npy b.npy --max-count 0.1%
}

@test "--max-diff in the units of intensities" {
    works compare a.npy b.npy --max-diff 4u8
    run -1 gf compare a.npy b.npy --max-diff 3u8
    works a.npy a16.npy --depth u16
    works b.npy b16.npy --depth u16
    works compare a16.npy b16.npy --max-diff 4u8
    run -1 gf compare a16.npy b16.npy --max-diff 3.99u8
    [ "${lines[1]}" = "  differing  1 of 8 samples (12.5%) by more than 1025.43" ]
    works compare a16.npy b16.npy --max-diff 1028u16
    run -1 gf compare a16.npy b16.npy --max-diff 1027u16
    works compare a.npy b.npy --max-diff 1.6%
    run -1 gf compare a.npy b.npy --max-diff 1.5%
    works a.npy a32.npy --depth f32
    works b.npy b32.npy --depth f32
    works compare a32.npy b32.npy --max-diff 4.01u8
    run -1 gf compare a32.npy b32.npy --max-diff 3.99u8
    fails 2 compare a.npy b.npy --max-diff xu8
    err_is "error: --max-diff without its unit is 'x': must be a number from 0"
    fails 2 compare a.npy b.npy --max-diff -1%
    npy l.npy '<u4' '1, 1' 00 00 00 80
    fails 2 compare l.npy l.npy --max-diff 1%
    err_is "error: --max-diff in %, u8 or u16: full scale of u32 is not defined"
}

@test "the largest difference has its place, each channel its share" {
    run --separate-stderr -1 gf compare c.npy d.npy --max-diff 3
    out_is "c.npy and d.npy differ: 2 x 1 RGB u8" \
        "  differing  2 of 6 samples (33.3%) by more than 3" \
        "  largest    8 at x 1 y 0 channel 2: 16 and 8" \
        "  PSNR       36.42 dB" \
        "  first      x 1 y 0 channel 1: 16 and 20" \
        "  channels   0 (r) 0%, largest 0; 1 (g) 50%, largest 4; 2 (b) 50%, largest 8" \
        "  passes     with --max-diff 8 or --max-count 34%"
}

@test "what is said to pass does pass, and a little less does not" {
    head -c 60000 /dev/urandom | npy e.npy '|u1' '200, 100, 3'
    works e.npy f.npy --stages blur:0.4
    works e.npy e32.npy --depth f32
    works f.npy f32.npy --depth f32
    local pair diff count psnr
    for pair in "a.npy b.npy" "c.npy d.npy" "e.npy f.npy" "e32.npy f32.npy"; do
        run --separate-stderr -1 gf compare $pair
        diff=$(sed -n 's/.*with --max-diff \([^ ]*\) or .*/\1/p' <<<"$output")
        count=$(sed -n 's/.* or --max-count \(.*\)%$/\1/p' <<<"$output")
        works compare $pair --max-diff "$diff"
        works compare $pair --max-count "$count%"
        run -1 gf compare $pair --max-count "$(awk "BEGIN {print $count * 0.5}")%"
        run --separate-stderr -1 gf compare $pair --psnr 90
        psnr=$(sed -n 's/.*with --psnr //p' <<<"$output")
        works compare $pair --psnr "$psnr"
        run --separate-stderr -1 gf compare $pair --psnr 90 --max-diff 0
        grep -q " or --max-count $count%, and --psnr $psnr\$" <<<"$output"
    done
}

@test "--diff keeps to --max-diff, and says its scale" {
    run --separate-stderr -1 gf compare a.npy b.npy --diff d.png --diff-style difference --max-diff 3
    [ "${lines[-1]}" = "  diff       d.png: white is 4, black at most 3" ]
    works d.png diff.npy
    [ "$(samples diff.npy)" = "00 00 00 00 00 00 ff 00" ]
    works compare a.npy b.npy --diff diff.npy --diff-style difference --max-diff 4
    [ "${lines[-1]}" = "  diff       diff.npy: black, all is within the tolerance" ]
    [ "$(samples diff.npy)" = "00 00 00 00 00 00 00 00" ]
    works compare a.npy a.npy --diff d.png --diff-style difference
    [ "${lines[-1]}" = "  diff       d.png: black, nothing differs" ]
}

@test "no --diff of other pictures stays behind" {
    run -1 gf compare a.npy b.npy --diff d.png --diff-style difference
    ln -s d.png link.png
    run --separate-stderr -1 gf compare a.npy size.npy --diff link.png
    err_is "note: link.png: removed: it showed other pictures, and of these two no difference can be drawn"
    [ ! -e d.png ]
    run --separate-stderr -1 gf compare a.npy size.npy --diff d.png --diff-style difference
    [ -z "$stderr" ]
    run --separate-stderr -1 gf compare a.npy size.npy --diff /dev/null
    [ -c /dev/null ]
}

@test "JSON: files, places, channels, psnr of equal and of unknown, errors" {
    run --separate-stderr -1 gf compare c.npy d.npy --json --max-diff 3 --diff d.png --diff-style difference
    [ "$(jq -c '[.a.path, .b.path, .a.width, .b.height, .a.channels, .b.depth]' <<<"$output")" = \
        '["c.npy","d.npy",2,1,3,"u8"]' ]
    [ "$(jq -c '[.largest, .max_diff]' <<<"$output")" = '[{"x":1,"y":0,"channel":2,"a":16,"b":8},8]' ]
    [ "$(jq -c '.by_channel' <<<"$output")" = \
        '[{"count":0,"share":0,"max_diff":0},{"count":1,"share":0.5,"max_diff":4},{"count":1,"share":0.5,"max_diff":8}]' ]
    [ "$(jq -c '.diff' <<<"$output")" = '{"path":"d.png","white":8,"style":"difference"}' ]
    works compare a.npy a.npy --json
    [ "$(jq -c '[.psnr, .largest, .diff]' <<<"$output")" = '["inf",null,null]' ]
    run --separate-stderr -1 gf compare a.npy size.npy --json
    [ "$(jq -c '[.reason, .psnr, .a.width, .a.height, .b.width, .b.height]' <<<"$output")" = \
        '["size",null,4,2,2,4]' ]
    run --separate-stderr -2 gf compare a.npy none.npy --json
    [ "$(jq -c '[.equal, .reason]' <<<"$output")" = '[null,"error"]' ]
    jq -r .error <<<"$output" | grep -q '^none.npy: '
    err_has "none.npy: "
    run --separate-stderr -2 gf compare a.npy --max-diff x --json
    [ "$(jq -r .error <<<"$output")" = "--max-diff is 'x': must be a number from 0" ]
    run --separate-stderr -2 gf compare a.npy none.npy --json -q
    [ -z "$output" ]
}
