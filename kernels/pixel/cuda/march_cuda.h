/* Separable windows and boxes alone: march_cuda.cuh. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

enum {
    GF_MARCH_RADIUS = 8,
    GF_MARCH_PIXELS_RADIUS = 4, /* with programs or channels */
    GF_MARCH_BOX_RADIUS = 32
};

/* Has it no programs, and up to 4 channels that march_cuda.cuh takes as samples side by side? Is it one?
 */
bool gf_march_takes_samples(const struct gf_pass *pass);
/* The same, whatever the window makes of them and the program behind it. */
bool gf_march_loads_samples(const struct gf_pass *pass);
bool gf_march_takes(const struct gf_pass *pass);
/* The same, whatever the program behind the window. */
bool gf_march_fits(const struct gf_pass *pass);

/* Does march_pixels_cuda.cuh take programs and channels of the pass, in a window of at most `channels`? As
 * tables of bytes, and a tap is then counted on the way (gf_u8_plan); or by interpreting them. */
bool gf_march_takes_bytes(const struct gf_pass *pass);
bool gf_march_takes_any(const struct gf_pass *pass, int32_t channels);

/* Is it a blur in f32 of one channel of u8 or three, which SHARPEN takes from its centre
 * (march_sharpen_cuda.cu)? */
bool gf_march_sharpens(const struct gf_pass *pass);

/* Programs of u8 pictures as tables of bytes. */
struct gf_march_tables {
    bool gray, in, out;
    int32_t behind;         /* instruction of the program behind the window that `out` begins with */
    struct gf_u8_step step; /* of `out`: no look-up is needed */
    uint64_t *counts;       /* rows of the tap that is counted on the way, or NULL */
    int32_t counts_mask;
};
void gf_march_tables_make(const struct gf_run *run, struct gf_march_tables *tables);

/* Is it one channel or three of which only the magnitude of the gradient is kept? */
bool gf_magnitude_takes(const struct gf_pass *pass);

/* Is it a slope or the direction, with a program behind it that marches? */
bool gf_slopes_takes(const struct gf_pass *pass);

gf_path_launch gf_magnitude_launch, gf_slopes_launch, gf_march_u8_launch, gf_march_f32_launch,
    gf_march_box_launch, gf_march_sharpen_launch;
