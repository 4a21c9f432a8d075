# gpufilter prim: the results by hand, the checks, the table, JSON, and what it refuses.
load ../cli/common
load common_prim

@test "prim lists primitives, variants, types" {
    works prim
    [[ $output == *"reduce: "* ]]
    for name in $(sed -n 's/^\([a-z_]*\): .*/\1/p' <<<"$output"); do
        works prim "$name" --help
        [ "${lines[0]%% prim *}" = gpufilter ]
        for only in values2:merge side:bounds weights:histogram_2d unique:run_length edges:histogram mode:search; do
            [ "$(grep -c "^  --${only%:*} " <<<"$output")" = "$([ "$name" = "${only#*:}" ] && echo 1 || echo 0)" ]
        done
        [ "$(grep -c '^  cpu   sequential  ' <<<"$output")" = 1 ]
        [ "$(grep -c '^  cpu   auto  ' <<<"$output")" = 1 ]
        [[ $output == *"--algo NAME"* && $output == *"  types "* ]]
    done
}

@test "the help of a primitive has its types and its words only" {
    has() { # PRIMITIVE OPTION TEXT
        works prim "$1" --help
        [ "$(sed -n "s/^  --$2  *//p" <<<"$output")" = "$3" ] || { echo "$output"; return 1; }
    }
    has matmul 'type TYPE' 'u8 f32 f64'
    has matmul 'shape MxKxN' 'rows of a, its columns, columns of b'
    has stencil 'shape MxKxN' 'rows, columns'
    has scan 'op OP' 'sum min max'
    has reduce_by_key 'op OP' 'sum product min max argmin argmax and or'
    has ragged 'data KIND' 'skew:K zipf'
    has stencil 'in FILE' 'a .npy file of two'
    has bounds 'm N' 'keys (as many)'
    has histogram_2d 'bins N' 'COLUMNSxROWS (64x64), or COLUMNS of one array'
    has sort 'in FILE' 'the elements from a .npy file of one dimension'
    has sort 'values FILE' '.npy of values that travel along; index: 0, 1, 2...'
    has compact 'flags FILE' '--keep flags: .npy of u8'
    has bfs 'data KIND' ''
    works prim
    for name in $(sed -n 's/^\([a-z_]*\): .*/\1/p' <<<"$output"); do # no option names another primitive
        works prim "$name" --help
        ! grep -E '^  --' <<<"$output" | grep -E '  (reduce|scan|sort|merge|top_k|matmul|spmv|stencil|fft|bfs|sssp|ragged|compact|search|histogram)[,:]'
        [ "$(sed -n 's/^  --type TYPE  *//p' <<<"$output")" = "$(sed -n 's/^  types //p' <<<"$output")" ]
    done
}

@test "help on a primitive or an experiment leads there" {
    works help matmul
    [ "${lines[0]}" = "matmul: the product of two dense matrices; gpufilter prim matmul --help says more" ]
    [[ ${lines[1]} == "  docs/primitives/matmul.md, "* ]]
    works help S1
    [[ $output == "S1: strided, coalesced"*"; gpufilter bench S1 runs it" ]]
    fails 2 help redduce
    err_has "did you mean 'reduce'?"
    fails 2 prim searchsorted
    err_has "what others call searchsorted is bounds here: gpufilter prim bounds --help"
}

# The CPU's and, where CUDA is built or emulated, CUDA's variants, by exactly these names.
@test "every variant is there by its name" {
    while read -r primitive names; do
        works prim "$primitive" --help
        for name in $names; do
            [[ $name == cuda ]] && { [[ $output == *"cuda  none: there is no CUDA backend"* ]] && break || continue; }
            grep -qE "^  (cpu |cuda)  $name " <<<"$output" || { echo "$primitive has no $name"; return 1; }
        done
    done <<'END'
reduce sequential auto cuda basic two-per-thread shuffle
scan sequential auto cpu-loop cuda quadratic naive efficient hillis-steele blelloch
compact sequential auto cpu-loop cpu-direct cpu-scan cuda scatter-naive scatter-efficient
sort sequential auto cpu-loop cuda bitonic radix-1bit radix-1bit-lookback merge
merge sequential auto cuda rank
partition sequential auto
top_k sequential auto
segmented_sort sequential auto
segmented_reduce sequential auto
segmented_scan sequential auto
run_length sequential auto
unique_by_key sequential auto
adjacent_difference sequential auto cuda naive
histogram_2d sequential auto cuda naive
bounds sequential auto cuda naive
reduce_by_key sequential auto
scan_by_key sequential auto
histogram sequential auto cuda naive naive-wide shared shared-skip
search sequential auto cpu-loop sort-bsearch cuda strided coalesced unrolled full
matmul sequential auto cuda naive tiled register-tiled
spmv sequential auto cuda scalar-row vector-row
stencil sequential auto cuda naive shared
fft sequential auto naive stockham
bfs sequential auto cuda frontier
sssp sequential auto cuda bellman-ford
components sequential auto cuda label-propagation
ragged sequential auto cuda simple frame combined smart
END
}

@test "every primitive, every type, every kind of data: checked" {
    works prim
    for name in $(sed -n 's/^\([a-z_]*\): .*/\1/p' <<<"$output"); do
        works prim "$name" --help
        help=$output types=$(sed -n 's/^  types//p' <<<"$output") size=(--n 1001) n=1001
        [[ $output == *"  --shape "* ]] && size=(--shape 7x143x143)
        [[ $name == stencil || $name == fft ]] && size=(--shape 7x143)
        [[ $output == *"  --graph "* ]] && size=(--graph grid:13x77)
        [[ $output == *"  --nx "* ]] && size=(--nx 1001)
        for type in $types; do
            prim "$name" "${size[@]}" --type $type --device cpu --json
            [ "$(json '[.primitive, .algo, .device, .n, .type, .checked]')" = "[\"$name\",\"auto\",\"cpu\",$n,\"$type\",true]" ]
        done
        [[ $help == *"  --graph "* || $help == *"  --nx "* ]] && continue
        for data in random unique sorted reverse constant ramp twovalued density:0.1 runs:3.5; do
            prim "$name" "${size[@]}" --data $data --device cpu --threads 2 --json
            [ "$(json '[.data, .n, .checked]')" = "[\"$data\",$n,true]" ]
        done
    done
}

@test "JSON has every field, and times are positive" {
    prim reduce --n 1e5 --device cpu --json
    [ "$(json 'keys')" = '["algo","checked","copy_fraction","copy_gbps","data","device","gbps","max_difference","n","parameters","primitive","repeat","result","time_us","type"]' ]
    [ "$(json '[.time_us, .gbps, .copy_fraction, .copy_gbps] | map(. > 0) | all')" = true ]
    [ "$(json '.repeat')" = 2 ]
    # the bandwidth is that of 4 bytes an element, in the time
    [ "$(json '(.gbps - 4e5 / .time_us / 1e3 | fabs) < 0.001 * .gbps')" = true ]
    [ "$(json '(.copy_fraction - .gbps / .copy_gbps | fabs) < 0.001')" = true ]
}

@test "numbers of elements" {
    for pair in 7:7 2K:2048 2k-1:2047 2^10:1024 2^10-3:1021 2^10+1:1025 1e3:1000 12e2:1200 0:0 1e0-1:0; do
        prim reduce --n "${pair%:*}" --device cpu --json
        [ "$(json .n)" = "${pair#*:}" ]
    done
    for wrong in '' x -1 1.5 2^ 2^64 9e30 3-4 5x 5- 1e; do
        fails 2 prim reduce --n "$wrong"
        err_is "error: --n is '$wrong': must be a whole number from 0, like 500000, 16M, 2^24-3 or 1e6"
    done
}

@test "the same seed is the same data, another is not" {
    prim reduce --n 5000 --seed 1 --json
    first=$(json .result)
    prim reduce --n 5000 --seed 1 --json
    [ "$(json .result)" = "$first" ]
    prim reduce --n 5000 --seed 2 --json
    [ "$(json .result)" != "$first" ]
}

@test "reduce, by hand" {
    i32 in.npy 3 -5 7 -5 2
    for pair in sum:2 product:1050 min:-5 max:7 argmin:1 argmax:2 and:2 or:-1 mean:0.4 xor:6 any:1 all:1; do
        prim reduce --in in.npy --op "${pair%:*}" --json
        [ "$(json '[.result, .type, .n, .checked]')" = "[${pair#*:},\"i32\",5,true]" ]
    done
    prim reduce --in in.npy --op var --json
    [ "$(json '.result | map_values(. * 1e6 | round / 1e6)')" = '{"mean":0.4,"var":22.24}' ]
    prim reduce --in in.npy --op max
    [ "${lines[0]#*: }" = "5 i32, in.npy, op=max" ]
    [ "${lines[1]}" = "  result     7" ]
    [ "${lines[2]}" = "  checked    yes, every byte is that of 'sequential'" ]
}

@test "scan, by hand" {
    i32 in.npy 3 -5 7 -5 2
    prim scan --in in.npy --out out.npy
    [ "$(numbers out.npy)" = "0 3 -2 5 0" ]
    prim scan --in in.npy --out out.npy --kind inclusive
    [ "$(numbers out.npy)" = "3 -2 5 0 2" ]
    prim scan --in in.npy --out out.npy --kind inclusive --op max
    [ "$(numbers out.npy)" = "3 3 7 7 7" ]
    npy u8.npy '|u1' '3,' c8 c8 01
    prim scan --in u8.npy --out out.npy
    [ "$(samples out.npy)" = "00 c8 90" ]
    prim scan --in u8.npy --out out.npy --out-type u32 --kind inclusive --json
    [ "$(numbers out.npy)" = "200 400 401" ]
    [ "$(json .result)" = '{"last":401}' ]
}

@test "compact, by hand" {
    npy in.npy '|u1' '6,' 05 00 ff 07 00 05
    for rule in 'nonzero:05 ff 07 05' 'eq.5:05 05' 'ne.5:00 ff 07 00' 'lt.6:05 00 00 05' 'le.5:05 00 00 05' 'gt.5:ff 07' 'ge.7:ff 07'; do
        keep=${rule%%:*}
        prim compact --in in.npy --out out.npy --keep "${keep/./:}" --json
        [ "$(samples out.npy)" = "${rule#*:}" ]
        [ "$(json .result.count)" = "$(wc -w <<<"${rule#*:}")" ]
    done
    prim compact --in in.npy --out out.npy --keep gt:5 --indices
    [ "$(numbers out.npy)" = "2 3" ]
    npy flags.npy '|u1' '6,' 01 01 00 00 00 09
    prim compact --in in.npy --out out.npy --keep flags --flags flags.npy
    [ "$(samples out.npy)" = "05 00 05" ]
    prim compact --in in.npy --out none.npy --keep gt:255
    [ -z "$(samples none.npy)" ]
}

@test "compact: half stays, but of random elements where they are compared" {
    prim compact --n 10000 --json
    [ "$(json .data)" = '"density:0.5"' ]
    [ "$(json '.result.count | . > 4500 and . < 5500')" = true ]
    prim compact --n 10000 --keep ge:64 --json
    [ "$(json .data)" = '"random"' ]
    [ "$(json '.result.count | . > 7200 and . < 7800')" = true ]
}

@test "sort and merge, by hand" {
    i32 in.npy 3 -5 7 -5 2
    prim sort --in in.npy --out out.npy --values index --values-out from.npy
    [ "$(numbers out.npy)" = "-5 -5 2 3 7" ]
    [ "$(numbers from.npy)" = "1 3 4 0 2" ]
    prim sort --in in.npy --out out.npy --values in.npy --values-out from.npy --order desc --json
    [ "$(numbers out.npy)" = "7 3 2 -5 -5" ]
    [ "$(numbers from.npy)" = "7 3 2 -5 -5" ]
    [ "$(json .result)" = '{"first":7,"last":-5}' ]
    i32 a.npy -5 2 7
    i32 b.npy -6 2 9
    prim merge --in a.npy --in2 b.npy --out out.npy
    [ "$(numbers out.npy)" = "-6 -5 2 2 7 9" ]
    prim merge --in a.npy --in2 b.npy --out out.npy --values index --values-out from.npy
    [ "$(numbers from.npy)" = "3 0 1 4 2 5" ]
    prim merge --in a.npy --in2 b.npy --out out.npy --values b.npy --values2 a.npy --values-out from.npy
    [ "$(numbers from.npy)" = "-5 -6 2 2 9 7" ]
    fails 2 prim merge --in a.npy --in2 b.npy --values b.npy
    err_is "error: merge takes values of both arrays, --values A --values2 B, or makes both, --values index; then there is --values-out"
    fails 3 prim merge --in a.npy --in2 b.npy --values in.npy --values2 a.npy
    err_is "error: in.npy: holds 5 values of i32, must hold 3 of 4 or 8 bytes"
    fails 3 prim merge --in a.npy --in2 in.npy
    err_is "error: in.npy: element 1 is out of order, -5 behind 3: merge takes arrays that ascend, unless --order is desc"
}

@test "partition, by hand" {
    i32 in.npy 3 -5 7 -5 2
    prim partition --in in.npy --out out.npy --keep lt:3 --json
    [ "$(numbers out.npy)" = "-5 -5 2 3 7" ]
    [ "$(json .result)" = '{"count":3}' ]
    prim partition --in in.npy --out out.npy --keep lt:3 --indices
    [ "$(numbers out.npy)" = "1 3 4 0 2" ]
    fails 2 prim partition --in in.npy --keep lt
    err_is "error: --keep is 'lt': must have a value, like lt:128"
}

@test "top_k, by hand" {
    i32 in.npy 3 -5 7 -5 2 7
    prim top_k --in in.npy --m 3 --out out.npy --values-out from.npy --json
    [ "$(numbers out.npy)" = "7 7 3" ]
    [ "$(numbers from.npy)" = "2 5 0" ]
    [ "$(json .result)" = '{"first":7,"at":2,"last":3}' ]
    prim top_k --in in.npy --m 2 --order asc --out out.npy --values-out from.npy
    [ "$(numbers out.npy)" = "-5 -5" ]
    [ "$(numbers from.npy)" = "1 3" ]
    fails 2 prim top_k --in in.npy --m 7
    err_is "error: --m is 7: there are 6 elements, of which top_k takes --m"
}

@test "segmented_sort, by hand" {
    i32 in.npy 3 -5 7 -5 2 1
    npy offsets.npy '<i8' '4,' 00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 \
        03 00 00 00 00 00 00 00 06 00 00 00 00 00 00 00
    prim segmented_sort --in in.npy --offsets offsets.npy --out out.npy --values index --values-out from.npy
    [ "$(numbers out.npy)" = "-5 3 7 -5 1 2" ]
    [ "$(numbers from.npy)" = "1 0 2 3 5 4" ]
    prim segmented_sort --in in.npy --offsets offsets.npy --out out.npy --order desc
    [ "$(numbers out.npy)" = "7 3 -5 2 1 -5" ]
    fails 2 prim segmented_sort --in in.npy --offsets offsets.npy --segments 3
    err_is "error: segments come from a file, --offsets FILE, or are made, --segments N and --rows HOW"
    fails 3 prim segmented_sort --in in.npy --offsets in.npy
    err_is "error: in.npy: holds 6 offsets of i32, must hold 1 or more of i64"
    npy bad.npy '<i8' '3,' 00 00 00 00 00 00 00 00 07 00 00 00 00 00 00 00 06 00 00 00 00 00 00 00
    fails 3 prim segmented_sort --in in.npy --offsets bad.npy
    err_is "error: bad.npy: offset 2 is 6: they must ascend from 0 to the number of elements, 6"
}

@test "histogram, by hand" {
    npy in.npy '|u1' '6,' 00 01 02 03 03 ff
    prim histogram --in in.npy --bins 2 --range 1:5 --json
    [ "$(json .result)" = '{"counts":[[2,2]],"below":[1],"above":[1],"nan":[0]}' ]
    prim histogram --in in.npy --bins 2 --range 0:4 --channels 2 --json
    [ "$(json .result)" = '{"counts":[[1,2],[1,1]],"below":[0,0],"above":[0,1],"nan":[0,0]}' ]
    # edges 0, 1, 3 as f64
    npy edges.npy '<f8' '3,' 00 00 00 00 00 00 00 00 00 00 00 00 00 00 f0 3f 00 00 00 00 00 00 08 40
    prim histogram --in in.npy --edges edges.npy --json
    [ "$(json .result)" = '{"counts":[[1,2]],"below":[0],"above":[3],"nan":[0]}' ]
    prim histogram --n 1000 --bins 16 --type f32 --json
    [ "$(json '.result.counts[0] | add')" = 1000 ]
}

@test "search, by hand" {
    i32 in.npy 3 -5 7 -5 2
    prim search --in in.npy --value -5 --json
    [ "$(json .result)" = '{"index":1}' ]
    prim search --in in.npy --value -5 --mode count --json
    [ "$(json .result)" = '{"count":2}' ]
    prim search --in in.npy --value 2 --to 3 --mode all --out out.npy --json
    [ "$(json .result)" = '{"count":2}' ]
    [ "$(numbers out.npy)" = "0 4" ]
    prim search --in in.npy --value 4
    [ "${lines[1]}" = "  result     not there" ]
    prim search --in in.npy --at 2 --json
    [ "$(json .result)" = '{"index":2}' ]
}

@test "search: the value is where --at says, and nowhere else" {
    for data in unique constant twovalued random; do
        for place in first:0 middle:500 last:999 absent:-1 77:77; do
            prim search --n 1000 --type u8 --data $data --at "${place%:*}" --json
            [ "$(json '[.result.index, .checked]')" = "[${place#*:},true]" ]
            prim search --n 1000 --type u8 --data $data --at "${place%:*}" --mode count --json
            [ "$(json .result.count)" = $((${place#*:} < 0 ? 0 : 1)) ]
        done
    done
    fails 2 prim search --n 1000 --at 1000
    err_is "error: --at 1000: there are 1000 elements"
    fails 2 prim search --n 1000 --at lats
    err_is "error: --at is 'lats': must be first, middle, last, absent or an index; did you mean 'last'?"
}

@test "arrays of signed integers in and out" {
    npy in.npy '<i2' '3,' 01 00 ff ff 00 80
    prim sort --in in.npy --out out.npy
    [ "$(samples out.npy)" = "00 80 ff ff 01 00" ]
    grep -q "'descr': '<i2'" out.npy
}

@test "standard input and output: arrays; then text goes to standard error" {
    i32 in.npy 3 -5 7
    "$GPUFILTER_BIN" prim sort --in - --out - --repeat 1 <in.npy >out.npy 2>text
    [ "$(numbers out.npy)" = "-5 3 7" ]
    grep -q '^  result     first -5, last 7$' text
    "$GPUFILTER_BIN" prim sort --in in.npy --values index --values-out - --json --repeat 1 2>text | cmp - <(
        "$GPUFILTER_BIN" prim sort --in in.npy --values index --values-out order.npy --repeat 1 >text.out; cat order.npy)
    [ "$(jq -c .result text)" = '{"first":-5,"last":7}' ]
    fails 2 prim sort --n 5 --values index --out - --values-out -
    err_is "error: two results cannot both go to standard output: one of them needs a file"
}

@test "--algo all: a table, and an array of JSON" {
    GPUFILTER_MEMORY=8M works prim reduce --n 5000 --algo all --repeat 1
    [ "${lines[0]}" = "reduce of 5000 f32, random" ]
    [[ ${lines[2]} == "  sequential         cpu     yes "* ]]
    [[ $output == *"  a copy on cpu: "* ]]
    GPUFILTER_MEMORY=8M works prim reduce --n 5000 --algo all --repeat 1 --json
    [ "$(json 'map(select(.device == "cpu") | [.algo, .checked])')" = '[["sequential",true],["auto",true]]' ]
    [ "$(json 'map(.checked != false) | all')" = true ]
}

@test "--verify checks every run; --no-check none" {
    prim reduce --n 1000 --verify --json
    [ "$(json .checked)" = true ]
    prim reduce --n 1000 --no-check --json
    [ "$(json .checked)" = null ]
    fails 2 prim reduce --verify --no-check
    err_is "error: --verify and --no-check: choose one"
}

@test "what is refused: the nearest name and the valid ones" {
    fails 2 prim redduce
    err_has "did you mean 'reduce'?"
    for pair in reduction:reduce prefix_sum:scan bitonic:sort; do
        fails 2 prim "${pair%:*}"
        err_has "what others call ${pair%:*} is ${pair#*:} here: gpufilter prim ${pair#*:} --help"
    done
    fails 2 prim reduce scan
    err_is "error: 'scan' is one word too many: gpufilter prim NAME [options]"
    fails 2 prim reduce --algo sequental
    err_has "error: --algo is 'sequental': must be sequential, auto"
    err_has "did you mean 'sequential'?"
    fails 2 prim reduce --bins 3
    err_is "error: --bins is an option of histogram or histogram_2d, not of reduce"
    fails 2 prim reduce --op summ
    err_is "error: --op is 'summ': must be sum, product, min, max, argmin, argmax, and, or, mean, var, xor, any or all; did you mean 'sum'?"
    fails 2 prim reduce --type u46
    err_has "did you mean 'u16'?"
    fails 2 prim reduce --data densty:0.5
    err_has "error: --data is 'densty:0.5': must be random, unique, sorted"
    fails 2 prim reduce --data density:1.5
    fails 2 prim reduce --bock 128
    err_has "did you mean '--block'?"
    fails 2 prim reduce --n 100 --type f32 --op and
    err_has "and is for integers"
    fails 2 prim reduce --n 100 --block 100
    err_has "block is 100, must be a multiple of 32"
    fails 2 prim reduce --device reference
}

@test "files that do not fit" {
    npy matrix.npy '|u1' '2, 2' 00 01 02 03
    fails 3 prim reduce --in matrix.npy
    err_has "a primitive takes an array of one dimension"
    i32 in.npy 1 2
    fails 2 prim reduce --in in.npy --n 2
    err_is "error: --in has elements of its own: leave out --n"
    fails 2 prim reduce --in in.npy --type u8
    err_has "holds i32"
    fails 3 prim reduce --in none.npy
    fails 2 prim reduce --in in.npy --algo all --out out.npy
    err_is "error: --out with --algo all: whose result? choose one variant"
    fails 4 prim reduce --in in.npy --out none/out.npy
    only_files in.npy matrix.npy
}
