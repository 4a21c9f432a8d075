# gpufilter prim: results at the edge, where they go, and what has none.
load ../cli/common
load common_prim

@test "a result without elements is an array of shape (0,)" {
    i32 in.npy 1 2 3
    prim compact --in in.npy --keep gt:3 --out none.npy
    [ "$(wc -c <none.npy)" = 128 ]
    [ "$(head -c 10 none.npy | od -An -tx1 | tr -d ' ')" = 934e554d505901007600 ]
    [ "$(tail -c 118 none.npy | tr -s ' ')" = "{'descr': '<i4', 'fortran_order': False, 'shape': (0,), } " ]
    prim compact --n 5 --data constant --type u8 --keep flags --flags <(npy /dev/stdout '|u1' '5,' 00 00 00 00 00) --out none.npy
    grep -aq "'descr': '|u1', 'fortran_order': False, 'shape': (0,)" none.npy
}

@test "a range of values that is the wrong way round" {
    fails 2 prim search --value 10 --to 5
    err_is "error: --to is 5, less than --value, which is 10: nothing lies between"
    fails 2 prim search --type u64 --value 18446744073709551615 --to 18446744073709551614
    fails 2 prim search --type i64 --value 0 --to -1
    fails 2 prim search --type f32 --value 1 --to 0.5
    prim search --n 10 --value 5 --to 5 --mode count
    prim search --n 10 --type i32 --value -1 --to 0 --mode count
}

@test "infinities in words; JSON has none" {
    npy f.npy '<f4' '2,' 00 00 80 ff 00 00 80 3f
    prim reduce --in f.npy --op min
    [[ $output == *"  result     -inf"* ]]
    prim reduce --in f.npy --op min --json
    [ "$(json .result)" = null ]
}

@test "-q beside --out prints no result" {
    i32 in.npy 1 2 3
    prim sort --in in.npy --out out.npy -q
    [ -z "$output$stderr" ]
    prim sort --in in.npy -q
    [[ $output == *"  result     first 1, last 3"* ]]
}

@test "two results are never one file" {
    fails 2 prim sort --n 10 --values index --out a.npy --values-out a.npy
    err_is "error: --out and --values-out are both a.npy"
    fails 2 prim sort --n 10 --values index --out a.npy --values-out "$PWD/./a.npy"
    err_has "error: --out and --values-out are one file: a.npy is /"
    [ -z "$(ls -A)" ]
    prim sort --n 10 --values index --out a.npy --values-out b.npy
    only_files a.npy b.npy
}

@test "arrays of no elements are read from files, and results of none written" {
    npy none.npy '<i4' '0,'
    for words in "reduce --op max" "reduce --op argmin" scan compact sort "sort --values index --values-out order.npy" \
        "merge --in2 none.npy" histogram "search --mode all --value 1 --to 2"; do
        prim $words --in none.npy --out out.npy --json
        [ "$(json .checked)/$(json .n)/$(json .gbps)" = "true/0/null" ] || [[ $words == histogram ]]
    done
    cmp <(tail -c 118 out.npy | tr -s ' ') <(echo "{'descr': '<u4', 'fortran_order': False, 'shape': (0,), } ")
    prim sort --in order.npy --out again.npy # what was written is read
    cmp order.npy again.npy
    prim reduce --in none.npy --op max --device cpu
    [[ $output == *"reduce, auto on cpu: 0 i32, none.npy, op=max"*"  result     -2147483648"*"there is nothing to read or write"* ]]
    prim reduce --in none.npy --op mean
    [[ $output == *"  result     nan"* ]]
    prim search --in none.npy --value 3
    [[ $output == *"  result     not there"* ]]
    prim histogram --in none.npy
    [[ $output == *"no elements: every bin is 0"* ]]
    prim scan --in none.npy --algo all
    [[ $output == *"sequential "*" yes "*" - "*" -"* ]]
    fails 3 prim merge --in none.npy --in2 <(npy /dev/stdout '<u4' '0,')
}

# floats FILE WORD...: an array of f32 by their bits, as 3f800000
floats() {
    local file=$1 bytes=() word
    shift
    for word; do bytes+=("${word:6:2}" "${word:4:2}" "${word:2:2}" "${word:0:2}"); done
    npy "$file" '<f4' "$#," "${bytes[@]}"
}

@test "merge: its files are in the order of sort, to the last bit" {
    npy big.npy '<i8' '3,' 00 00 00 00 00 00 00 20 02 00 00 00 00 00 00 20 01 00 00 00 00 00 00 20 # 2^61, + 2, + 1
    npy one.npy '<i8' '1,' 00 00 00 00 00 00 00 20
    fails 3 prim merge --in one.npy --in2 big.npy --out out.npy
    err_is "error: big.npy: element 2 is out of order, 2305843009213693953 behind 2305843009213693954: merge takes arrays that ascend, unless --order is desc"
    fails 3 prim merge --in big.npy --in2 one.npy --order desc
    err_is "error: big.npy: element 1 is out of order, 2305843009213693954 behind 2305843009213693952: merge takes arrays that descend"
    floats zeros.npy 00000000 80000000 # +0 -0
    floats last.npy 80000000 00000000 3f800000 7fc00000 # -0 +0 1 nan
    floats nan.npy 3f800000 ffc00000 40000000 # 1 nan 2
    fails 3 prim merge --in zeros.npy --in2 last.npy
    err_is "error: zeros.npy: element 1 is out of order, -0 behind 0: merge takes arrays that ascend, unless --order is desc (-0 before +0, every NaN last)"
    fails 3 prim merge --in last.npy --in2 nan.npy
    err_has "error: nan.npy: element 2 is out of order, 2 behind nan: "
    prim merge --in last.npy --in2 last.npy --json
    [ "$(json '[.checked, .result.first]')" = '[true,-0]' ]
    floats desc.npy 3f800000 00000000 80000000 7fc00000
    prim merge --in zeros.npy --in2 desc.npy --order desc --json # NaN last there, too
    [ "$(json '[.checked, .result.first]')" = '[true,1]' ]
}

@test "from file to file there is no timing, unless it is asked for" {
    i32 in.npy 3 1 2
    works prim sort --in in.npy --out out.npy
    [[ $output == *"  time       not taken: --time asks for it"* ]]
    works prim sort --in in.npy --out out.npy --json
    [ "$(json '[.checked, .time_us, .copy_gbps, .repeat]')" = '[true,null,null,null]' ]
    for words in "--in in.npy --out out.npy --time" "--in in.npy --out out.npy --repeat 2" "--in in.npy --out out.npy --host" \
        "--in in.npy" "--n 3 --out out.npy"; do
        GPUFILTER_MEMORY=8M works prim sort $words --device cpu --json
        [ "$(json '.time_us > 0')" = true ]
    done
    npy a.npy '<f4' '1, 1' 00 00 80 3f
    npy counts.npy '<i4' '2,' 01 00 00 00 02 00 00 00
    printf '0 1 2\n1 2 3\n' >g.txt
    printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n' >m.mtx
    while read -r words; do # whatever file it comes from, and whichever result is written
        works prim $words --json
        [ "$(json '[.checked, .time_us, .repeat]')" = '[true,null,null]' ] || { echo "$words"; return 1; }
        GPUFILTER_MEMORY=8M works prim $words --time --device cpu --json
        [ "$(json '.time_us > 0')" = true ]
    done <<'END'
matmul --a a.npy --b a.npy --out out.npy
stencil --in a.npy --out out.npy
spmv --matrix m.mtx --out out.npy
ragged --counts counts.npy --out out.npy
bfs --graph g.txt --out out.npy
bfs --graph g.txt --parents-out out.npy
sssp --graph g.txt --out out.npy
components --graph g.txt --out out.npy
bfs --picture a.npy --out out.npy
sssp --picture a.npy --out out.npy
components --picture a.npy --out out.npy
run_length --in in.npy --counts-out out.npy
reduce_by_key --in in.npy --keys in.npy --keys-out out.npy
top_k --in in.npy --m 1 --values-out out.npy
END
    GPUFILTER_MEMORY=8M works prim bfs --graph path:5 --out out.npy --device cpu --json # made, not read
    [ "$(json '.time_us > 0')" = true ]
}

@test "search writes its one value" {
    i32 in.npy 3 -5 7 -5 2
    prim search --in in.npy --value -5 --out first.npy
    [ "$(samples first.npy)" = "01 00 00 00 00 00 00 00" ]
    grep -aq "'descr': '<i8'.*'shape': (1,)" first.npy
    prim search --in in.npy --value -5 --mode count --out count.npy
    [ "$(samples count.npy)" = "02 00 00 00 00 00 00 00" ]
    prim search --in in.npy --value 4 --out none.npy
    [ "$(samples none.npy)" = "ff ff ff ff ff ff ff ff" ]
}

@test "arrays are written as .npy, and under no other format's name" {
    for name in x.png x.jpg x.tif.PNG ./x.ppm; do
        fails 2 prim sort --n 5 --out "$name"
        err_has "error: $name: results are written as .npy, and "
        fails 2 prim sort --n 5 --values index --values-out "$name"
        fails 2 prim reduce --n 5 --out "$name"
    done
    [ -z "$(ls -A)" ]
    for name in x.npy x.bin x -; do
        GPUFILTER_MEMORY=8M gf prim sort --n 5 --repeat 1 --out "$name" >piped 2>/dev/null
        [ "$(head -c 6 "${name/#-/piped}" | od -An -tx1 | tr -d ' ')" = 934e554d5059 ]
    done
}

@test "bool is 0 and 1, in arrays" {
    npy in.npy '|b1' '3,' 01 00 01
    prim reduce --in in.npy --op sum --json
    [ "$(json '[.type, .result]')" = '["u8",2]' ]
    err_is "note: in.npy: npy: bool is read as u8, 0 and 1"
}

@test "--device names the devices of primitives only" {
    fails 2 prim reduce --n 5 --device moon
    err_is "error: --device is 'moon': must be auto, cpu, $(gpu_words)"
    fails 2 prim reduce --n 5 --device reference
    err_has "a primitive's judge is its variant 'sequential'"
}

# "cuda or cuda:N", as this build calls it
gpu_words() {
    if is_emulated; then echo "emu or emu:N"; else echo "cuda or cuda:N"; fi
}
