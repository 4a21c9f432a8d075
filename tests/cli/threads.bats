load common

# u8 noise of 600 x 400.
noise() {
    npy noise.npy '|u1' '400, 600' < <(awk 'BEGIN { for (i = 0; i < 240000; i++) printf "%c", 33 + (i * i + i / 7) % 90 }')
}

@test "as many threads as the process has processors" {
    command -v taskset >/dev/null || skip "there is no taskset"
    ramp
    run --separate-stderr -0 taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" \
        "$GPUFILTER_BIN" ramp.npy out.npy --stages blur --device cpu --explain
    [[ ${lines[2]} == "device   cpu, 1 thread ("* ]]
}

@test "where a thread cannot be had, those there are do the work" {
    local command=("$GPUFILTER_BIN") most
    noise
    works noise.npy expected.npy --stages blur:1.5,equalize --device cpu --threads 1
    if [ "$(id -u)" = 0 ]; then # whom the limit does not bind: as a user whom nobody is
        command -v setpriv >/dev/null || skip "the limit is void for root, and there is no setpriv"
        command=(setpriv --reuid 61357 --regid 61357 --clear-groups "$GPUFILTER_BIN")
        (cd / && "${command[@]}" --version) >/dev/null || skip "the limit is void for root, and no other can run the program"
    fi
    export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # who looks for leaks wants a thread of its own
    for most in 1 2 3; do
        (cd / && ulimit -u $most && exec "${command[@]}" - - --format npy --stages blur:1.5,equalize --device cpu --threads 4) \
            <noise.npy >out.npy
        cmp expected.npy out.npy
    done
    command=("${command[@]}" prim sort --n 1000000 --threads 4 --device cpu)
    (cd / && ulimit -u 2 && exec "${command[@]}") | grep -q '^'
}
