# gpufilter prim: devices, and what a variant there takes.
load ../cli/common
load common_prim

@test "without a GPU: CPU variants run, those of CUDA say why they cannot" {
    ! is_emulated || skip "the device is emulated"
    ! "$GPUFILTER_BIN" devices | grep -q '^cuda:' || skip "there is a GPU"
    fails 5 prim reduce --n 100 --device cuda
    err_has "there is no"
    works prim reduce --n 100 --algo all --repeat 1
    if [[ $("$GPUFILTER_BIN" version) == *"no CUDA backend"* ]]; then
        err_has "no variants for CUDA: no CUDA backend: there is no libgpufilter_cuda.so in "
        fails 5 prim scan --algo blelloch
        err_has "error: scan, variant blelloch, is for CUDA, and not here: no CUDA backend: "
        fails 2 prim scan --algo blellock
        err_is "error: --algo is 'blellock': must be sequential, auto, cpu-loop or all"
        [[ ${stderr_lines[1]} == "gpufilter: no variants for CUDA: no CUDA backend: "* ]]
    else
        [[ $output == *"  basic              cuda:0  -       there is no"* ]]
    fi
    works prim reduce --n 100 --repeat 1 --json
    [ "$(json .device)" = '"cpu"' ]
}

@test "on the emulated device: checked, and no times" {
    is_emulated || skip "the device is not emulated"
    works prim reduce --n 5000 --device emu --json
    [ "$(json '[.device[:3], .checked, .time_us, .gbps, .copy_fraction]')" = '["emu",true,null,null,null]' ]
    works prim reduce --n 1000 --algo all --device emu --json --type u32
    [ "$(json 'length >= 4 and (map(.checked) | all)')" = true ]
}

# Sizes made small: variants and options are there, and no commands are left out.
@test "the commands of the course run" {
    is_emulated || skip "the device is not emulated"
    local line commands=0
    "$GPUFILTER_BIN" bench --list >list
    while read -r line; do
        commands=$((commands + 1))
        if [[ $line == "gpufilter bench "* ]]; then
            grep -q "^ *$(cut -d ' ' -f 3 <<<"$line") " list || { echo "$line: no such experiment"; return 1; }
            continue
        fi
        line=$(sed -E 's/ +#.*//; s/--block [0-9]+//; s/2\^[0-9]+/2^10/g; s/[0-9]{4,}/50/g; s/[0-9]+M/60/g; s/rmat:22/rmat:6/' <<<"$line")
        # shellcheck disable=SC2086 # words of a command
        works ${line#gpufilter } --repeat 1 --device emu || { echo "$line: $stderr"; return 1; }
    done < <(sed -n '/^## From naive to fast/,/^## Variants/s/^    \(gpufilter [pb].*\)/\1/p' "$BATS_TEST_DIRNAME"/../../docs/primitives/*.md)
    [ $commands -gt 60 ]
}

@test "--device emu needs the emulated device" {
    ! is_emulated || skip "the device is emulated"
    run --separate-stderr "$GPUFILTER_BIN" prim reduce --n 100 --device emu
    [ "$status" = 5 ] || [ "$status" = 2 ]
    err_has "emu"
}

@test "a parameter that the variant has not is ignored, and said to be" {
    works prim reduce --n 100 --device cpu --tile 64 --threads 1 --repeat 1
    err_is "variant auto on cpu has no tile: --tile changes nothing"
    [ "${#stderr_lines[@]}" = 1 ]
    works prim search --n 100 --at last --algo sort-bsearch --k 3 --block 64 --repeat 1
    err_is "variant sort-bsearch on cpu has no block: --block changes nothing"
    [ "${stderr_lines[1]}" = "gpufilter: variant sort-bsearch on cpu has no unroll: --k changes nothing" ]
    if is_emulated; then
        works prim search --n 100 --at last --algo unrolled --k 3 --block 64
        [ -z "$stderr" ]
    fi
}
