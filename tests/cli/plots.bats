# profile as a table, and charts of what was measured.
load common

# A picture of 3 x 2: 1 2 3 above 10 20 255.
ramp() {
    npy ramp.npy '|u1' '2, 3' 01 02 03 0a 14 ff
}

points_of() { # FILE: how many points each line of the chart has
    grep -o '<path class="line" stroke-dasharray="[^"]*" d="M[^h"]*"' "$1" | while read -r line; do
        grep -o '[ML][0-9]' <<<"$line" | wc -l
    done | xargs
}

@test "profile: sums, means and counts of columns and rows, as CSV and in the report" {
    ramp
    works ramp.npy --stages profile --table -
    out_is at,sum,mean,count 0,11,5.5,2 1,22,11,2 2,258,129,2
    works ramp.npy --stages profile:y:roi=2x2+1+0 --table - --verify
    out_is at,sum,mean,count 0,5,2.5,2 1,275,137.5,2
    works ramp.npy --stages profile:y --report r.json -q
    [ "$(jq -c '.results[0].profile[1]' r.json)" = '{"at":1,"sum":285,"mean":95,"count":3}' ]
}

@test "--plot draws hist and profile, a line a channel, and the report names the files" {
    ramp
    works ramp.npy --stages profile,hist:8 --plot hist=h.svg --plot profile=p.svg --report r.json -q
    [ "$(head -c 5 h.svg)" = "<svg " ] && [ "$(tail -n 1 h.svg)" = "</svg>" ]
    [ "$(points_of h.svg)" = 8 ]
    [ "$(points_of p.svg)" = 3 ]
    grep -q '>ramp.npy: 3 x 2 gray u8</text>' p.svg
    grep -q '>mean, sample units</text>' p.svg
    [ "$(jq -c '.plots[1]' r.json)" = '{"stage":"profile","index":0,"file":"p.svg"}' ]
    [ "$(jq -c '.tables' r.json)" = null ]
    colours
    works colours.npy --stages profile:name=across --plot - -q
    [[ $output == "<svg "*">across</text>"*">r</text>"*">g</text>"*">b</text>"*"</svg>" ]]
}

@test "--plot is XML whatever IN is called" {
    local name=$'a\xe9b<\xef\xbf\xbf&\xef\xbf\xbe\xc2\x9b\xe2\x80\xae\xed\xa0\x80\x01\xc3\xa9.npy'
    ramp
    mv ramp.npy "$name"
    works "$name" --stages hist:8 --plot h.svg -q
    iconv -f UTF-8 -t UTF-8 h.svg >/dev/null
    LC_ALL=C grep -q $'>a b&lt; &amp;       \xc3\xa9.npy: 3 x 2' h.svg
    if command -v xmllint >/dev/null; then
        xmllint --noout h.svg
    fi
}

@test "--plot draws percentiles over the share of the samples" {
    ramp
    works ramp.npy --stages 'percentiles:[0 50 100]' --plot p.svg -q
    [ "$(points_of p.svg)" = 3 ]
    grep -q '>percent of the samples</text>' p.svg
}

@test "--plot of a long signal: the least and the greatest of each group, none lost" {
    {
        printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (300000,), }"
        head -c $((123456 * 4)) /dev/zero
        printf '\x00\x00\x50\xc0' # -3.25
        head -c $((76544 * 4)) /dev/zero
        printf '\x00\x00\x18\x41' # 9.5
        head -c $((99998 * 4)) /dev/zero
    } >long.npy
    works long.npy --stages profile --plot long.svg -q --signal picture
    [ "$(points_of long.svg)" = 1026 ] # 1024 groups, and another point of the two that are not flat
    grep -q '>0</text>' long.svg        # the axis crosses zero
    [ "$(wc -c <long.svg)" -lt 40000 ]
}

@test "--plot says what can be drawn, and writes no other kind of file" {
    ramp
    fails 2 ramp.npy --stages stats --plot p.svg
    err_has "--plot p.svg: no stage of the list measures what can be drawn; those that do: hist, "
    grep -q "profile" <<<"$stderr"
    fails 2 ramp.npy --stages hist --plot p.png
    err_has "--plot p.png: the file must end in .svg"
    fails 2 ramp.npy --stages hist,profile --plot p.svg
    err_has "write NAME=FILE to say which; those of this run: hist, profile"
    [ ! -e p.svg ]
    fails 2 ramp.npy --stages hist --plot ramp.npy
    fails 2 ramp.npy --explain --stages hist --plot p.svg
    err_has "--explain runs nothing: leave out --plot"
    fails 4 ramp.npy /nowhere/out.npy --stages hist --plot p.svg
    [ ! -e p.svg ]
}

# noise FILE: two channels at 8 kHz
noise() {
    awk 'BEGIN { srand(3); for (i = 0; i < 2000; i++) print rand() - 0.5 "," rand() - 0.5 }' >noise.csv
    gf noise.csv "$1" --rate 8kHz --sample f32
}

@test "--plot of filters that measure nothing: their gain, and where it falls by 3 dB" {
    noise in.wav
    works in.wav out.wav --stages bandpass:300Hz-1kHz,median:1,gain:-6dB --plot r.svg --report r.json
    [ -z "$output$stderr" ] && [ -s out.wav ]
    grep -q '>bandpass, gain</text>' r.svg
    grep -q '>in.wav: 8000 Hz</text>' r.svg
    grep -q '>without median</text>' r.svg
    grep -q '>-3 dB: 300 Hz</text>' r.svg && grep -q '>-3 dB: 1000 Hz</text>' r.svg
    [ "$(grep -c -- '-3 dB' r.svg)" = 2 ]
    grep -q '>frequency, Hz</text>' r.svg && grep -q '>gain, dB</text>' r.svg
    [ "$(points_of r.svg)" -gt 1400 ]
    [ "$(jq -c '.plots' r.json)" = '[{"response":"all","file":"r.svg"}]' ]
    # a chart alone reads no frame; phase=zero squares
    works in.wav --stages lowpass:1kHz:phase=zero --plot -
    [[ $output == "<svg "*">-3 dB: 904.67 Hz</text>"*"</svg>" ]]
    # channels of their own, and no rate
    works in.wav --stages lowpass:1kHz:channels=1,'fir:[0.5 0.5]' --plot two.svg
    grep -q '>channel 2</text>' two.svg && grep -q '>channel 2, -3 dB</text>' two.svg
    works noise.csv --stages 'fir:[0.5 0.5]' --plot cycles.svg
    grep -q '>frequency, cycles a frame</text>' cycles.svg && grep -q '>-3 dB: 0.25</text>' cycles.svg
    # a very narrow notch is not missed
    works in.wav --stages notch:50Hz:q=1000 --plot notch.svg
    grep -Eq '>-3 dB: 49.97[0-9]* Hz</text>' notch.svg && grep -Eq '>-3 dB: 50.02[0-9]* Hz</text>' notch.svg
}

@test "--plot beside a result that can be drawn: that, and by name the filter" {
    noise in.wav
    works in.wav --stages lowpass:1kHz:name=low,spectrum:64 --plot s.svg --plot low=l.svg --report r.json
    grep -q '>spectrum</text>' s.svg
    grep -q '>low</text>' l.svg && grep -q '>-3 dB: 1000 Hz</text>' l.svg
    [ "$(jq -c '.plots' r.json)" = '[{"stage":"spectrum","index":1,"file":"s.svg"},{"response":"low","file":"l.svg"}]' ]
    fails 2 in.wav out.wav --stages median:3,stats --plot p.svg
    err_has "--plot p.svg: no stage of the list measures what can be drawn, as hist or spectrum, or filters by"
    [ ! -e out.wav ]
    fails 2 in.wav --stages lowpass:1kHz,median:3,stats --plot median=p.svg
    err_has "no stage called median measures what can be drawn"
    mkdir in && cp in.wav in
    works batch in --glob '*.wav' -o out -q --stages lowpass:1kHz --plot 'p/{stem}.svg'
    grep -q '>-3 dB: 1000 Hz</text>' p/in.svg
}

@test "a profile goes on as a signal, with the bytes that a second run over its table makes" {
    ramp
    works ramp.npy ramp.png
    works ramp.npy out.csv --stages profile:y,gain:2 --verify -q
    [ "$(cat out.csv)" = $'mean\n4\n190' ]
    npy rgb.npy '|u1' '5, 2, 3' 01 02 03 0a 14 ff 10 20 30 40 50 60 70 80 90 11 22 33 44 55 66 77 88 99 aa bb cc dd ee 12
    works rgb.npy rows.csv -q --stages median:1:roi=1x5+0+0,profile:y,lowpass:30Hz --rate 100Hz --verify
    works rgb.npy -q --stages median:1:roi=1x5+0+0,profile:y --table table.csv
    works table.csv two.csv --columns mean_r,mean_g,mean_b --rate 100Hz --stages lowpass:30Hz
    cmp rows.csv two.csv
    [ "$(head -n 1 rows.csv)" = mean_r,mean_g,mean_b ] && [ "$(wc -l <rows.csv)" = 6 ]
    works rgb.npy two.csv -q --stages profile:channels=g,gain:2
    [ "$(head -n 1 two.csv)" = mean_g ] && [ "$(wc -l <two.csv)" = 3 ]
    works - piped.csv -q --signal picture --stages median:1:roi=1x5+0+0,profile:y,lowpass:30Hz --rate 100Hz <rgb.npy
    cmp rows.csv piped.csv
    works ramp.png out.wav -q --stages profile:y
    works info out.wav
    [[ $output == *"wav, 2 frames of 1 channel at 1 Hz, 2 s, f32"* ]]
}

@test "a picture that goes on as a signal: results of both, the report, --explain, a picture again, and what is refused" {
    ramp
    works ramp.npy ramp.png
    works ramp.png --stages stats,profile,crossings:level=3.2:name=at --report r.json
    [ "$(jq -c '[.results[] | [.stage, .index]]' r.json)" = '[["stats",0],["profile",1],["crossings",2]]' ]
    [ "$(jq -r '.input.format' r.json)" = png ]
    works --explain ramp.png out.csv --stages profile:y,lowpass:0.1Hz
    [[ $output == *"target   a signal, of the profile's means"*"input    1 channel, 1 Hz"* ]]
    works --explain=json ramp.png out.csv --stages profile:y,lowpass:0.1Hz
    [ "$(jq -c '[.passes, .plan.passes, .signal.nodes] | map(length)' <<<"$output")" = '[0,1,1]' ]
    [ "$(jq -c .target <<<"$output")" = '{"path":"out.csv","format":"csv"}' ]
    reason=$(jq -r .signal.reason <<<"$output")
    works ramp.png out.csv -q --stages profile:y,lowpass:0.1Hz --report r.json
    [ "$(jq -r .plan.reason r.json)" = "$reason" ]
    rm out.csv
    works --explain=json ramp.png again.npy --stages profile:y:roi=1x2+0+0,spectrogram:2:hop=1
    [ "$(jq -c .target <<<"$output")" = '{"path":"again.npy","format":"npy"}' ]
    works --explain=json ramp.png --stages profile:y,stats
    [ "$(jq -c .target <<<"$output")" = null ]
    works ramp.png --stages profile:y,stats --fast-load --no-clobber
    err_has "note: --fast-load changes nothing: IN is no JPEG"
    err_has "note: --no-clobber changes nothing: there is no OUT"
    works ramp.png again.npy -q --stages profile,spectrogram:2:hop=1
    works info again.npy
    [[ $output == *"2 x 2 gray f32"* ]]
    fails 2 ramp.png out.csv --stages profile:y,lowpass:0.6Hz
    err_has "stage 2 'lowpass': frequency is 0.6 Hz, must be below half the rate, 0.5 Hz"
    fails 2 ramp.png out.csv --stages gain:2
    err_has "OUT is to be a signal, and IN is a picture"
    err_has "gpufilter ramp.png out.csv --stages gray,profile:y,LIST"
    fails 3 ramp.png out.csv --stages profile:y,correlate:in
    err_has "'in' would be IN as it was read, and that is a picture"
    fails 2 ramp.png out.csv --stages profile:y,lowpass:0.1Hz --depth u16
    err_has "--depth: IN goes on as a signal behind profile, and --sample says how OUT stores it"
    [ ! -e out.csv ]
}
