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

@test "colours in words" {
    colours
    for colour in '#f80' '#ff8800' '#FF8800ff' 'rgb(255,136,0)' '"rgb(255, 136, 0)"' '[1 0.5333333333333333 0]'; do
        works --print-pipeline text --stages "pad:colour=$colour"
        out_is "pad:colour=[1 0.5333333333333333 0]"
    done
    works --print-pipeline text --stages 'pad:colour=#888,pad:colour=gray,pad:colour=0.25,pad:colour=transparent,trim:colour=orange'
    out_is "pad:colour=[0.5333333333333333],pad:colour=[0.5019607843137255],pad:colour=[0.25],pad:colour=[0 0 0 0],trim:colour=[1 0.6470588235294118 0]"
    works colours.npy out.npy --stages 'crop:1x1+1+1,pad:0:right=1:colour=#f80' --verify
    [ "$(samples out.npy)" = "80 80 80 ff 88 00" ]
    works colours.npy out.npy --stages 'crop:1x1+1+1,convert:u16,pad:0:right=1:colour=#f80'
    [ "$(samples out.npy)" = "80 80 80 80 80 80 ff ff 88 88 00 00" ]
    works colours.npy out.npy --stages 'crop:1x1+1+1,alpha:add,pad:0:right=2:colour=#ff880044,crop:2x1+0+0' --verify
    [ "$(samples out.npy)" = "80 80 80 ff ff 88 00 44" ]
    works colours.npy out.npy --stages 'crop:1x1+1+1,alpha:add:value=0,alpha:over:colour=rgb(1,2,3)'
    [ "$(samples out.npy)" = "01 02 03" ]
    works colours.npy --stages find:blue --report - -q
    [ "$(jq -c '[.results[0].count] | flatten' <<<"$output")" = '[1]' ]
}

@test "colours that are none, at their place" {
    colours
    ramp
    fails 2 colours.npy out.npy --stages 'pad:4:colour=#ff'
    err_is "error: stage 1 'pad': colour is '#ff', must be a colour, as #f80, orange, rgb(255,136,0) or [1 0.53 0]"
    [ "${stderr_lines[2]}" = "               ^~~" ]
    for colour in orang 'rgb(255,136)' 'rgb(256,0,0)' '#gg8800' '#ff88001'; do
        fails 2 colours.npy out.npy --stages "pad:4:colour=\"$colour\""
        err_has "must be a colour, as #f80"
    done
    fails 2 colours.npy out.npy --stages 'pad:4:colour=rgb(1;2)'
    fails 2 colours.npy out.npy --stages 'alpha:over:colour=#ff880080'
    err_has "colour is #ff880080, must be a colour without alpha"
    fails 2 colours.npy out.npy --stages 'pad:4:colour=#ff880080'
    err_has "colour= has alpha, and the picture has none"
    fails 2 colours.npy out.npy --stages 'pad:4:colour=red:border=wrap'
    err_has "colour= is for border=constant"
    fails 2 ramp.npy out.npy --stages 'rotate:5:colour=red'
    err_has "colour= is no gray, and the picture is gray"
    works ramp.npy out.npy --stages 'rotate:5:colour=white'
    only_files colours.npy ramp.npy out.npy
}

@test "formulas that know the place" {
    ramp
    works ramp.npy out.npy --stages 'expr:"(10*y+x)/255"' --verify
    [ "$(samples out.npy)" = "00 01 02 03 0a 0b 0c 0d" ]
    works ramp.npy out.npy --stages 'expr:"(width+16*height)/255":roi=2x1+1+1' --verify
    [ "$(samples out.npy)" = "00 10 20 30 40 24 24 70" ]
    works ramp.npy out.npy --stages 'crop:2x2+2+0,expr:"x/255",pad:0:left=1,expr:"v+y/255"' --verify
    [ "$(samples out.npy)" = "00 00 01 01 01 02" ]
    npy tall.npy '|u1' '3000, 8' < <(head -c 24000 /dev/zero)
    works tall.npy out.npy --stages 'blur:2,expr:"y/3000+x/100"' --verify --memory 2M
    printf '%s\n' 1 2 >a.csv
    fails 2 a.csv b.csv --stages 'expr:"v*x"'
    err_has "'x' is of pictures; this is a signal"
}

@test "parts, sizes and corners" {
    ramp
    works ramp.npy out.npy --stages crop:50%
    [ "$(samples out.npy)" = "10 20" ]
    works ramp.npy out.npy --stages crop:50%x100%:gravity=east
    [ "$(samples out.npy)" = "20 30 60 70" ]
    works ramp.npy out.npy --stages crop:2x1:gravity=southwest
    [ "$(samples out.npy)" = "40 50" ]
    fails 2 ramp.npy out.npy --stages crop:5x1
    err_has "5 x 1 pixels do not lie in the picture of 4 x 2"
    fails 2 ramp.npy out.npy --stages crop:2x1+1
    err_has "size is '2x1+1', must be as 160x120+10+20, or as 200x100"
    fails 2 ramp.npy out.npy --stages crop:size=0%
    err_has "size is '0%'"
    works ramp.npy out.npy --stages resize:800x600:fit=inside:enlarge=off
    [ "$(samples out.npy)" = "00 10 20 30 40 50 60 70" ]
    works ramp.npy out.npy --stages resize:2x8:enlarge=off --print-pipeline text
    out_is "resize:size=2x8:enlarge=off"
    works ramp.npy out.npy --stages "warp:corners=[3 0 3 1 0 1 0 0]:filter=nearest" --verify
    [ "$(samples out.npy)" = "30 70 20 60 10 50 00 40" ]
    fails 2 ramp.npy out.npy --stages "warp:corners=[0 0 0 1 3 1 3 0]"
    err_has "corners= must be x and y of upper left, upper right, lower right and lower left"
    fails 2 ramp.npy out.npy --stages "warp:[1 0 0; 0 1 0]:corners=[3 0 3 1 0 1 0 0]"
    err_has "matrix= and corners= say the same"
    works ramp.npy out.npy --stages pixelate:2 --verify
    [ "$(samples out.npy)" = "28 28 48 48 28 28 48 48" ]
}
