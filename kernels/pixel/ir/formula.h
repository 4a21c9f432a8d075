/* Formulas of a channel's new value, as FORMULA and FORMULA_SAMPLE run them: steps on a stack, for C11, C++17
 * and CUDA.
 *
 * A block has a row a formula and two numbers a step, its code and its operand; END fills the rest of a row.
 * Every step rounds once to f32. The judge has this arithmetic once more (reference_formula.c). */
#pragma once

#include "base/gf_math.h"
#include "base/planted_fault.h"

/* Each leaves one value on the stack. */
enum gf_formula_code {
    GF_FORMULA_END,
    GF_FORMULA_NUMBER,  /* the operand */
    GF_FORMULA_OWN,     /* the channel's own value */
    GF_FORMULA_CHANNEL, /* the value of the channel that the operand names */
    GF_FORMULA_NEGATE,
    GF_FORMULA_ABS,
    GF_FORMULA_SQRT,
    GF_FORMULA_EXP,
    GF_FORMULA_LOG,
    GF_FORMULA_ADD, /* from here on of two */
    GF_FORMULA_SUBTRACT,
    GF_FORMULA_MULTIPLY,
    GF_FORMULA_DIVIDE,
    GF_FORMULA_POWER,
    GF_FORMULA_MIN,
    GF_FORMULA_MAX,
    GF_FORMULA_LESS, /* 1 or 0 */
    GF_FORMULA_GREATER,
    GF_FORMULA_AT_MOST,
    GF_FORMULA_AT_LEAST,
    GF_FORMULA_SAME,
    GF_FORMULA_OTHER,
    GF_FORMULA_IF, /* of three */
    GF_FORMULA_CODES
};

enum { GF_FORMULA_STEPS = 96, GF_FORMULA_DEPTH = 12 }; /* at most; the depth of the stack */

/* Returns how many values a step takes. */
GF_HD int gf_formula_takes(int code)
{
    return code < GF_FORMULA_NEGATE ? 0 : code < GF_FORMULA_ADD ? 1 : code < GF_FORMULA_IF ? 2 : 3;
}

/* Returns what a step makes of the values it takes, the last being c if there are three, b if two. */
GF_HD float gf_formula_step(int code, float a, float b, float c)
{
    switch (code) {
    case GF_FORMULA_NEGATE:
        return -a;
    case GF_FORMULA_ABS:
        return gf_bits_float(gf_float_bits(a) & 0x7fffffffU);
    case GF_FORMULA_SQRT:
        return gf_sqrt(a);
    case GF_FORMULA_EXP:
        return gf_exp(a);
    case GF_FORMULA_LOG:
        return gf_log(a);
    case GF_FORMULA_ADD:
        return a + b;
    case GF_FORMULA_SUBTRACT:
        return a - b;
    case GF_FORMULA_MULTIPLY:
        return a * b;
    case GF_FORMULA_DIVIDE:
        return gf_div(a, b);
    case GF_FORMULA_POWER:
        return gf_pow(a, b);
    case GF_FORMULA_MIN:
        return b < a ? b : a;
    case GF_FORMULA_MAX:
        return b > a ? b : a;
    case GF_FORMULA_LESS:
        return a < b ? 1.0F : 0.0F;
    case GF_FORMULA_GREATER:
        return a > b ? 1.0F : 0.0F;
    case GF_FORMULA_AT_MOST:
        return a <= b ? 1.0F : 0.0F;
    case GF_FORMULA_AT_LEAST:
        return a >= b ? 1.0F : 0.0F;
    case GF_FORMULA_SAME:
        return a == b ? 1.0F : 0.0F;
    case GF_FORMULA_OTHER:
        return a == b ? 0.0F : 1.0F;
    case GF_FORMULA_IF:
        return a == 0.0F || (GF_FAULT(formula_if) && a < 0.0F) ? c : b;
    default:
        return a;
    }
}
