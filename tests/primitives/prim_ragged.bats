# gpufilter prim ragged: loops by hand, from files and made, every body and variant, tables of thresholds, and what does not
# fit.
load ../cli/common
load common_prim

# numbers_as FORMAT BYTES FILE: the elements of a .npy file, on one line.
numbers_as() {
    local format=$1 size=$2
    tail -c +129 "$3" | od -An -v -w$size -t$format | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

# counts_file COUNT...: counts.npy of i32.
counts_file() {
    {
        printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '<i4', 'fortran_order': False, 'shape': ($#,), }"
        for count; do
            printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $((count & 255)) $((count >> 8 & 255)) $((count >> 16 & 255)) $((count >> 24 & 255)))"
        done
    } >counts.npy
}

@test "loops by hand: every body" {
    counts_file 3 0 -2 1 4
    prim ragged --counts counts.npy --value 10 --out sums.npy --time --json
    [ "$(json '[.shape, .n, .type, .data, .checked]')" = '["5x4, 8 items",5,"i64","counts.npy",true]' ]
    [ "$(numbers_as d8 8 sums.npy)" = "30 0 0 0 60" ]
    prim ragged --counts counts.npy --body expand --out ix.npy --values-out iy.npy
    [ "$(numbers_as u4 4 ix.npy)" = "0 0 0 3 4 4 4 4" ]
    [ "$(numbers_as u4 4 iy.npy)" = "0 1 2 0 0 1 2 3" ]
    prim ragged --counts counts.npy --body fill --value -7 --type f32 --out filled.npy
    [ "$(numbers_as f4 4 filled.npy)" = "-7 -7 -7 -7 -7 -7 -7 -7" ]
    prim sort --n 8 --data ramp --type i32 --device cpu --out values.npy --repeat 1
    prim ragged --counts counts.npy --body segment-sum --in values.npy --out sums.npy
    [ "$(numbers_as d8 8 sums.npy)" = "3 0 0 3 22" ]
    prim ragged --counts counts.npy --body segment-max --in values.npy --out most.npy
    [ "$(numbers_as d4 4 most.npy)" = "2 -2147483648 -2147483648 3 7" ]
    prim ragged --counts counts.npy --body segment-min --in values.npy --out least.npy
    [ "$(numbers_as d4 4 least.npy)" = "0 2147483647 2147483647 3 4" ]
    prim sort --n 5 --data ramp --type u32 --device cpu --out runs.npy --repeat 1
    prim ragged --counts counts.npy --body decode --in runs.npy --out decoded.npy
    [ "$(numbers_as u4 4 decoded.npy)" = "0 0 0 3 4 4 4 4" ]
}

@test "loops that are made: every variant, body and kind" {
    for body in sum segment-sum segment-min segment-max fill expand decode; do
        for data in "skew:0 --nx 300 --ny-max 20" "skew:30 --nx 70 --ny-max 9000" "zipf --nx 400 --ny-max 300" "zipf --nx 1 --ny-max 1"; do
            prim ragged --body $body --data $data --type f64 --algo all --json
            [ "$(json '[.[] | select(.device == "cpu") | .checked] | unique')" = '[true]' ]
            [ "$(json 'map(.checked != false) | all')" = true ]
        done
    done
    prim ragged --nx 500 --ny-max 40 --data skew:2 --algo all --json --frame-area 100 --alpha 0.5 --block-xy 8x16 --ny-th 10
    [ "$(json 'map(.checked != false) | all')" = true ]
    [ "$(json '.[0].parameters')" = '"nx=500 ny-max=40 frame-area=100 alpha=0.5 ny-th=10 block-xy=8x16"' ]
}

@test "ragged: the table of smart" {
    printf '# NX NY\n10 500\n\n1000 20 # many\r\n' >table.txt
    prim ragged --nx 50 --ny-max 30 --ny-th @table.txt --algo all --json
    [ "$(json 'map(.checked != false) | all')" = true ]
    wrong() { # of the table on standard input
        cat >bad.txt
        fails 3 prim ragged --nx 5 --ny-th @bad.txt
        err_has "$1"
    }
    wrong "bad.txt, line 2: must be two whole numbers, NX NY, with NX above that of the line before" <<<$'5 5\n5 6'
    wrong "bad.txt, line 1: must be two whole numbers" <<<'5'
    wrong "bad.txt, line 1: must be two whole numbers" <<<'5 6 7'
    wrong "bad.txt: holds no line NX NY" <<<'# nothing'
    fails 3 prim ragged --nx 5 --ny-th @none.txt
    err_has "none.txt: cannot be opened"
}

@test "ragged: what does not fit" {
    fails 2 prim ragged --data random
    err_has "--data is 'random': of ragged it must be skew:K, as skew:10, or zipf"
    fails 2 prim ragged --data skew:-1
    err_has "--data skew:K is '-1': must be a number from 0"
    fails 2 prim ragged --body sums
    err_has "--body is 'sums': must be sum, segment-sum, segment-min, segment-max, fill, expand or decode"
    fails 2 prim ragged --nx 3G
    err_has "--nx and --ny-max must each be at most 2147483647"
    fails 2 prim ragged --nx 5 --alpha 2
    err_has "--alpha is '2': must be above 0 and at most 1"
    fails 2 prim ragged --nx 5 --block-xy 64x64
    err_has "--block-xy is '64x64': must be like 32x8, 1024 threads at most"
    fails 2 prim ragged --nx 5 --frame-area 0
    err_has "--frame-area is '0': must be a whole number from 1"
    fails 2 prim ragged --nx 5 --values-out iy.npy
    err_has "--values-out is where iy goes, with --body expand"
    counts_file 1 2
    fails 2 prim ragged --counts counts.npy --nx 5
    err_has "--counts has counts of its own: leave out --nx"
    fails 2 prim ragged --counts counts.npy --in counts.npy
    err_has "--in has values of segments or runs"
    fails 3 prim ragged --counts counts.npy --in counts.npy --body segment-sum
    err_has "counts.npy: holds 2 elements, must hold 3, one for each item"
    prim sort --n 3 --type f64 --out f64.npy --device cpu --repeat 1
    fails 3 prim ragged --counts f64.npy
    err_has "f64.npy: holds f64, must hold counts of i32"
    prim ragged --nx 5 --alpha 0.6 --ny-th 7 --device cpu
    err_has "variant auto on cpu has no alpha: --alpha changes nothing"
    err_has "variant auto on cpu has no ny-th: --ny-th changes nothing"
    fails 2 prim scan --nx 5
    err_has "--nx is an option of ragged, not of scan"
}
