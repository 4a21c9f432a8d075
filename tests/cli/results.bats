# What a run prints of its results, and what -q leaves of it.
load common

# u16 FILE NUMBER...: an array of one row.
u16() {
    local file=$1 number bytes=
    shift
    for number; do bytes+=$(printf ' %02x %02x' $((number & 255)) $((number >> 8))); done
    npy "$file" '<u2' "1, $#" $bytes
}

# f32 FILE HEX...: an array of one row, each number as its bits.
f32() {
    local file=$1 bits bytes=
    shift
    for bits; do bytes+=" ${bits:6:2} ${bits:4:2} ${bits:2:2} ${bits:0:2}"; done
    npy "$file" '<f4' "1, $#" $bytes
}

# The labels of the chart that was printed.
labels() {
    sed -n 's/^ *\(.*[0-9]\) |.*/\1/p' <<<"$output" | tr '\n' ';'
}

@test "with OUT, results name the file they are of" {
    ramp
    cp ramp.npy 'od
d.npy'
    works ramp.npy out.npy --stages threshold:otsu,hist:name=after
    grep -qx 'ramp.npy: threshold (stage 1)' <<<"$output"
    grep -qx 'ramp.npy: hist (stage 2) after' <<<"$output"
    works $'od\nd.npy' out.npy --stages stats
    [ "${lines[0]}" = "od?d.npy: stats (stage 1)" ]
    works ramp.npy --stages stats
    [ "${lines[0]}" = "stats (stage 1)" ]
}

@test "-q prints no results beside an output or a report; alone they are what was asked for" {
    ramp
    works -q ramp.npy out.npy --stages threshold:otsu
    [ -z "$output$stderr" ]
    works -q ramp.npy out.npy --stages stats --report r.json
    [ -z "$output$stderr" ]
    [ "$(jq -r '.results[0].stage' r.json)" = stats ]
    rm r.json
    works -q ramp.npy --stages stats --report r.json
    [ -z "$output$stderr" ]
    [ "$(jq -r '.results[0].max[0]' r.json)" = 112 ]
    works -q ramp.npy --stages stats --report -
    [ "$(jq -r '.results[0].max[0]' <<<"$output")" = 112 ]
    works -q ramp.npy --stages stats
    [ "${lines[0]}" = "stats (stage 1)" ]
}

@test "hist: the chart's labels are samples, not numbers of bins" {
    u16 a.npy 0 4095 4096 65535
    works a.npy --stages hist
    [[ $(labels) == "0-4095;4096-8191;8192-12287;"*";61440-65535;" ]]
    grep -Eq '^ +0-4095 \|#{48} +50.00%$' <<<"$output"
    grep -Eq '^ +4096-8191 \|#{24} +25.00%$' <<<"$output"
    ramp
    works ramp.npy --stages hist:16
    [[ $(labels) == "0-15;16-31;32-47;"*";240-255;" ]]
    works ramp.npy --stages hist:5:max=19u8
    [ "$(labels)" = "0-3;4-7;8-11;12-15;16-19;" ]
    works ramp.npy --stages hist:4:min=-10u8:max=30u8
    [ "$(labels)" = "-10 to -1;0-9;10-19;20-30;" ]
    works ramp.npy --stages hist:4:max=2u8
    [ "$(labels)" = "0 to 0.5;0.5 to 1;1 to 1.5;1.5 to 2;" ]
}

@test "hist of f32: intervals, and the chart fits into 80 columns" {
    f32 a.npy 00000000 3e800000 3f400000
    works a.npy --stages hist:4
    [ "$(labels)" = "0 to 0.25;0.25 to 0.5;0.5 to 0.75;0.75 to 1;" ]
    works a.npy --stages hist:3
    [ "$(labels)" = "0 to 0.33333;0.33333 to 0.66667;0.66667 to 1;" ]
    works a.npy --stages hist:7:min=-1000000:max=123456.789
    [ "$(wc -L <<<"$output")" -lt 80 ]
    [ "$(grep -c ' to ' <<<"$output")" = 7 ]
}

@test "channels have headings, where there can be more than one" {
    colours
    works colours.npy --stages stats
    [ "$(head -n 2 <<<"$output" | tail -n 1 | tr -s ' ')" = " r g b" ]
    works colours.npy --stages stats:channels=0+2,hist:4
    [ "$(head -n 2 <<<"$output" | tail -n 1 | tr -s ' ')" = " r b" ]
    grep -qx '  counts of g, 4 bins' <<<"$output"
    npy rgba.npy '|u1' '1, 1, 4' ff 80 00 ff
    works rgba.npy --stages stats:channels=all,hist:3:channels=a
    [ "$(head -n 2 <<<"$output" | tail -n 1 | tr -s ' ')" = " r g b alpha" ]
    grep -qx '  counts of alpha, 3 bins' <<<"$output"
    works rgba.npy --stages threshold:otsu:channels=all
    [ "${#lines[2]}" = "${#lines[1]}" ] && [ "${#lines[3]}" = "${#lines[1]}" ]
    [ "$(tr -s ' ' <<<"${lines[3]}")" = " written 0u8 0u8 0u8 0u8" ]
    npy ga.npy '|u1' '1, 1, 2' ff 80
    works ga.npy --stages stats --alpha premul
    [ "$(head -n 2 <<<"$output" | tail -n 1 | tr -s ' ')" = " gray" ]
    ramp
    works ramp.npy --stages hist:3
    [ "${lines[1]}" = "  counts, 3 bins" ]
}

@test "stats of infinities and of nothing but NaN follow IEEE 754; JSON has null" {
    f32 inf.npy 7f800000 00000000 3f800000
    works inf.npy --stages stats
    [ "$(awk 'NR > 1 && NR < 7 {print $1, $2}' <<<"$output" | tr '\n' ';')" = \
        "min 0;max inf;mean inf;stddev nan;sum inf;" ]
    works inf.npy --stages stats --report -
    [ "$(jq -c '.results[0] | [.min, .max, .mean, .stddev, .sum]' <<<"$output")" = '[[0],[null],[null],[null],[null]]' ]
    f32 both.npy 7f800000 ff800000
    works both.npy --stages stats --verify
    [ "$(awk 'NR > 1 && NR < 7 {print $1, $2}' <<<"$output" | tr '\n' ';')" = \
        "min -inf;max inf;mean nan;stddev nan;sum nan;" ]
    f32 nan.npy 7fc00000 ffc00001
    works nan.npy --stages stats --verify
    [ "$(awk 'NR > 1 && NR < 9 {print $1, $2}' <<<"$output" | tr '\n' ';')" = \
        "min nan;max nan;mean nan;stddev nan;sum 0;count 0;nan 2;" ]
}

@test "label gives the mean of f32 samples that are alike" {
    f32 masks.npy 3f800000 3f800000 00000000 3f000000 00000000 3e800000 3f400000
    works masks.npy out.npy --stages label --table -
    [ "${lines[1]##*,0,}" = 1,1,1 ] && [ "${lines[2]##*,0,}" = 0.5,0.5,0.5 ]
    works masks.npy out.npy --stages threshold:0.1,label --table -
    [ "${lines[3]##*,0,}" = 1,1,1 ]
}

@test "percentiles of f32 are samples, whatever a sample far away is" {
    f32 far.npy 3e800000 49742400 3f000000 00000001 3f400000 7fc00000 80000000
    works far.npy --stages 'percentiles:[0 20 50 75 100]' --report r.json
    [ "$(jq -c '.results[0].value' r.json)" = '[[-0,1.401298464324817e-45,0.5,0.75,1000000]]' ]
}
