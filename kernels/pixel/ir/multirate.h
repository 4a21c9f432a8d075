/* The grids and weights of a Gaussian of a large sigma (docs/exactness.md), as both backends lay them out. */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/gaussian.h"
#include "pixel/ir/op.h"

/* across: source_rows x wide; coarse: rows x wide; smooth: rows x narrow; smoother: narrow_rows x narrow. The
 * coarse grid begins radius + GF_MULTIRATE_BEFORE steps left of and above pixel (0, 0), the others lose
 * radius on each side. A signal is not sampled down its columns: coarse is across, smoother is smooth. */
struct gf_multirate_grids {
    int64_t source_rows; /* the picture's, and with a constant border one more, filled */
    int64_t wide, rows, narrow, narrow_rows;
};

/* Coarse samples along n pixels. */
static inline int64_t gf_multirate_count(const struct gf_multirate_args *args, int64_t n)
{
    return (n - 1) / args->step + GF_MULTIRATE_TAPS + 2 * args->radius;
}

static inline struct gf_multirate_grids gf_multirate_grids_make(const struct gf_pass *pass)
{
    const struct gf_multirate_args *args = &pass->window.args.multirate;
    struct gf_multirate_grids g;
    g.source_rows = pass->height + (pass->window.border == GF_BORDER_CONSTANT);
    g.wide = gf_multirate_count(args, pass->width);
    g.narrow = g.wide - 2 * args->radius;
    g.rows = args->down ? gf_multirate_count(args, pass->height) : pass->height;
    g.narrow_rows = args->down ? g.rows - 2 * args->radius : g.rows;
    return g;
}

/* Say where the kinds of weights lie in their block: interpolation first, tap j for the pixel p right of a
 * coarse sample at [j * step + p]; then decimation, 9 step + 1 of them; then the blur, 2 radius + 1. */
GF_HD int64_t gf_multirate_at_decimation(int64_t step)
{
    return GF_MULTIRATE_TAPS * step;
}
GF_HD int64_t gf_multirate_at_blur(int64_t step)
{
    return gf_multirate_at_decimation(step) + 9 * step + 1;
}

/* The pixel at which the taps of sample k of the coarse grid begin; there are 9 step + 1. */
GF_HD int64_t gf_multirate_start(int64_t k, int64_t step, int64_t radius)
{
    return (k - GF_MULTIRATE_BEFORE - radius) * step - step * 9 / 2;
}
