/* Random cases for tests of whole plans: shapes, pictures and --stages texts. Everything follows from the
 * seed and the tables of the stages, on any machine and in any locale. */
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
    int32_t greatest_radius; /* of windows, >= 1; may exceed the picture */
    bool common;             /* roi= and channels= may occur */
    gf_alpha alpha;          /* what it is bound with */
};

enum { PLAN_TEXT_SIZE = 2048 }; /* holds any chain of up to 12 stages */

/* Writes a --stages text of stages drawn from all that are built in (stage_cases.h), at least one a window;
 * it can be bound to the shape, and no picture in it is large. Positional and named forms both occur. Returns
 * the number of stages, or 0 when `size` is too small or a stage was refused in a way that it must not:
 * `text` ends with it. */
int32_t plan_random_chain(struct plan_random *random, const struct plan_chain *chain, char *text,
                          size_t size);

#endif
