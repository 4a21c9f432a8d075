# What a run may ask for: --memory and --limit.
load common

@test "--memory too small" {
    npy big.npy '|u1' '256, 256' < <(head -c 65536 /dev/zero)
    fails 6 big.npy out.npy --stages blur,blur --memory 1K
    err_has "memory limit"
    only_files big.npy
}

@test "--limit" {
    npy big.npy '|u1' '64, 32' < <(head -c 2048 /dev/zero)
    fails 3 big.npy out.npy --stages blur --limit pixels=2047
    err_has "claims 32 x 64 pixels, beyond the limit of 2047"
    [ "${stderr_lines[1]}" = "  to allow it: --limit pixels=2K" ]
    fails 3 big.npy out.npy --stages blur --limit width=1K --limit width=31
    err_has "beyond the limit of 31"
    fails 3 - out.npy --stages blur --limit input=1K <big.npy
    only_files big.npy
    works big.npy out.npy --stages blur --limit pixels=2K --limit height=64 --limit input=4K
    fails 2 big.npy out.npy --stages blur --limit pixel=2K
    err_has "--limit is 'pixel': must be width, height, pixels, input, metadata or decoder; did you mean 'pixels'?"
    fails 2 big.npy out.npy --stages blur --limit pixels
    err_has "must be NAME=N"
    fails 2 big.npy out.npy --stages blur --limit pixels=0
    err_is "error: --limit pixels is '0': must be a whole number from 1, as it is or with K, M, G or T (powers of 1024)"
}

# The option that the message proposes is taken until it works: that must not take many rounds.
allowed() { # FILE NAME=N
    local file=$1 round options=("--limit $2")
    for round in 1 2 3 4; do
        run --separate-stderr "$GPUFILTER_BIN" "$file" out.npy ${options[@]}
        [ "$status" != 0 ] || return 0
        [ "$status" = 3 ]
        [[ $stderr == *"beyond the limit of "* || $stderr == *" the limit of "* ]]
        [[ ${stderr_lines[1]} =~ ^"  "(to allow it|a higher one)": "(--limit ${2%%=*}=[0-9]+[KMGT]?)$ ]]
        options+=("${BASH_REMATCH[2]}")
    done
    return 1
}

@test "a limit says which --limit it is, with a value that will do" {
    ramp
    works ramp.npy a.png
    npy wide.npy '|u1' '3, 2000' < <(head -c 6000 /dev/zero)
    for file in ramp.npy a.png wide.npy; do
        for name in width height pixels input; do
            allowed $file $name=1
        done
    done
    allowed a.png decoder=1
    allowed ramp.npy metadata=9
    fails 3 wide.npy out.npy --limit pixels=5999
    err_is "error: wide.npy: claims 2000 x 3 pixels, beyond the limit of 5999"
    [ "${stderr_lines[1]}" = "  to allow it: --limit pixels=6000" ]
    works --help
    [[ $output == *"  width=1000000 height=1000000 pixels=256M input=4G "* ]]
    fails 2 ramp.npy out.npy --limit pixels
    err_is "error: --limit is 'pixels': must be NAME=N, as pixels=400M, NAME one of width, height, pixels, input, metadata or decoder; gpufilter help limits"
}
