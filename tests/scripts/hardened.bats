# What is built for use is hardened as distributions have it (cmake/Flags.cmake): the program, and the shared libraries
# where there are any.

setup() {
    folder=$(dirname "$(realpath "${GPUFILTER_BIN:?name the program}")")
    shopt -s nullglob
    files=("$GPUFILTER_BIN" "$folder"/pipeline/lib*.so)
}

# each PATTERN words...: `readelf words FILE` has it, of every file.
each() {
    local pattern=$1 file
    shift
    for file in "${files[@]}"; do
        readelf -W "$@" "$file" | grep -qE "$pattern" || { echo "$file: readelf $* has no '$pattern'"; return 1; }
    done
}

@test "frames are checked on return, and copies where their size is known" {
    each ' __stack_chk_fail(@|$)' --dyn-syms
    each ' __(memcpy|snprintf|vsnprintf|fprintf)_chk(@|$)' --dyn-syms
}

@test "nothing that is written can run, and what the linker fills is read-only" {
    each 'DYN ' -h
    each 'GNU_STACK .* RW  ' -l
    each 'GNU_RELRO' -l
    each 'BIND_NOW|FLAGS.* NOW' -d
}

@test "jumps and returns are marked for processors that check them" {
    [ "$(uname -m)" = x86_64 ] || skip "no x86-64"
    local objects
    # not the linked files: those have the mark only where all of the C library does
    mapfile -t objects < <(find "$folder"/{kernels,filters,pipeline} -name '*.c.o')
    [ "${#objects[@]}" -gt 300 ]
    [ "$(readelf -n "${objects[@]}" | grep -c 'IBT, SHSTK')" = "${#objects[@]}" ]
}

@test "libraries are looked for in no folder that somebody else may be in" {
    local file path
    for file in "${files[@]}"; do
        path=$(readelf -d "$file" | sed -n 's/.*R\(UN\)\?PATH.*\[\(.*\)\]/\2/p')
        [[ :$path: != *::?* && $path != *: && $path != :* ]] || { echo "$file: '$path' has an empty part"; return 1; }
    done
}
