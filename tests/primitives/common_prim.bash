# Common to the tests of gpufilter prim.

# Copies of 4 MiB: what is measured here is not speed.
prim() {
    GPUFILTER_MEMORY=8M works prim "$@" --repeat 2
}

# json FILTER: of what was printed.
json() {
    jq -c "$1" <<<"$output"
}

is_emulated() {
    "$GPUFILTER_BIN" devices | grep -q '^[a-z:0-9]*  *emu,'
}

# i32 FILE NUMBER...: an array of i32, of numbers from -128 to 127.
i32() {
    local file=$1 n number
    shift
    n=$#
    for number; do printf '\\x%02x\\x%02x\\x%02x\\x%02x' $((number & 255)) $((number < 0 ? 255 : 0)) $((number < 0 ? 255 : 0)) $((number < 0 ? 255 : 0)); done >hex
    printf '%b' "$(cat hex)" | npy "$file" '<i4' "$n,"
    rm hex
}

# The numbers of a .npy file of 4-byte integers.
numbers() {
    local length
    length=$(od -An -tu2 -j8 -N2 "$1")
    tail -c +$((10 + length + 1)) "$1" | od -An -v -w4 -td4 | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'
}
