# gpufilter prim spmv: products by hand, files in Matrix Market format, and what does not fit.
load ../cli/common
load common_prim

# x FILE NUMBER...: an array of f32, of small whole numbers.
x() {
    local file=$1 bytes=()
    shift
    for number; do
        case $number in
        0) bytes+=(00 00 00 00) ;;
        1) bytes+=(00 00 80 3f) ;;
        2) bytes+=(00 00 00 40) ;;
        4) bytes+=(00 00 80 40) ;;
        esac
    done
    npy "$file" '<f4' "$#," "${bytes[@]}"
}

# mtx FILE: the lines of standard input, with their head.
mtx() {
    { echo "%%MatrixMarket matrix coordinate $2 $3"; cat; } >"$1"
}

@test "spmv, by hand: general, symmetric, skew-symmetric, pattern" {
    x x.npy 1 2 4
    mtx a.mtx real general <<<$'% rows, columns, entries\n2 3 3\n\n2 3 -0.5\n1 1 3\n2 1 1e1'
    prim spmv --matrix a.mtx --x x.npy --json
    [ "$(json '[.shape, .n, .type, .data, .checked, .result]')" = '["2x3",3,"f32","a.mtx",true,{"first":3,"last":8}]' ]
    mtx s.mtx integer symmetric <<<$'3 3 3\n1 1 2\n2 1 1\n3 2 5'
    prim spmv --matrix s.mtx --x x.npy --json
    [ "$(json '[.n, .result]')" = '[5,{"first":4,"last":10}]' ]
    mtx k.mtx real skew-symmetric <<<$'3 3 2\n2 1 1\n3 1 5'
    prim spmv --matrix k.mtx --x x.npy --json
    [ "$(json '.result')" = '{"first":-22,"last":5}' ]
    mtx p.mtx pattern general <<<$'3 3 2\n3 3\n3 2'
    prim spmv --matrix p.mtx --x x.npy --json
    [ "$(json '.result')" = '{"first":0,"last":6}' ]
    prim spmv --matrix p.mtx --type f64 --out y.npy --json
    grep -qa "'<f8'.*'shape': (3,)" y.npy
}

@test "spmv: made matrices, every variant, and its rate" {
    prim spmv --shape 100x70x33 --algo all --json
    [ "$(json '[.[] | select(.device == "cpu") | .checked] | unique')" = '[true]' ]
    [ "$(json 'map(.checked != false) | all')" = true ]
    prim spmv --shape 100x70x33 --device cpu --json
    [ "$(json '[.shape, .n]')" = '["100x70",3300]' ]
    [ "$(json '(.gops - 2 * 3300 / .time_us / 1e3 | fabs) < 0.001 * .gops')" = true ]
    # offsets, columns, values, x and y
    [ "$(json '(.gbps - (101 * 8 + 3300 * 8 + 70 * 4 + 100 * 4) / .time_us / 1e3 | fabs) < 0.001 * .gbps')" = true ]
    for shape in 0x3x2 2x0x0 2x3x0; do
        prim spmv --shape $shape --device cpu --json
        [ "$(json .checked)" = true ]
    done
}

@test "spmv: files that are wrong" {
    wrong() { # WHAT, of the lines on standard input
        cat >bad.mtx
        fails 3 prim spmv --matrix bad.mtx
        err_is "error: bad.mtx: $1"
    }
    head='%%MatrixMarket matrix coordinate real general'
    wrong "line 1: must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'" <<<"2 2 1"
    wrong "is a 'matrix' in the format 'array'; must be a matrix in coordinate" <<<"%%MatrixMarket matrix array real general"
    wrong "has complex entries; must be real, integer or pattern" <<<"%%MatrixMarket matrix coordinate complex general"
    wrong "is hermitian; must be general, symmetric or skew-symmetric" <<<"%%MatrixMarket matrix coordinate real hermitian"
    wrong "line 2: must be the numbers of rows, of columns and of entries" <<<"$head"$'\n2 2'
    wrong "line 2: more entries than the file has room for" <<<"$head"$'\n2 2 1000000000'
    wrong "line 2: more than 2^31 - 1 rows or columns" <<<"$head"$'\n3000000000 2 1'
    wrong "line 2: a symmetric matrix must have as many rows as columns" <<<"${head/general/symmetric}"$'\n3 2 1'
    wrong "line 3: must be a row, a column and a number" <<<"$head"$'\n2 2 1\n1 1'
    wrong "line 3: must be a row, a column and a number" <<<"$head"$'\n2 2 1\n1 1 1x'
    wrong "line 3: the entry (1, 3) is outside of 2 x 2" <<<"$head"$'\n2 2 1\n1 3 1'
    wrong "line 3: the entry (0, 1) is outside of 2 x 2" <<<"$head"$'\n2 2 1\n0 1 1'
    wrong "line 4: the file ends before its last entry" <<<"$head"$'\n2 2 2\n1 1 1'
    wrong "line 4: more entries than the file says it has" <<<"$head"$'\n2 2 1\n1 1 1\n2 2 2'
    wrong "line 3: a skew-symmetric matrix has no entries on its diagonal" <<<"${head/general/skew-symmetric}"$'\n2 2 1\n1 1 1'
    fails 3 prim spmv --matrix none.mtx
    err_is "error: none.mtx: cannot be opened: No such file or directory"
}

@test "spmv: what does not fit" {
    x x.npy 1 2 4
    mtx a.mtx real general <<<$'2 2 1\n1 1 1'
    fails 3 prim spmv --matrix a.mtx --x x.npy
    err_is "error: x.npy: holds 3 elements, must hold as many as a.mtx has columns: 2"
    fails 2 prim spmv --x x.npy
    err_has "error: spmv takes a matrix from a file, --matrix A.mtx"
    fails 2 prim spmv --matrix a.mtx --shape 2x2x2
    fails 2 prim spmv --shape 2x0x2
    fails 2 prim spmv --matrix a.mtx --x x.npy --type f64
    err_is "error: --type is f64, but x.npy holds f32: leave out --type"
}

@test "matrices of a collection: as many rows and entries as they say, and none that is broken" {
    local folder=$GPUFILTER_CORPORA/matrices/lagraph
    [ -d "$folder" ] || skip "no collection"
    prim spmv --matrix "$folder/karate.mtx" --json
    [ "$(json '[.shape, .n, .checked]')" = '["34x34",156,true]' ]
    prim spmv --matrix "$folder/west0067.mtx" --json
    [ "$(json '[.shape, .n, .checked]')" = '["67x67",294,true]' ]
    for file in "$folder"/mangled{1,2,3,4,5,6,7,8,9,10,11,12,13,15,16}.mtx; do
        fails 3 prim spmv --matrix "$file"
    done
}
