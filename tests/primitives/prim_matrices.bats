# gpufilter prim matmul: products by hand, shapes, and what does not fit.
load ../cli/common
load common_prim

@test "matmul, by hand: from files, and of bytes" {
    npy a.npy '|u1' '2, 3' 01 02 03 04 05 06
    npy b.npy '|u1' '3, 2' 07 08 09 0a 0b 0c
    prim matmul --a a.npy --b b.npy --out c.npy --json
    [ "$(numbers c.npy)" = "58 64 139 154" ]
    grep -qa "'shape': (2, 2)" c.npy
    [ "$(json '[.shape, .n, .type, .data, .checked, .result]')" = '["2x3x2",6,"u8","a.npy",true,{"first":58,"last":154}]' ]
}

@test "matmul: every variant, and its rate" {
    prim matmul --shape 65x33x17 --algo all --json
    [ "$(json '[.[] | select(.device == "cpu") | .checked] | unique')" = '[true]' ]
    [ "$(json 'map(.checked != false) | all')" = true ]
    prim matmul --shape 65x33x17 --device cpu --json
    [ "$(json '(.gops - 2 * 65 * 33 * 17 / .time_us / 1e3 | fabs) < 0.001 * .gops')" = true ]
    # a and b and c once, of four bytes
    [ "$(json '(.gbps - 4 * (65 * 33 + 33 * 17 + 65 * 17) / .time_us / 1e3 | fabs) < 0.001 * .gbps')" = true ]
    prim matmul --shape 65x33x17 --device cpu
    [[ ${lines[0]} == "matmul, auto on cpu: 65x33x17 f32, random" ]]
    [[ $output == *"  arithmetic "*" G operations a second"* ]]
}

@test "matmul: f32x, and how much of it is plain" {
    npy a.npy '<f4' '2, 2' 00 00 80 3f 00 00 80 3f 00 00 80 7f 00 00 80 3f # 1 1, inf 1
    npy b.npy '<f4' '2, 2' 00 00 00 40 00 00 40 40 00 00 80 3f 00 00 80 3f # 2 3, 1 1
    for slices in 3 4; do
        prim matmul --a a.npy --b b.npy --accuracy f32x --slices $slices --device cpu --out c.npy --json
        [ "$(od -An -v -j128 -tx4 c.npy | tr -d '\n')" = " 40400000 40800000 7f800000 7f800000" ] # 3 4 inf inf
        [ "$(json '[.checked, .result.plain_rows, .result.plain_columns]')" = '[true,1,0]' ]
    done
    prim matmul --shape 40x30x20 --accuracy f32x --algo all --json
    [ "$(json '[.[] | select(.device == "cpu") | select(.algo == "auto" or .algo == "sequential") | .checked] | unique')" = '[true]' ]
    [ "$(json '[.[] | select(.algo != "auto" and .algo != "sequential" and .checked)]')" = '[]' ]
    prim matmul --shape 40x30x20 --accuracy f32x --device cpu
    [[ $output == *"; by chains, as too wide for slices: 0 rows, 0 columns"* ]]
    prim matmul --shape 4x3x2 --accuracy f32
    fails 2 prim matmul --shape 4x3x2 --accuracy f64
    err_is "error: --accuracy is 'f64': must be f32 or f32x"
    fails 2 prim matmul --shape 4x3x2 --slices 3
    err_is "error: --slices is for --accuracy f32x"
    fails 2 prim matmul --shape 4x3x2 --accuracy f32x --slices 5
    err_has "--slices"
    fails 2 prim matmul --shape 4x3x2 --accuracy f32x --type f64
    err_has "accuracy f32x is of f32, not of f64"
    fails 2 prim spmv --accuracy f32x
    err_is "error: --accuracy is an option of matmul, not of spmv"
}

@test "matmul: batches and transposed matrices" {
    npy a.npy '|u1' '4, 2' 01 02 03 04 01 00 00 02
    npy b.npy '|u1' '4, 2' 05 06 07 08 03 04 05 06
    prim matmul --a a.npy --b b.npy --batch 2 --out c.npy --json
    [ "$(numbers c.npy)" = "19 22 43 50 3 4 10 12" ]
    [ "$(json '[.shape, .parameters, .checked]')" = '["2x2x2","b=b.npy batch=2",true]' ]
    prim matmul --a a.npy --b b.npy --batch 2 --transpose a --out c.npy -q
    [ "$(numbers c.npy)" = "26 30 38 44 3 4 10 12" ]
    prim matmul --a a.npy --b b.npy --transpose b --out c.npy --json
    [ "$(numbers c.npy)" = "17 23 11 17 39 53 25 39 5 7 3 5 12 16 8 12" ]
    [ "$(json '[.shape, .checked]')" = '["4x2x4",true]' ]
    prim matmul --shape 5x7x9 --batch 20 --transpose ab --algo all --json
    [ "$(json '[.[] | select(.device == "cpu") | select(.algo == "auto" or .algo == "sequential") | .checked] | unique')" = '[true]' ]
    prim matmul --shape 5x7x9 --batch 20 --device cpu --json
    [ "$(json '(.gops - 2 * 20 * 5 * 7 * 9 / .time_us / 1e3 | fabs) < 0.001 * .gops')" = true ]
    fails 3 prim matmul --a a.npy --b b.npy --batch 3
    err_is "error: a.npy has 4 rows: must be a multiple of --batch 3"
    fails 3 prim matmul --a a.npy --b b.npy --transpose ab
    err_is "error: a.npy has 4 rows, and b.npy has 2 columns: a product needs as many"
    fails 2 prim matmul --batch 0
    err_has "--batch is '0'"
    fails 2 prim matmul --shape 4x4x4 --batch 2 --accuracy f32x
    err_has "a batch is of accuracy f32, not of f32x"
}

@test "matmul: shapes without elements" {
    for shape in 0x3x2 2x0x3 2x3x0; do
        prim matmul --shape $shape --device cpu --json
        [ "$(json '[.shape, .checked]')" = "[\"$shape\",true]" ]
    done
    prim matmul --shape 2x0x3 --type u8 --device cpu --out c.npy
    [ "$(numbers c.npy)" = "0 0 0 0 0 0" ]
}

@test "matrices keep two dimensions: of one row, and of no elements" {
    shape() { # SHAPE: of what the last run wrote
        head -c 128 o.npy | grep -qaF "'shape': ($1)"
    }
    npy row.npy '|u1' '1, 2' 01 02
    npy b.npy '|u1' '2, 3' 01 02 03 04 05 06
    prim matmul --a row.npy --b b.npy --out o.npy
    shape '1, 3'
    [ "$(numbers o.npy)" = "9 12 15" ]
    npy f.npy '<f4' '1, 2' 00 00 80 3f 00 00 80 3f
    prim stencil --in f.npy --out o.npy
    shape '1, 2'
    prim stencil --shape 1x5 --out o.npy
    shape '1, 5'
    prim components --picture row.npy --out o.npy
    shape '1, 2'
    printf '' | npy none.npy '|u1' '2, 0'
    printf '' | npy rows.npy '|u1' '0, 3'
    prim matmul --a none.npy --b rows.npy --out o.npy --json # as --shape 2x0x3
    shape '2, 3'
    [ "$(json '[.shape, .checked]')" = '["2x0x3",true]' ]
    [ "$(numbers o.npy)" = "0 0 0 0 0 0" ]
    prim matmul --a rows.npy --b none.npy --transpose ab --out o.npy
    shape '3, 2'
    fails 3 prim matmul --a rows.npy --b none.npy
    err_is "error: rows.npy has 3 columns, and none.npy has 2 rows: a product needs as many"
    fails 3 prim sort --in none.npy
    err_has "a primitive takes an array of one dimension"
}

@test "matmul: what does not fit" {
    npy a.npy '|u1' '2, 3' 01 02 03 04 05 06
    npy b.npy '|u1' '2, 2' 07 08 09 0a
    i32 x.npy 1 2 3
    fails 3 prim matmul --a a.npy --b b.npy
    err_is "error: a.npy has 3 columns, and b.npy has 2 rows: a product needs as many"
    fails 3 prim matmul --a a.npy --b x.npy
    err_is "error: x.npy: holds i32, the first array u8: they must be of one type"
    fails 2 prim matmul --a a.npy
    err_is "error: matmul takes both matrices from files, --a A --b B, or makes both, --shape MxKxN"
    fails 2 prim matmul --a a.npy --b b.npy --shape 2x3x2
    err_is "error: --a has elements of its own: leave out --shape"
    fails 2 prim matmul --shape 2x3
    err_is "error: --shape is '2x3': must be 3 whole numbers, like 512x300x1000"
    fails 2 prim matmul --n 5
    err_is "error: --n is for arrays of one dimension: matmul has --shape MxKxN"
    fails 2 prim bfs --n 5
    err_is "error: --n is for arrays of one dimension: bfs has --graph GRAPH"
    fails 2 prim ragged --n 5
    err_is "error: --n is for arrays of one dimension: ragged has --nx N"
    fails 2 prim scan --shape 2x2x2
    err_is "error: --shape is an option of matmul, spmv, stencil or fft, not of scan"
    fails 2 prim matmul --shape 2x3x2 --type u16
    err_has "takes no u16; it takes: u8, f32, f64"
    npy rgb.npy '|u1' '1, 2, 3' 01 02 03 04 05 06
    fails 3 prim matmul --a rgb.npy --b b.npy
    err_has "a primitive takes a matrix of one channel"
}
