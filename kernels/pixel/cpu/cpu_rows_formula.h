/* Part of cpu_rows.c: formulas, a step of many pixels at a time. */
#include "pixel/ir/formula.h"

enum { FORMULA_LANES = 64 };

/* One step on the values of many pixels, a loop for each code, so that most vectorise. */
static void formula_step(int code, float *restrict a, const float *restrict b, const float *restrict c)
{
#define FORMULA_LOOP(step)                                                                                   \
    case step:                                                                                               \
        for (int32_t i = 0; i < FORMULA_LANES; i++) {                                                        \
            a[i] = gf_formula_step(step, a[i], b[i], c[i]);                                                  \
        }                                                                                                    \
        break
    switch (code) {
        FORMULA_LOOP(GF_FORMULA_NEGATE);
        FORMULA_LOOP(GF_FORMULA_ABS);
        FORMULA_LOOP(GF_FORMULA_SQRT);
        FORMULA_LOOP(GF_FORMULA_EXP);
        FORMULA_LOOP(GF_FORMULA_LOG);
        FORMULA_LOOP(GF_FORMULA_ADD);
        FORMULA_LOOP(GF_FORMULA_SUBTRACT);
        FORMULA_LOOP(GF_FORMULA_MULTIPLY);
        FORMULA_LOOP(GF_FORMULA_DIVIDE);
        FORMULA_LOOP(GF_FORMULA_POWER);
        FORMULA_LOOP(GF_FORMULA_MIN);
        FORMULA_LOOP(GF_FORMULA_MAX);
        FORMULA_LOOP(GF_FORMULA_LESS);
        FORMULA_LOOP(GF_FORMULA_GREATER);
        FORMULA_LOOP(GF_FORMULA_AT_MOST);
        FORMULA_LOOP(GF_FORMULA_AT_LEAST);
        FORMULA_LOOP(GF_FORMULA_SAME);
        FORMULA_LOOP(GF_FORMULA_OTHER);
        FORMULA_LOOP(GF_FORMULA_IF);
    default:
        break;
    }
#undef FORMULA_LOOP
}

/* Loads what a step that takes nothing leaves, for n pixels. */
static void formula_load(int code, float operand, const float *in, int32_t channels, int32_t own, int32_t n,
                         float *top)
{
    const int32_t channel = code == GF_FORMULA_OWN ? own : (int32_t)operand;
    for (int32_t i = 0; i < FORMULA_LANES; i++) {
        top[i] = code == GF_FORMULA_NUMBER ? operand : i < n ? in[i * channels + channel] : 0.0F;
    }
}

/* One formula for channel `own` of all pixels: `out` may be `in` where it reads no other channel. */
static void formula(const float *steps, int64_t width, const float *in, float *out, int64_t pixels,
                    int32_t channels, int32_t own)
{
    float stack[GF_FORMULA_DEPTH + 2][FORMULA_LANES] = {{0.0F}};
    for (int64_t at = 0; at < pixels; at += FORMULA_LANES) {
        const int32_t n = pixels - at < FORMULA_LANES ? (int32_t)(pixels - at) : FORMULA_LANES;
        const float *from = in + at * channels;
        int32_t depth = 0;
        for (int64_t i = 0; i + 1 < width && (int)steps[i] != GF_FORMULA_END; i += 2) {
            const int code = (int)steps[i];
            if (code < GF_FORMULA_NEGATE) {
                formula_load(code, steps[i + 1], from, channels, own, n, stack[depth++]);
            } else {
                depth -= gf_formula_takes(code);
                formula_step(code, stack[depth], stack[depth + 1], stack[depth + 2]);
                depth++;
            }
        }
        for (int32_t i = 0; i < n; i++) {
            out[(at + i) * channels + own] = depth > 0 ? stack[0][i] : from[i * channels + own];
        }
    }
}
