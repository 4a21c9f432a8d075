# Signals that end the program: at once, and with nothing left behind.
load common

# Starts a job in the background, its process in $pid: start SIGNAL words...
start() {
    env --default-signal="$1" "$GPUFILTER_BIN" "${@:2}" 2>err.txt &
    pid=$!
}

# Ends the job by SIGNAL and sees it end by that, within 200 ms, without a word: stop SIGNAL CODE
stop() {
    local code=0 began=${EPOCHREALTIME/./} limit=200
    [ -z "${GPUFILTER_SLOW:-}" ] || limit=2000
    kill "-$1" "$pid"
    wait "$pid" || code=$?
    took=$(((${EPOCHREALTIME/./} - began) / 1000))
    [ "$code" = "$2" ] || { echo "exit $code after SIG$1" && return 1; }
    [ ! -s err.txt ] || { cat err.txt && return 1; }
    rm err.txt
    [ "$took" -lt $limit ] || echo "$took ms after SIG$1" >>late.txt
}

# Some of several tries must have been in time: a busy machine may hold up a few.
in_time() { # TRIES
    if [ -e late.txt ]; then
        cat late.txt
        [ "$(wc -l <late.txt)" -lt "$1" ] || return 1
        rm late.txt
    fi
}

wait_for() { # GLOB
    local i
    for ((i = 0; i < 1000; i++)); do
        ! compgen -G "$1" >/dev/null || return 0
        sleep 0.01
    done
    echo "no $1 appears"
    return 1
}

# A picture of noise of 3000 x 3000, u8: half a second to encode, and more at level 9.
noise() {
    npy big.npy '|u1' '3000, 3000' < <(head -c 9000000 /dev/urandom)
}

# Ends a job while it encodes, that is while its temporary file is there.
while_encoding() {
    local try
    noise
    echo mine >out.png
    for try in 1 2 3; do
        start "$1" big.npy out.png --png-level 9
        wait_for '.gpufilter-*'
        stop "$1" "$2"
        [ "$(cat out.png)" = mine ]
        only_files big.npy out.png $(compgen -G late.txt)
    done
    in_time 3
}

@test "SIGINT while encoding" {
    while_encoding INT 130
}

@test "SIGTERM while encoding" {
    while_encoding TERM 143
}

@test "SIGHUP while encoding" {
    while_encoding HUP 129
}

@test "SIGQUIT while encoding" {
    ulimit -c 0
    while_encoding QUIT 131
}

@test "SIGUSR1 while encoding" {
    while_encoding USR1 138
}

@test "SIGINT and SIGTERM at any time of a job" {
    local signal code i
    noise
    gf -q big.npy big.png
    rm big.npy
    for ((i = 0; i < 24; i++)); do
        signal=INT code=130
        if ((i % 2)); then signal=TERM code=143; fi
        start $signal big.png out.png --threads 2 --stages blur:sigma=20:radius=60,equalize,blur:sigma=3 --png-level 9
        sleep "0.$(printf %03d $((40 + i * 29)))"
        stop $signal $code
        only_files big.png $(compgen -G late.txt)
    done
    in_time 12
}

@test "a second Ctrl-C" {
    local code=0 i
    noise
    for ((i = 0; i < 10; i++)); do
        start INT big.npy out.png --png-level 9
        wait_for '.gpufilter-*'
        kill -INT "$pid" && kill -INT "$pid" || true
        wait "$pid" || code=$?
        [ "$code" = 130 ]
        only_files big.npy err.txt
    done
}

@test "waiting for a FIFO that never ends" {
    local signal
    mkfifo pipe
    noise
    for signal in INT TERM; do
        start $signal pipe out.png --stages blur:sigma=1
        exec 7>pipe
        head -c 1000000 big.npy >&7
        stop $signal $((128 + $(kill -l $signal)))
        exec 7>&-
        only_files pipe big.npy $(compgen -G late.txt)
    done
    in_time 2
}

@test "waiting for a FIFO that nobody reads" {
    local signal
    mkfifo pipe.png
    ramp
    for signal in INT TERM; do
        start $signal ramp.npy pipe.png
        sleep 0.2
        stop $signal $((128 + $(kill -l $signal)))
        start $signal pipe.png out.npy
        sleep 0.2
        stop $signal $((128 + $(kill -l $signal)))
        only_files ramp.npy pipe.png $(compgen -G late.txt)
    done
    in_time 4
}

@test "a reader that goes away" {
    noise
    mkfifo pipe.png
    start PIPE big.npy pipe.png --png-level 0
    head -c 1000 <pipe.png >/dev/null
    local code=0
    wait "$pid" || code=$?
    [ "$code" = 141 ]
    only_files big.npy pipe.png err.txt
}

@test "what SIGKILL leaves, the next run of the same file removes" {
    noise
    ramp
    start INT big.npy out.png --png-level 9
    wait_for '.gpufilter-*'
    left=$(compgen -G '.gpufilter-out.png.*.tmp')
    until [ -s "$left" ] || ! kill -0 "$pid"; do sleep 0.01; done
    kill -KILL "$pid"
    wait "$pid" || true
    rm err.txt
    works ramp.npy other.png
    [ -e "$left" ]
    works ramp.npy out.png
    [[ ${stderr_lines[0]} = "gpufilter: note: $left: left behind by a run that was killed, removed" ]]
    only_files big.npy ramp.npy other.png out.png
}

@test "a limit on the size of files" {
    noise
    run --separate-stderr -4 bash -c 'ulimit -f 100; "$GPUFILTER_BIN" big.npy out.npy'
    err_is "error: out.npy: cannot write: File too large"
    only_files big.npy
}

@test "an ignored signal stays ignored" {
    ramp
    mkfifo pipe
    env --ignore-signal=HUP "$GPUFILTER_BIN" pipe out.npy --stages invert &
    pid=$!
    exec 7>pipe
    kill -HUP $pid
    cat ramp.npy >&7
    exec 7>&-
    wait $pid
    [ "$(samples out.npy)" = "ff ef df cf bf af 9f 8f" ]
}

@test "--device auto: a GPU where that pays, and when it fails the CPU does it all again" {
    awk 'BEGIN { for (i = 0; i < 9000; i++) print sin(i * i) }' >in.csv
    works in.csv in.wav --rate 48kHz
    works in.wav cpu.wav --device cpu --stages fir:lowpass=8kHz:taps=255
    if [ "$(GF_EMU_DEVICES=1 gpu)" != emu ]; then
        works --explain in.wav --stages fir:lowpass=8kHz:taps=255
        [[ $output == "device   cpu, "*": auto: "* ]]
        return
    fi
    export GF_EMU_DEVICES=1
    works --explain in.wav --stages fir:lowpass=8kHz:taps=255
    [[ $output == "device   emu:0: auto: cpu "*" ms, emu "* ]]
    works --explain - --stages fir:lowpass=8kHz:taps=255 <in.wav
    [[ $output == "device   cpu, "*"should a GPU fail, nobody could begin again"* ]]
    for call in 2 9 16 20; do
        GF_EMU_FAIL=$call:700 works in.wav out.wav --stages fir:lowpass=8kHz:taps=255
        err_has "warning: emu:0 failed: "
        err_has "continuing on the CPU"
        cmp cpu.wav out.wav
    done
    GF_EMU_FAIL=9:700 works in.wav out.png --stages spectrogram:256 --quality 90 --report r.json
    [ "$(grep -c 'note: --quality changes nothing' <<<"$stderr")" = 1 ] # also where it is run twice
    [[ $stderr != *"continuing on the CPU"* || $(jq -r .plan.reason r.json) == "emu:0 failed: "* ]]
    GF_EMU_FAIL=9:700 works in.wav out.wav --stages fir:lowpass=8kHz:taps=255 --report r.json
    [[ $(jq -r .plan.reason r.json) == "emu:0 failed: "* ]]
    GF_EMU_FAIL=9:700 fails 5 in.wav no.wav --device emu --stages fir:lowpass=8kHz:taps=255
    [ ! -e no.wav ]
}
