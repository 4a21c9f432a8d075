# script/bootstrap and script/demo, with packages, apt-get and cmake that only pretend.
bats_require_minimum_version 1.5.0

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR"
    mkdir bin
    for command in sh env grep sed cat dirname mkdir tail; do
        ln -s "$(command -v "$command")" bin/
    done
    fake id 'echo "${FAKE_ID:-0}"'
    # The words behind the options are installed if they stand in the file installed.
    fake dpkg-query 'while [ "${1#-}" != "$1" ]; do shift; done
        if grep -qx "$1" installed; then printf "install ok installed"; else exit 1; fi'
    # Knows no package of the file unknown, and then installs none of the call, as the real one.
    fake apt-get 'echo "$*" >>calls
        [ "$1" = update ] && exit "${FAKE_UPDATE:-0}"
        for word; do
            if grep -qx -- "$word" unknown; then echo "E: Unable to locate package $word" >&2; exit 100; fi
        done
        for word; do case $word in -* | install) ;; *) echo "$word" >>installed ;; esac; done'
    : >unknown
    : >installed
    : >calls
}

fake() { # NAME SCRIPT
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}

bootstrap() {
    run --separate-stderr env PATH="$PWD/bin" FAKE_ID="${FAKE_ID-}" FAKE_UPDATE="${FAKE_UPDATE-}" "$root/script/bootstrap" "$@"
}

@test "bootstrap: needed packages in one call, optional ones each in its own; then nothing is left to do" {
    bootstrap
    [ "$status" = 0 ]
    [ "$output" = "" ]
    grep -qx 'install -y -q --no-install-recommends gcc g++ cmake ninja-build pkg-config libpng-dev zlib1g-dev' calls
    grep -qx 'install -y -q --no-install-recommends libjpeg-dev' calls
    grep -qx 'install -y -q --no-install-recommends libstb-dev' calls
    : >calls
    bootstrap
    [ "$status" = 0 ]
    [ ! -s calls ]
    bootstrap --test
    grep -qx 'install -y -q --no-install-recommends bats jq' calls
    grep -qx 'install -y -q --no-install-recommends libclang-rt-dev' calls
}

@test "bootstrap: names of packages that are on Debian 12 and on Ubuntu alike" {
    bootstrap --test
    [ "$(grep -c turbo calls)" = 0 ]
}

@test "bootstrap: an optional package that the system does not have stops nothing" {
    echo libjpeg-dev >unknown
    bootstrap
    [ "$status" = 0 ]
    [[ $stderr == *"bootstrap: going on without libjpeg-dev"* ]]
    grep -qx zlib1g-dev installed
    grep -qx libstb-dev installed
}

@test "bootstrap: a needed package that cannot be had is an error" {
    echo libpng-dev >unknown
    bootstrap
    [ "$status" = 100 ]
    [[ $stderr == *"Unable to locate package libpng-dev"* ]]
}

@test "bootstrap: lists that cannot be renewed are a note" {
    FAKE_UPDATE=100 bootstrap
    [ "$status" = 0 ]
    [[ $stderr == *"bootstrap: the lists of packages could not be renewed; trying with those there are"* ]]
    grep -qx cmake installed
}

@test "bootstrap: without root's rights and sudo it names the command, if anything needed is missing" {
    FAKE_ID=1000 bootstrap
    [ "$status" = 1 ]
    [[ $stderr == "bootstrap: run this as root, then try again: apt-get install gcc g++ cmake "*" libstb-dev libisal-dev libflac-dev libtiff-dev libwebp-dev libgif-dev libheif-dev libfreetype-dev fonts-dejavu-core" ]]
    printf '%s\n' gcc g++ cmake ninja-build pkg-config libpng-dev zlib1g-dev >installed
    FAKE_ID=1000 bootstrap
    [ "$status" = 0 ]
    [ "$stderr" = "" ]
    fake sudo 'echo sudo >>calls; exec "$@"'
    FAKE_ID=1000 bootstrap
    [ "$status" = 0 ]
    grep -qx sudo calls
    grep -qx libjpeg-dev installed
}

@test "bootstrap: another system is told what is needed" {
    rm bin/dpkg-query
    bootstrap
    [ "$status" = 0 ]
    [[ $stderr == "bootstrap: not a Debian system; needed are (Debian's names): gcc g++ "* ]]
}

# demo cmake options...: with a cmake that only says what it builds for, and a program that writes empty pictures; nvcc is
# where the file nvcc is.
demo() {
    printf '%s\n' gcc g++ cmake ninja-build pkg-config libpng-dev zlib1g-dev libjpeg-dev libstb-dev libisal-dev libflac-dev libtiff-dev \
        libwebp-dev libgif-dev libheif-dev libfreetype-dev fonts-dejavu-core >installed
    mkdir -p build tree cuda/bin
    for command in cmp tr; do
        ln -sf "$(command -v "$command")" bin/
    done
    cp -r "$root/script" tree/
    cp installed tree/ # the script goes there
    fake cmake "echo \"\$*\" >>'$PWD/calls'
        case \$* in
        --build*) ;;
        *CUDA=OFF) echo '-- gpufilter: building for the CPU only: GPUFILTER_CUDA is OFF' ;;
        *) echo '-- gpufilter: building with CUDA: nvcc 13.0.88 is /opt/nvcc' ;;
        esac"
    fake gpufilter 'echo "ran $*"; : >"$3"'
    mv bin/gpufilter build/
    run env -u CUDACXX PATH="$PWD/bin" CUDA_PATH="$PWD/cuda" GPUFILTER_BUILD="$PWD/build" tree/script/demo "$@"
}

nvcc() {
    mkdir -p cuda/bin
    fake nvcc true
    mv bin/nvcc cuda/bin/
}

@test "demo builds for the CPU, filters, and says where the picture is; its words go to cmake" {
    demo -DGPUFILTER_JPEG=OFF
    [ "$status" = 0 ]
    [ "${lines[0]}" = "demo: building in $PWD/build for the CPU only: GPUFILTER_CUDA is OFF; this takes two or three minutes" ]
    [[ $output == *"ran -v samples/sample.png $PWD/build/demo.png --device cpu --stages gray,"* ]]
    [ "${lines[-1]}" = "demo: the program is $PWD/build/gpufilter, the result $PWD/build/demo.png" ]
    grep -q -- '-G Ninja -DGPUFILTER_TESTS=OFF -DGPUFILTER_SAMPLES=OFF -DGPUFILTER_JPEG=OFF -DGPUFILTER_CUDA=OFF$' calls
    [ "$(grep -c -- '--build' calls)" = 1 ]
}

@test "demo with nvcc and without a GPU names the command that builds the module" {
    nvcc
    fake nvidia-smi 'echo "NVIDIA-SMI has failed"; exit 9'
    demo
    [ "$status" = 0 ]
    [ "${lines[-1]}" = "      cmake -S . -B $PWD/build -DGPUFILTER_CUDA=ON && cmake --build $PWD/build --target gpufilter_cuda" ]
    [ "$(grep -c -- '--build' calls)" = 1 ]
}

@test "demo with nvcc and a GPU then builds for that GPU alone, and compares the pictures; GPUFILTER_CUDA=OFF leaves it out" {
    nvcc
    fake nvidia-smi 'case $* in
        -L) echo "GPU 0: NVIDIA H100 (UUID: GPU-1)"; echo "GPU 1: other (UUID: GPU-2)" ;;
        "-i 0 --query-gpu=compute_cap --format=csv,noheader") echo "${CAPABILITY:-9.0}" ;;
        esac'
    demo
    [ "$status" = 0 ]
    [[ $output == *"the result $PWD/build/demo.png"*"GPU 0: NVIDIA H100 is here, and nvcc"*"with CUDA: nvcc 13.0.88"* ]]
    [[ $output == *"ran -v samples/sample.png $PWD/build/demo-gpu.png --device cuda --stages gray,"* ]]
    [ "${lines[-1]}" = "demo: bit for bit the picture of the CPU" ]
    grep -q -- '-DCMAKE_CUDA_ARCHITECTURES=90a-real -DGPUFILTER_CUDA=ON$' calls
    grep -q -- '--target gpufilter_cli gpufilter_cuda$' calls
    CAPABILITY=8.6 demo
    grep -q -- '-DCMAKE_CUDA_ARCHITECTURES=86-real -DGPUFILTER_CUDA=ON$' calls
    : >calls
    demo -DGPUFILTER_CUDA=OFF
    [ "$status" = 0 ]
    ! grep -q CUDA=ON calls || return 1
}

# configure PATH cmake options...: what the build says that it builds
configure() {
    run env -u CUDACXX -u CUDA_PATH -u CUDA_HOME PATH="$1" cmake -S "$root" -B configured -G Ninja -DGPUFILTER_TESTS=OFF \
        -DGPUFILTER_SAMPLES=OFF "${@:2}"
    [ "$status" = 0 ]
}

@test "the build says what it builds, and why" {
    command -v ninja >/dev/null || skip "no ninja"
    configure "$PATH" -DGPUFILTER_CUDA=OFF
    [[ $output == *"-- gpufilter: building for the CPU only: GPUFILTER_CUDA is OFF"* ]]
    configure "$PATH" -DGPUFILTER_CUDA=EMU
    [[ $output == *"-- gpufilter: building with CUDA emulated on the CPU"* ]]
    ! PATH=/usr/bin:/bin command -v nvcc >/dev/null || skip "nvcc is in /usr/bin"
    rm -r configured
    configure /usr/bin:/bin -DGPUFILTER_CUDA=AUTO
    [[ $output == *"-- gpufilter: building for the CPU only: no nvcc that works was found"* ]]
}

@test "ccache is used where it works, but for another launcher or GPUFILTER_CCACHE=OFF" {
    command -v ninja >/dev/null || skip "no ninja"
    unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
    fake ccache 'exec "$@"'
    configure "$PWD/bin:$PATH" -DGPUFILTER_CUDA=OFF
    grep -q "$PWD/bin/ccache .*-c .*/fail.c" <(cd configured && ninja -t commands)
    configure "$PWD/bin:$PATH" -DGPUFILTER_CUDA=OFF -DGPUFILTER_CCACHE=OFF
    ! grep -q ccache <(cd configured && ninja -t commands) || return 1
    configure "$PWD/bin:$PATH" -DGPUFILTER_CUDA=OFF -DGPUFILTER_CCACHE=ON -DCMAKE_C_COMPILER_LAUNCHER=/usr/bin/env
    ! grep -q "ccache .*/fail.c" <(cd configured && ninja -t commands) || return 1
    fake ccache 'echo "ccache: error: Failed to create directory" >&2; exit 1'
    rm -r configured
    configure "$PWD/bin:$PATH" -DGPUFILTER_CUDA=OFF
    ! grep -q ccache <(cd configured && ninja -t commands) || return 1
}
