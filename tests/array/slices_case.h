/* Products with slices for tests: a call, on matrices whose elements try what scales and digits must stand.
 */
#ifndef TESTS_SLICES_CASE_H
#define TESTS_SLICES_CASE_H

#include "array_case.h"

#include "gpufilter/matmul.h"
#include "linear/matmul/matmul_slices.h"

#include <math.h>

/* A call, on matrices with `gap` elements behind each row. */
struct slices_product {
    const char *algo;
    gf_device device;
    int64_t m, k, n;
    int transpose_a, transpose_b, slices, threads;
    int tile;
    int64_t gap;
    int64_t plain[2]; /* what it said */
};

static inline void *slices_memory(size_t bytes)
{
    void *block = malloc(bytes + 1);
    if (!block) {
        abort();
    }
    return block;
}

/* C without gaps, to be freed; a and b are as the product has them in memory, gaps included. */
static inline float *slices_multiply(struct slices_product *p, const float *a, const float *b)
{
    const int64_t rows[] = {p->transpose_a ? p->k : p->m, p->transpose_b ? p->n : p->k, p->m};
    const int64_t columns[] = {p->transpose_a ? p->m : p->k, p->transpose_b ? p->k : p->n, p->n};
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    const gf_queue queue = {p->device, NULL};
    gf_error error = GF_ERROR_INIT;
    struct array_memory m[3], scratch, plain;
    size_t bytes = 0;
    o.transpose_a = p->transpose_a;
    o.transpose_b = p->transpose_b;
    o.lda = columns[0] + p->gap;
    o.ldb = columns[1] + p->gap;
    o.ldc = columns[2] + p->gap;
    o.array = (gf_array_options){p->algo, GF_F32, p->threads, 0, p->tile, 0};
    o.accuracy = p->slices > 0 ? GF_MATMUL_F32X : GF_MATMUL_F32;
    o.slices = p->slices;
    for (int i = 0; i < 3; i++) {
        CHECK(array_memory_make(&m[i], p->device, (size_t)(rows[i] * (columns[i] + p->gap)) * sizeof *a, 4));
    }
    CHECK(array_memory_make(&plain, p->device, sizeof p->plain, 0));
    array_memory_upload(&m[0], a);
    array_memory_upload(&m[1], b);
    o.plain = p->slices > 0 ? plain.data : NULL;
    gf_status status = gf_matmul_scratch(p->device, &o, p->m, p->k, p->n, &bytes, &error);
    CHECK(array_memory_make(&scratch, p->device, bytes, 0));
    status = status == GF_OK ? gf_matmul(queue, &o, m[0].data, m[1].data, p->m, p->k, p->n, m[2].data,
                                         scratch.data, bytes, &error)
                             : status;
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", p->algo, error.message);
    float *whole = slices_memory(m[2].bytes), *c = slices_memory((size_t)(p->m * p->n) * sizeof *c);
    array_memory_download(&m[2], whole);
    array_memory_download(&plain, p->plain);
    for (int64_t i = 0; i < p->m; i++) {
        memcpy(c + i * p->n, whole + i * (p->n + p->gap), (size_t)p->n * sizeof *c);
        for (int64_t g = 0; g < p->gap; g++) {
            const unsigned char *beside = (const unsigned char *)&whole[i * (p->n + p->gap) + p->n + g];
            CHECK(beside[0] == ARRAY_CANARY_BYTE && beside[3] == ARRAY_CANARY_BYTE);
        }
    }
    for (int i = 0; i < 3; i++) {
        array_memory_end(&m[i], i < 2 ? "an input" : "the output");
    }
    array_memory_end(&scratch, "the scratch");
    array_memory_end(&plain, "the counts");
    free(whole);
    return c;
}

/* ---- Elements ------------------------------------------------------------------------------------ */

enum kind { EVEN, POWERS, WIDE, SPECIAL, HIGH, ZERO, KINDS };

static inline const char *slices_kind_name(enum kind kind)
{
    static const char *const names[] = {"even", "powers", "wide", "special", "high", "zero"};
    return names[kind];
}

static inline uint64_t slices_draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15U;
    uint64_t x = *state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

/* `at` tells rows apart: with POWERS each has another size, with WIDE and SPECIAL some are plain. */
static inline float slices_element(enum kind kind, int64_t at, uint64_t *state)
{
    const uint64_t bits = slices_draw(state);
    const float even = (float)(int32_t)bits * 0x1p-31F;
    switch (kind) {
    case POWERS:
        return ldexpf(even, (int)(at * 37 % 120) - 60);
    case WIDE: /* by 2^20, in every third row */
        return at % 3 == 1 ? ldexpf(even, (int)(bits >> 40 & 15) * -2) : even;
    case SPECIAL:
        return at % 5 == 2 && bits >> 60 == 0   ? INFINITY
               : at % 5 == 3 && bits >> 60 == 0 ? NAN
               : at % 5 == 4                    ? even * 0x1p-130F
               : bits >> 62 == 0                ? -0.0F
                                                : even;
    case HIGH: /* every digit is 127 or -128, or the exponent goes up */
        return gf_bits_float((uint32_t)(bits >> 63) << 31 | (0x3f000000U + 0x7efefdU + (uint32_t)(bits & 3)));
    case ZERO:
        return 0;
    default:
        return even;
    }
}

static inline float *slices_filled(int64_t rows, int64_t columns, enum kind kind, uint64_t seed)
{
    float *data = slices_memory((size_t)(rows * columns) * sizeof *data);
    for (int64_t i = 0; i < rows * columns; i++) {
        data[i] = slices_element(kind, i / columns, &seed);
    }
    return data;
}

#endif
