/* pow, exp and log of gf_math.h against long double, and by hand at the special cases. With
 * GPUFILTER_TEST_LONG set, exp and log run over all 2^32 floats. */
#include "base/gf_math.h"
#include "check.h"
#include "floats.h"

#include <stdlib.h>

#define INF ((float)INFINITY)
#define NOT ((float)NAN)

/* The bound that gf_math.h states, in units in the last place. */
static const double bound = 0.501;

/* Distance of an f32 result from the real value in units in the last place of the real value; 0 where both
 * are the same infinity or NaN, huge where only one is. */
static double ulps(float result, long double real)
{
    float rounded = (float)real;
    if (rounded != rounded || rounded == INF || rounded == -INF) {
        return same_float(result, rounded) ? 0.0 : 1e9;
    }
    int exponent;
    (void)frexpl(real, &exponent);
    exponent = real == 0.0L || exponent < -125 ? -125 : exponent;
    return (double)(fabsl((long double)result - real) / ldexpl(1.0L, exponent - 24));
}

typedef float (*shared_function)(float);
typedef long double (*real_function)(long double);

static float call_exp(float v)
{
    return gf_exp(v);
}
static float call_exp2(float v)
{
    return gf_exp2(v);
}
static float call_log(float v)
{
    return gf_log(v);
}
static float call_log2(float v)
{
    return gf_log2(v);
}

static void unary(const char *name, shared_function f, real_function real)
{
    uint64_t step = getenv("GPUFILTER_TEST_LONG") ? 1 : 2063;
    double worst = 0.0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        float v = gf_bits_float((uint32_t)bits);
        double distance = ulps(f(v), real((long double)v));
        CHECK_MSG(distance <= bound, "%s(%a) = %a, %g units off", name, (double)v, (double)f(v), distance);
        worst = distance > worst ? distance : worst;
    }
    for (uint64_t n = 0; n < 500000; n++) { /* dense where results are finite and arguments near 1 */
        uint64_t random = random_at(30, n);
        float v =
            n & 1 ? (float)(int32_t)(random >> 32) * 5e-8F : 1.0F + (float)(int32_t)(random >> 32) * 1e-10F;
        double distance = ulps(f(v), real((long double)v));
        CHECK_MSG(distance <= bound, "%s(%a) = %a, %g units off", name, (double)v, (double)f(v), distance);
        worst = distance > worst ? distance : worst;
    }
    printf("# %s: at most %.6f units in the last place\n", name, worst);
}

static void exp_is_close(void)
{
    unary("exp", call_exp, expl);
}

static void exp2_is_close(void)
{
    unary("exp2", call_exp2, exp2l);
}

static void log_is_close(void)
{
    unary("log", call_log, logl);
}

static void log2_is_close(void)
{
    unary("log2", call_log2, log2l);
}

static void exp_and_log_specials(void)
{
    CHECK(gf_exp(0.0F) == 1.0F && gf_exp2(-0.0F) == 1.0F && gf_exp2(10.0F) == 1024.0F);
    CHECK(gf_exp(-INF) == 0.0F && gf_exp(INF) == INF && gf_exp(NOT) != gf_exp(NOT));
    CHECK(gf_exp(1000.0F) == INF && gf_exp(-1000.0F) == 0.0F && gf_exp2(-149.0F) == gf_bits_float(1));
    CHECK(gf_exp2(128.0F) == INF && gf_exp2(FLT_MAX) == INF && gf_exp2(-FLT_MAX) == 0.0F);
    CHECK(gf_log(1.0F) == 0.0F && gf_log2(8.0F) == 3.0F && gf_log2(gf_bits_float(1)) == -149.0F);
    CHECK(gf_log(0.0F) == -INF && gf_log(-0.0F) == -INF && gf_log(INF) == INF);
    CHECK(gf_log(-1.0F) != gf_log(-1.0F) && gf_log(-INF) != gf_log(-INF) && gf_log2(NOT) != gf_log2(NOT));
}

static void pow_specials(void)
{
    static const struct {
        float x, y, power;
    } table[] = {
        {0.0F, 3.0F, 0.0F},
        {-0.0F, 3.0F, -0.0F},
        {0.0F, -3.0F, INF},
        {-0.0F, -3.0F, -INF},
        {-0.0F, 2.0F, 0.0F},
        {-0.0F, -2.0F, INF},
        {0.0F, 0.5F, 0.0F},
        {-0.0F, 0.5F, 0.0F},
        {-0.0F, -0.5F, INF},
        {0.0F, INF, 0.0F},
        {0.0F, -INF, INF},
        {-0.0F, -INF, INF},
        {0.0F, 1e-40F, 0.0F},
        {-1.0F, INF, 1.0F},
        {-1.0F, -INF, 1.0F},
        {-1.0F, NOT, NOT},
        {1.0F, NOT, 1.0F},
        {1.0F, INF, 1.0F},
        {NOT, 0.0F, 1.0F},
        {NOT, -0.0F, 1.0F},
        {NOT, 1.0F, NOT},
        {2.0F, NOT, NOT},
        {0.0F, NOT, NOT},
        {INF, NOT, NOT},
        {-8.0F, 0.5F, NOT},
        {-8.0F, 1e-40F, NOT},
        {-2.0F, 8388607.5F, NOT},
        {-2.0F, 3.0F, -8.0F},
        {-2.0F, 2.0F, 4.0F},
        {-2.0F, -1.0F, -0.5F},
        {-1.0F, 16777215.0F, -1.0F},
        {-1.0F, 8388609.0F, -1.0F},
        {-1.0F, 16777216.0F, 1.0F},
        {-1.0F, FLT_MAX, 1.0F},
        {0.5F, -INF, INF},
        {0.5F, INF, 0.0F},
        {-0.5F, -INF, INF},
        {2.0F, -INF, 0.0F},
        {2.0F, INF, INF},
        {-2.0F, INF, INF},
        {-2.0F, -INF, 0.0F},
        {INF, 2.0F, INF},
        {INF, -2.0F, 0.0F},
        {INF, 1e-40F, INF},
        {-INF, 3.0F, -INF},
        {-INF, 2.0F, INF},
        {-INF, 0.5F, INF},
        {-INF, -3.0F, -0.0F},
        {-INF, -2.0F, 0.0F},
        {-INF, -0.5F, 0.0F},
        {-INF, INF, INF},
        {-INF, -INF, 0.0F},
        {INF, INF, INF},
        {3.0F, 4.0F, 81.0F},
        {0.25F, 0.5F, 0.5F},
        {2.0F, -149.0F, 1e-45F},
        {2.0F, 128.0F, INF},
        {-2.0F, 129.0F, -INF},
        {-2.0F, -151.0F, -0.0F},
        {1e-45F, -1.0F, INF},
        {1e-40F, 1.0F, 1e-40F},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        float power = gf_pow(table[i].x, table[i].y);
        CHECK_MSG(same_float(power, table[i].power), "pow(%g, %g) = %g, expected %g", (double)table[i].x,
                  (double)table[i].y, (double)power, (double)table[i].power);
    }
}

static void pow_is_close(void)
{
    double worst = 0.0;
    for (uint64_t n = 0; n < 1500000; n++) {
        float x = float_from(random_at(31, n));
        float y = float_from(random_at(32, n));
        if (n % 3 == 1) { /* results all over the range of f32 */
            y = (float)(int32_t)(random_at(33, n) >> 32) * 7e-8F /
                (float)(1.0 + fabs(log2(fabs((double)x) + 1e-45)));
        } else if (n % 3 == 2) { /* as a gamma of a picture */
            x = float_from(random_at(31, n) | 7U);
            y = 0.2F + 5.0F * float_from(random_at(32, n) | 7U);
        }
        double distance = ulps(gf_pow(x, y), powl((long double)x, (long double)y));
        CHECK_MSG(distance <= bound, "pow(%a, %a) = %a, %g units off", (double)x, (double)y,
                  (double)gf_pow(x, y), distance);
        worst = distance > worst ? distance : worst;
    }
    printf("# pow: at most %.6f units in the last place\n", worst);
}

static void pow_with_exponent_one_is_exact(void)
{
    for (uint64_t n = 0; n < 1000000; n++) {
        float x = float_from(random_at(34, n));
        CHECK_MSG(same_float(gf_pow(x, 1.0F), x), "pow(%a, 1)", (double)x);
    }
}

/* Gamma tables: within one of the real value rounded, nearly always equal to it, and never falling. */
static void gamma_tables(void)
{
    const double gammas[] = {0.1, 0.4545, 0.5, 1.0, 1.8, 2.0, 2.2, 2.4, 10.0};
    for (size_t g = 0; g < sizeof gammas / sizeof gammas[0]; g++) {
        float exponent = (float)(1.0 / gammas[g]);
        for (int white = 255; white <= 65535; white += 65280) {
            int before = 0, differing = 0;
            for (int v = 0; v <= white; v++) {
                float power = gf_pow(gf_div((float)v, (float)white), exponent);
                int out = gf_quantise_u16((float)white * power);
                long double real = (long double)white * powl((long double)v / white, (long double)exponent);
                /* half a level, and what rounding v / white to f32 and the product are worth */
                long double tolerance = 0.505L + 0.005L * (long double)exponent;
                CHECK_MSG(fabsl(out - real) <= tolerance, "gamma %g of %d is %d", gammas[g], v, out);
                CHECK_MSG(out >= before, "gamma %g falls at %d", gammas[g], v);
                differing += out != (int)floorl(real + 0.5L);
                before = out;
            }
            CHECK_EQ_INT(gf_quantise_u16((float)white * gf_pow(1.0F, exponent)), white);
            CHECK_MSG(differing <= white / 100, "gamma %g: %d of %d differ", gammas[g], differing, white);
            CHECK_MSG(gammas[g] != 1.0 || differing == 0, "gamma 1 is not the identity");
        }
    }
}

/* Two sums side by side: what a compiler that joins neighbouring statements to vectors makes of a chain. */
__attribute__((noinline)) static void two_chains(const float *restrict w, const float *restrict x,
                                                 float *restrict sum)
{
    float a = gf_fma_exact(w[0], x[0], sum[0]);
    float b = gf_fma_exact(w[0], x[1], sum[1]);
    sum[0] = gf_fma_exact(w[1], x[2], a);
    sum[1] = gf_fma_exact(w[1], x[3], b);
}

static void fma_in_neighbouring_chains(void)
{
    for (uint64_t n = 0; n < 100000; n++) {
        float w[2] = {float_from(random_at(21, n) | 7U), float_from(random_at(22, n) | 7U)}, x[4],
              sum[2] = {0.0F, 0.0F};
        for (uint64_t k = 0; k < 4; k++) {
            x[k] = float_from(random_at(23 + k, n) | 7U);
        }
        two_chains(w, x, sum);
        for (int i = 0; i < 2; i++) {
            CHECK_MSG(same_float(sum[i], fmaf(w[1], x[2 + i], w[0] * x[i])), "chain %d of two", i);
        }
    }
}

static const struct check_case cases[] = {
    {"fma fallback in neighbouring chains", fma_in_neighbouring_chains},
    {"exp within 0.501 units in the last place", exp_is_close},
    {"exp2 within 0.501 units in the last place", exp2_is_close},
    {"log within 0.501 units in the last place", log_is_close},
    {"log2 within 0.501 units in the last place", log2_is_close},
    {"exp and log at special values", exp_and_log_specials},
    {"pow at special values", pow_specials},
    {"pow within 0.501 units in the last place", pow_is_close},
    {"pow(x, 1) is x", pow_with_exponent_one_is_exact},
    {"gamma tables", gamma_tables},
};
CHECK_MAIN(cases)
