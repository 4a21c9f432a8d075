# The module of CUDA: found beside the program or not, refused, and used. GPUFILTER_BIN is the program; where a module lies
# beside it, emulated or nvcc's, the chains run on it.
load ../cli/common

# The program where no module lies beside it.
alone() {
    [ "$(ldd "$GPUFILTER_BIN" | grep -c libgpufilter)" = 0 ] || skip "the program is not one file"
    cp "$GPUFILTER_BIN" alone
    GPUFILTER_BIN=$PWD/alone
    [[ $(gf version) != *"CUDA      "@(available|emulated)* ]] || skip "CUDA is linked into the program"
}

has_module() {
    MODULE=$(dirname "$GPUFILTER_BIN")/libgpufilter_cuda.so
    [ -e "$MODULE" ] || skip "no module was built"
}

has_device() {
    has_module
    gf devices | grep -qE '^(cuda|emu):0 ' || skip "no device"
}

@test "without the module the program is one for the CPU, and says what is missing" {
    alone
    works version
    [ "${lines[1]}" = "CUDA      no CUDA backend: there is no libgpufilter_cuda.so in $PWD; nvcc builds it (docs/install.md)" ]
    works devices
    [[ ${lines[1]} == "cuda      none: there is no device cuda:0: no CUDA backend: there is no libgpufilter_cuda.so in $PWD; "* ]]
    ramp
    fails 5 ramp.npy out.npy --stages invert --device cuda
    err_has "no CUDA backend: there is no libgpufilter_cuda.so in $PWD"
    [ ! -e out.npy ]
    works ramp.npy out.npy --stages invert --device auto
    works ramp.npy out.npy --stages invert,blur:2 --verify
    fails 5 prim reduce --n 100 --device cuda
    err_has "no CUDA backend"
    works prim reduce --help
    [[ $output == *"cuda  none: there is no CUDA backend"* ]]
}

@test "the current folder is not where it is looked for" {
    alone
    mkdir elsewhere
    cd elsewhere
    echo nonsense >libgpufilter_cuda.so
    LD_LIBRARY_PATH=$PWD works version
    [[ ${lines[1]} == *"there is no libgpufilter_cuda.so in $(dirname "$GPUFILTER_BIN");"* ]]
}

@test "what the environment names must be a whole path" {
    alone
    for path in libgpufilter_cuda.so ./libgpufilter_cuda.so ""; do
        GPUFILTER_CUDA_MODULE=$path works version
        [ "${lines[1]}" = "CUDA      no CUDA backend: GPUFILTER_CUDA_MODULE is '$path': must be the whole path of a libgpufilter_cuda.so" ]
    done
    GPUFILTER_CUDA_MODULE=$PWD/none.so works version
    [[ ${lines[1]} == "CUDA      no CUDA backend: $PWD/none.so: cannot open shared object file: No such file or directory" ]]
}

@test "a file that is no shared object is refused" {
    alone
    echo "nonsense" >libgpufilter_cuda.so
    works version
    [[ ${lines[1]} == "CUDA      no CUDA backend: $PWD/libgpufilter_cuda.so: "* ]]
    : >libgpufilter_cuda.so
    works version
    [[ ${lines[1]} == "CUDA      no CUDA backend: $PWD/libgpufilter_cuda.so: file too short" ]]
    ramp
    fails 5 ramp.npy out.npy --stages invert --device cuda
    err_has "$PWD/libgpufilter_cuda.so"
    works ramp.npy out.npy --stages invert
}

@test "a module that cannot be read is refused" {
    alone
    mkdir libgpufilter_cuda.so
    works version
    [[ ${lines[1]} == "CUDA      no CUDA backend: $PWD/libgpufilter_cuda.so: "* ]]
    rmdir libgpufilter_cuda.so
    [ "$(id -u)" != 0 ] || skip "root reads everything"
    echo >libgpufilter_cuda.so
    chmod 0 libgpufilter_cuda.so
    works version
    [[ ${lines[1]} == *"Permission denied"* ]]
}

# library NAME C source: a shared object
library() {
    command -v cc >/dev/null || skip "no cc"
    echo "$2" | cc -shared -fPIC -xc - -o "$1"
}

@test "a shared object that is no module is refused" {
    alone
    library libgpufilter_cuda.so 'int gf_other;'
    works version
    [ "${lines[1]}" = "CUDA      no CUDA backend: $PWD/libgpufilter_cuda.so is not the CUDA module of gpufilter: it has no symbol gf_cuda_module" ]
}

@test "a module of another version is refused, and both are named" {
    alone
    library libgpufilter_cuda.so 'const char gf_cuda_module[64] = "0.0.9, interface 123456789abc";'
    works version
    [[ ${lines[1]} =~ ^"CUDA      no CUDA backend: $PWD/libgpufilter_cuda.so is of gpufilter 0.0.9, interface 123456789abc, and the library of 0.1.0, interface "[0-9a-f]{12}": install both from one build" ]]
    library libgpufilter_cuda.so 'const char gf_cuda_module[64] = "0.1.0, interface 123456789abc";'
    ramp
    fails 5 ramp.npy out.npy --stages invert --device cuda
    err_has "is of gpufilter 0.1.0, interface 123456789abc, and the library of 0.1.0, interface "
    # Of one that has no end only what belongs to it is read.
    library libgpufilter_cuda.so 'const char gf_cuda_module[64] = "0123456789012345678901234567890123456789012345678901234567890123";'
    works version
    [[ ${lines[1]} == *"gpufilter 0123456789012345678901234567890123456789012345678901234567890123, and"* ]]
}

@test "the module is found beside the program, by a link to it, and where the environment says" {
    has_module
    works version
    [[ ${lines[1]} == "CUDA      available" || ${lines[1]} == "CUDA      emulated on the CPU, for tests" ]]
    found=${lines[1]}
    ln -s "$GPUFILTER_BIN" by_link
    run ./by_link version
    [ "${lines[1]}" = "$found" ]
    cp "$GPUFILTER_BIN" alone
    mkdir elsewhere
    cp "$MODULE" elsewhere/other_name.so
    GPUFILTER_CUDA_MODULE=$PWD/elsewhere/other_name.so run ./alone version
    [ "${lines[1]}" = "$found" ]
}

@test "chains, batches and primitives run on the module" {
    has_device
    device=$(gpu)
    colours
    for stages in invert blur:2,sobel gray,equalize median:5 gray,threshold:0.5,label gray,distance clahe rotate:2.5 dct stats,hist; do
        works colours.npy out.npy --stages "$stages" --device "$device" --verify
    done
    ramp a.npy
    ramp b.npy
    works batch --stages invert,blur:2 --device "$device" -o done a.npy b.npy
    [ -s done/a.npy ] && [ -s done/b.npy ]
    gf a.npy alone.npy --stages invert,blur:2 --device cpu
    cmp alone.npy done/a.npy
    for primitive in reduce scan sort compact histogram; do
        works prim "$primitive" --n 1000 --device "$device" --algo all --repeat 1
        [[ $output != *"not built"* ]]
    done
}
