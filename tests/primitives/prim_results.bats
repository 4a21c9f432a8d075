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
