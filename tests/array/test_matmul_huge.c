/* Products of matrices of more than 2^31 elements, on a GPU with the memory for them. Elements are small
 * whole numbers that repeat every 16, so the answer is known, and exact in any order. */
#include "array_huge.h"

#include "gpufilter/matmul.h"

enum { DEEP = 1025, FEW = 4 };
static const int64_t MANY = (INT64_C(1) << 21) + 1; /* times DEEP: more than 2^31; both are 1 modulo 16 */

/* Element e is e modulo 16: where rows have 1 modulo 16 elements, that of row i and column j is i + j. */
static void repeated(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    float *f = (float *)(void *)to;
    (void)context;
    for (int64_t e = 0; e < count / 4; e++) {
        f[e] = (float)((first / 4 + e) % 16);
    }
}

/* FEW rows, or columns (context: 1), and DEEP steps of the sum: 1 where the step is the row modulo 16. */
static void ones(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    const int in_columns = *(const int *)context;
    float *f = (float *)(void *)to;
    for (int64_t e = first / 4; e < (first + count) / 4; e++) {
        const int64_t row = in_columns ? e % FEW : e / DEEP, step = in_columns ? e / FEW : e % DEEP;
        f[e - first / 4] = step % 16 == row ? 1 : 0;
    }
}

/* The product of both: row and column, or column and row, meet as often as the step does. */
static void product(uint8_t *to, int64_t first, int64_t count, const void *context)
{
    const int64_t columns = *(const int *)context ? FEW : MANY;
    float *f = (float *)(void *)to;
    for (int64_t e = first / 4; e < (first + count) / 4; e++) {
        const int64_t i = e / columns, j = e % columns, few = columns == FEW ? j : i;
        f[e - first / 4] = (float)((i + j) % 16 * (few == 0 ? 65 : 64));
    }
}

static void multiply(struct huge *h, const char *algo, int32_t slices, int64_t m, int64_t k, int64_t n)
{
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    o.array.algo = algo;
    o.accuracy = slices > 0 ? GF_MATMUL_F32X : GF_MATMUL_F32;
    o.slices = slices;
    CHECK_EQ_INT(gf_matmul_scratch(0, &o, m, k, n, &bytes, &error), GF_OK);
    REQUIRE(huge_scratch(h, bytes));
    CHECK_MSG(gf_matmul(h->queue, &o, h->in[0], h->in[1], m, k, n, h->out, h->scratch, bytes, &error) ==
                  GF_OK,
              "%s: %s", algo, error.message);
    CHECK_MSG(gf_queue_wait(h->queue, &error) == GF_OK, "%s: %s", algo, error.message);
}

/* a of MANY rows, or b of MANY columns, by every variant that does not take minutes, and with slices. */
static void large(int in_a)
{
    static const char *const algos[] = {"auto", "register-tiled", "auto", "auto"};
    static const int32_t slices[] = {0, 0, 3, 4};
    const int64_t all = MANY * DEEP * 4, few = (int64_t)FEW * DEEP * 4, out = MANY * FEW * 4;
    struct huge h;
    if (!huge_begin(&h, in_a ? all : few, in_a ? few : all, out)) {
        return;
    }
    huge_fill(&h, h.in[!in_a], all, repeated, NULL);
    huge_fill(&h, h.in[in_a], few, ones, &in_a);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_UPLOAD, h.out, h.block, HUGE_BLOCK / 4, NULL), GF_OK);
        multiply(&h, algos[i], slices[i], in_a ? MANY : FEW, DEEP, in_a ? FEW : MANY);
        huge_check(&h, out, product, &in_a, algos[i]);
    }
    huge_end(&h);
}

static void large_a(void)
{
    large(1);
}

static void large_b(void)
{
    large(0);
}

/* Element (i, j) of C is i modulo 16 times j modulo 16: its first bytes, those around the 2^31st element, and
 * its last. */
static void large_c(void)
{
    const int64_t m = (1 << 16) + 17, n = (1 << 15) + 15, part = 1 << 20; /* elements */
    const int64_t places[] = {0, (INT64_C(1) << 31) - part / 2, m * n - part};
    static const char *const algos[] = {"auto", "register-tiled", "auto"};
    struct huge h;
    if (!huge_begin(&h, m * 4, n * 4, m * n * 4)) {
        return;
    }
    huge_fill(&h, h.in[0], m * 4, repeated, NULL);
    huge_fill(&h, h.in[1], n * 4, repeated, NULL);
    for (int v = 0; v < 3; v++) {
        int64_t wrong = 0;
        multiply(&h, algos[v], v == 2 ? 3 : 0, m, 1, n);
        for (int p = 0; p < 3; p++) {
            const float *c = (const float *)(const void *)h.block;
            CHECK_EQ_INT(gf_memory_copy(h.queue, GF_COPY_DOWNLOAD, h.block, (float *)h.out + places[p],
                                        (size_t)part * 4, NULL),
                         GF_OK);
            CHECK_EQ_INT(gf_queue_wait(h.queue, NULL), GF_OK);
            for (int64_t e = 0; e < part; e++) {
                const int64_t at = places[p] + e;
                wrong += c[e] != (float)(at / n % 16 * (at % n % 16));
            }
        }
        CHECK_MSG(wrong == 0, "%s: %lld elements are wrong", algos[v], (long long)wrong);
    }
    huge_end(&h);
}

/* Checks what must come out, beside the definition, for shapes that are not large. */
static void known(void)
{
    enum { COLUMNS = 17 };
    static float a[FEW * DEEP], b[DEEP * COLUMNS], c[FEW * COLUMNS];
    static char scratch[1 << 20] __attribute__((aligned(256)));
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    const int in_a = 0;
    ones((uint8_t *)(void *)a, 0, sizeof a, &in_a);
    repeated((uint8_t *)(void *)b, 0, sizeof b, NULL);
    o.array.algo = "sequential";
    CHECK_EQ_INT(gf_matmul(queue, &o, a, b, FEW, DEEP, COLUMNS, c, scratch, sizeof scratch, NULL), GF_OK);
    for (int i = 0; i < FEW; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            CHECK_EQ_INT((int)c[i * COLUMNS + j], (i + j) % 16 * (i == 0 ? 65 : 64));
        }
    }
}

static const struct check_case cases[] = {
    {"the answer", known},
    {"a of more than 2^31 elements", large_a},
    {"b of more than 2^31 elements", large_b},
    {"c of more than 2^31 elements", large_c},
};
CHECK_MAIN(cases)
