/* Random cases for tests of whole plans: shapes, pictures and --stages texts. Everything follows from the
 * seed alone, on any machine; nothing here depends on the locale or on the library under test. */
#ifndef PLAN_CASES_H
#define PLAN_CASES_H

#include "gpufilter/types.h"

#include <stdbool.h>

/* PCG32 (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
 * Number Generation", 2014). Streams differ by `stream`. */
struct plan_random {
    uint64_t state, increment;
};

void plan_random_seed(struct plan_random *random, uint64_t seed, uint64_t stream);
uint32_t plan_random_next(struct plan_random *random);

/* Uniform in [0, n), n >= 1; uniform in [lo, hi], hi - lo < 2^32 - 1. */
uint32_t plan_random_below(struct plan_random *random, uint32_t n);
int64_t plan_random_between(struct plan_random *random, int64_t lo, int64_t hi);

/* A shape of at most max_width x max_height pixels: often tiny, often within two of a multiple of 32 or
 * 128 (where tiles, strips, bands and sum cells end), else anything. 1 to 4 channels, u8, u16 or f32. */
gf_shape plan_random_shape(struct plan_random *random, int64_t max_width, int64_t max_height);

enum plan_content {
    PLAN_NOISE,    /* every value equally likely; f32: [0, 1) */
    PLAN_GRADIENT, /* a plane of random slope and direction, by channel */
    PLAN_CONSTANT, /* one value a channel */
    PLAN_BINARY,   /* 0 or white at random */
    PLAN_CHECKER,  /* 0 and white in squares of 1 to 8 pixels */
    PLAN_SMOOTH,   /* a few waves and soft spots, with a little noise: like a photograph */
    PLAN_EXTREMES, /* 0, 1, half, white - 1 and white; f32: beyond [0, 1], up to 1e30 */
    PLAN_CONTENTS
};

/* Writes every sample of a picture (u8, u16 or f32, any pitch) and nothing between its rows. `special`, f32
 * only: about one sample in sixteen becomes NaN (several bit patterns), an infinity, -0 or a subnormal. */
void plan_random_picture(struct plan_random *random, enum plan_content content, bool special,
                         const gf_image *picture);

/* What a chain may contain. */
struct plan_chain {
    gf_shape shape;          /* of the picture that enters it */
    int32_t least, most;     /* stages: 1 <= least <= most */
    int32_t greatest_radius; /* of blur and box, >= 1; may exceed the picture */
    bool common;             /* roi= and channels= may occur (premultiplied alpha knows neither) */
};

enum { PLAN_TEXT_SIZE = 2048 }; /* holds any chain of up to 12 stages */

/* Writes a valid --stages text with at least one window stage (blur, box or sobel) among gray invert
 * brightness contrast gamma convert threshold blur box sobel equalize hist stats; gray only where there are
 * 3 or 4 channels; roi within the picture; channels only ones that the picture has at that stage.
 * Positional and named forms both occur. Returns the number of stages, or 0 when `size` is too small. */
int32_t plan_random_chain(struct plan_random *random, const struct plan_chain *chain, char *text,
                          size_t size);

#endif
