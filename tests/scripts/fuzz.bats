#!/usr/bin/env bats
# script/fuzz: what it says where something is missing, and that the ledger adds up. Fuzzing itself is not run.

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
    export GPUFILTER_FUZZ_DIR=$BATS_TEST_TMPDIR/fuzz
}

# A PATH with these commands only.
only() {
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    for command in "$@"; do
        ln -s "$(command -v "$command")" "$BATS_TEST_TMPDIR/bin/$command"
    done
}

@test "a target that is none is named, with those there are" {
    run script/fuzz avif
    [ "$status" = 2 ]
    [[ "$output" == "fuzz: no target 'avif': png jpeg "*" calls mtx edges cube params journal inflate wav flac csv tiff webp gif heif y4m tar server" ]]
}

@test "a number is needed" {
    run script/fuzz --runs many png
    [ "$status" = 2 ]
    [ "$output" = "fuzz: --runs takes a number" ]
}

@test "without clang it says what to install" {
    only bash dirname mkdir sed grep git paste
    PATH=$BATS_TEST_TMPDIR/bin run script/fuzz build
    [ "$status" = 2 ]
    [ "$output" = "fuzz: clang is not installed (Debian: clang libclang-rt-dev)" ]
}

@test "corpora needs a folder of files" {
    GPUFILTER_CORPORA='' run script/fuzz corpora
    [ "$status" = 2 ]
    [ "$output" = "fuzz: GPUFILTER_CORPORA is not set: a folder of files" ]
}

@test "sources that are not there are named" {
    command -v clang >/dev/null || skip "no clang"
    mkdir -p "$BATS_TEST_TMPDIR/sources/zlib-1"
    touch "$BATS_TEST_TMPDIR/sources/zlib-1/inflate.c"
    GPUFILTER_FUZZ_SOURCES=$BATS_TEST_TMPDIR/sources run script/fuzz-libraries address "$BATS_TEST_TMPDIR/out"
    [ "$status" = 1 ]
    [ "$output" = "fuzz-libraries: no libpng* with pngread.c in $BATS_TEST_TMPDIR/sources" ]
}

@test "total adds the ledger up" {
    run script/fuzz total
    [ "$status" = 0 ]
    sum=$(awk -F, 'NR > 1 { n += $5 } END { printf "%d", n }' docs/measured/fuzz.csv)
    [[ "${lines[-1]}" == *" all "*" $sum executions"* ]]
    [ "${#lines[@]}" = $(($(awk -F, 'NR > 1 { print $3 }' docs/measured/fuzz.csv | sort -u | wc -l) + 1)) ]
}

@test "each target has its line in the ledger" {
    for target in $(sed -n 's/^GF_FUZZ_TARGET(\(.*\))$/\1/p' tests/fuzz/targets.def); do
        grep -q "^[^,]*,[^,]*,$target,[0-9]*,[1-9]" docs/measured/fuzz.csv || { echo "no line of $target" && false; }
    done
}

@test "as a test it is skipped without clang" {
    only bash dirname mkdir sed grep git paste
    PATH=$BATS_TEST_TMPDIR/bin run script/fuzz --tap --seconds 1
    [ "$status" = 0 ]
    [ "${lines[0]}" = "ok 1 - fuzzing # SKIP clang is not installed (Debian: clang libclang-rt-dev)" ]
    [ "${lines[1]}" = "1..1" ]
}
