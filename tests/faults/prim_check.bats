# The check of `prim` and `bench` against a fault that is planted: with scan_chunk_carry of kernels/base/array_faults.def the
# CPU's scan loses a carry. Run by script/test-faults.
load ../cli/common

@test "without the fault the check agrees" {
    GPUFILTER_MEMORY=8M works prim scan --n 400000 --device cpu --repeat 1 --out out.npy --json
    [ "$(jq .checked <<<"$output")" = true ]
    [ -s out.npy ]
}

@test "a failed check exits 7, says where, and writes nothing" {
    GPUFILTER_MEMORY=8M GPUFILTER_FAULT=scan_chunk_carry run --separate-stderr -7 "$GPUFILTER_BIN" prim scan --n 400000 --device cpu --repeat 1 --out out.npy --json
    [ "$(jq .checked <<<"$output")" = false ]
    err_has "error: scan, variant auto on cpu"
    err_has "is wrong: element "
    err_has ", must be "
    [ -z "$(ls -A)" ]
}

@test "--algo all shows the wrong one among the others, and exits 7" {
    GPUFILTER_MEMORY=8M GPUFILTER_FAULT=scan_chunk_carry run --separate-stderr -7 "$GPUFILTER_BIN" prim scan --n 400000 --device cpu --algo all --repeat 1 --json
    [ "$(jq -c 'map(select(.checked == false) | [.algo, .device[:3]])' <<<"$output")" = '[["auto","cpu"]]' ]
    [ "$(jq 'map(select(.checked == true)) | length == 2' <<<"$output")" = true ]
}

@test "bench exits 7, and its row says no" {
    GPUFILTER_MEMORY=8M GPUFILTER_FAULT=scan_chunk_carry run --separate-stderr -7 "$GPUFILTER_BIN" bench E2 --n 400000 --device cpu --repeat 1
    [[ $output == *"    auto, CPU "*" no time: the result is wrong"* ]]
    grep -q '^E2,scan,auto,cpu,400000,.*,no,[^,]*,,$' E2.csv
    grep -q '^E2,scan,sequential,cpu,400000,.*,yes,[^,]*,,$' E2.csv
}
