# script/emu-coverage, on a small tree of its own.
bats_require_minimum_version 1.5.0

setup() {
    mkdir -p "$BATS_TEST_TMPDIR"/{script,kernels/a,tests/emu}
    cp "$BATS_TEST_DIRNAME/../../script/emu-coverage" "$BATS_TEST_TMPDIR/script"
    cd "$BATS_TEST_TMPDIR"
    : >tests/emu/exempt.txt
    cat >kernels/a/one.cu <<'END'
/* __global__ void no_kernel(int a); nor is what // hides */ // __global__ void nor_this() {}
static __global__ void __launch_bounds__(32, (bounds<C, f(2)>::blocks)) first(const struct p a)
{
}
END
    printf 'template <int N>\nstatic __global__ void\n    second(int a) {}\n' >kernels/a/two.cuh
}

coverage() { # ARGUMENTS: what it prints is $output, its end $status
    run script/emu-coverage "$@"
}

@test "one seed is one schedule, and seeds add up" {
    for seed in $(seq 16); do
        printf '1 1 first\n3 3 second\n1 1 of_a_test\n' >$seed
    done
    coverage {1..16}
    [ "$status" = 0 ]
    [ "$output" = "ok 1 - first: 16 launches, 16 schedules (kernels/a/one.cu)
ok 2 - second: 48 launches, 48 schedules (kernels/a/two.cuh)
1..2" ]
    coverage {1..15}
    [ "$status" = 1 ]
    [ "${lines[0]}" = "not ok 1 - first: 15 launches, 15 schedules; 16 needed (kernels/a/one.cu)" ]
}

@test "within a file the most schedules of a process count" {
    printf '30 10 first\n9 9 first\n20 16 second\n' >a
    coverage a
    [ "$status" = 1 ]
    [ "${lines[0]}" = "not ok 1 - first: 39 launches, 10 schedules; 16 needed (kernels/a/one.cu)" ]
    coverage --least 10 a
    [ "$status" = 0 ]
}

@test "a kernel without a launch fails" {
    echo '99 99 first' >a
    coverage --least 1 a
    [ "$status" = 1 ]
    [ "${lines[1]}" = "not ok 2 - second: 0 launches, 0 schedules; 1 needed (kernels/a/two.cuh)" ]
}

@test "a twin stands in for an exempt kernel" {
    echo 'second first made of instructions of one chip' >tests/emu/exempt.txt
    echo '99 99 first' >a
    coverage a
    [ "$status" = 0 ]
    [[ ${lines[1]} == "ok 2 - second is exempt, made of instructions of one chip; its twin first: 99 launches"* ]]
}

@test "a stale or wrong exemption fails" {
    printf '99 99 first\n99 99 second\n' >a
    for line in 'second first reason' 'third first reason' 'second first'; do
        echo "$line" >tests/emu/exempt.txt
        coverage a
        [ "$status" = 1 ]
    done
    echo '99 99 first' >a
    for line in 'second third reason' 'first second reason'; do
        echo "$line" >tests/emu/exempt.txt
        coverage a
        [ "$status" = 1 ]
    done
}

@test "two kernels of one name, a bad line, no kernels" {
    printf '99 99 first\n99 99 second\n' >a
    cp kernels/a/two.cuh kernels/a/three.cu
    coverage a
    [[ $status = 1 && $output == *"second is the name of two kernels, in kernels/a/three.cu and kernels/a/two.cuh"* ]]
    rm kernels/a/three.cu
    echo 'first' >>a
    coverage a
    [[ $status = 1 && $output == *"a:3: no line of GF_EMU_COVERAGE: first"* ]]
    rm kernels/a/*
    echo '99 99 first' >a
    coverage a
    [ "$status" = 1 ]
    coverage absent
    [ "$status" = 2 ]
}

@test "kernels of one folder, whatever is exempt elsewhere" {
    mkdir kernels/b
    mv kernels/a/two.cuh kernels/b
    echo '99 99 first' >a
    coverage --in kernels/a a
    [ "$status" = 0 ]
    [ "$output" = "ok 1 - first: 99 launches, 99 schedules (kernels/a/one.cu)
1..1" ]
    echo 'second first made of instructions of one chip' >tests/emu/exempt.txt
    coverage --in kernels/a/ a
    [ "$status" = 0 ]
    coverage --in kernels/b a
    [ "$status" = 0 ]
    echo 'third first reason' >tests/emu/exempt.txt
    coverage --in kernels/a a
    [ "$status" = 1 ]
    [[ $output == *"tests/emu/exempt.txt names a kernel that does not exist, third"* ]]
    coverage --in kernels/absent a
    [ "$status" = 1 ]
    [[ $output == *"not ok "*" - there are kernels"* ]]
}

@test "kernels that a macro makes are told one by one" {
    printf '#define KERNEL(name) \\\n    static __global__ void a_##name##_b(int x) {}\n\nKERNEL(red)\nKERNEL(blue)\n' >kernels/a/three.cu
    printf '1 1 first\n1 1 second\n2 2 a_blue_b\n' >a
    coverage --least 1 a
    [ "$status" = 1 ]
    [[ $output == *"not ok 2 - a_red_b: 0 launches, 0 schedules; 1 needed (kernels/a/three.cu)"* ]]
    [[ $output == *"ok 3 - a_blue_b: 2 launches, 2 schedules (kernels/a/three.cu)"* ]]
}
