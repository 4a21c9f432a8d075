# script/test: its parts, and that they run all lists of suites.
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
}

@test "a part that does not exist is refused before anything is built, with those there are" {
    GPUFILTER_TEST_DIR=$BATS_TEST_TMPDIR/none run -2 script/test emulated hurried
    [ "$output" = "test: no part 'hurried': full, emulated, faults, release, sanitized, threads, fuzz, vendor" ]
    [ ! -e "$BATS_TEST_TMPDIR/none" ]
}

@test "every list of tests/suites.cmake is run by the parts that it says, and those by full" {
    full=$(sed -n 's/^    full) parts+=(\(.*\)) ;;$/\1/p' script/test)
    count=0
    while read -r list parts; do
        for part in $parts; do
            [ "$part" != gpu ] || continue # script/test-gpu
            [[ " $full " == *" $part "* ]]
            sed -n "/^part_$part() {/,/^}/p" script/test | grep -q "suites $list " || { echo "part $part does not run $list" && return 1; }
            count=$((count + 1))
        done
    done < <(sed -n 's/^set(gf_parts_\([a-z_]*\) \(.*\))$/\1 \2/p' tests/suites.cmake)
    [ "$count" -ge 14 ]
    grep -qx 'exec script/test full' .ci/run
}

@test "nvcc compiles nothing where the receipt is of these kernels, and what builds them has not changed since" {
    eval "$(sed -n '/^kernels_known() {/,/^}/p' script/test)"
    nvcc() { :; }
    export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
    mkdir -p "$BATS_TEST_TMPDIR/tree"/{kernels,script,tests}
    cp script/kernel-hash "$BATS_TEST_TMPDIR/tree/script"
    cd "$BATS_TEST_TMPDIR/tree"
    git init -q
    touch CMakeLists.txt kernels/CMakeLists.txt kernels/a.cu
    echo "kernels $(script/kernel-hash)" >tests/gpu-receipt.txt
    git add . && git commit -qm receipt
    kernels_known
    echo text >README.md && git add . && git commit -qm text
    kernels_known
    GPUFILTER_TEST_WHOLE=1 run ! kernels_known
    echo a >tests/a.cu && git add . && git commit -qm test
    run ! kernels_known
    echo kernels >tests/gpu-receipt.txt && git commit -qam unknown
    run ! kernels_known
    echo "kernels $(script/kernel-hash)" >tests/gpu-receipt.txt && git commit -qam receipt
    kernels_known
    echo b >kernels/a.cu
    run ! kernels_known
    git checkout -q . && git clone -q --depth 1 "file://$PWD" shallow && cd shallow
    run ! kernels_known
}
