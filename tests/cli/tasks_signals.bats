# Signals: tasks that people ask for (tasks.bash says how they are checked).
load tasks

# A column of that many values of a formula of t, in seconds: wave FILE COUNT RATE FORMULA
wave() {
    awk -v n="$2" -v rate="$3" "BEGIN { pi2 = 6.283185307179586; for (i = 0; i < n; i++) { t = i / rate; printf \"%.9g\\n\", $4 } }" >"$1"
}

@test "T18: means along a column of CSV, and of a WAV, are those of awk" {
    awk 'BEGIN { for (i = 0; i < 60; i++) print (i * 37) % 101 / 128 }' >in.csv
    awk '{ v[NR] = $1 } END { for (i = 3; i < NR - 1; i++) printf "%.6f\n", (v[i - 2] + v[i - 1] + v[i] + v[i + 1] + v[i + 2]) / 5 }' in.csv >wanted
    gf in.csv out.csv -q --stages box:2
    sed '1,2d;$d' out.csv | sed '$d' | awk '{ printf "%.6f\n", $1 }' | diff wanted -
    gf in.csv in.wav -q --rate 8kHz --sample f32
    gf in.wav out.wav -q --stages box:2
    gf out.wav out.csv -q
    sed '1,2d;$d' out.csv | sed '$d' | awk '{ printf "%.6f\n", $1 }' | diff wanted -
}

@test "T18: a stereo recording keeps its channels apart" {
    awk 'BEGIN { for (i = 0; i < 200; i++) print (i % 20 < 10 ? 0.5 : -0.5) ",0" }' >in.csv
    gf in.csv out.csv -q --stages median:2
    [ "$(awk -F, '$2 != 0' out.csv | wc -l)" = 0 ]
    [ "$(awk -F, '$1 * $1 == 0.25' out.csv | wc -l)" = 200 ]
}

@test "N16: what a sensor has below 8 Hz is what SciPy's butter leaves" {
    gf "$(oracle tasks/sensor.csv)" out.csv -q --rate 200Hz --stages lowpass:8Hz:order=4
    paste -d' ' "$(oracle tasks/sensor_lowpassed.csv)" out.csv | awk '{ d = $1 - $2; if (d > 2e-6 || d < -2e-6) exit 1 } END { exit NR != 300 }'
}

@test "N17: a tone at 44.1 kHz is the same tone at 48 kHz, at the same time" {
    wave in.csv 4410 44100 'sin(pi2 * 1000 * t) / 2'
    gf in.csv out.csv -q --rate 44.1kHz --stages resample:48kHz
    wave wanted.csv 4800 48000 'sin(pi2 * 1000 * t) / 2'
    paste -d' ' wanted.csv out.csv | awk 'NR > 300 && NR < 4500 { d = $1 - $2; if (d > 1e-5 || d < -1e-5) exit 1 } END { exit NR != 4800 }'
}

@test "N18: the strongest frequency of a WAV is the one that was put in" {
    wave in.csv 8192 8192 'sin(pi2 * 1040 * t) / 2 + sin(pi2 * 200 * t) / 8'
    gf in.csv in.wav -q --rate 8192Hz
    gf in.wav -q --stages spectrum --table s.csv
    awk -F, 'NR > 1 && $2 > best { best = $2; hz = $1 } END { exit !(hz == 1040) }' s.csv
}

@test "N19: hum goes, and the tone beside it stays as it was" {
    wave in.csv 8000 4000 'sin(pi2 * 400 * t) / 2 + sin(pi2 * 50 * t) / 4'
    wave tone.csv 8000 4000 'sin(pi2 * 400 * t) / 2'
    gf in.csv out.csv -q --rate 4kHz --stages notch:50Hz
    paste -d' ' tone.csv out.csv | awk 'NR > 7000 { d = $1 - $2; s += d * d; t += $1 * $1 } END { exit !(s < 1e-4 * t) }'
}

@test "N20: a moving median of a column is that of awk" {
    awk 'BEGIN { for (i = 0; i < 60; i++) print (i * 37) % 101 }' >in.csv
    gf in.csv out.csv -q --stages median:1
    awk '{ v[NR] = $1 } END { for (i = 2; i < NR; i++) { a = v[i - 1]; b = v[i]; c = v[i + 1]
        print (a > b ? (b > c ? b : a < c ? a : c) : (a > c ? a : b < c ? b : c)) } }' in.csv >wanted
    diff wanted <(sed '1d;$d' out.csv)
}
