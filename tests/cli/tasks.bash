# Common to tasks*.bats: what people ask for, each by one command, and the result checked against what something else
# computes: awk in the test, or SciPy, scikit-image, OpenCV and Pillow in tests/oracle, whose arrays are stored there.
# The names of the tests begin with the number of the task in docs/cookbook.md.
load common

# A picture of 16 x 12, u8: left half 10, right half 200, but a square of 3 x 3 with 90 at column 4, row 5.
scene() {
    awk 'BEGIN { for (y = 0; y < 12; y++) for (x = 0; x < 16; x++)
        printf " %02x", (x >= 4 && x < 7 && y >= 5 && y < 8 ? 90 : x < 8 ? 10 : 200) }' >scene.txt
    npy scene.npy '|u1' '12, 16' $(<scene.txt)
}

# A picture of numbers that look like chance, u8: noise FILE WIDTH HEIGHT CHANNELS SEED
noise() {
    npy "$1" '|u1' "$3, $2$([ "$4" = 1 ] || echo ", $4")" $(awk -v n=$(($2 * $3 * $4)) -v s="$5" 'BEGIN { v = s * 7919 + 11
        for (i = 0; i < n; i++) { v = (v * 1103 + 12345) % 65536; printf " %02x", int(v / 256) } }')
}

# The samples of a picture as numbers, a row a line, and of a pixel one channel behind the other.
numbers() { # FILE
    local file=$1 shape
    [[ $file == *.npy ]] || { file=$1.npy && gf "$1" "$file" -q; }
    shape=$(gf "$file" -q --stages stats --report - | jq -r '.input | "\(.width * .channels) \(.height) \(.depth)"')
    read -r width height depth <<<"$shape"
    case $depth in u8) kind=u1 ;; u16) kind=u2 ;; *) kind=f4 ;; esac
    tail -c $((width * height * ${kind#?})) "$file" | od -An -v -t$kind -w$((width * ${kind#?}))
}

size() { # FILE: WIDTH HEIGHT
    gf "$1" -q --stages stats --report - | jq -r '"\(.input.width) \(.input.height)"'
}

# That a picture is the one an oracle has stored: is_oracle FILE NAME
is_oracle() {
    cmp <(samples "$1") <(samples "$BATS_TEST_DIRNAME/../oracle/$2.npy")
}

oracle() { # NAME: the path of an array
    echo "$BATS_TEST_DIRNAME/../oracle/$1"
}

needs() { # FORMAT...: skips where the build lacks one
    local format
    for format; do
        gf version --json | jq -e --arg name $format '.formats[] | select(.name == $name) | .writes' >/dev/null || skip "no $format"
    done
}
