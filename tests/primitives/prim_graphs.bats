# gpufilter prim bfs, sssp and components: graphs by hand, from files and made, known answers, and what does not fit.
load ../cli/common
load common_prim

# numbers_as FORMAT BYTES FILE: the elements of a .npy file, on one line.
numbers_as() {
    local format=$1 size=$2
    tail -c +129 "$3" | od -An -v -w$size -t$format | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

@test "graphs by hand: lists of edges, ids of any size, levels, parents, distances, labels" {
    printf '# from, to, weight\n10 700 2.5\n10,20,0.5\n\n20 700 1\n18446744073709551615 10 1\n700 700 4\n' >g.txt
    prim bfs --graph g.txt --source 10 --out levels.npy --parents-out parents.npy --time --json # 10 20 700 2^64 - 1
    [ "$(json '[.shape, .n, .type, .data, .checked, .result]')" = \
        '["4 vertices, 5 edges",4,"i32","g.txt",true,{"reached":3,"last_level":1}]' ]
    [ "$(numbers_as d4 4 levels.npy)" = "0 1 1 -1" ]
    [ "$(numbers_as u4 4 parents.npy)" = "0 0 0 4294967295" ]
    prim bfs --graph path:9 --source 4 --depth 2 --out levels.npy --parents-out parents.npy --time --json
    [ "$(json .result)" = '{"reached":5,"last_level":2}' ]
    [ "$(numbers_as d4 4 levels.npy)" = "-1 -1 2 1 0 1 2 -1 -1" ]
    [ "$(numbers_as u4 4 parents.npy)" = "4294967295 4294967295 3 4 4 4 5 4294967295 4294967295" ]
    prim bfs --graph star:6 --source most --out levels.npy --time
    [ "$(numbers_as d4 4 levels.npy)" = "0 1 1 1 1 1 1" ]
    printf '1 2\n2 3\n2 4\n3 4\n3 5\n' >two.txt # of two vertices the first
    prim bfs --graph two.txt --source most --out levels.npy --time
    [ "$(numbers_as d4 4 levels.npy)" = "-1 0 1 1 2" ]
    prim sssp --graph g.txt --type f64 --out far.npy --json
    [ "$(json .result)" = '{"reached":3,"furthest":1.5}' ]
    [ "$(numbers_as f8 8 far.npy)" = "0 0.5 1.5 inf" ]
    prim sssp --graph g.txt --undirected --type f64 --source 18446744073709551615 --json
    [ "$(json .result)" = '{"reached":4,"furthest":2.5}' ]
    prim components --graph g.txt --out labels.npy --json
    [ "$(json .result)" = '{"components":1}' ]
    [ "$(numbers_as u4 4 labels.npy)" = "0 0 0 0" ]
}

@test "graphs that are made: every variant" {
    for graph in grid:31x17 path:200 star:3000 random:400x3 rmat:8 path:1 star:0 grid:1x1; do
        for name in bfs sssp components; do
            prim $name --graph $graph --algo all --json
            [ "$(json '[.[] | select(.device == "cpu") | .checked] | unique')" = '[true]' ]
            [ "$(json 'map(.checked != false) | all')" = true ]
        done
    done
    prim bfs --graph grid:31x17 --source 30 --json --device cpu
    [ "$(json '[.shape, .result]')" = '["527 vertices, 2012 edges",{"reached":527,"last_level":46}]' ]
    prim sssp --graph path:5 --type i32 --device cpu --delta 3 --json
    [ "$(json '.result.reached')" = 5 ]
    prim components --graph star:9 --device cpu --json
    [ "$(json '[.shape, .result]')" = '["10 vertices, 18 edges",{"components":1}]' ]
}

@test "pictures as graphs: by hand, every variant, and what does not fit" {
    printf 'P2\n5 3\n255\n1 1 0 9 0\n1 1 0 9 0\n1 1 1 0 7\n' >a.pgm
    prim bfs --picture a.pgm --out levels.npy --parents-out parents.npy --time --json
    [ "$(json '[.shape, .n, .data, .checked, .result]')" = '["5x3 pixels",15,"a.pgm",true,{"reached":7,"last_level":4}]' ]
    [ "$(numbers_as d4 4 levels.npy)" = "0 1 -1 -1 -1 1 2 -1 -1 -1 2 3 4 -1 -1" ]
    [[ "$(head -c 128 levels.npy | tr -d '\0')" == *"'shape': (3, 5)"* ]]
    prim bfs --picture a.pgm --connect 8 --source 3,0 --out levels.npy --json
    [ "$(numbers_as d4 4 levels.npy)" = "4 4 -1 0 -1 4 3 -1 1 -1 4 3 2 -1 2" ]
    prim components --picture a.pgm --connect 8 --join equal --json
    [ "$(json .result.components)" = 8 ]
    prim sssp --picture a.pgm --type i32 --source 0 --out far.npy --json
    [ "$(numbers_as d8 8 far.npy)" = "0 1 1 10 9 1 2 1 10 9 2 3 2 2 9" ]
    prim sssp --picture a.pgm --type i64 --cost difference --out far.npy --json
    [ "$(numbers_as d8 8 far.npy)" = "0 0 1 10 15 0 0 1 10 15 0 0 0 1 8" ]
    for name in bfs sssp components; do
        for picture in blank:40x35 noise:33x70 blank:1x1 blank:0x3; do
            prim $name --picture $picture --algo all --json
            [ "$(json 'map(.checked != false) | all')" = true ]
            [ "$(json '[.[] | select(.algo == "auto" and .device == "cpu") | .checked] | all')" = true ]
        done
    done
    fails 2 prim bfs --picture a.pgm --graph path:5
    err_has "--picture is a graph by itself: leave out --graph"
    fails 2 prim bfs --graph path:5 --connect 8
    err_has "--connect says what is an edge of a picture: it needs --picture"
    fails 2 prim bfs --picture a.pgm --join some
    err_has "--join is 'some': must be all, nonzero or equal"
    fails 2 prim bfs --picture a.pgm --source 5,0
    err_has "--source is '5,0': must be a pixel, as X,Y or as a number"
    fails 2 prim bfs --picture a.pgm --cost enter
    err_has "--cost is an option of sssp, not of bfs"
    fails 2 prim bfs --picture blank:99999x99999
    err_has "must have fewer than 2^31 pixels"
}

@test "graphs: files that are wrong" {
    wrong() { # WHAT, of the lines on standard input
        cat >bad.txt
        fails 3 prim bfs --graph bad.txt
        err_has "$1"
    }
    wrong "bad.txt: line 2: must be two ids below 2^64, and a weight or none" <<<$'1 2\n3'
    wrong "line 1: must be two ids" <<<'1 -2'
    wrong "line 1: must be two ids" <<<'1 2 x'
    wrong "line 3: must be two ids" <<<$'# 1\n1 2 3\n1 2 3 4'
    wrong "line 1: must be two ids" <<<'18446744073709551616 1'
    printf '1 2\n' >a.e
    printf '1\n2\nthree\n' >a.v
    fails 3 prim bfs --graph a.e
    err_has "a.e: line 3: must be an id below 2^64"
    printf '1\n2\n3\n' >a.v
    prim components --graph a.e --json
    [ "$(json .result)" = '{"components":2}' ]
    printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 3 1\n' >a.mtx
    fails 3 prim components --graph a.mtx
    err_has "a.mtx: a matrix of 2 x 3 is no graph"
    printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n' >path.mtx # vertices from 0 on
    prim bfs --graph path.mtx --source 0 --json
    [ "$(json .result)" = '{"reached":3,"last_level":2}' ]
    fails 2 prim bfs --graph path.mtx --source 3
    fails 3 prim bfs --graph none.txt
    err_has "none.txt: cannot be opened"
}

@test "graphs: what does not fit" {
    fails 2 prim bfs --graph grid:3
    err_has "--graph is 'grid:3', must be a file, or grid:WxH"
    fails 2 prim bfs --graph rmat:31
    fails 2 prim bfs --data random
    err_has "--data is for arrays"
    fails 2 prim bfs --graph path:5 --source 5
    err_has "--source is '5', which is neither 'most' nor a vertex of the graph"
    fails 2 prim bfs --graph path:5 --undirected
    err_has "--undirected is for graphs from files"
    fails 2 prim components --graph path:5 --source 1
    err_has "--source is an option of bfs or sssp, not of components"
    fails 2 prim sssp --graph path:5 --delta -1
    err_has "--delta is '-1': must be a number from 0"
    fails 2 prim bfs --graph path:5 --depth 0
    err_has "--depth is '0': must be a whole number from 1"
    printf '1 2 0.5\n' >half.txt
    fails 3 prim sssp --graph half.txt --type i32
    err_has "a weight is 0.5, which i32 does not hold: choose another --type"
}

@test "whole weights of 64 bits are read exactly" {
    exact() { # WEIGHT OPTION...: of 0 -> 1
        prim sssp --type i64 --source 0 --algo sequential --out far.npy "${@:2}"
        [ "$(numbers_as d8 8 far.npy)" = "0 $1" ]
    }
    for weight in 9007199254740993 9223372036854775806 -9223372036854775807 4611686018427387905; do
        printf '0 1 %s\n' $weight >g.txt
        exact $weight --graph g.txt
        printf '%%%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 %s\n' $weight >g.mtx
        exact $weight --graph g.mtx
    done
    npy cost.npy '<i8' '1, 2' 00 00 00 00 00 00 00 00 01 00 00 00 00 00 20 00
    exact 9007199254740993 --picture cost.npy
    npy cost.npy '<u8' '1, 2' 00 00 00 00 00 00 00 00 01 00 00 00 00 00 20 00
    exact 9007199254740993 --picture cost.npy
    for weight in 9223372036854775808 -9223372036854775809 0.5 1e300; do
        printf '0 1 %s\n' $weight >g.txt
        fails 3 prim sssp --graph g.txt --type i64
        err_has "which i64 does not hold: choose another --type"
    done
    for weight in 2147483647 2e9 0x7f -2147483648; do # as they were written; floats are rounded once
        printf '0 1 %s\n' $weight >g.txt
        prim sssp --graph g.txt --type i32 --algo sequential --out far.npy
        [ "$(numbers_as d8 8 far.npy)" = "0 $((${weight/2e9/2000000000}))" ]
    done
    printf '0 1 9007199791611905\n' >g.txt # 2^53 + 2^29 + 1: as a double it would be a tie of f32
    prim sssp --graph g.txt --type f32 --out far.npy
    [ "$(samples far.npy)" = "00 00 00 00 01 00 00 5a" ]
}

@test "sssp: what a variant does not take is an error of its own, and no result" {
    refused() { # MESSAGE OPTION...
        local says=$1
        shift
        for more in "" --no-check --json "--verify --json"; do
            fails 3 prim sssp --device cpu --out none.npy "$@" $more
            err_is "error: $says"
            [ -z "$output" ]
        done
        [ ! -e none.npy ]
    }
    # no cycle of negative length, but a weight: of ids, not of numbers of vertices
    printf '10 11 1\n11 12 1\n12 13 1\n13 11 -2\n' >neg.txt
    printf '0 1 1\n1 2 -5\n2 1 1\n2 3 1\n' >cycle.txt
    printf '0 1 1\n1 2 nan\n' >nan.txt
    for type in i32 i64 f32 f64; do
        refused "neg.txt: the edge 13 -> 11 weighs -2: auto takes no weight below 0 and no NaN; --algo sequential does" \
            --graph neg.txt --source 10 --type $type
        refused "cycle.txt: the edge 1 -> 2 weighs -5: auto takes no weight below 0 and no NaN; --algo sequential does" \
            --graph cycle.txt --type $type
        refused "cycle.txt: a cycle of negative length leads to vertex 3: no way is the shortest" \
            --graph cycle.txt --type $type --algo sequential
    done
    refused "nan.txt: the edge 1 -> 2 weighs nan: auto takes no weight below 0 and no NaN; --algo sequential does" --graph nan.txt
    prim sssp --graph neg.txt --type f64 --algo sequential --out far.npy --json
    [ "$(json '[.checked, .result]')" = '[true,{"reached":4,"furthest":3}]' ]
    [ "$(numbers_as f8 8 far.npy)" = "0 1 2 3" ]
    # of pictures every variant refuses what makes a step negative
    npy cost.npy '<f4' '2, 2' 00 00 80 3f 00 00 80 3f 00 00 c0 7f 00 00 a0 c0 # 1 1 / nan -5
    for algo in auto sequential; do
        refused "cost.npy: pixel 0,1 costs nan: must be a number from 0" --picture cost.npy --algo $algo
        refused "cost.npy: pixel 0,1 costs nan: must be finite" --picture cost.npy --algo $algo --cost difference
    done
    # of all variants those that take it give a result, and the others say why not
    prim sssp --graph neg.txt --type i32 --algo all --json
    [ "$(json 'map(select(.device == "cpu") | [.algo, .checked, .result.reached, has("why")])')" = \
        '[["sequential",true,4,false],["auto",null,null,true]]' ]
    [ "$(json 'map(select(.algo == "bellman-ford" and .checked != null) | .checked) | all')" = true ]
    run --separate-stderr "$GPUFILTER_BIN" prim sssp --graph cycle.txt --type i32 --algo all --json
    [ "$status" = 3 ]
    [ "$(json 'map(.result) | unique')" = '[null]' ]
}

@test "graphs with known answers" {
    folder=${GPUFILTER_CORPORA:-}/matrices/lagraph
    [ -r "$folder/karate.mtx" ] || skip "GPUFILTER_CORPORA holds no matrices/lagraph"
    prim bfs --graph "$folder/karate.mtx" --source 30 --out levels.npy --json
    [ "$(numbers_as d4 4 levels.npy)" = "2 1 2 2 3 3 3 2 1 2 3 3 3 2 2 2 4 2 2 2 2 2 2 2 3 3 2 2 2 2 0 2 1 1" ]
    while read -r name count; do
        [ -r "$folder/$name.mtx" ] || continue
        prim components --graph "$folder/$name.mtx" --json
        [ "$(json .result.components)" = "$count" ]
    done <<'END'
karate 1
A 1
jagmesh7 1
ldbc-cdlp-undirected-example 1
ldbc-wcc-example 1
LFAT5 3
LFAT5_hypersparse 1989
LFAT5_two 6
bcsstk13 1
tree-example 1
END
}

@test "graphs of LDBC Graphalytics with their answers" {
    folder=${GPUFILTER_CORPORA:-}/graphs/ldbc-graphalytics/example
    [ -r "$folder/example-directed.e" ] || skip "GPUFILTER_CORPORA holds no graphs/ldbc-graphalytics"
    for way in directed undirected; do
        source=1 both=
        [ $way = directed ] || { source=2 both=--undirected; }
        prim bfs --graph "$folder/example-$way.e" --source $source $both --out levels.npy --json
        [ "$(numbers_as d4 4 levels.npy)" = "$(sort -n "$folder/example-$way-BFS" | sed 's/.* //; s/9223372036854775807/-1/' | xargs)" ]
        prim sssp --graph "$folder/example-$way.e" --source $source $both --type f64 --out far.npy --json
        paste -d ' ' <(numbers_as f8 8 far.npy | tr ' ' '\n') <(sort -n "$folder/example-$way-SSSP" | sed 's/.* //; s/[Ii]nfinity/inf/') >both.txt
        awk '$1 != $2 && ($1 - $2) ^ 2 > 1e-20 { exit 1 }' both.txt
        # theirs name a component by any of its vertices: ours by the smallest
        prim components --graph "$folder/example-$way.e" $both --json
        [ "$(json .result.components)" = "$(cut -d ' ' -f 2 "$folder/example-$way-WCC" | sort -u | wc -l)" ]
    done
}
