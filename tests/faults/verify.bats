# --verify against a fault that is planted: one_pixel of kernels/base/planted_faults.def inverts the lowest bit of
# the sample in the middle of what a pass with a window stores on the CPU, one_frame that of frame 2 which a node of a
# signal makes there, and by frame_unseen the last frame of a tile is not measured. Run by script/test-faults.
load ../cli/common

# 5 x 3, u8: 0 1 2 ... 14. Inverted: 255 254 ... 241, and the mean of 9 around (2, 1) is 248.
counting() {
    npy in.npy '|u1' '3, 5' 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e
}

@test "without the fault --verify agrees" {
    counting
    works in.npy out.npy --device cpu --stages invert,box:1,hist --verify
    err_has " give the same, bit for bit"
}

@test "the fault is there: one bit of one sample" {
    counting
    works in.npy good.npy --device cpu --stages invert,box:1
    GPUFILTER_FAULT=one_pixel works in.npy bad.npy --device cpu --stages invert,box:1
    [ "$(samples good.npy | cut -d ' ' -f 8)" = f8 ]
    [ "$(samples bad.npy)" = "$(samples good.npy | sed 's/f8/f9/')" ]
}

@test "--verify exits 7, names stage, x, y and both values, and writes nothing" {
    counting
    GPUFILTER_FAULT=one_pixel fails 7 in.npy out.npy --device cpu --stages invert,box:1,hist --verify \
        --report r.json
    err_has "stage 2 'box', picture at x 2 y 1 channel 0: expected 248, got 249 (1 differ)"
    only_files in.npy
}

@test "--verify leaves the file that was there" {
    counting
    echo before >out.npy
    GPUFILTER_FAULT=one_pixel fails 7 in.npy out.npy --device cpu --stages sobel --verify
    err_has "stage 1 'sobel', picture at x 2 y 1 channel 0: expected "
    [ "$(cat out.npy)" = before ]
    only_files in.npy out.npy
}

@test "--verify finds a wrong measurement where no picture is written" {
    counting
    GPUFILTER_FAULT=tap_twice works in.npy --device cpu --threads 1 --stages hist --verify
    GPUFILTER_FAULT=wide_tail fails 7 in.npy --device cpu --stages hist --verify
    err_has "stage 1 'hist', "
    err_has "expected 1, got 0"
    only_files in.npy
}

# Of a signal of 8 frames, 0 to 7.
frames() {
    printf '%s\n' 0 1 2 3 4 5 6 7 >in.csv
}

@test "--verify of a signal, on the CPU and by the reference, finds the frame, and writes nothing" {
    frames
    works in.csv out.csv --stages gain:2,stats --verify
    [ "$(sed -n 3p out.csv)" = 4 ]
    rm out.csv
    GPUFILTER_FAULT=one_frame fails 7 in.csv out.csv --device cpu --stages gain:2 --verify
    err_has "--verify: frame 2 of channel 1 is 4.00000048 on cpu, and must be 4"
    GPUFILTER_FAULT=one_frame fails 7 in.csv out.csv --device reference --stages gain:2 --verify
    err_has "--verify: frame 2 of channel 1 is 4 on reference, and must be 4.00000048"
    only_files in.csv
}

@test "--verify of a signal finds a wrong measurement" {
    frames
    works in.csv --stages stats,percentiles --verify
    GPUFILTER_FAULT=frame_unseen fails 7 in.csv --stages gain:2,stats --verify
    err_has "--verify: the result of stage 2 'stats' differs"
}
