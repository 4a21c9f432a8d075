# A line on a terminal while a run takes long, and none anywhere else.
load common

# Runs the command on a terminal of its own; what it shows is left in `shown`, control characters and all.
on_terminal() {
    command -v script >/dev/null || skip "no script"
    script -qec "$1" /dev/null >shown </dev/null
}

# What a terminal would show in the end: each line as the last carriage return left it.
at_the_end() {
    sed 's/\r$//; s/.*\r//' shown
}

setup() {
    : "${GPUFILTER_BIN:?name the program}"
    mkdir "$BATS_TEST_TMPDIR/work"
    cd "$BATS_TEST_TMPDIR/work"
    ramp
    # An input that takes three seconds to come.
    cat >slow <<'END'
(head -c 131 ramp.npy; sleep 3; tail -c +132 ramp.npy) | "$GPUFILTER_BIN" - out.npy --device cpu "$@"
END
}

@test "after two seconds a line, which goes away" {
    on_terminal 'bash slow --stages invert,stats'
    grep -aq $'gpufilter: reading 0%, [2-9] s' shown
    ! at_the_end | grep -a reading
    at_the_end | grep -aq '^gpufilter: out.npy: 4 x 2 gray u8'
    at_the_end | grep -aq '^standard input: stats (stage 2)'
    [ "$(samples out.npy)" = "ff ef df cf bf af 9f 8f" ]
}

@test "an error takes its place" {
    on_terminal 'bash -c "(head -c 131 ramp.npy; sleep 3) | \"$GPUFILTER_BIN\" - out.npy --stages invert; true"'
    grep -aq 'gpufilter: reading 0%, [2-9] s' shown
    at_the_end | grep -aq '^gpufilter: error: '
    ! at_the_end | grep -a reading
}

@test "none with -q, none in a file, none of a short run" {
    on_terminal 'bash slow --stages invert -q'
    [ ! -s shown ]
    bash slow --stages invert 2>err.txt
    [ ! -s err.txt ]
    on_terminal '"$GPUFILTER_BIN" ramp.npy out.npy --stages invert'
    ! grep -aq '%' shown
}

@test "it says how much of the bands is done" {
    npy large.npy '|u1' '4000, 4000' < <(head -c 16000000 /dev/urandom)
    on_terminal 'bash -c "(head -c 8000000 large.npy; sleep 3; tail -c +8000001 large.npy) |
        \"$GPUFILTER_BIN\" - out.npy --device cpu --stages sobel,blur"'
    grep -aq 'gpufilter: filtering [2-5][0-9]%, ' shown
    ! at_the_end | grep -a filtering
    works large.npy other.npy --device cpu --stages sobel,blur
    cmp out.npy other.npy
}

@test "it says which rows are read of a picture that is held" {
    npy large.npy '|u1' '4000, 4000' < <(head -c 16000000 /dev/urandom)
    on_terminal 'bash -c "(head -c 8000000 large.npy; sleep 3; tail -c +8000001 large.npy) |
        \"$GPUFILTER_BIN\" - out.png --device cpu --stages blur:border=wrap --report r.json"'
    grep -aq 'gpufilter: reading [3-5][0-9]%, ' shown
    works large.npy other.png --device cpu --stages blur:border=wrap --report other.json
    cmp out.png other.png
    [ "$(jq -c '[.input.hash, .output.hash]' r.json)" = "$(jq -c '[.input.hash, .output.hash]' other.json)" ]
}

@test "compare has one, too" {
    on_terminal 'bash -c "(sleep 3; cat ramp.npy) | \"$GPUFILTER_BIN\" compare - ramp.npy"'
    grep -aq 'gpufilter: comparing A and B, [2-9] s' shown
    [ "$(at_the_end | tr -d '\n')" = "- and ramp.npy are equal: 4 x 2 gray u8" ]
    on_terminal 'bash -c "(sleep 3; cat ramp.npy) | \"$GPUFILTER_BIN\" compare - ramp.npy -q"'
    [ ! -s shown ]
}
