# script/layers finds what it is for: each test plants one violation in a copy.
bats_require_minimum_version 1.5.0

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
    mkdir -p script tests kernels/{base,array,include/gpufilter} kernels/pixel/{ir,judge,window/{rank,box}} \
        filters/{lower,include/gpufilter} \
        pipeline/{rates,plan,exec,io,cli,include/gpufilter} samples
    cp "$root/script/layers" script/
    echo 'int base;' >kernels/base/base.h
    echo '#include "base/base.h"' >kernels/pixel/ir/pass.h
    echo '#include "pixel/ir/pass.h"' >filters/lower/lowering.h
    echo '#include "lower/lowering.h"' >pipeline/plan/planning.h
    echo '#include "plan/planning.h"' >pipeline/exec/runs.c
    echo '#include "gpufilter/public.h"' >pipeline/cli/job.c
    echo >pipeline/include/gpufilter/public.h
    printf 'GF_STAGE(%s)\n' invert trim >filters/stages.def
}

planted() { # FILE LINE MESSAGE
    printf '%s\n' "$2" >>"$1"
    run -1 script/layers
    [[ $output == *"$3"* ]]
}

@test "the tree as it is keeps its layers" {
    cd "$root"
    script/layers
}

@test "a small tree that keeps its layers" {
    script/layers
}

@test "an include of a layer above" {
    planted kernels/base/base.h '#include "lower/lowering.h"' "folder kernels/base may not know filters/lower: kernels/base/base.h includes lower/lowering.h"
}

@test "a room knows the door of no other, the judge knows doors only" {
    echo >kernels/pixel/window/rank/rank.h
    echo >kernels/pixel/window/rank/rank_cpu.h
    echo '#include "pixel/window/rank/rank.h"' >kernels/pixel/window/rank/rank_cpu.c
    echo '#include "pixel/window/rank/rank.h"' >kernels/pixel/judge/reference_rank.c
    script/layers
    planted kernels/pixel/window/box/box_cpu.c '#include "pixel/window/rank/rank.h"' \
        "folder kernels/pixel/window/box may not know kernels/pixel/window/rank: kernels/pixel/window/box/box_cpu.c"
    planted kernels/pixel/judge/reference_rank.c '#include "pixel/window/rank/rank_cpu.h"' \
        "folder kernels/pixel/judge may not know kernels/pixel/window/rank: kernels/pixel/judge/reference_rank.c"
}

@test "an include of a folder beside: arrays know no pictures" {
    planted kernels/array/scan.c '#include "pixel/ir/pass.h"' "folder kernels/array may not know kernels/pixel/ir: kernels/array/scan.c"
}

@test "planning knows no execution" {
    echo >pipeline/exec/context_private.h
    planted pipeline/plan/planning.h '#include "exec/context_private.h"' "folder pipeline/plan may not know pipeline/exec"
}

@test "files know no plans" {
    planted pipeline/io/read.c '#include "plan/planning.h"' "folder pipeline/io may not know pipeline/plan"
}

@test "the program and the samples know public headers only" {
    planted pipeline/cli/job.c '#include "pixel/ir/pass.h"' "folder pipeline/cli may not know kernels/pixel/ir"
    planted samples/sample.c '#include "plan/planning.h"' "folder samples may not know pipeline/plan"
}

@test "a public header of a layer above" {
    planted kernels/pixel/ir/pass.h '#include "gpufilter/public.h"' "folder kernels/pixel/ir may not know pipeline/include"
}

@test "the library names no stage, the program may" {
    echo 'int trim;' >filters/trim.h
    echo 'extern int gf_stage_trim;' >>pipeline/cli/job.c
    echo 'extern int gf_stage_trimmed, gf_stage_type;' >>pipeline/exec/runs.c
    script/layers
    planted pipeline/exec/runs.c 'extern int gf_stage_trim;' "a stage by name: pipeline/exec/runs.c:3:extern int gf_stage_trim;"
    planted pipeline/plan/planning.h '#include "trim.h"' 'a stage by name: pipeline/exec/runs.c:3:extern int gf_stage_trim;
pipeline/plan/planning.h:2:#include "trim.h"'
}

@test "a folder without a place" {
    mkdir kernels/trees
    echo >kernels/trees/walk.c
    planted kernels/base/base.h '' "folder kernels/trees has no place"
}

@test "includes that climb, CUDA in C, names used twice" {
    planted filters/lower/lowering.h '#include "../kernels/base/base.h"' "relative include: filters/lower/lowering.h"
    planted kernels/base/host.c '#include <cuda_runtime.h>' "CUDA header: kernels/base/host.c"
    echo >tests/runs.c
    planted kernels/base/base.h '' "file names used twice: runs.c"
}

# compiled FILE CODE: an object where a build would have it
compiled() {
    local target=$BATS_TEST_TMPDIR/build/${1%%/*}/CMakeFiles/lib.dir/${1#*/}.o
    mkdir -p "$(dirname "$target")"
    printf '%s\n' "$2" | cc -xc -c -o "$target" -
}

filled() { # as many objects as a build has at least
    for i in {1..20}; do
        compiled "kernels/base/filler$i.c" "int filler$i = $i;"
    done
    mkdir -p build/{kernels,filters,pipeline}
}

@test "an object that needs a symbol of a folder above" {
    filled
    compiled pipeline/plan/make.c 'int down(void); int plan_make(void) { return down(); }'
    compiled kernels/pixel/ir/down.c 'extern int filler1; int down(void) { return filler1; }'
    compiled pipeline/exec/run.c 'int plan_make(void), puts(const char *); int run(void) { return plan_make() + puts(""); }'
    script/layers build
    compiled pipeline/plan/wrong.c 'int run(void); int wrong(void) { return run(); }'
    run -1 script/layers build
    [ "$output" = "layers: object of pipeline/plan may not need one of pipeline/exec: pipeline/plan/wrong.c needs run" ]
    compiled kernels/array/sort.c 'int down(void); int sort(void) { return down(); }'
    run -1 script/layers build
    [[ $output == *"object of kernels/array may not need one of kernels/pixel/ir: kernels/array/sort.c needs down"* ]]
}

@test "a circle of sources that is too large to be read as one" {
    filled
    for i in {1..8}; do # each needs the next one, the last the first
        compiled "kernels/pixel/part$i.c" "int part$((i % 8 + 1))(void); int part$i(void) { return part$((i % 8 + 1))(); }"
    done
    compiled kernels/pixel/user.c 'int part1(void); int user(void) { return part1(); }'
    script/layers build
    compiled kernels/pixel/part8.c 'int part9(void); int part8(void) { return part9(); }'
    compiled kernels/pixel/part9.c 'int part1(void); int part9(void) { return part1(); }'
    run -1 script/layers build
    [ "$output" = "layers: circle of 9 files, 8 at most:$(printf ' kernels/pixel/part%d.c' {1..9})" ]
}

@test "a kernel that the table does not list" {
    filled
    echo 'GF_KERNEL(blur) /* its arguments */' >kernels/pixel/kernels.def
    compiled kernels/pixel/blur.c 'const int gf_kernel_blur = 1; int gf_kernel_of(void) { return 0; }'
    script/layers build
    compiled kernels/pixel/blurred.c 'const int gf_kernel_blurred = 1;'
    run -1 script/layers build
    [ "$output" = "layers: kernel without a line in kernels.def: gf_kernel_blurred of kernels/pixel/blurred.c" ]
}

@test "a build without objects is none" {
    mkdir -p build/{kernels,filters,pipeline}
    run -1 script/layers build
    [[ $output == *"only 0 objects in build"* ]]
}

@test "the objects of this build keep the layers" {
    [ -n "${GPUFILTER_BIN:-}" ] || skip "GPUFILTER_BIN names no program"
    cd "$root"
    script/layers "$(dirname "$GPUFILTER_BIN")"
}

@test "sources are formatted" {
    command -v clang-format >/dev/null || skip "clang-format is not installed"
    [[ $(clang-format --version) == *"version 14."* ]] || skip "clang-format is not 14: $(clang-format --version)"
    [ -d "$root/.git" ] || [ -f "$root/.git" ] || skip "no git repository to take the list of files from"
    cd "$root"
    script/format --check
}
