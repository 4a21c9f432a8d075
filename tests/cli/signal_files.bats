# Files of signals through chains of stages.
load common

tones="$BATS_TEST_DIRNAME/../oracle/signal_files/tones.csv"

# tone COLUMNS FILE: columns of the table, as a signal of 8000 frames a second
tone() {
    gf "$tones" "$2" --columns "$1" --rate 8kHz "${@:3}"
}

# The largest difference of two files of one column of numbers, behind a line of names.
difference() {
    paste -d ' ' "$1" "$2" | awk 'NR > 1 { d = $1 - $2; d = d < 0 ? -d : d; if (d > most) most = d } END { print most + 0 }'
}

# like COLUMN STAGES LIMIT: what the stages make of both tones is SciPy's
like() {
    tone both in.wav
    gf in.wav out.csv --stages "$2" --device cpu --verify 2>verified.txt
    grep -q 'verified: cpu and reference give the same, bit for bit' verified.txt
    tone "$1" right.csv
    sed -i 1d right.csv && sed -i '1i x' right.csv # tables from a WAV have no names
    sed -i '1i x' out.csv
    [ "$(wc -l <out.csv)" = 401 ]
    awk -v d="$(difference out.csv right.csv)" -v most="$3" 'BEGIN { print d; exit !(d < most) }'
}

@test "filters are SciPy's" {
    like lowpass lowpass:1kHz 1e-7
    like bandpass bandpass:300Hz-3.4kHz:type=elliptic:order=3 1e-7
    like notch notch:100Hz:q=30 1e-7
    like median median:2 1e-8
}

@test "a lowpass takes the high tone away and leaves the low one" {
    tone high high.wav
    tone low low.wav
    level() { # FILE STAGES: the largest frame of the second half
        gf "$1" - --format csv --stages "$2" | awk 'NR > 200 { v = $1 < 0 ? -$1 : $1; if (v > most) most = v } END { print most }'
    }
    awk -v high="$(level high.wav lowpass:500Hz:order=8)" -v low="$(level low.wav lowpass:500Hz:order=8)" \
        'BEGIN { print high, low; exit !(high < 0.0001 && low > 0.49 && low < 0.51) }'
    awk -v high="$(level high.wav highpass:500Hz:order=8)" -v low="$(level low.wav highpass:500Hz:order=8)" \
        'BEGIN { print high, low; exit !(high > 0.22 && low < 0.0001) }'
}

@test "any device, number of threads and way in gives the same bytes" {
    tone low,high,both in.wav
    chain='bandpass:100-3000:order=3,resample:11025Hz,median:1,gain:-3dB'
    gf in.wav a.wav --stages "$chain" --threads 1
    gf in.wav b.wav --stages "$chain" --threads 3 --device cpu
    gf in.wav c.wav --stages "$chain" --device reference
    cmp a.wav b.wav
    cmp a.wav c.wav
    gf - d.wav --stages "$chain" <in.wav
    cmp a.wav d.wav
    # written in pieces through a pipe, of a length that only its end tells: all but the sizes in the header
    cat in.wav | gf - - --format wav --stages "$chain" | tail -c +100 >e.tail
    tail -c +100 a.wav | cmp - e.tail
}

@test "resample and decimate change the rate and keep the length of time" {
    tone both in.wav
    gf in.wav - --format csv --stages resample:12kHz | wc -l >frames.txt
    [ "$(cat frames.txt)" = 600 ]
    gf in.wav - --format csv --stages decimate:3 | wc -l >frames.txt
    [ "$(cat frames.txt)" = 134 ]
    gf in.wav up.wav --stages resample:12kHz
    gf up.wav --explain | grep -q '12000 Hz, 600 frames'
}

@test "channels are mixed and chosen, and lose their names with that" {
    printf 'a,b\n1,4\n2,8\n-3,0.5\n' >in.csv
    same() { # STAGES TEXT
        gf in.csv - --format csv --rate 10 --stages "$1" --verify 2>err.txt | cmp - <(printf -- "$2") && grep -q verified err.txt
    }
    same mix:mono '2.5\n5\n-1.25\n'
    same 'mix:channels=[2 1 2]' '4,1,4\n8,2,8\n0.5,-3,0.5\n'
    same 'mix:[1 -1]' '-3\n-6\n-3.5\n'
    same mix:mono,mix:stereo,brightness:1 '3.5,3.5\n6,6\n-0.25,-0.25\n'
    same invert,fade:0:out=0 'a,b\n0,-3\n-1,-7\n4,0.5\n'
    same crop:0.1s-0.2s,pad:before=100ms:after=0.2s 'a,b\n2,8\n2,8\n2,8\n2,8\n'
    npy m.npy '<f8' '1, 2' 00 00 00 00 00 00 e0 3f 00 00 00 00 00 00 00 00
    same mix:@m.npy '0.5\n1\n-1.5\n'
    gf in.csv out.wav --rate 10 --stages mix:mono --sample f32
    [ "$(gf out.wav - --format csv)" = "$(printf '2.5\n5\n-1.25')" ]
}

@test "raw samples and their format" {
    tone both in.wav
    gf in.wav a.raw --format s16le:8000:1
    [ "$(stat -c %s a.raw)" = 800 ]
    gf a.raw b.wav --raw s16le:8000:1 --stages gain:2
    gf in.wav c.wav --sample s16
    gf c.wav d.wav --stages gain:2
    cmp b.wav d.wav # of 16 bits, as what they were made of
    gf c.wav e.wav --stages gain:2 --sample f32
    [ "$(stat -c %s e.wav)" -gt "$(stat -c %s d.wav)" ]
    run --separate-stderr gf c.wav e.wav --stages gain:8
    [ "$status" = 0 ]
    [[ $stderr == *"samples were beyond what it can hold"* ]]
}

@test "explain prints sections, poles and gains, and runs nothing" {
    tone both in.wav
    run gf in.wav out.wav --stages lowpass:1kHz:order=3,gain:-6dB --explain
    [ "$status" = 0 ]
    [[ $output == *'2 sections of second order'*'poles '*'radius '*'gain -3.010 dB at 1000 Hz'* ]]
    [ ! -e out.wav ]
    gf in.wav --stages bandpass:300Hz-3.4kHz --print-pipeline text >text.txt
    [ "$(cat text.txt)" = "bandpass:band=300-3400" ]
    gf in.wav --stages lowpass:1kHz --explain=json | tr -d '\n' | grep -q '"kernel":"iir","sections":\[\['
}

@test "what makes no sense is refused with a sentence" {
    tone both in.wav
    refused() { # CODE TEXT words...
        local code=0
        gf "${@:3}" >out.txt 2>&1 || code=$?
        [ "$code" = "$1" ] && grep -qF -- "$2" out.txt || { cat out.txt && return 1; }
    }
    refused 2 "stage 1 'canny': it works on pictures, and gets a signal" in.wav out.wav --stages canny
    npy picture.npy '|u1' '2, 3' 00 10 20 30 40 50
    refused 3 "an array of 2 dimensions is no signal" picture.npy out.wav --stages lowpass:1kHz --rate 8kHz
    gf picture.npy picture.png
    refused 2 "stage 2 'lowpass': it works on signals, such as .wav and .csv files are, and gets a picture" \
        picture.png out.png --stages gray,lowpass:1kHz
    refused 2 "it works on pictures, and gets a signal: its window has a width and a height" in.wav out.wav --stages sobel
    refused 2 "before= and after= are for signals" picture.png out.png --stages pad:before=1s
    refused 2 "time= and frames= are for signals" picture.png out.png --stages crop:1x1+0+0:time=1-2
    refused 2 "--quality: IN is a signal, and that is for JPEG" in.wav out.wav --quality 80
    refused 2 "--depth: IN is a signal" in.wav out.wav --depth u8
    refused 2 "--memory: IN is a signal" in.wav out.wav --memory 64M
    refused 2 "no format of signals" in.wav out.png --stages gain:2
    refused 2 "frequency is 5000 Hz, must be below half the rate, 4000 Hz" in.wav out.wav --stages lowpass:5kHz
    refused 2 "it needs the rate of the signal" "$tones" out.csv --stages lowpass:1kHz
    refused 2 "--rate is '8 kilo'" in.wav out.wav --rate '8 kilo'
    refused 2 "no OUT is given" in.wav --stages lowpass:1kHz
    [ ! -e out.wav ]
}

@test "the whole signal first: any device, threads and way in, and words that pictures have, too" {
    tone low,high,both in.wav
    chain='bandpass:100-3000:order=3:phase=zero,detrend,trim:-20dB:keep=1ms,normalize:-1dB,resample:11025Hz'
    gf in.wav a.wav --stages "$chain" --threads 1 --verify
    gf in.wav b.wav --stages "$chain" --threads 3 --device cpu
    gf in.wav c.wav --stages "$chain" --device reference
    cmp a.wav b.wav
    cmp a.wav c.wav
    cat in.wav | gf - d.wav --stages "$chain"
    cmp a.wav d.wav
    gf in.wav peak.csv --stages normalize:-20dB
    [ "$(tr ',' '\n' <peak.csv | awk '{ v = $1 < 0 ? -$1 : $1; if (v > most) most = v } END { print most }')" = 0.1 ]
}

# 160 MB that wait twice, in 130 MB of addresses.
@test "a signal that needs more memory than there is goes through a file" {
    zeros() { head -c 160000000 /dev/zero | gf - - --raw f32le:192kHz:1 --format f32le --threads 1 --stages "$@"; }
    (ulimit -v 130000 && exec "$GPUFILTER_BIN" version) || skip "a sanitizer takes more addresses than that"
    [ "$(ulimit -v 130000 && zeros bandpass:300Hz-3.4kHz:order=8:phase=zero | wc -c)" = 160000000 ]
    local code=0
    (ulimit -f 20000 && zeros detrend) >out.raw 2>err.txt || code=$?
    cat err.txt
    [ "$code" = 4 ] && [ ! -s out.raw ] && grep -q 'temporary file in .* cannot be written behind .*: File too large' err.txt
    TMPDIR=$PWD/none run -4 --separate-stderr zeros normalize
    [[ "$stderr" = *"temporary file in $PWD/none cannot be made"*"No such file or directory"* ]]
}

@test "a damaged file leaves nothing behind" {
    tone both in.wav
    head -c 1000 in.wav >cut.wav
    local code=0
    gf cut.wav out.wav --stages lowpass:1kHz 2>err.txt || code=$?
    [ "$code" = 3 ] || { cat err.txt && return 1; }
    [ ! -e out.wav ] && [ -z "$(compgen -G '*.tmp*')" ]
}

@test "taps and sections of a file" {
    local zeros
    tone both in.wav
    zeros=$(printf '00 %.0s' {1..8000})
    npy taps.npy '<f8' '2001,' $zeros 00 00 00 00 00 00 f0 3f $zeros # more than a list may have that is written out
    works in.wav out.wav --stages fir:@taps.npy
    gf in.wav in.csv && gf out.wav out.csv
    awk -v d="$(difference in.csv out.csv)" 'BEGIN { exit !(d < 5e-7) }' # so many are summed by transforms
    npy sos.npy '<f8' '1, 6' 00 00 00 00 00 00 00 40 $(printf '00 %.0s' {1..16}) 00 00 00 00 00 00 00 40 $(printf '00 %.0s' {1..16})
    works in.wav out.wav --stages iir:@sos.npy # b0 = a0 = 2
    cmp in.wav out.wav
    npy sos.npy '<f8' '1, 6' 00 00 00 00 00 00 00 40 $(printf '00 %.0s' {1..40})
    fails 2 in.wav out.wav --stages iir:@sos.npy
    err_has "row 1 of sections has a0 = 0, must be another number"
    fails 2 in.wav out.wav --stages iir:@taps.npy
    err_has "sections is 1x2001 (rows x columns), must be *x6"
}

@test "FLAC: the samples of a WAV and back, or a word on what the build lacks" {
    tone low,high in.wav --sample s16
    if gf list formats | grep -q '^flac .*not built in'; then
        fails 2 in.wav out.flac
        err_has "this build does not write flac"
        printf 'fLaC\0\0\0\042' >x.flac
        fails 3 x.flac out.wav
        err_has "rebuild with libFLAC, or make a WAV of it by  flac -d"
        return
    fi
    gf in.wav a.flac
    gf a.flac back.wav
    cmp in.wav back.wav
    gf - pipe.wav --stages gain:1 <a.flac
    cmp in.wav pipe.wav
    gf a.flac --explain --stages lowpass:1kHz | grep -q 'input    2 channels, 8000 Hz, 400 frames'
    gf a.flac loud.flac --stages gain:2 --verify
    gf in.wav loud.wav --stages gain:2
    gf loud.flac loud2.wav
    cmp loud.wav loud2.wav
    head -c "$(($(stat -c %s a.flac) - 50))" a.flac >cut.flac
    fails 3 cut.flac out.wav
    err_has "cut.flac: "
    [ ! -e out.wav ]
    if command -v flac >/dev/null; then
        flac -s -t a.flac
        flac -s -d -f -o theirs.wav a.flac
        gf theirs.wav theirs2.wav
        cmp in.wav theirs2.wav
    fi
}
