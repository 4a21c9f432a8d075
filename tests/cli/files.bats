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
