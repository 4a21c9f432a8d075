# gpufilter batch where the system has not enough: memory, room on the disk, descriptors; and inputs that never end.
load common

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    unset GPUFILTER_DEVICE GPUFILTER_THREADS GPUFILTER_MEMORY
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
}

# N pictures of noise, WIDTH x WIDTH.
noise() { # N WIDTH
    local i
    mkdir in
    for ((i = 1; i <= $1; i++)); do
        npy "in/n$(printf %03d "$i").npy" '|u1' "$2, $2" < <(head -c $(($2 * $2)) /dev/urandom)
    done
}

go() { # words...
    run --separate-stderr "$GPUFILTER_BIN" batch in -o out --stages invert --progress json "$@"
}

# How many files ended in each way: "done skipped failed".
ended() {
    jq -c 'select(.summary).summary | [.done, .skipped, .failed]' <<<"$output"
}

# The most memory that it had, in KiB: most words...
most() {
    /usr/bin/time -f %M -o most.txt "$GPUFILTER_BIN" "$@" >out.txt 2>&1 || { cat out.txt && return 1; }
    tail -n 1 most.txt
}

@test "formats that are written as a whole, of pictures that work in bands: as a single run" {
    without_sanitizer
    head -c 24000000 /dev/urandom | npy rgb.npy '|u1' "2000, 4000, 3"
    head -c 16000000 /dev/zero | npy f32.npy '<f4' "2000, 2000"
    for format in bmp tga; do
        works batch rgb.npy -o out --stages blur:2 --format $format --memory 44M --progress off
        gf -q rgb.npy one.$format --stages blur:2
        cmp out/rgb.$format one.$format
    done
    works batch f32.npy -o out --stages blur:2 --format pfm --memory 30M --progress off
    gf -q f32.npy one.pfm --stages blur:2
    cmp out/f32.pfm one.pfm
}

@test "pictures that are held as a whole count within --memory" {
    command -v /usr/bin/time >/dev/null || skip "no /usr/bin/time"
    without_sanitizer
    head -c 24000000 /dev/urandom | npy rgb.npy '|u1' "2000, 4000, 3"
    mkdir in
    gf -q rgb.npy in/1.bmp
    for i in 2 3 4 5 6; do ln in/1.bmp in/$i.bmp; done
    kib=$(most batch in -o out --format png --stages blur:2 --memory 44M --threads 6 --progress off)
    [ "$kib" -lt 75000 ] || { echo "$kib KiB" && return 1; }
}

@test "few descriptors: files wait for them, and none fails" {
    noise 200 20
    for most in 20 11 8; do
        rm -rf out
        (ulimit -n $most && "$GPUFILTER_BIN" batch in -o out --stages invert --progress json --threads 8 --journal j$most >out.txt)
        [ "$(jq -c 'select(.summary).summary | [.done, .failed]' out.txt)" = "[200,0]" ]
        [ "$(ls out | wc -l)" = 200 ]
        [ "$(jq -r 'select(.status == "done").input' j$most | sort -u | wc -l)" = 200 ]
    done
}

@test "a disk that is full ends the batch, which goes on from there when there is room" {
    [ -w /dev/full ] || skip "no /dev/full"
    noise 40 20
    mkdir out
    ln -s /dev/full out/n003.npy
    go --journal j --threads 1
    [ "$status" = 4 ]
    err_has "error: out/n003.npy: cannot write: No space left on device"
    err_has "no more files are begun: there is no room for them. Make some, and run it again with --resume"
    [ "$(jq -c 'select(.status == "failed") | [.input, .again]' j)" = '["in/n003.npy",true]' ]
    [ "$(jq -r 'select(.status == "done").input' j | wc -l)" = 2 ]
    rm out/n003.npy
    go --journal j --resume
    [ "$status" = 0 ]
    [ "$(ended)" = "[38,2,0]" ]
    for f in in/*; do
        gf -q "$f" one.npy --stages invert
        cmp one.npy "out/${f#in/}"
    done
}

@test "on a full disk many at once end it once, and no file is noted as failed for good" {
    noise 60 20
    mkdir out
    for f in in/*; do # links to one device would be one output
        mknod "out/${f#in/}" c 1 7 2>/dev/null || skip "makes no device"
    done
    [[ $(cat in/n003.npy 2>&1 >out/n003.npy) = *"No space left"* ]] || skip "a device made here is not /dev/full"
    go --journal j --threads 8
    [ "$status" = 4 ]
    [ "$(grep -c 'no more files are begun' <<<"$stderr")" = 1 ]
    [ "$(jq -r 'select(.status == "failed" and .again != true).input' j | wc -l)" = 0 ]
    rm -r out
    go --journal j --resume
    [ "$(ended)" = "[60,0,0]" ]
}

@test "--resume tries again what was no fault of the file" {
    noise 3 20
    echo spoilt >in/x.npy
    mkdir -p out/n002.npy
    go --journal j
    [ "$status" = 8 ]
    [ "$(ended)" = "[2,0,2]" ]
    [ "$(jq -c 'select(.status == "failed") | [.input, .again]' j | sort | tr '\n' ' ')" = '["in/n002.npy",true] ["in/x.npy",null] ' ]
    rmdir out/n002.npy
    go --journal j --resume
    [ "$status" = 8 ]
    [ "$(ended)" = "[1,2,1]" ]
    err_has "x.npy: it failed before"
}

@test "a pipe or a device is no picture to wait for" {
    noise 1 20
    mkfifo pipe
    ln -s pipe link.png
    run --separate-stderr timeout 20 "$GPUFILTER_BIN" batch pipe in /dev/zero link.png -o out --stages invert --progress json --format npy --threads 1
    [ "$status" = 8 ]
    [ "$(ended)" = "[1,0,3]" ]
    for name in pipe /dev/zero link.png; do
        err_has "$name: is a pipe, device or socket, and a batch reads only files"
    done
    run --separate-stderr timeout 20 "$GPUFILTER_BIN" batch --from - -o out --stages invert --progress json --format npy <<<pipe
    [ "$(ended)" = "[0,0,1]" ]
}

@test "standard output that fails is said once, and as what" {
    noise 60 20
    for threads in 1 8; do
        run --separate-stderr bash -c "trap '' PIPE; '$GPUFILTER_BIN' batch in -o out --stages invert --progress json --threads $threads | true; exit \${PIPESTATUS[0]}"
        [ "$status" = 4 ]
        [ "$stderr" = "gpufilter: error: standard output: Broken pipe" ]
        run --separate-stderr bash -c "'$GPUFILTER_BIN' batch in --stages stats --threads $threads >/dev/full"
        [ "$status" = 4 ]
        [ "$stderr" = "gpufilter: error: standard output: No space left on device" ]
    done
}

@test "nothing waits by a clock that can be set back" {
    command -v strace >/dev/null && strace -o /dev/null true || skip "no strace"
    noise 2 20
    mkfifo pipe
    export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # who looks for leaks is a tracer too
    strace -f -o calls.txt "$GPUFILTER_BIN" batch --from - -o out --stages invert --journal j --progress off <pipe &
    pid=$!
    exec 7>pipe
    ls in/* >&7
    sleep 1
    exec 7>&-
    wait $pid
    grep -q 'futex.*tv_nsec' calls.txt
    ! grep 'futex.*CLOCK_REALTIME.*tv_nsec' calls.txt
}

@test "another encoder is another plan" {
    noise 2 20
    echo 'const char *zlibVersion(void) { return "0.9"; }' >v.c
    cc -shared -fPIC -o v.so v.c 2>/dev/null || skip "no compiler"
    LD_PRELOAD=$PWD/v.so gf version >/dev/null 2>&1 || skip "the program cannot be given another zlib"
    go --format png --journal j
    go --format png --journal j --resume
    [ "$(ended)" = "[0,2,0]" ]
    LD_PRELOAD=$PWD/v.so go --format png --journal j --resume
    [ "$(ended)" = "[2,0,0]" ]
    LD_PRELOAD=$PWD/v.so go --format png --journal j --resume
    [ "$(ended)" = "[0,2,0]" ]
}
