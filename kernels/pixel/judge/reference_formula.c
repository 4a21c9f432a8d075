/* The judge's formulas: read from their end, as the tree that they are. */
#include "base/gf_math.h"
#include "pixel/ir/formula.h"
#include "pixel/judge/reference_parts.h"

/* The steps that are not used yet, [0, n), and what they read. */
struct formula {
    const float *steps;
    int64_t n;
    const float *v;
    int32_t own;
};

static float of_one(int code, float a)
{
    switch (code) {
    case GF_FORMULA_NEGATE:
        return -a;
    case GF_FORMULA_ABS:
        return fabsf(a);
    case GF_FORMULA_SQRT:
        return sqrtf(a);
    case GF_FORMULA_EXP:
        return gf_exp(a);
    default:
        return gf_log(a);
    }
}

/* As docs/exactness.md has it, by the operators of C and without formula.h's functions for vectors. */
static float of_two(int code, float a, float b)
{
    switch (code) {
    case GF_FORMULA_ADD:
        return a + b;
    case GF_FORMULA_SUBTRACT:
        return a - b;
    case GF_FORMULA_MULTIPLY:
        return a * b;
    case GF_FORMULA_DIVIDE:
        return a / b;
    case GF_FORMULA_POWER:
        return gf_pow(a, b);
    case GF_FORMULA_MIN:
        return b < a ? b : a;
    case GF_FORMULA_MAX:
        return b > a ? b : a;
    case GF_FORMULA_LESS:
        return a < b;
    case GF_FORMULA_GREATER:
        return a > b;
    case GF_FORMULA_AT_MOST:
        return a <= b;
    case GF_FORMULA_AT_LEAST:
        return a >= b;
    case GF_FORMULA_SAME:
        return a == b;
    default:
        return a != b;
    }
}

/* The value of the formula whose last step is the last that is not used; uses its steps. */
static float value_of(struct formula *f) /* NOLINT(misc-no-recursion): as deep as the stack of formula.h */
{
    f->n--;
    const int code = (int)f->steps[2 * f->n];
    const float operand = f->steps[2 * f->n + 1];
    if (code == GF_FORMULA_NUMBER) {
        return operand;
    }
    if (code == GF_FORMULA_OWN || code == GF_FORMULA_CHANNEL) {
        return f->v[code == GF_FORMULA_OWN ? f->own : (int32_t)operand];
    }
    const float last = value_of(f);
    if (code < GF_FORMULA_ADD) {
        return of_one(code, last);
    }
    const float middle = value_of(f);
    if (code < GF_FORMULA_IF) {
        return of_two(code, middle, last);
    }
    return value_of(f) != 0.0F ? middle : last;
}

float gf_judge_formula(const float *steps, int64_t width, const float *v, int32_t own)
{
    struct formula f = {steps, 0, v, own};
    while (2 * f.n + 1 < width && (int)steps[2 * f.n] != GF_FORMULA_END) {
        f.n++;
    }
    return f.n > 0 ? value_of(&f) : v[own];
}
