/* pass_draw.h: random pictures, weights and ways for tests of passes; the same on every machine. */
#ifndef PASS_DRAW_H
#define PASS_DRAW_H

#include "check.h"
#include "pass_case.h"

static uint64_t pass_draw_seed;

static inline uint32_t draw(uint32_t n)
{
    pass_draw_seed = pass_draw_seed * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(pass_draw_seed >> 33) % n;
}

static inline float draw_float(void)
{
    switch (draw(40)) {
    case 0:
        return gf_bits_float(0xffc00123U); /* a NaN that is not the canonical one */
    case 1:
        return -0.0F;
    case 2:
        return gf_bits_float(0x7f800000U);
    case 3:
        return -1e30F;
    case 4:
        return 1e-42F; /* subnormal */
    case 5:
        return gf_bits_float(draw(2) ? 0x7f800001U : 0xff800001U); /* the NaNs next to infinity */
    case 6:
        return gf_bits_float(draw(2) ? 0xff800000U : 0xffffffffU);
    default:
        return (float)draw(1000001) * 1e-6F * (draw(8) ? 1.0F : -2.0F);
    }
}

/* Packed samples of a value; `calm` f32 have no NaN, infinity or huge value. */
static inline void *draw_picture(const struct gf_value *v, bool calm)
{
    int64_t n = v->width * v->height * v->channels;
    void *data = malloc((size_t)n * gf_depth_size(v->depth));
    bool flat = draw(4) == 0; /* few values: ties, long runs */
    for (int64_t i = 0; i < n; i++) {
        if (v->depth == GF_U8) {
            ((uint8_t *)data)[i] = (uint8_t)(flat ? 255 * draw(2) : draw(256));
        } else if (v->depth == GF_U16) {
            ((uint16_t *)data)[i] = (uint16_t)(flat ? 65535 * draw(2) : draw(65536));
        } else {
            ((float *)data)[i] = calm || flat ? (float)draw(1000) / 999.0F : draw_float();
        }
    }
    return data;
}

/* Positive weights: s16 of sum 2^shift, or f32. The unlucky sum of rounding goes to the centre. */
static inline void draw_weights(void *weights, int32_t radius, bool fixed, int32_t shift)
{
    int32_t n = 2 * radius + 1;
    int32_t rest = 1 << shift;
    for (int32_t i = 0; i < n; i++) {
        if (fixed) {
            int16_t w = i == radius ? 0 : (int16_t)draw((uint32_t)((1 << shift) / n));
            ((int16_t *)weights)[i] = w;
            rest -= w;
        } else {
            ((float *)weights)[i] = ((float)draw(1000) + 0.5F) / (500.0F * (float)n);
        }
    }
    if (fixed) {
        ((int16_t *)weights)[radius] = (int16_t)rest;
    }
}

/* ---- ways ---- */

static inline struct pass_way draw_way(void)
{
    static const int64_t bands[] = {0, 1, 2, 7, 32};
    static const int64_t strips[] = {0, 0, 1, 5, 17, 64};
    int levels = 1;
    while (gf_cpu_rows_level(levels)) {
        levels++;
    }
    struct pass_way way = {.threads = 1 + (int32_t)draw(3)};
    way.options.rows = gf_cpu_rows_level((int)draw((uint32_t)levels));
    way.options.band_height = bands[draw(5)];
    way.options.strip_width = strips[draw(6)];
    way.options.stream_bytes = (int64_t)draw(2); /* 1: past the caches */
    return way;
}

/* Runs the list by several ways. */
static inline void check_ways(const void *in, int ways, const char *name)
{
    struct pass_case t;
    gf_error error = GF_ERROR_INIT;
    char why[512] = "";
    bool ok = pass_case_make(&t, in, &error) == GF_OK;

    CHECK_MSG(ok, "%s: the judge: %s", name, error.message);
    for (int i = 0; ok && i < ways; i++) {
        struct pass_way way = draw_way();
        if (i < 4 && gf_cpu_rows_level(i)) { /* each level once with everything chosen by the executor */
            way.options = (struct gf_cpu_options){.rows = gf_cpu_rows_level(i)};
        }
        way.no_store = t.pass.n_taps > 0 && draw(3) == 0;
        ok = pass_case_check(&t, &way, why, sizeof why);
        CHECK_MSG(ok, "%s, %s, %lld rows, %lld columns, %d threads: %s", name, way.options.rows->level,
                  (long long)way.options.band_height, (long long)way.options.strip_width, (int)way.threads,
                  why);
    }
    pass_case_free(&t);
}

#endif
