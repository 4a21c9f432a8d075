# threshold against a level of the neighbours: what each method takes, and that old pipelines read as before.
load common

@test "a parameter that does not belong to the method is named" {
    ramp
    local case
    for case in mean:sigma=2=sigma otsu:offset=0.1=offset radius=3=radius; do
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
