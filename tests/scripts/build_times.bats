# script/build-times: the table, what is compared with docs/measured/build.csv, and the launcher that measures.
bats_require_minimum_version 1.5.0

setup() {
    script=$BATS_TEST_DIRNAME/../../script/build-times
    cd "$BATS_TEST_TMPDIR"
    export GPUFILTER_BUILD_CSV=$PWD/build.csv
    mkdir -p build/CMakeFiles/3
    printf '%s\n' CMAKE_BUILD_TYPE:STRING=Release CMAKE_CUDA_ARCHITECTURES:UNINITIALIZED=90a-real CMAKE_CUDA_FLAGS:STRING= >build/CMakeCache.txt
    for language in C CUDA; do
        printf 'set(CMAKE_%s_COMPILER_ID "Maker")\nset(CMAKE_%s_COMPILER_VERSION "1.2")\n' $language $language >build/CMakeFiles/3/CMake${language}Compiler.cmake
    done
    printf '%s\n' '# C: Maker 1.2 Release' '# CUDA: Maker 1.2 90a-real' language,object,seconds CUDA,k/a.cu,20 CUDA,k/b.cu,10 CUDA,k/dear.cu,100 \
        C,k/c.c,5 C,k/d.c,5 >build.csv
}

# took SECONDS OBJECT...: what the launcher wrote down, and the objects
took() {
    while [ $# != 0 ]; do
        echo "$1 $2" >>build/compile-times
        mkdir -p "build/${2%/*}"
        : >"build/$2"
        shift 2
    done
}

# Everything as in build.csv, on a machine of half the speed.
as_known() {
    took 40 kernels/CMakeFiles/k.dir/pixel/a.cu.o 20 kernels/CMakeFiles/k.dir/b.cu.o 200 kernels/CMakeFiles/k.dir/x/y/dear.cu.o \
        10 kernels/CMakeFiles/k.dir/c.c.o 10 kernels/CMakeFiles/k.dir/d.c.o
}

@test "a slower machine is no fault; the dearest come first, then the sums" {
    as_known
    took 99 tests/CMakeFiles/test_x.dir/x/test_x.c.o # tests are not compared
    run -0 "$script" build
    [ "${lines[0]}" = "   200.0 s  k/dear.cu" ]
    [ "${lines[1]}" = "    99.0 s  test_x/test_x.c" ]
    [[ $output == *"   260.0 s  CUDA, 3 objects"* ]]
    [[ $output == *"CUDA takes 2.00 of the seconds in $PWD/build.csv"* ]]
    run -0 "$script" --tap build
    [ "${lines[-2]}" = "ok 1 - no object became dearer" ]
    [ "${lines[-1]}" = 1..1 ]
}

@test "a new object above 40 s, a dear one that grew, and a sum that grew, are named" {
    as_known
    took 90 kernels/CMakeFiles/k.dir/new.cu.o
    run -1 "$script" build
    [[ $output == *"k/new.cu costs 45 s, more than 40 s"* ]]
    [[ $output == *"CUDA costs 175 s in all, more than 1.1 x 130 s"* ]]
    [[ $output != *"C costs 1"* ]]
    rm build/kernels/CMakeFiles/k.dir/new.cu.o # of what is gone nothing counts
    run -0 "$script" build
    took 260 kernels/CMakeFiles/k.dir/x/y/dear.cu.o # the last time counts
    run -1 "$script" --tap build
    [[ $output == *"# k/dear.cu costs 130 s, more than 125 s"* ]]
    [ "${lines[-2]}" = "not ok 1 - no object became dearer" ]
}

@test "what came out of ccache counts nowhere, and where most did nothing is compared" {
    as_known
    took 0.05 kernels/CMakeFiles/k.dir/pixel/a.cu.o 90 kernels/CMakeFiles/k.dir/new.cu.o
    run -1 "$script" build
    [[ $output == *"CUDA costs 155 s in all, more than 1.1 x 110 s"* ]]
    took 0.05 kernels/CMakeFiles/k.dir/b.cu.o 0.05 kernels/CMakeFiles/k.dir/c.c.o
    run -0 "$script" --tap build
    [[ $output == *"not compared: CUDA: 2 of 3 dear objects came out of ccache; C: 1 of 2 "* ]]
    [[ ${lines[-2]} == "ok 1 - no object became dearer # SKIP CUDA: 2 of 3 dear objects came out of ccache; C: 1 of 2"* ]]
}

@test "other flags, no figures, and the times of .ninja_log are not compared" {
    as_known
    sed -i 's/^CMAKE_CUDA_FLAGS:.*/&-G/' build/CMakeCache.txt
    run -0 "$script" build
    [ "${lines[-2]}" = "C takes 2.00 of the seconds in $PWD/build.csv" ]
    [ "${lines[-1]}" = "not compared: CUDA: by Maker 1.2 90a-real -G, not Maker 1.2 90a-real" ]
    run -0 "$script" --tap build
    [ "${lines[-2]}" = "ok 1 - no object became dearer" ]
    GPUFILTER_BUILD_CSV=none run -0 "$script" build
    [ "${lines[-1]}" = "not compared: CUDA: no figures in none; C: no figures in none" ]
    rm build/compile-times
    printf '# ninja log v5\n0\t1500\t0\tkernels/CMakeFiles/k.dir/d.c.o\tab\n0\t9000\t0\tgone.o\tab\n' >build/.ninja_log
    run -0 "$script" build
    [ "${lines[0]}" = "     1.5 s  k/d.c" ]
    [ "${lines[-1]}" = "not compared: seconds are of .ninja_log, which a loaded machine prolongs" ]
    rm build/.ninja_log
    run -2 "$script" build
}

@test "--csv prints the rows that are then compared with" {
    as_known
    took 0.5 kernels/CMakeFiles/k.dir/e.c.o 0.25 kernels/CMakeFiles/k.dir/f.c.o
    "$script" --csv build >new.csv
    grep -qx 'CUDA,k/dear.cu,200' new.csv
    ! grep -q k/e.c new.csv || return 1 # too little to count
    GPUFILTER_BUILD_CSV=new.csv run -0 "$script" build
    [[ $output == *"takes 1.00 of"* ]]
}

@test "the launcher measures processor time of what succeeds, and hands on the status" {
    cd build
    "$script" --of sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; : >"$2"' - -o a.o
    [[ $(cat compile-times) =~ ^[0-9]+\.[0-9][0-9]\ a\.o$ ]]
    [ "$(cut -d' ' -f1 compile-times)" != 0.00 ]
    run -3 "$script" --of sh -c 'exit 3' - -o b.o
    [ "$(wc -l <compile-times)" = 1 ]
}
