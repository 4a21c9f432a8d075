# gpufilter prim fft: transforms by hand, there and back, and what does not fit.
load ../cli/common
load common_prim

@test "fft, by hand: complex and real, there and back" {
    npy a.npy '<f4' '1, 8' 00 00 80 3f 00 00 00 00 00 00 00 40 00 00 00 00 00 00 40 40 00 00 00 00 00 00 80 40 00 00 00 00
    prim fft --in a.npy --device cpu --out b.npy --json # 1 2 3 4: 10, -2 + 2i, -2, -2 - 2i
    [ "$(json '[.result.first, .result.last, .checked]')" = '[10,-2,true]' ]
    prim fft --in b.npy --inverse --device cpu --out c.npy
    cmp a.npy c.npy
    npy r.npy '<f4' '1, 4' 00 00 80 3f 00 00 00 40 00 00 40 40 00 00 80 40
    prim fft --in r.npy --real --device cpu --out s.npy --json
    [ "$(json '[.result.first, .result.last]')" = '[10,0]' ]
    prim fft --in s.npy --real --inverse --device cpu --out t.npy
    cmp r.npy t.npy
}

@test "fft: every variant, one dimension and two" {
    for words in "" --real --inverse "--real --inverse"; do
        prim fft --shape 8x64 $words --algo all --device cpu --json
        [ "$(json 'map(.checked) | unique')" = '["near",true]' ] || [ "$(json 'map(.checked) | all')" = true ]
        prim fft --shape 30x45 $words --dimensions 2 --device cpu --json
        [ "$(json '[.checked, .shape]')" = '[true,"30x45"]' ]
    done
}

@test "fft: what does not fit" {
    fails 2 prim fft --shape 5x0
    err_has "a row of 0 numbers, must have 1 to 2^26"
    fails 2 prim fft --shape 2x2x2
    err_has "--shape is '2x2x2'"
    fails 2 prim fft --shape 6x60 --algo stockham --device cpu
    err_has "takes powers of two, not 6 x 60 numbers"
    fails 2 prim fft --shape 4 --dimensions 3
    fails 2 prim scan --real
    err_has "--real is an option of fft, not of scan"
    npy a.npy '<f4' '1, 3' 00 00 80 3f 00 00 00 40 00 00 40 40
    fails 3 prim fft --in a.npy
    err_has "a.npy: has 3 columns, must have two, re and im, for each number"
}

@test "rows of very different size are near, each by itself" {
    {
        head -c 51200 /dev/zero
        seq 1 32 | awk '{ printf "%c%c%c%c", 65 + $1, 66, 67, 62 }'
        head -c 76672 /dev/zero
    } >rows.raw
    npy one.npy '<f4' "1000, 32" <rows.raw
    for algo in naive stockham; do
        gf prim fft --in one.npy --algo $algo --device cpu
    done
}

@test "rows of more than a million numbers are read as they were written" {
    prim fft --shape 1x524289 --device cpu --out a.npy --seed 3
    prim fft --in a.npy --inverse --device cpu --json
    [ "$(json '[.checked, .shape]')" = '[true,"1x524289"]' ]
}
