/* What experiments over pictures have in common: sizes, and the device. */
#pragma once

#include "bench/bench_runner.h"

struct bench_sizes {
    gf_shape shapes[BENCH_VALUES]; /* width and height */
    char words[BENCH_VALUES][BENCH_VALUE];
    int count;
};

/* "1920x1080 7680x4320". Says its own errors. */
gf_status bench_read_sizes(const char *text, struct bench_sizes *sizes);

/* The device that was asked for; else the GPU, or, where there is none, the CPU. Says its own errors. */
gf_status bench_open_device(const struct prim_how *how, struct prim_device *device);

/* The row of a picture as one of the result, with its size, its device and what was done. Says its own
 * errors. */
gf_status bench_keep_picture(struct bench_result *result, struct bench_row row, gf_shape shape,
                             const char *size, const struct prim_device *device);
