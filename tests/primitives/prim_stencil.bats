# gpufilter prim stencil: sums by hand, borders and steps, and what does not fit.
load ../cli/common
load common_prim

@test "stencil, by hand: borders, steps, windows" {
    npy a.npy '<f4' '2, 2' 00 00 80 3f 00 00 00 40 00 00 80 40 00 00 00 00 # 1 2; 4 0
    prim stencil --in a.npy --window '[1 1]' --device cpu --out b.npy --json
    [ "$(json '[.shape, .n, .type, .checked, .result]')" = '["2x2",4,"f32",true,{"first":3,"last":0}]' ]
    prim stencil --in a.npy --window '[1,1]' --device cpu --out d.npy
    cmp b.npy d.npy
    prim stencil --in a.npy --window '[1 1]' --border constant --value 8 --device cpu --json
    [ "$(json .result)" = '{"first":3,"last":8}' ]
    prim stencil --in a.npy --window '[1 1]' --border wrap --steps 2 --device cpu --json
    [ "$(json .result)" = '{"first":6,"last":8}' ]
    prim stencil --in b.npy --window '[0 0 0; 0 1 0; 0 0 0.5]' --type f32 --device cpu --json # what was written
    [ "$(json .result)" = '{"first":3,"last":0}' ]
}

@test "stencil: every variant, every border" {
    for border in replicate reflect101 reflect wrap constant; do
        prim stencil --shape 67x131 --border $border --steps 3 --algo all --json
        [ "$(json '[.[] | select(.device == "cpu") | .checked] | all')" = true ]
    done
    prim stencil --shape 0x5 --device cpu --json
    [ "$(json '[.n, .checked]')" = '[0,true]' ]
}

@test "stencil: what does not fit" {
    npy a.npy '<f4' '2, 2' 00 00 80 3f 00 00 00 40 00 00 80 40 00 00 00 00
    fails 2 prim stencil --in a.npy --shape 2x2
    fails 2 prim stencil --shape 2x2x2
    err_has "--shape is '2x2x2': must be 2 whole numbers"
    fails 2 prim stencil --shape 2x2 --window '[1 x]'
    fails 2 prim stencil --shape 2x2 --border mirror
    fails 2 prim stencil --shape 2x2 --steps -1
    fails 2 prim scan --n 5 --steps 2
    err_has "--steps is an option of stencil, not of scan"
}
