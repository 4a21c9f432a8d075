# What is measured of files of signals: printed, reported, as tables and drawn, and of many by batch.
load common

# sine FILE FACTOR SECONDS: 1 kHz at 8 kHz, in two channels of which the second has half
sine() {
    awk -v g="$2" -v s="$3" \
        'BEGIN { for (i = 0; i < 8000 * s; i++) { x = g * sin(0.78539816339745 * i); print x "," x / 2 } }' >sine.csv
    gf sine.csv "$1" --rate 8kHz --sample f32
    rm sine.csv
}

@test "results are printed where there is no OUT, and with one" {
    sine in.wav 0.5 1
    gf in.wav --stages stats >out.txt
    grep -q '^stats (stage 1)$' out.txt
    grep -Eq '^  max +0.5 +0.25$' out.txt
    grep -Eq '^  peak_db +-6.0' out.txt
    grep -Eq '^  seconds +1 +1$' out.txt
    gf in.wav half.wav --stages gain:0.5,stats,gain:2 --verify >out.txt
    grep -q '^in.wav: stats (stage 2)$' out.txt
    grep -Eq '^  max +0.25 +0.125$' out.txt
    gf half.wav half.csv && gf in.wav in.csv
    cmp in.csv half.csv
    ! gf in.wav --stages gain:2 2>err.txt
    grep -q 'no OUT is given, and no stage measures anything' err.txt
}

@test "report, table and plot of a signal" {
    sine in.wav 0.5 1
    gf in.wav out.wav --stages 'lowpass:2kHz,peaks:0.3:distance=4,hist:8:min=-1:max=1' --report report.json \
        --table peaks=peaks.csv --table hist=hist.csv --table peaks=peaks.npy --plot hist.svg >/dev/null
    grep -q '"input":{"path":"in.wav","format":"wav","frames":8000,"channels":2,"rate":8000}' report.json
    grep -q '"output":{"path":"out.wav","format":"wav","frames":8000' report.json
    grep -q '"tables":\[{"stage":"peaks","index":1,"table":"peaks"' report.json
    [ "$(head -n 1 peaks.csv)" = channel,time_s,frame,value,prominence,width_s ]
    [ "$(head -n 1 hist.csv)" = index,counts_1,counts_2 ]
    [ "$(wc -l <hist.csv)" = 9 ]
    awk -F, 'NR > 3 && NR < 500 { if ($2 - t < 0.0009 || $2 - t > 0.0011) bad = 1 } { t = $2 } END { exit bad }' peaks.csv
    grep -q 'channel 2' hist.svg
    grep -q '8000 frames of 2 channels' hist.svg
    [ "$(head -c 6 peaks.npy | tail -c 5)" = NUMPY ]
    ! gf in.wav --stages stats --table x.csv 2>err.txt
    grep -q 'no stage of the list finds a table' err.txt
    ! gf in.wav --stages peaks --report in.wav 2>err.txt
    grep -q 'in.wav' err.txt
}

@test "the loudness of a folder by batch" {
    mkdir songs
    sine songs/loud.wav 0.5 5
    sine songs/quiet.wav 0.05 5
    gf batch songs/*.wav --stages loudness --report loudness.csv >/dev/null
    [ "$(grep -c ',integrated,0,0,' loudness.csv)" = 2 ]
    awk -F, '$5 == "integrated" { v[$1] = $8 } END { d = v["songs/loud.wav"] - v["songs/quiet.wav"]; exit !(d > 19.99 && d < 20.01) }' loudness.csv
    gf songs/loud.wav --stages loudness >one.txt
    grep -q -e "$(awk -F, '$1 == "songs/loud.wav" && $5 == "integrated" { print substr($8, 1, 9) }' loudness.csv)" one.txt
    gf batch songs --glob '*.wav' --stages loudness >all.json
    [ "$(grep -c '"integrated"' all.json)" = 2 ]
}

@test "batch writes signals, beside pictures, says what fails, and goes on" {
    mkdir in
    sine in/a.wav 0.5 1
    sine in/b.wav 0.05 1
    npy in/c.npy '|u1' '2, 3' 00 10 20 30 40 50
    printf 'RIFF\020\000\000\000WAVEjunk' >in/d.wav
    code=0
    gf batch in/* -o out --stages gain:0.5,stats --report report.json --journal journal >/dev/null 2>err.txt || code=$?
    [ $code = 8 ]
    grep -q 'in/d.wav: the file ends early' err.txt
    [ "$(ls out)" = "$(printf '%s\n' a.wav b.wav c.npy)" ]
    [ "$(grep -c '"rate":8000' report.json)" = 2 ]
    [ "$(grep -c '"results":\[{"stage":"stats"' report.json)" = 3 ]
    gf in/a.wav one.wav --stages gain:0.5,stats >/dev/null
    cmp one.wav out/a.wav
    gf batch in/* -o out --stages gain:0.5,stats --report report.json --journal journal --resume >again.json || true
    [ "$(grep -c '"status":"skipped"' again.json)" = 3 ]
    [ "$(wc -l <report.json)" = 3 ]
    gf batch in/a.wav -o 'more/{stem}-half.wav' --stages gain:0.5 --verify --progress json >verified.txt 2>&1
    grep -q '"verified_by":"reference"' verified.txt
    cmp one.wav more/a-half.wav
    [ -z "$(find . -name '.gpufilter-*')" ]
}

@test "a table of peaks of many signals" {
    sine a.wav 0.5 1
    sine b.wav 0.25 1
    gf batch a.wav b.wav --stages peaks:0.2 --table peaks.csv --progress off
    [ "$(head -n 1 peaks.csv)" = input,channel,time_s,frame,value,prominence,width_s ]
    grep -q '^a.wav,2,' peaks.csv
    grep -q '^b.wav,1,' peaks.csv
}

@test "when a signal crosses a level, and its percentiles" {
    sine in.wav 0.5 1
    gf in.wav --stages crossings:edge=both,percentiles --table crossings=c.csv >out.txt
    grep -Eq '^  frequency +1000' out.txt
    grep -Eq '^  value    2 +-0.25 .* 0.25$' out.txt
    [ "$(head -n 1 c.csv)" = channel,time_s,frame,rises ]
    [ "$(awk -F, '$1 == 2' c.csv | wc -l)" = "$(awk -F, '$1 == 1' c.csv | wc -l)" ]
}

@test "the delay to another signal, by file and by --input" {
    printf '%s\n' 0 0 9 -3 5 1 0 0 0 0 >a.csv
    printf '%s\n' 0 9 -3 5 1 0 0 0 0 0 >b.csv
    gf b.csv b.wav --rate 10Hz --sample f32
    gf a.csv o.wav --rate 10Hz --stages correlate:@b.wav:max=0.3s,gain:2 --verify >out.txt
    grep -Eq '^  delay +0.1$' out.txt
    grep -Eq '^  frames +1$' out.txt
    gf a.csv --stages correlate:later:frames=3 --input later=b.csv >out.txt 2>err.txt
    grep -Eq '^  delay +nan$' out.txt
    gf a.csv --stages invert,correlate:@b.csv:frames=3 | grep -Eq '^  coefficient +-0.98' # behind a point
    gf a.csv --stages correlate:@a.csv:frames=3 | grep -Eq '^  coefficient +1$'
    code=0
    gf a.csv b.wav --rate 10Hz --stages correlate:@b.wav 2>err.txt || code=$?
    [ $code = 2 ]
    grep -q "b.wav" err.txt
    refuses() { # MESSAGE ARGUMENT...
        ! gf "${@:2}" 2>err.txt
        grep -q "$1" err.txt
    }
    refuses '@b.wav has 10 Hz, and the signal has 20 Hz' a.csv --rate 10Hz --stages resample:20Hz,correlate:@b.wav
    refuses 'b.wav: says that its rate is 10 Hz' a.csv --rate 20Hz --stages correlate:@b.wav
    refuses "stage 1 'correlate': gone.wav" a.csv --rate 10Hz --stages correlate:@gone.wav
    refuses "is called 'there'" a.csv --rate 10Hz --stages correlate:there
    refuses "'blend': it works on pictures" a.csv x.csv --rate 10Hz --stages blend:@b.wav
    gf a.csv a.wav --rate 10Hz --sample f32
    gf batch a.wav b.wav --stages correlate:b:max=0.3s --input b=b.wav --report r.csv --progress off
    grep -q '^a.wav,correlate,0,,frames,0,0,1$' r.csv
    grep -q '^b.wav,correlate,0,,frames,0,0,0$' r.csv
}

@test "the delay to IN itself, and what --explain and the report say of others" {
    printf '%s\n' 0 0 9 -3 5 1 0 0 0 0 >a.csv
    printf '%s\n' 0 9 -3 5 1 0 0 0 0 0 >b.csv
    gf a.csv --rate 10Hz --stages delay:0.2s,correlate:in:max=0.3s --verify 2>err.txt | grep -Eq '^  frames +2$'
    [ "$(gf a.csv - --format csv --stages rms:0 | paste -sd' ')" = "0 0 9 3 5 1 0 0 0 0" ] # no time is the frame alone
    [ "$(gf a.csv - --format csv --stages gate:0dB:window=0 | paste -sd' ')" = "0 0 9 -3 5 1 0 0 0 0" ]
    gf a.csv --stages correlate:in:max=0 | grep -Eq '^  coefficient +1$'
    ! gf a.csv --rate 10Hz --stages resample:20Hz,correlate:in 2>err.txt
    grep -q 'in has 10 Hz, and the signal has 20 Hz' err.txt
    printf 'abcdefgh' | { ! gf - --raw f32le --stages correlate:in 2>err.txt; }
    grep -q "'in' would read IN a second time" err.txt
    gf a.csv --rate 10Hz --stages correlate:@b.csv,correlate:b,correlate:in --input b=b.csv --report r.json >out.txt
    jq -e '.other_inputs | map(.name) == ["@b.csv", "b"]' r.json
    jq -e '.other_inputs[0].signal == {path: "b.csv", format: "csv", frames: 10, channels: 1, rate: 10}' r.json
    jq -e '.plan.other_inputs[1] == {name: "b", shape: {frames: 10, channels: 1, rate: 10}}' r.json
    gf --explain a.csv --rate 10Hz --stages correlate:@b.csv,correlate:in >out.txt
    [ "$(grep -c '^input' out.txt)" = 2 ]
    grep -A 1 '^input    @b.csv$' out.txt | grep -qx '         1 channel, 10 Hz, 10 frames'
    gf --explain a.csv --stages blackhat:2:channels=0 | grep -q '^node 4   blackhat, channels=0: 1 of 2 channels$'
}

@test "another signal of as many channels as there may be; edges that meet; ratios next to none" {
    head -c 409600 /dev/zero | npy big.npy '<f4' "100, 1024"
    gf big.npy --signal columns --rate 1000 --stages correlate:@big.npy:frames=5 | grep -q coefficient
    printf -- '-1\n0\n-1\n' >meet.csv
    gf meet.csv --rate 10 --stages crossings:edge=both | grep -Eq '^  frequency +nan$'
    head -c 12000 /dev/zero | npy long.npy '<f4' "3000,"
    gf long.npy o.npy --rate 999999999 --stages resample:1000000000
    [ "$(wc -c <o.npy)" = "$(wc -c <long.npy)" ]
}
