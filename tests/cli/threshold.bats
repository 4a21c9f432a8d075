# threshold against a level of the neighbours: what each method takes, and that old pipelines read as before.
load common

@test "a parameter that does not belong to the method is named" {
    ramp
    local case
    for case in mean:sigma=2=sigma otsu:offset=0.1=offset radius=3=radius sauvola:offset=0.1=offset mean:k=0.3=k \
        gaussian:range=0.4=range; do
        fails 2 ramp.npy out.npy --stages "threshold:${case%=*}"
        err_has "stage 1 'threshold': ${case##*=} does not belong to method="
    done
    fails 2 ramp.npy out.npy --stages threshold:method=gaussian:level=0.3
    err_has "level does not belong to method=gaussian: level is of fixed"
}

@test "a sample equal to the mean of its neighbours is black, and the offset decides about it" {
    ramp
    works ramp.npy black.npy --stages threshold:1
    works ramp.npy white.npy --stages threshold:1,invert
    works black.npy same.npy --stages threshold:mean:radius=40
    works compare black.npy same.npy
    works black.npy other.npy --stages threshold:mean:radius=40:offset=1u8
    works compare white.npy other.npy
}

@test "sauvola names the greatest radius, and leaves a plain picture white" {
    ramp
    fails 2 ramp.npy out.npy --stages threshold:sauvola:radius=40000
    err_has "radius is 40000 px, must be from 0 to "
    fails 2 ramp.npy out.npy --stages convert:f32,threshold:sauvola:range=0
    err_has "range is 0, must be above 0"
    works ramp.npy plain.npy --stages contrast:0
    works plain.npy white.npy --stages threshold:0.1
    works plain.npy made.npy --stages threshold:sauvola
    works compare white.npy made.npy
}
