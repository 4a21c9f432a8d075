# Common to the tests of the program. GPUFILTER_BIN names it; every test runs in an empty folder.
bats_require_minimum_version 1.5.0

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    unset GPUFILTER_DEVICE GPUFILTER_THREADS GPUFILTER_MEMORY
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
}

gf() {
    "$GPUFILTER_BIN" "$@"
}

# How this build calls its GPU: cuda, or emu where it is emulated.
gpu() {
    gf devices | sed -n '2s/[: ].*//p'
}

# npy FILE DESCR SHAPE [HEX...]: a .npy file; the samples as hexadecimal bytes, or from standard
# input when none are given. npy a.npy '|u1' '2, 3' 00 10 20 30 40 50
npy() {
    local file=$1 header="{'descr': '$2', 'fortran_order': False, 'shape': ($3), }"
    shift 3
    local padding=$(((64 - (10 + ${#header} + 1) % 64) % 64))
    local length=$((${#header} + padding + 1))
    {
        printf '\x93NUMPY\x01\x00'
        printf "\\x$(printf %02x $((length % 256)))\\x$(printf %02x $((length / 256)))"
        printf "%s%${padding}s\n" "$header" ""
        if (($#)); then
            local escaped
            printf -v escaped '\\x%s' "$@"
            printf %b "$escaped" # at once: bats follows each command
        else
            cat
        fi
    } >"$file"
}

# The samples of a .npy file that the program wrote, as hexadecimal bytes.
samples() {
    local low high
    read -r low high < <(od -An -tu1 -j8 -N2 "$1")
    tail -c +$((10 + low + 256 * high + 1)) "$1" | od -An -v -tx1 | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}

# A gray ramp of 4 x 2, u8: 00 10 20 30 / 40 50 60 70
ramp() {
    npy "${1:-ramp.npy}" '|u1' '2, 4' 00 10 20 30 40 50 60 70
}

# An RGB picture of 2 x 2, u8.
colours() {
    npy "${1:-colours.npy}" '|u1' '2, 2, 3' ff 00 00 00 ff 00 00 00 ff 80 80 80
}

# Standard output is exactly the lines given; run with --separate-stderr.
out_is() {
    local expected
    expected=$(printf '%s\n' "$@")
    [ "$output" = "$expected" ] || { printf 'stdout is:\n%s\nmust be:\n%s\n' "$output" "$expected"; return 1; }
}

# The first line of standard error is "gpufilter: TEXT".
err_is() {
    [ "${stderr_lines[0]}" = "gpufilter: $1" ] ||
        { printf 'stderr is:\n%s\nmust begin:\ngpufilter: %s\n' "$stderr" "$1"; return 1; }
}

# Standard error contains the text.
err_has() {
    [[ $stderr == *"$1"* ]] || { printf 'stderr is:\n%s\nmust have:\n%s\n' "$stderr" "$1"; return 1; }
}

# The program fails: fails CODE words...
fails() {
    local code=$1
    shift
    run --separate-stderr "-$code" "$GPUFILTER_BIN" "$@"
    [ -z "$output" ] || { echo "stdout is not empty: $output"; return 1; }
}

works() {
    run --separate-stderr -0 "$GPUFILTER_BIN" "$@"
}

# No file but these is in the folder.
only_files() {
    local found
    found=$(ls -A | sort | tr '\n' ' ')
    [ "$found" = "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" ] || { echo "files: $found"; return 1; }
}

# A sanitizer takes memory of its own, which --memory counts.
without_sanitizer() {
    ! grep -q __asan_init "$GPUFILTER_BIN" || skip "a sanitizer takes memory of its own"
}
