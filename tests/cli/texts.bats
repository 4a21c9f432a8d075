# Texts that the program reads: as whichever system wrote them, and no more than a text of that kind can have.
load common
load ../primitives/common_prim

four() {
    npy rgb.npy '|u1' '2, 2, 3' 00 00 00 ff 00 00 80 80 80 ff ff ff
}

# A text as written elsewhere: each of the ways in which a line may end, with and without a byte order mark.
ways=(mark crlf cr mark-crlf mark-cr)
written() { # WAY <TEXT >FILE
    [[ $1 != mark* ]] || printf '\xef\xbb\xbf'
    case $1 in
    *crlf) sed 's/$/\r/' ;;
    *cr) tr '\n' '\r' ;;
    *) cat ;;
    esac
}

@test "a byte order mark and the lines of other systems: .cube" {
    four
    printf '# negative\nLUT_1D_SIZE 2\n# from\n1 1 1\n\n0 0 0\n' >curve.cube
    gf -q rgb.npy expected.npy --stages lut:@curve.cube
    for way in "${ways[@]}"; do
        written "$way" <curve.cube >way.cube
        works rgb.npy out.npy --stages lut:@way.cube
        cmp out.npy expected.npy
    done
    printf '\xef\xbb\xbfLUT_1D_SIZE 2\r1 1 1\r\r0 0\r' >bad.cube
    fails 3 rgb.npy out.npy --stages lut:@bad.cube
    err_has "bad.cube: line 4: a colour must be three finite numbers"
}

@test "a byte order mark and the lines of other systems: .mtx, lists of edges, tables" {
    npy x.npy '<f4' '2,' 00 00 80 3f 00 00 00 40
    printf '%%%%MatrixMarket matrix coordinate real general\n%% one\n2 2 2\n1 2 4\n2 1 1\n' >a.mtx
    printf '# two\n1 2 3\n2 5 1\n' >edges
    printf '1\n2\n5\n7\n' >ids
    printf '# NX NY\n10 500\n1000 20\n' >table
    prim spmv --matrix a.mtx --x x.npy --json
    matrix=$(json '[.shape, .n, .result]')
    cp edges g.e
    cp ids g.v
    prim sssp --graph g.e --json
    graph=$(json .result)
    for way in "${ways[@]}"; do
        written "$way" <a.mtx >way.mtx
        prim spmv --matrix way.mtx --x x.npy --json
        [ "$(json '[.shape, .n, .result]')" = "$matrix" ]
        written "$way" <edges >way.e
        written "$way" <ids >way.v
        prim sssp --graph way.e --json
        [ "$(json .result)" = "$graph" ]
        written "$way" <a.mtx >way.graph
        prim components --graph way.graph --json
        [ "$(json .result)" = '{"components":1}' ]
        written "$way" <table >way.table
        prim ragged --nx 50 --ny-max 30 --ny-th @way.table --algo all --json
        [ "$(json 'map(.checked != false) | all')" = true ]
    done
}

@test "a byte order mark and the lines of other systems: --from, --pipeline" {
    mkdir in
    four
    for name in a b $'\xef\xbc\xa1' $'\xef\xbb\xa1'; do # two begin as the mark does
        cp rgb.npy "in/$name.npy"
    done
    (cd in && printf '%s\n' *.npy) >names
    printf 'invert # the first\n\nblur:2\n' >stages
    cd in
    works batch --from ../names -o ../expected --pipeline ../stages --progress off
    cd ..
    for way in "${ways[@]}"; do
        written "$way" <names >"names.$way"
        written "$way" <stages >"stages.$way"
        rm -rf out
        cd in
        works batch --from "../names.$way" -o ../out --pipeline "../stages.$way" --progress off
        cd ..
        diff -r expected out
        rm -rf out
        cd in
        run --separate-stderr -0 "$GPUFILTER_BIN" batch --from - -o ../out --stages invert,blur:2 --progress off <"../names.$way"
        cd ..
        diff -r expected out
    done
    printf '\xef\xbb\xa1.npy' >alone # no newline, and no mark
    cd in
    works batch --from ../alone -o ../last --stages invert --progress off
    [ "$(ls ../last)" = $'\xef\xbb\xa1.npy' ]
}

@test "a text without an end is refused at once" {
    four
    npy x.npy '<f4' '2,' 00 00 80 3f 00 00 00 40
    for name in z.cube z.mtx z.e z.txt; do
        ln -s /dev/zero "$name"
    done
    (ulimit -v 4000000 && exec "$GPUFILTER_BIN" version) || skip "a sanitizer takes more addresses than that"
    ulimit -v 4000000
    zeros="holds a byte 0, so it is no text"
    fails 3 rgb.npy out.npy --stages lut:@z.cube
    err_has "z.cube: $zeros"
    fails 3 prim spmv --matrix z.mtx --x x.npy
    err_has "z.mtx: $zeros"
    fails 3 prim components --graph z.e
    err_has "z.e: $zeros"
    fails 3 rgb.npy out.npy --pipeline z.txt
    err_has "--pipeline z.txt: $zeros"
    fails 3 prim ragged --nx 5 --ny-th @z.txt
    err_has "z.txt: $zeros"
    fails 3 batch --from z.txt -o out --stages invert
    err_is "error: --from z.txt: holds a byte 0: names that such bytes end need -0"
    fails 3 batch --from z.txt -0 -o out --stages invert
    err_is "error: --from z.txt: no name ends within 64 KiB, so it is no list of names"
}

@test "a text longer than its kind can be is refused" {
    four
    head -c 70000 /dev/zero | tr '\0' a >long
    fails 3 batch --from long -o out --stages invert
    err_is "error: --from long: no name ends within 64 KiB, so it is no list of names"
    [ ! -e out ]
    run --separate-stderr -3 "$GPUFILTER_BIN" batch --from - -o out --stages invert < <(tr '\0' '\n' </dev/zero)
    err_has "--from -: no name ends within 64 KiB"
    tr '\0' '#' </dev/zero | head -c 1048577 >long # MiB and a byte
    fails 3 rgb.npy out.npy --pipeline long
    err_is "error: --pipeline long: is longer than 1 MiB"
    fails 3 prim ragged --nx 5 --ny-th @long
    err_has "long: is longer than 1 MiB"
}
