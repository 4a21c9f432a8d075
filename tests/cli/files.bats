# Whole files or none: failing writes, in = out.
load common

@test "IN = OUT is safe" {
    ramp a.npy
    works a.npy a.npy --stages invert
    [ "$(samples a.npy)" = "ff ef df cf bf af 9f 8f" ]
    works a.npy a.npy --stages invert
    [ "$(samples a.npy)" = "00 10 20 30 40 50 60 70" ]
    fails 2 a.npy a.npy --stages nonsense
    [ "$(samples a.npy)" = "00 10 20 30 40 50 60 70" ]
    only_files a.npy
}

@test "two outputs are never one file, however they are spelled" {
    ramp
    mkdir sub
    ln -s o.npy link
    local other
    for other in ./o.npy sub/../o.npy "$PWD/o.npy" link; do
        fails 2 ramp.npy "$other" --format npy --stages invert --report o.npy
        err_is "error: OUT and --report are one file: $other is o.npy"
        [ ! -e o.npy ]
    done
    fails 2 ramp.npy o.npy --stages invert --report o.npy
    err_is "error: OUT and --report are both o.npy"
    run --separate-stderr -2 bash -c '"$GPUFILTER_BIN" ramp.npy - --format npy --report o.npy >o.npy'
    err_is "error: OUT and --report are one file: - is o.npy"
    mkfifo fifo
    run --separate-stderr -2 timeout 20 "$GPUFILTER_BIN" ramp.npy fifo --format npy --report ./fifo
    err_is "error: OUT and --report are one file: fifo is ./fifo"
    works ramp.npy sub/o.npy --stages invert --report o.npy
    [ "$(samples sub/o.npy)" = "ff ef df cf bf af 9f 8f" ]
}

@test "a file of --pipeline is not replaced, nor an input that comes through standard input" {
    ramp
    echo invert >p.txt
    fails 2 ramp.npy out.npy --pipeline p.txt --report ./p.txt
    err_is "error: --report and --pipeline are one file: ./p.txt is p.txt"
    fails 2 ramp.npy p.txt --format npy --pipeline p.txt
    err_is "error: OUT and --pipeline are both p.txt"
    echo blur >q.txt
    fails 2 ramp.npy p.txt --format npy --pipeline p.txt --pipeline q.txt
    run --separate-stderr -2 bash -c '"$GPUFILTER_BIN" - out.npy --stages invert --report ramp.npy <ramp.npy'
    err_is "error: IN and --report are one file: - is ramp.npy"
    [ "$(cat p.txt q.txt)" = $'invert\nblur' ]
    works ramp.npy ./ramp.npy --pipeline p.txt
    [ "$(samples ramp.npy)" = "ff ef df cf bf af 9f 8f" ]
    works ramp.npy p.txt --format npy --pipeline p.txt --explain
    only_files ramp.npy p.txt q.txt
}

@test "a full device" {
    ramp
    fails 4 ramp.npy /dev/full --format npy
    err_has "No space left on device"
    run --separate-stderr -4 bash -c '"$GPUFILTER_BIN" ramp.npy - --format png >/dev/full'
    err_has "No space left on device"
    fails 4 ramp.npy out.npy --stages stats --report /dev/full
    err_has "/dev/full: cannot write: No space left on device"
    run --separate-stderr -4 bash -c '"$GPUFILTER_BIN" ramp.npy --stages stats >/dev/full'
    err_is "error: standard output: No space left on device"
}

# Runs its words in the folder full, a file system of its own with the mount options given: on_tmpfs OPTIONS words...
on_tmpfs() {
    unshare -rm true 2>/dev/null || skip "mounting is not permitted"
    mkdir -p full
    run --separate-stderr unshare -rm bash -c 'mount -t tmpfs -o "$1" none full && cp big.npy full 2>/dev/null
        cd full && "$GPUFILTER_BIN" "${@:2}"; code=$?; ls -A >&2; exit $code' - "$@"
}

@test "a file system that is full" {
    npy big.npy '|u1' '300, 500' < <(head -c 150000 /dev/urandom)
    on_tmpfs size=200k big.npy out.npy --stages invert
    [ "$status" = 4 ]
    err_is "error: out.npy: cannot write: No space left on device"
    [ "${stderr_lines[*]:1}" = big.npy ]
    on_tmpfs size=200k big.npy big.npy --stages invert
    [ "$status" = 4 ]
    [ "${stderr_lines[*]:1}" = big.npy ]
    on_tmpfs size=1m,nr_inodes=2 big.npy out.png
    [ "$status" = 4 ]
    err_is "error: out.png: cannot create a file in its folder: No space left on device"
    on_tmpfs size=1m,nr_inodes=3 big.npy out.png -q --stages stats --report r.json
    [ "$status" = 4 ]
    err_is "error: r.json: cannot create a file in its folder: No space left on device"
    [ "${stderr_lines[*]:1}" = "big.npy out.png" ]
}

@test "few descriptors" {
    local n code whole=0
    ramp
    for n in 3 4 5 6 7 8 9 10; do
        code=0
        (ulimit -n $n && exec "$GPUFILTER_BIN" ramp.npy out.npy --stages invert) 2>err.txt || code=$?
        if [ $code = 0 ]; then
            whole=$((whole + 1))
            [ "$(samples out.npy)" = "ff ef df cf bf af 9f 8f" ]
            rm out.npy
        fi
        only_files ramp.npy err.txt
    done
    [ $whole -ge 1 ]
}

@test "closed standard descriptors" {
    ramp
    run --separate-stderr -4 bash -c '"$GPUFILTER_BIN" ramp.npy - --format png >&-'
    err_is "error: standard output: cannot write: Bad file descriptor"
    run --separate-stderr -4 bash -c '"$GPUFILTER_BIN" ramp.npy out.npy --stages invert,stats >&-'
    err_is "error: standard output: Bad file descriptor"
    [ "$(samples out.npy)" = "ff ef df cf bf af 9f 8f" ]
    run --separate-stderr -3 bash -c '"$GPUFILTER_BIN" - out.npy <&-'
    err_is "error: standard input: cannot read: Bad file descriptor"
    # No file takes the place of a closed one, where a message could land in it.
    npy big.npy '|u1' '3000, 3000' < <(head -c 9000000 /dev/urandom)
    "$GPUFILTER_BIN" big.npy big.png --png-level 9 <&- >&- 2>&- &
    local pid=$! i
    for ((i = 0; i < 1000; i++)); do
        ! compgen -G '.gpufilter-*' >/dev/null || break
        sleep 0.01
    done
    for i in 0 1 2; do
        [ "$(readlink /proc/$pid/fd/$i)" = /dev/null ]
    done
    kill $pid
    wait $pid || true
    only_files ramp.npy out.npy big.npy
}

@test "a folder that is missing, is read only, or is the target" {
    ramp
    fails 4 ramp.npy missing/out.npy --stages invert
    err_is "error: missing/out.npy: cannot create it in its folder: No such file or directory"
    mkdir folder.npy
    fails 4 ramp.npy folder.npy --stages invert
    err_is "error: folder.npy: is a folder, not a file"
    fails 4 ramp.npy --stages stats --report missing/r.json
    err_is "error: missing/r.json: cannot create it in its folder: No such file or directory"
    if [ "$(id -u)" != 0 ]; then
        mkdir locked && chmod 555 locked
        fails 4 ramp.npy locked/out.npy --stages invert
        err_is "error: locked/out.npy: cannot create it in its folder: Permission denied"
        rmdir locked
    fi
    only_files ramp.npy folder.npy
}

@test "--no-clobber" {
    ramp
    echo mine >out.npy
    fails 4 ramp.npy out.npy --stages invert --no-clobber
    err_is "error: out.npy: exists, and --no-clobber keeps it"
    [ "$(cat out.npy)" = mine ]
    works ramp.npy new.npy --stages invert --no-clobber
    only_files ramp.npy out.npy new.npy
}

@test "a failing job leaves an existing output alone" {
    ramp
    echo mine >out.npy
    head -c 100 ramp.npy >short.npy
    fails 3 short.npy out.npy --stages invert
    [ "$(cat out.npy)" = mine ]
    only_files ramp.npy short.npy out.npy
}

@test "links and modes stay" {
    ramp
    echo >target.json
    chmod 640 target.json
    ln -s target.json link.json
    works ramp.npy --stages stats --report link.json
    [ -L link.json ]
    [ "$(stat -c %a target.json)" = 640 ]
    [ "$(jq -r .version target.json)" = 0.1.0 ]
    (umask 027 && "$GPUFILTER_BIN" ramp.npy --stages stats --report new.json >/dev/null)
    [ "$(stat -c %a new.json)" = 640 ]
    only_files ramp.npy target.json link.json new.json
}
