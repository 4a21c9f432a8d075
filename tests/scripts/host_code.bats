# Host code of .cu files. Where it calls a function that only the device has, from a template, nvcc says nothing and
# puts a call of exit in its place: the program then ends without a word.

@test "no host code of a kernel calls what only the device has" {
    local folder
    folder=$(dirname "$GPUFILTER_BIN")/kernels/CMakeFiles/gf_kernels_cuda.dir
    [ -d "$folder" ] || skip "built without CUDA"
    objects=$(find "$folder" -name '*.cu.o')
    [ "$(wc -l <<<"$objects")" -gt 40 ]
    calls=$(nm -A -u $objects | grep -E ' U exit$' || true)
    echo "$calls"
    [ -z "$calls" ]
}
