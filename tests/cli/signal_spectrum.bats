# Spectra of signals as tables and charts, and spectrograms, which are pictures.
load common

# tones FILE: 1 kHz with a size of 1/2 and, in the second channel, 3 kHz with one of 1/10, at 8 kHz
tones() {
    awk 'BEGIN { for (i = 0; i < 8000; i++) print 0.5 * sin(0.785398163397448 * i) "," 0.1 * sin(2.356194490192345 * i) }' >tones.csv
    gf tones.csv "$1" --rate 8kHz --sample f32
    rm tones.csv
}

# row FILE KEY CONDITION: there is a row that begins with KEY, and CONDITION, in the words of awk, is true of it
row() {
    awk -F, -v key="$2" '$1 == key { n++; if (!('"$3"')) exit 1 } END { exit !n }' "$1"
}

@test "a spectrum is a table with a column a channel, and a chart" {
    tones in.wav
    gf in.wav out.wav --stages spectrum:256:window=boxcar:scaling=power,gain:2 --table s.csv --plot s.svg --verify >out.txt
    grep -Eq '^  segments +61$' out.txt
    [ "$(head -n 1 s.csv)" = hz,power_1,power_2 ]
    [ "$(wc -l <s.csv)" = 130 ]
    row s.csv 1000 '$2 > 0.12499 && $2 < 0.12501 && $3 < 1e-9'
    row s.csv 3000 '$3 > 0.00499 && $3 < 0.00501 && $2 < 1e-9'
    grep -q 'frequency, Hz' s.svg
    grep -q 'channel 2' s.svg
    gf in.wav --stages spectrum:db=on:name=a,mix:mono,spectrum:name=b --table b=b.npy --report r.json >/dev/null
    grep -q '"power":\[' r.json
    [ "$(head -c 6 b.npy | tail -c 5)" = NUMPY ]
    echo 1,2 >in.csv
    ! gf in.csv --stages spectrum 2>err.txt
    grep -q 'needs the rate' err.txt
    gf in.wav six.wav --stages 'mix:channels=[1 2 1 2 1 2]'
    gf six.wav --stages spectrum --plot six.svg 2>err.txt >/dev/null
    grep -q 'draws the first 4 channels' err.txt
    grep -q 'channel 4' six.svg
    ! gf in.wav --stages spectrum:256:time=1s 2>err.txt
    grep -q 'frames= and time= both say how long a segment is' err.txt
    ! gf in.wav --stages spectrum:time=0 2>err.txt
    grep -q 'it needs time= above 0' err.txt
}

@test "a spectrogram is a picture of rows for frequencies, in the depth that OUT has" {
    tones in.wav
    gf in.wav out.png --stages mix:mono,spectrogram:256 --verify --report r.json
    gf info out.png | grep -q 'png, 122 x 129 gray u8'
    grep -q '"output":{"path":"out.png","format":"png","width":122,"height":129,"channels":1,"depth":"u8","hash"' r.json
    grep -q '"kernels":0.000,.*"passes":\[\]' r.json
    gf in.wav out.npy -v --device cpu --stages spectrogram:256 --png-level 5 2>err.txt
    grep -q 'out.npy: 122 x 258 pixels, on cpu' err.txt
    grep -q 'note: --png-level changes nothing: OUT is no PNG' err.txt
    run ! grep -q 'no stages\|Hz' err.txt
    gf in.wav both.png --stages spectrogram:256 --depth u16
    gf info both.png | grep -q 'png, 122 x 258 gray u16'
    gf in.wav out.pfm --stages spectrogram:256:scale=power
    gf out.pfm --stages profile:y --table rows.csv >/dev/null # row 96 is 1 kHz, 129 + 32 is 3 kHz of the second channel
    row rows.csv 96 '$3 > 0.124 && $3 < 0.126'
    row rows.csv 161 '$3 > 0.0049 && $3 < 0.0051'
    awk -F, 'NR > 1 && $1 != 96 && $1 != 161 && $3 > 0.04 { exit 1 }' rows.csv
    gf - - --format png --stages spectrogram:256 --depth u16 <in.wav >piped.png
    cmp piped.png both.png
    gf --explain in.wav x.png --stages spectrogram:256 | grep -q 'a picture of channels as rows, frames as columns: 258 channels, 125 Hz, 122 frames'
    gf --explain=json in.wav x.png --stages spectrogram:256 | grep -q '"output":{"frames":122,"channels":258,"rate":125},"picture":true,.*"size":256,"hop":64'
    gf --explain=json in.wav x.png --stages "expr:'c0;c1',spectrogram:256" | grep -q '"name":"expr",.*"formulas":2}'
    gf --explain in.wav x.png --stages spectrogram:256:hop=1 | grep -q 'a column every 1 frame, of 256 frames'
    mkdir songs && cp in.wav songs/a.wav && mv in.wav songs/b.wav
    gf batch songs --glob '*.wav' -o pictures --format png --stages spectrogram:256 --depth u16 --verify --report b.jsonl >/dev/null
    [ "$(grep -c '"depth":"u16"},"plan".*"verified_by"' b.jsonl)" = 2 ]
    cmp pictures/a.png both.png
    cmp pictures/b.png both.png
}

@test "spectrograms that cannot be say why, and leave nothing" {
    tones in.wav
    refuses() { # MESSAGE ARGUMENT...
        code=0
        gf "${@:2}" 2>err.txt || code=$?
        [ $code != 0 ] && grep -qF -e "$1" err.txt
    }
    refuses "'spectrogram' before it makes a picture of the signal, and must be the last stage" in.wav x.png --stages spectrogram,gain:2
    refuses 'spectrogram makes a picture: x.wav: cannot write format "wav"' in.wav x.wav --stages spectrogram
    refuses "--sample: IN is a signal, and OUT is a picture" in.wav x.png --stages spectrogram --sample s16
    refuses "to allow it: --limit width=122" in.wav x.png --stages spectrogram:256 --limit width=100
    refuses "to allow it: --limit height=258" in.wav x.png --stages spectrogram:256 --limit height=100
    refuses "to allow it: --limit pixels=31476" in.wav x.png --stages spectrogram:256 --limit pixels=30k
    refuses "beyond the limit of 100" - x.png --stages spectrogram:256 --limit width=100 <in.wav
    for limit in pixels=20k width=100; do # of no known length: nobody knows what would do
        head -c 60000 in.wav | refuses "or more, beyond the limit of" - x.png --raw f32le:8kHz:2 --stages spectrogram:256 --limit $limit
        run ! grep -q 'allow it' err.txt
    done
    head -c 60000 in.wav | refuses "to allow it: --limit height=258" - x.png --raw f32le:8kHz:2 --stages spectrogram:256 --limit height=100
    refuses "the picture that it becomes is held whole" in.wav x.png --stages spectrogram --memory 1G
    refuses "is shorter than a segment where spectrogram has it" in.wav x.png --stages crop:0-20ms,spectrogram
    refuses "is shorter than a segment where spectrogram has it" in.wav x.png --stages trim:-10dB,crop:0-20ms,spectrogram
    gf in.wav in.npy --stages mix:mono
    refuses "it works on pictures" in.npy x.png --rate 8kHz --stages gray,spectrogram
    run ! grep -q 'signal picture' err.txt
    refuses "gpufilter in.wav OUT.png" in.wav --stages spectrogram
    refuses "a segment of 0.0001 s is 1 frames" in.wav x.png --stages spectrogram:time=100us
    refuses "it works on signals" "$BATS_TEST_DIRNAME/../../samples/sample.png" y.png --stages spectrogram
    [ ! -e x.png ] && [ ! -e x.wav ]
}
