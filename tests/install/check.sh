# shellcheck shell=bash disable=SC2154 # tmp
# Sourced by the scripts of this folder: cases that print TAP, and what they share. tmp: a folder for a log.
export CMAKE_GENERATOR=Ninja # where there is no make
unset PKG_CONFIG_PATH CMAKE_PREFIX_PATH GPUFILTER_DEVICE GPUFILTER_THREADS GPUFILTER_MEMORY
strict=(-Wall -Wextra -Wpedantic -Werror)
count=0
failed=0

# check "what holds" function args...: the function runs in a shell of its own that ends at the first failure. One that
# returns 77 is skipped, and its last line is the reason.
check() {
    local name=$1 status
    shift
    count=$((count + 1))
    (set -e; "$@") >"$tmp/log" 2>&1 </dev/null
    status=$?
    if [ "$status" = 0 ]; then
        echo "ok $count - $name"
    elif [ "$status" = 77 ]; then
        echo "ok $count - $name # SKIP $(tail -n 1 "$tmp/log")"
    else
        tail -n 25 "$tmp/log" | sed 's/^/# /'
        echo "not ok $count - $name"
        failed=$((failed + 1))
    fi
}

check_end() {
    echo "1..$count"
    [ "$failed" = 0 ]
}

libdir() { # PREFIX: where the libraries went
    dirname "$(find "$1" -name libgpufilter.so -o -name libgpufilter.a | head -n 1)"
}

expect() { # WANTED command...: its output, errors included
    local wanted=$1 got
    shift
    got=$("$@" 2>&1)
    [ "$got" = "$wanted" ] || { printf 'wanted %s\ngot    %s\n' "$wanted" "$got"; return 1; }
}

nothing() { # fails and shows what there is on standard input
    ! grep ''
}

no_shared_gpufilter() { # PROGRAM: has the library inside
    ! ldd "$1" | grep gpufilter
}

# consumer NAME PREFIX cmake options...: builds tests/install against that prefix, in $tmp/NAME
consumer() {
    local name=$1 root=$2
    shift 2
    cmake -S tests/install -B "$tmp/$name" -G Ninja -DCMAKE_PREFIX_PATH="$root" -DCMAKE_CXX_STANDARD=11 \
        -DCMAKE_CXX_FLAGS="${strict[*]}" "$@"
    cmake --build "$tmp/$name"
}

consumer_run() { # NAME PROGRAM
    expect "$version 242 105 good" "$tmp/$1/$2" "$tmp/$2.png"
}

# refused PREFIX REGEX cmake options...: find_package fails there, and its message has the regex
refused() {
    local root=$1 wanted=$2
    shift 2
    rm -rf "$tmp/refused" # with what it knows of another prefix
    if cmake -S tests/install -B "$tmp/refused" -DCMAKE_PREFIX_PATH="$root" "$@" >"$tmp/refusal" 2>&1; then
        cat "$tmp/refusal"
        return 1
    fi
    tr -s ' \n' ' ' <"$tmp/refusal" | grep -E "$wanted" || { cat "$tmp/refusal"; return 1; }
}

version=$(sed -n 's/^#define GF_VERSION *"\([0-9.]*\)".*/\1/p' pipeline/include/gpufilter/pipeline.h)
