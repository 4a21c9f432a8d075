# Intensities: how they are written, what bounds them, and that what is found can be typed back.
load common

# 4 samples of f32: -2, 0.25, 1.5, 20
signal() {
    npy signal.npy '<f4' '4,' 00 00 00 c0 00 00 80 3e 00 00 c0 3f 00 00 a0 41
}

@test "a sample value without its suffix: what to write, at its place" {
    ramp
    fails 2 ramp.npy out.npy --stages gray,threshold:110
    err_is "error: stage 2 'threshold': level is 110 times full scale, must be from 0 to 1 for u8, as 0.5, 43% or 110u8; did you mean 110u8?"
    [ "${stderr_lines[1]}" = "  gray,threshold:110" ]
    [ "${stderr_lines[2]}" = "                 ^~~" ]
    fails 2 ramp.npy out.npy --stages brightness:10
    err_has "amount is 10 times full scale, must be from -1 to 1 for u8, as 0.5, 43% or 110u8; did you mean 10u8?"
    fails 2 ramp.npy out.npy --stages levels:20:high=230
    err_has "low is 20 times full scale"
    err_has "did you mean 20u8?"
    fails 2 ramp.npy out.npy --stages levels:20:230
    err_has "only the first value may stand without its parameter's name; did you mean high=230?"
    fails 2 ramp.npy out.npy --stages convert:u16,threshold:300
    err_has "must be from 0 to 1 for u16, as 0.5, 43% or 110u8; did you mean 300u16?"
    fails 2 ramp.npy out.npy --stages threshold:300u8
    err_has "level is 1.176471 times full scale, must be from 0 to 1 for u8, as 0.5, 43% or 110u8"
    [[ $stderr != *"did you mean"* ]]
    only_files ramp.npy
    works ramp.npy out.npy --stages threshold:48u8
    [ "$(samples out.npy)" = "00 00 00 00 ff ff ff ff" ]
}

@test "f32 has no bounds" {
    signal
    works signal.npy out.npy --stages threshold:1.2 --signal picture
    [ "$(samples out.npy)" = "00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 3f" ]
    works signal.npy out.npy --stages threshold:-0.1 --signal picture
    [ "$(samples out.npy)" = "00 00 00 00 00 00 80 3f 00 00 80 3f 00 00 80 3f" ]
    works signal.npy out.npy --stages levels:low=-2:high=20 --verify --signal picture
    works signal.npy out.npy --stages brightness:2.5 --verify --signal picture
    works signal.npy --report - --stages hist:bins=2:min=-2:max=20 --signal picture
    [ "$(jq -c .results[0].counts[0] <<<"$output")" = "[3,1]" ]
    fails 2 signal.npy out.npy --stages threshold:1e39 --signal picture
    err_has "level is 1e39, must be finite in f32"
    fails 2 signal.npy --stages hist:min=-3e38:max=3e38 --signal picture
    err_has "max - min must be from 1e-31 to 3.4e38 for f32"
}

@test "the level that otsu finds can be typed back" {
    sample=$BATS_TEST_DIRNAME/../../samples/sample.png
    works "$sample" otsu.npy --stages gray,threshold:otsu
    level=$(sed -n 's/^ *written *//p' <<<"$output")
    [[ $level =~ ^[0-9]+u8$ ]]
    works "$sample" typed.npy --stages gray,threshold:"$level"
    cmp otsu.npy typed.npy
    works "$sample" otsu.npy --stages gray,convert:u16,gamma:1.3,threshold:otsu
    level=$(sed -n 's/^ *written *//p' <<<"$output")
    [[ $level =~ ^[0-9]+u16$ ]]
    works "$sample" typed.npy --stages gray,convert:u16,gamma:1.3,threshold:"$level"
    cmp otsu.npy typed.npy
    works "$sample" otsu.npy --stages gray,convert:f32,brightness:3,threshold:otsu
    [[ $output != *written* ]]
    level=$(sed -n 's/^ *level *//p' <<<"$output")
    works "$sample" typed.npy --stages gray,convert:f32,brightness:3,threshold:"$level"
    cmp otsu.npy typed.npy
}
