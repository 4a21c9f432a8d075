/* drawn_check.h: a text on a picture that is drawn at random, the same bits from all executors and the judge.
 * For programs of check.h. */
#ifndef DRAWN_CHECK_H
#define DRAWN_CHECK_H

#include "check.h"
#include "parity.h"
#include "plan_cases.h"

/* Makes a picture; special: some f32 are NaN, infinite, subnormal or -0. A failure of the case where it
 * cannot. */
static inline bool drawn_picture(struct parity_picture *picture, const gf_shape *shape, uint64_t seed,
                                 enum plan_content content, bool special)
{
    struct plan_random random;
    plan_random_seed(&random, seed, 1);
    if (!parity_picture_make(picture, shape, (int32_t)(seed % 4))) {
        check_that(0, __FILE__, __LINE__, "out of memory");
        return false;
    }
    plan_random_picture(&random, content, special, &picture->image);
    return true;
}

static inline void drawn_check(const char *text, const gf_shape *shape, uint64_t seed,
                               enum plan_content content, bool special, gf_alpha alpha)
{
    struct parity_picture in;
    char why[512];
    if (!drawn_picture(&in, shape, seed, content, special)) {
        return;
    }
    CHECK_MSG(parity_check(text, &in.image, alpha, why, sizeof why) > 0,
              "%s on %lld x %lld x %d %s (content %d, alpha %d, seed %llu): %s", text,
              (long long)shape->width, (long long)shape->height, shape->channels, gf_depth_name(shape->depth),
              (int)content, (int)alpha, (unsigned long long)seed, why);
    parity_picture_free(&in);
}

#endif
