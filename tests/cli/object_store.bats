# Outputs in folders in which nothing can be renamed, linked, synced or sought, as in mounts of object stores.
load common

setup_file() {
    cc -shared -fPIC -o "$BATS_FILE_TMPDIR/store.so" "$BATS_TEST_DIRNAME/../tools/object_store.c" -ldl 2>/dev/null || true
}

# stored words...: the program where ./store is such a mount
stored() {
    STORE=$PWD/store LD_PRELOAD=$BATS_FILE_TMPDIR/store.so "$GPUFILTER_BIN" "$@"
}

begin() {
    mkdir -p store
    ramp in.npy
    gf in.npy in.png -s resize:64x48
    gf in.png blurred.png -s blur:2
    [ -e "$BATS_FILE_TMPDIR/store.so" ] || skip "no compiler"
    stored version >/dev/null 2>&1 || skip "the program cannot be given other system calls"
    run --separate-stderr -0 stored -v in.png store/probe.png
    [[ $stderr == *"not atomic here"* ]] || skip "the program is static"
    rm store/probe.png
}

# The folder holds no file but these.
holds() {
    [ "$(ls -A store | sort | xargs)" = "$(printf '%s\n' "$@" | sort | xargs)" ] || { ls -A store; return 1; }
}

@test "outputs are written straight to their places, with a note under -v" {
    begin
    for error in 38 1 18 95; do # ENOSYS, EPERM, EXDEV, ENOTSUP
        STORE_ERROR=$error stored in.png store/out.png -s blur:2
        cmp store/out.png blurred.png
        STORE_ERROR=$error stored in.png store/out.png -s invert # over what is there
        cmp store/out.png <(gf in.png - --format png -s invert)
        holds out.png
    done
    run --separate-stderr -0 stored in.png store/out.png -s blur:2
    [ -z "$stderr" ]
    run --separate-stderr -0 stored in.png store/new.npy -v -s gray,hist --report store/report.json
    [[ $stderr == *"store/new.npy: written straight to its place, not atomic here: in its folder no file can be renamed"* ]]
    jq -e .version store/report.json
    holds out.png new.npy report.json
}

@test "elsewhere outputs are renamed as ever" {
    begin
    run --separate-stderr -0 stored in.png out.png -v -s blur:2
    [[ $stderr != *"straight"* ]]
    cmp out.png blurred.png
}

@test "on failure the output is removed" {
    begin
    STORE_CLOSE=5 run --separate-stderr -4 stored in.png store/out.png -s blur:2
    err_is "error: store/out.png: cannot close: Input/output error"
    holds
    gf in.png large.npy -s resize:400x400,convert:f32
    run --separate-stderr -4 bash -c 'ulimit -f 8; STORE=$PWD/store LD_PRELOAD=$1 "$2" large.npy store/out.npy -s invert' - "$BATS_FILE_TMPDIR/store.so" "$GPUFILTER_BIN"
    err_has "store/out.npy: cannot write: File too large"
    holds
}

@test "a failed output that cannot be removed is emptied, and a note says so" {
    begin
    STORE_UNLINK=1 STORE_CLOSE=5 run --separate-stderr -4 stored in.png store/out.png -s blur:2
    err_has "note: store/out.png: cannot be removed (Operation not permitted): it is left empty"
    err_has "error: store/out.png: cannot close: Input/output error"
    [ -f store/out.png ] && [ ! -s store/out.png ]
    STORE_UNLINK=1 STORE_TRUNCATE=1 STORE_CLOSE=5 run --separate-stderr -4 stored in.png store/out.png -s blur:2
    err_has "note: store/out.png: cannot be removed (Operation not permitted): it is left with a part of the output"
    [ -s store/out.png ]
}

@test "what is read is not written straight over" {
    begin
    cp in.png store/in.png
    run --separate-stderr -4 stored store/in.png store/in.png -s blur:2
    err_has "store/in.png: is read, too, and in its folder, where no file can be renamed"
    cmp in.png store/in.png
    stored in.png store/out.png --no-clobber
    run --separate-stderr -4 stored in.png store/out.png --no-clobber
    err_has "exists"
}

@test "a signal, whose header is written once" {
    begin
    head -c 4000 "$GPUFILTER_BIN" >in.raw
    gf in.raw in.wav --raw s16le:8000:1
    stored in.wav store/out.wav -s median:2
    gf in.wav out.wav -s median:2
    gf compare out.wav store/out.wav
}

@test "a batch with its journal goes on" {
    begin
    for name in a b c; do
        cp in.png $name.png
    done
    stored batch a.png b.png c.png -o store/out -s blur:2 --journal store/j --progress off
    for name in a b c; do
        cmp store/out/$name.png blurred.png
    done
    [ "$(jq -r .status store/j | sort | uniq -c | tr -s ' ')" = " 3 done" ] # nothing is known of a file before it is done
    sed -i '/c.png/d' store/j # as if it had been killed while it wrote that one
    truncate -s 40 store/out/c.png
    run --separate-stderr -0 stored batch a.png b.png c.png -o store/out -s blur:2 --journal store/j --resume --progress json
    [ "$(jq -c '.summary | select(.) | [.done,.skipped]' <<<"$output")" = "[1,2]" ]
    cmp store/out/c.png blurred.png
    [ "$(ls -A store/out | tr '\n' ' ')" = "a.png b.png c.png " ]
}

teardown() {
    umount mnt 2>/dev/null || true
}

@test "on a real mount with the rules of Mountpoint for S3" {
    ramp in.npy
    gf in.npy in.png -s resize:64x48
    gf in.png blurred.png -s blur:2
    mkdir mnt
    python3 "$BATS_TEST_DIRNAME/../tools/object_mount.py" "$PWD/mnt" 2>refused 3>&- &
    for ((i = 0; i < 50; i++)); do
        ! mountpoint -q mnt || break
        kill -0 $! 2>/dev/null || break
        sleep 0.1
    done
    mountpoint -q mnt || skip "nothing can be mounted here: $(cat refused)"
    run --separate-stderr -0 timeout 20 "$GPUFILTER_BIN" in.png mnt/out.png -v -s blur:2
    err_has "not atomic here"
    cmp mnt/out.png blurred.png
    run --separate-stderr -4 timeout 20 "$GPUFILTER_BIN" in.png mnt/out.png # it may not be written over
    err_is "error: mnt/out.png: cannot create: Operation not permitted"
    cmp mnt/out.png blurred.png
    cp in.png two.png
    timeout 20 "$GPUFILTER_BIN" batch in.png two.png -o mnt/new -s blur:2 --journal j --progress off
    cmp mnt/new/two.png blurred.png
    run -0 timeout 20 "$GPUFILTER_BIN" batch in.png two.png -o mnt/new -s blur:2 --journal j --resume --progress json
    [[ $output == *'"skipped":2,'* ]]
    run --separate-stderr -4 timeout 20 "$GPUFILTER_BIN" batch in.png -o mnt/more -s blur:2 --journal mnt/j
    err_has "a journal grows line by line: a folder of an object store may not take it"
    run ! grep -v -e "rename or link" -e "unlink .gpufilter-rename" -e "open to" refused # nothing out of order, no cutting
    [ "$(find mnt -type f ! -name '.gpufilter-rename.*' | wc -l)" = 3 ]
}
