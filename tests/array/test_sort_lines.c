/* The quicksort by vectors of the CPU's sort, each SIMD level that this processor has, against the
 * definition, byte by byte; and how threads split keys for it. */
#include "level_case.h"
#include "sort_check.h"

#include "array/sort/sort_lines.h"

/* ---- Keys -------------------------------------------------------------------------------------------------- */

enum pattern {
    RANDOM,
    EQUAL,
    TWO,
    FEW,
    ASCENDING,
    DESCENDING,
    ORGAN_PIPE,
    SAW,
    LAST_IS_LEAST,
    SPECIAL,
    NAN_ONLY,
    PATTERNS
};
static const char *const pattern_names[] = {"random",        "equal",      "two values", "few values",
                                            "ascending",     "descending", "organ pipe", "saw",
                                            "last is least", "special",    "NaN only"};

/* Floats: NaN of both signs that tell where they stood, zeros, infinities, the least and the greatest. */
static uint64_t special_bits(bool wide, uint64_t draw, int64_t i)
{
    static const uint32_t narrow[] = {0,          0x80000000, 1,          0x80000001,
                                      0x7f800000, 0xff800000, 0x7f7fffff, 0x3f800000};
    const uint64_t nan = (uint64_t)i & 0x3fffff;
    if (draw % 16 < 8) {
        const uint64_t bits = narrow[draw % 8];
        return wide ? (bits & 0x80000000) << 32 |
                          (bits == 0x7f800000 || bits == 0xff800000 ? 0x7ff0000000000000 : bits & 7)
                    : bits;
    }
    if (draw % 16 < 11) {
        return wide ? (draw & 16) << 59 | 0x7ff0000000000001 | nan << 8
                    : (draw & 16) << 27 | 0x7f800001 | nan;
    }
    return wide ? draw * 0x9e3779b97f4a7c15 : draw >> 16;
}

static uint64_t key_bits(enum pattern pattern, bool wide, uint64_t draw, int64_t i, int64_t n)
{
    switch (pattern) {
    case EQUAL:
        return 0x40000000;
    case TWO:
        return draw >> 20 & 1 ? 0x80000001 : 7;
    case FEW:
        return (draw >> 20) % 7 * 0x1001;
    case ASCENDING:
        return (uint64_t)i;
    case DESCENDING:
        return (uint64_t)(n - i);
    case ORGAN_PIPE:
        return (uint64_t)(i < n - i ? i : n - i);
    case SAW:
        return (uint64_t)i % 61;
    case LAST_IS_LEAST:
        return i + 1 == n ? 0 : 1;
    case SPECIAL:
        return special_bits(wide, draw, i);
    case NAN_ONLY:
        return wide ? 0x7ff8000000000000 | (uint64_t)i : 0x7fc00000 | (uint64_t)i;
    default:
        return wide ? draw * 0x9e3779b97f4a7c15 : draw >> 13;
    }
}

static void *make_keys(enum pattern pattern, size_t size, int64_t n)
{
    char *keys = malloc((size_t)n * size + 1);
    uint64_t draw = 88172645463325252U + (uint64_t)n;
    CHECK(keys != NULL);
    for (int64_t i = 0; keys && i < n; i++) {
        draw ^= draw << 13;
        draw ^= draw >> 7;
        draw ^= draw << 17;
        const uint64_t bits = key_bits(pattern, size == 8, draw >> 7, i, n);
        memcpy(keys + (size_t)i * size, &bits, size); /* little end first */
    }
    return keys;
}

/* ---- A level ----------------------------------------------------------------------------------------------- */

static struct gf_sort_code code_of(gf_depth type, int descending)
{
    const uint64_t sign = type == GF_U32 ? 1U << 31 : type == GF_U64 ? (uint64_t)1 << 63 : 0;
    return (struct gf_sort_code){descending ? ~sign : sign, type == GF_F32 || type == GF_F64};
}

/* Memory off its alignment, and nothing written beside it; out is in, or is not. */
static void check_sort(const struct gf_sort_lines *lines, const struct sort_case *c,
                       const struct sort_case *expected, const void *in, int depth, const char *what)
{
    const size_t size = gf_depth_size(c->type), bytes = (size_t)c->n * size;
    struct array_memory out = {0}, scratch = {0};
    void *result = malloc(bytes + 1);
    REQUIRE(result && array_memory_make(&out, GF_DEVICE_CPU, bytes, c->offset * size) &&
            array_memory_make(&scratch, GF_DEVICE_CPU, bytes, (c->offset + 3) * size));
    array_memory_upload(&out, in);
    lines[size / 8].sort(c->keys_in_place ? out.data : in, c->n, out.data, scratch.data,
                         code_of(c->type, c->descending), depth);
    array_memory_download(&out, result);
    CHECK_MSG(memcmp(result, expected->keys, bytes) == 0, "%s %s, n %lld, %s, in place %d, depth %d",
              gf_depth_name(c->type), what, (long long)c->n, c->descending ? "descending" : "ascending",
              c->keys_in_place, depth);
    array_memory_end(&out, "the output");
    array_memory_end(&scratch, "scratch");
    free(result);
}

static void check_keys_of(const struct gf_sort_lines *lines, gf_depth type, enum pattern pattern, int64_t n)
{
    static unsigned draw;
    draw += 7;
    void *in = make_keys(pattern, gf_depth_size(type), n);
    struct sort_case c = {.type = type, .n = n, .descending = draw / 7 & 1, .offset = draw % 16};
    struct sort_case expected = judge(&c, in);
    for (int place = 0; place < 2; place++) {
        c.keys_in_place = place;
        check_sort(lines, &c, &expected, in, gf_sort_depth(n), pattern_names[pattern]);
    }
    if (n > 60) { /* partitions that never end */
        check_sort(lines, &c, &expected, in, (int)(draw % 5), pattern_names[pattern]);
    }
    sort_case_free(&expected);
    free(in);
}

/* Around what networks take, around vectors, and where samples become larger. */
static void level(const struct gf_sort_lines *lines)
{
    static const int64_t edges[] = {0, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 4096, 8192, 16384, 40000};
    static const gf_depth types[] = {GF_U32, GF_S32, GF_F32, GF_U64, GF_S64, GF_F64};
    REQUIRE(lines[0].sort && lines[1].sort);
    for (int t = 0; t < 6; t++) {
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            for (int k = 0; k < 14; k++) {
                for (int64_t n = edges[k] - 1; n <= edges[k] + 1; n++) {
                    if (n >= 0 && array_in_slice()) {
                        check_keys_of(lines, types[t], (enum pattern)pattern, n);
                    }
                }
            }
        }
    }
}

static void baseline(void)
{
    CHECK(!gf_sort_lines_baseline[0].sort && !gf_sort_lines_baseline[1].sort);
}

LEVEL_CASE(avx2, GF_CPU_AVX2, level(gf_sort_lines_avx2);)

LEVEL_CASE(avx512, GF_CPU_AVX512, level(gf_sort_lines_avx512);)

/* ---- Threads ----------------------------------------------------------------------------------------------- */

/* Every number of shares and rounds, with halves that are empty, NaN in some shares, and none at all. */
static void threads(void)
{
    static const int64_t sizes[] = {65536, 131077, 300001};
    static const gf_depth types[] = {GF_U32, GF_F32, GF_S64, GF_F64};
    for (int at = 0; at < 3 * 4 * PATTERNS; at++) {
        const enum pattern pattern = (enum pattern)(at % PATTERNS);
        struct sort_case c = {.algo = "auto",
                              .device = GF_DEVICE_CPU,
                              .type = types[at / PATTERNS % 4],
                              .n = sizes[at / PATTERNS / 4],
                              .descending = at & 1,
                              .keys_in_place = at >> 1 & 1,
                              .offset = (size_t)at % 16,
                              .threads = 2 + at % 8};
        if (array_in_slice()) {
            void *in = make_keys(pattern, gf_depth_size(c.type), c.n);
            check_keys(&c, in, pattern_names[pattern]);
            free(in);
        }
    }
}

static const struct check_case cases[] = {
    {"baseline has none", baseline}, {"AVX2", avx2}, {"AVX-512", avx512}, {"threads", threads}};
CHECK_MAIN(cases)
