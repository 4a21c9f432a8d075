#include "prim/array_data.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

const char *array_data_name(array_data data)
{
    static const char *const names[] = {"random", "unique",    "sorted",  "reverse", "constant",
                                        "ramp",   "twovalued", "density", "runs",    "special"};
    return (unsigned)data < ARRAY_DATA_COUNT ? names[data] : NULL;
}

/* splitmix64 of (seed, i): any element can be made without those before it. S. Vigna, public domain method.
 */
static uint64_t draw(uint64_t seed, uint64_t i)
{
    uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15U + i * 0xd1342543de82ef95U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

static double fraction(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* ---- One element ------------------------------------------------------------------------- */

/* Integers by their bits, floats by their value. */
static void store(void *data, gf_depth type, int64_t i, uint64_t integer, double number)
{
    switch (type) {
    case GF_U8:
        ((uint8_t *)data)[i] = (uint8_t)integer;
        break;
    case GF_U16:
    case GF_S16:
        ((uint16_t *)data)[i] = (uint16_t)integer;
        break;
    case GF_U32:
    case GF_S32:
        ((uint32_t *)data)[i] = (uint32_t)integer;
        break;
    case GF_U64:
    case GF_S64:
        ((uint64_t *)data)[i] = integer;
        break;
    case GF_F32:
        ((float *)data)[i] = (float)number;
        break;
    case GF_F64:
        ((double *)data)[i] = number;
        break;
    }
}

static void store_special(void *data, gf_depth type, int64_t i, uint64_t bits)
{
    static const uint64_t integers[] = {0,         1,      UINT64_MAX, 0x80,       0x7f,
                                        0x8000,    0x7fff, 0x80000000, 0x7fffffff, UINT64_C(1) << 63,
                                        INT64_MAX, 2,      255,        65535,      UINT32_MAX};
    const double numbers[] = {NAN,     -NAN,     0.0,       -0.0,   INFINITY,        -INFINITY,
                              FLT_MAX, -FLT_MAX, 1e-45,     -1e-45, (double)FLT_MIN, 1.0,
                              -1.0,    0.1,      16777216.0};
    store(data, type, i, integers[bits % 15], numbers[bits % 15]);
}

/* Returns how many different values the type has for ARRAY_UNIQUE and ARRAY_RAMP, as a mask; floats count as
 * exact as they can. */
static uint64_t value_mask(gf_depth type)
{
    return type == GF_F32                               ? (1U << 24) - 1
           : type == GF_F64 || gf_depth_size(type) == 8 ? UINT64_MAX >> 11
                                                        : (UINT64_C(1) << (8 * gf_depth_size(type))) - 1;
}

/* A permutation of 0 to n - 1: a four-round Feistel network on the next even number of bits, walked until the
 * result is below n (J. Black and P. Rogaway, "Ciphers with Arbitrary Finite Domains", 2002). */
static uint64_t permute(uint64_t i, uint64_t n, uint64_t seed)
{
    int half = 1;
    while (half < 32 && (n - 1) >> (2 * half) != 0) {
        half++;
    }
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t next = left ^ (draw(seed + round, right) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

/* Ascending over i from the least to the greatest value, with steps where n is larger than the type. */
static void store_sorted(void *data, gf_depth type, int64_t i, int64_t at, int64_t n)
{
    int64_t place = at / 3 * 3; /* runs of three equal elements */
    double part = (double)place / (double)n;
    bool is_signed = type == GF_S16 || type == GF_S32 || type == GF_S64;
    double span = ldexp(1.0, (int)(8 * gf_depth_size(type)));
    double value = floor(part * span) - (is_signed ? span / 2 : 0);
    uint64_t integer = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
    store(data, type, i, integer, part * 2000 - 1000);
}

/* The number of i's run. Run k begins somewhere among the elements of the k-th part of the array, which is as
 * long as runs are on average. */
static uint64_t run_of(int64_t i, double density, uint64_t seed)
{
    const double length = 1 / (density > 1e-12 ? density : 1e-12);
    const uint64_t k = (uint64_t)((double)i / length);
    const double begin = ((double)k + fraction(draw(seed, k))) * length;
    return k + ((double)i >= floor(begin));
}

/* ---- Arrays -------------------------------------------------------------------------------- */

static void store_kind(void *data, gf_depth type, int64_t i, int64_t n, array_data kind, double density,
                       uint64_t seed)
{
    uint64_t bits = draw(seed, (uint64_t)i);
    uint64_t value = 0;
    switch (kind) {
    case ARRAY_RANDOM:
        store(data, type, i, bits, type == GF_F32 ? (double)(bits >> 40) * 0x1p-24 : fraction(bits));
        return;
    case ARRAY_SORTED:
        store_sorted(data, type, i, i, n);
        return;
    case ARRAY_REVERSE:
        store_sorted(data, type, i, n - 1 - i, n);
        return;
    case ARRAY_SPECIAL:
        store_special(data, type, i, bits);
        return;
    case ARRAY_UNIQUE:
        value = permute((uint64_t)i, (uint64_t)n, seed) & value_mask(type);
        break;
    case ARRAY_CONSTANT:
        value = 42;
        break;
    case ARRAY_RAMP:
        value = (uint64_t)i & value_mask(type);
        break;
    case ARRAY_TWOVALUED:
        value = bits >> 63 ? 200 : 0;
        break;
    case ARRAY_DENSITY:
        value = fraction(bits) < density ? 1 + draw(seed + 1, (uint64_t)i) % 100 : 0;
        break;
    case ARRAY_RUNS:
        value = run_of(i, density, seed) & value_mask(type);
        break;
    case ARRAY_DATA_COUNT:
        return;
    }
    store(data, type, i, value, (double)value);
}

void array_data_fill_part(void *data, gf_depth type, int64_t n, array_data kind, double density,
                          uint64_t seed, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        store_kind(data, type, i, n, kind, density, seed);
    }
}

void array_data_fill(void *data, gf_depth type, int64_t n, array_data kind, double density, uint64_t seed)
{
    array_data_fill_part(data, type, n, kind, density, seed, 0, n);
}

/* ---- Lengths ------------------------------------------------------------------------------ */

const char *array_lengths_name(array_lengths lengths)
{
    static const char *const names[] = {"even", "zipf"};
    return (unsigned)lengths < LENGTHS_COUNT ? names[lengths] : NULL;
}

/* What the law leaves over, less than one a row, goes to the longest. */
static void fill_zipf(int64_t *offsets, int64_t n, int64_t mean, uint64_t seed)
{
    const int64_t total = n * mean;
    double harmonic = 0;
    for (int64_t i = n; i > 0; i--) {
        harmonic += 1 / (double)i;
    }
    const double longest = (double)total / harmonic;
    int64_t left = total;
    for (int64_t i = 1; i <= n; i++) {
        left -= (int64_t)(longest / (double)i);
    }
    offsets[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t rank = (int64_t)permute((uint64_t)i, (uint64_t)n, seed);
        offsets[i + 1] = offsets[i] + (int64_t)(longest / (double)(rank + 1)) + (rank < left);
    }
}

void array_lengths_fill(int64_t *offsets, int64_t n, int64_t mean, array_lengths kind, uint64_t seed)
{
    if (kind == LENGTHS_ZIPF) {
        fill_zipf(offsets, n, mean, seed);
        return;
    }
    for (int64_t i = 0; i <= n; i++) {
        offsets[i] = i * mean;
    }
}

/* The published program draws by rejection with y in [0, 1), though the density reaches k, and forces counts
 * of at least 1: its numbers follow min(f, 1). These follow f. */
static double draw_skewed(double k, uint64_t seed, uint64_t i)
{
    const double epsilon = 0.01, u = fraction(draw(seed + 1, i));
    const bool is_uniform = k <= 0 || fraction(draw(seed, i)) < epsilon;
    return is_uniform ? u : -log1p(u * expm1(-k)) / k;
}

void array_counts_fill(int32_t *counts, int64_t n, int32_t most, array_counts kind, double skew,
                       uint64_t seed)
{
    for (int64_t i = 0; i < n; i++) {
        const uint64_t place = (uint64_t)i;
        const double x = kind == COUNTS_ZIPF ? 1 / (double)(permute(place, (uint64_t)n, seed) + 1)
                                             : draw_skewed(skew, seed, place);
        counts[i] = (int32_t)fmin(most, most * x);
    }
}

/* ---- Sizes --------------------------------------------------------------------------------- */

const int64_t *array_data_sizes(int64_t most, int32_t *count)
{
    static const int64_t sizes[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    65,
                                    127,
                                    128,
                                    129,
                                    255,
                                    256,
                                    257,
                                    511,
                                    512,
                                    513,
                                    1000,
                                    1023,
                                    1024,
                                    1025,
                                    2047,
                                    2048,
                                    2049,
                                    4095,
                                    4096,
                                    4097,
                                    8191,
                                    8192,
                                    8193,
                                    12345,
                                    16383,
                                    16384,
                                    16385,
                                    32767,
                                    32769,
                                    65535,
                                    65536,
                                    65537,
                                    100003,
                                    131071,
                                    262143,
                                    262145,
                                    500000,
                                    1048575,
                                    1048577,
                                    (1 << 22) - 3,
                                    (1 << 24) + 1};
    int32_t n = 0;
    while (n < (int32_t)(sizeof sizes / sizeof sizes[0]) && sizes[n] <= most) {
        n++;
    }
    *count = n;
    return sizes;
}
