/* The definition of products with slices, and the CPU's: against f64 within its bound, against products that
 * are exact, and against chains where rows are plain. */
#include "slices_case.h"

/* Scales of every binade: the largest digits fit, and those of half as large a scale would leave a bit free.
 */
static void scales(void)
{
    static const uint32_t fractions[] = {0, 1, 0x7efefd, 0x7efefe, 0x7efeff, 0x7fffff};
    for (int slices = 3; slices <= 4; slices++) {
        const double most = slices == 3 ? 0x7f7f7f : 0x7f7f7f7f;
        for (uint32_t field = 0; field < 255; field++) {
            for (int f = 0; f < 6; f++) {
                struct gf_slices_side side = {0, 0, 0};
                const float v = gf_bits_float(field << 23 | fractions[f]);
                gf_slices_look(&side, v);
                const int32_t p = gf_slices_scale(side, slices);
                REQUIRE(p != GF_SLICES_PLAIN);
                const double q = nearbyint(ldexp((double)v, p));
                CHECK_MSG(q <= most && (field == 0 || q * 2 + 1 >= most), "%a has scale %d, %d slices",
                          (double)v, p, slices);
                for (int sign = -1; sign <= 1; sign += 2) {
                    const uint32_t word =
                        gf_slices_digits((float)sign * v, gf_slices_first(p), gf_slices_second(p), slices);
                    double again = 0;
                    for (int i = 0; i < slices; i++) {
                        again = again * 256 + gf_slices_digit(word, i, slices);
                    }
                    CHECK_MSG(again == sign * q, "%a becomes %g, must be %g", sign * (double)v, again,
                              sign * q);
                }
            }
        }
    }
}

/* The bound of docs/exactness.md, and beside it what is usual: a fiftieth of it for a sum of hundreds. */
static void within_bounds(void)
{
    enum { M = 9, K = 700, N = 8 };
    for (int at = 0; at < 2 * KINDS; at++) {
        const enum kind kind = (enum kind)(at / 2);
        struct slices_product p = {.algo = at % 2 ? "sequential" : "auto",
                                   .device = GF_DEVICE_CPU,
                                   .m = M,
                                   .k = K,
                                   .n = N,
                                   .slices = 3 + at % 2,
                                   .transpose_b = 1};
        if (kind == SPECIAL) {
            continue;
        }
        float *a = slices_filled(M, K, kind, 1), *b = slices_filled(N, K, kind, 2),
              *c = slices_multiply(&p, a, b);
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                double sum = 0, of_a = 0, of_b = 0, sizes = 0;
                for (int l = 0; l < K; l++) {
                    const double x = (double)a[i * K + l], y = (double)b[j * K + l];
                    sum += x * y;
                    sizes += fabs(x * y);
                    of_a = fmax(of_a, fabs(x));
                    of_b = fmax(of_b, fabs(y));
                }
                /* as a power of two, twice the largest element at most; or a chain */
                const double part = p.slices == 3 ? 0x1p-22 : 0x1p-29;
                const double most =
                    fmax(4.04 * part * K * of_a * of_b, K * 0x1p-24 * sizes) + fabs(sum) * 0x1p-24;
                CHECK_MSG(fabs((double)c[i * N + j] - sum) <= most * 1.001,
                          "%s, (%d, %d): %g, must be %g, +- %g", slices_kind_name(kind), i, j,
                          (double)c[i * N + j], sum, most);
                CHECK_MSG(kind != EVEN || fabs((double)c[i * N + j] - sum) <= most / 50, "%g, must be %g",
                          (double)c[i * N + j], sum);
            }
        }
        free(a);
        free(b);
        free(c);
    }
}

/* Whole numbers that the integers hold are multiplied without error: by the identity, a permutation, and by
 * each other as long as what is left out is 0. */
static void exact(void)
{
    enum { N = 61, COLUMNS = 37 };
    static float p[N * N], b[N * COLUMNS];
    uint64_t state = 3;
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < N * N; i++) {
            p[i] = step < 2 ? 0 : (float)((int)(slices_draw(&state) % 255) - 127) * 65536;
        }
        for (int i = 0; step < 2 && i < N; i++) {
            p[i * N + (step ? (5 * i + 3) % N : i)] = 0x1p-70F;
        }
        for (int i = 0; i < N * COLUMNS; i++) { /* 22 bits */
            b[i] = (float)((int)(slices_draw(&state) % 0x400000) - 0x200000);
        }
        for (int slices = 3; slices <= 4; slices++) {
            struct slices_product call = {
                .algo = "auto", .device = GF_DEVICE_CPU, .m = N, .k = N, .n = COLUMNS, .slices = slices};
            float *c = slices_multiply(&call, p, b);
            for (int i = 0; i < N * COLUMNS; i++) {
                double sum = 0;
                for (int l = 0; l < N; l++) {
                    sum += (double)p[i / COLUMNS * N + l] * (double)b[l * COLUMNS + i % COLUMNS];
                }
                CHECK_MSG(c[i] == (float)sum, "element %d is %g, must be %g", i, (double)c[i], sum);
            }
            CHECK(call.plain[0] == 0 && call.plain[1] == 0);
            free(c);
        }
    }
}

/* (A B) D and A (B D) differ by what the bounds of four products allow: bounds on sums of absolute values,
 * which the largest elements bound. */
static void associative(void)
{
    enum { N = 48 };
    for (int slices = 3; slices <= 4; slices++) {
        struct slices_product p = {
            .algo = "auto", .device = GF_DEVICE_CPU, .m = N, .k = N, .n = N, .slices = slices};
        float *a = slices_filled(N, N, EVEN, 1), *b = slices_filled(N, N, EVEN, 2);
        float *d = slices_filled(N, N, EVEN, 3);
        float *ab = slices_multiply(&p, a, b), *bd = slices_multiply(&p, b, d);
        float *left = slices_multiply(&p, ab, d), *right = slices_multiply(&p, a, bd);
        /* elements are at most 1, those of a product N: its error is N times that of one, once more rounded
         */
        const double each = slices == 3 ? 0x1p-20 : 0x1p-24, most = 1.02 * 4 * each * N * N;
        double worst = 0;
        for (int i = 0; i < N * N; i++) {
            worst = fmax(worst, fabs((double)left[i] - (double)right[i]));
        }
        CHECK_MSG(worst <= most && worst > 0, "%d slices: %g apart, must be within %g", slices, worst, most);
        float *const all[] = {a, b, d, ab, bd, left, right};
        for (int i = 0; i < 7; i++) {
            free(all[i]);
        }
    }
}

/* Subnormal elements count as what 2^-126 would: that is the bound of exactness.md, and less would not do. */
static void subnormal(void)
{
    enum { M = 23, K = 16, N = 20 };
    static float a[M * K], b[K * N];
    for (int slices = 3; slices <= 4; slices++) {
        struct slices_product p = {
            .algo = "auto", .device = GF_DEVICE_CPU, .m = M, .k = K, .n = N, .slices = slices};
        uint64_t state = 5;
        double of_largest = 0;
        for (int i = 0; i < M * K; i++) { /* at most 2^-149 in the first row, 2^-127 in the last */
            a[i] = ldexpf((float)(slices_draw(&state) % (1U << i / K) + 1), -149);
        }
        for (int i = 0; i < K * N; i++) {
            b[i] = ldexpf((float)(slices_draw(&state) % 0x1000000) + 1, 70);
        }
        float *c = slices_multiply(&p, a, b);
        for (int i = 0; i < M * N; i++) {
            double sum = 0, most = 0x1p-149;
            for (int l = 0; l < K; l++) {
                sum += (double)a[i / N * K + l] * (double)b[l * N + i % N];
                most = fmax(most, (double)a[i / N * K + l]);
            }
            const double part = (slices == 3 ? 1.02 * 0x1p-20 : 1.02 * exp2(-27.6)) * K * 0x1p94;
            const double off = fabs((double)c[i] - sum) - fabs(sum) * 0x1p-24;
            CHECK_MSG(off <= part * 0x1p-126, "row %d: off by %g of %g", i / N, off, sum);
            of_largest = fmax(of_largest, off / (part * most));
        }
        CHECK_MSG(of_largest > 1, "%g of what the largest elements bound", of_largest);
        free(c);
    }
}

/* One row with an infinity, one column with a NaN, one of a wide range: these are chains, and told; what lies
 * outside of them does not change. */
static void plain(void)
{
    enum { M = 40, K = 30, N = 45 };
    float *a = slices_filled(M, K, EVEN, 1), *b = slices_filled(K, N, EVEN, 2);
    struct slices_product p = {.algo = "auto", .device = GF_DEVICE_CPU, .m = M, .k = K, .n = N, .slices = 3};
    struct slices_product chain = p;
    float *before = slices_multiply(&p, a, b);
    CHECK(p.plain[0] == 0 && p.plain[1] == 0);
    a[7 * K + 3] = INFINITY;
    b[4 * N + 30] = NAN;
    for (int l = 0; l < K; l++) {
        a[20 * K + l] = ldexpf(1, -l); /* 14.5 on average */
    }
    chain.slices = 0;
    float *found = slices_multiply(&p, a, b), *chains = slices_multiply(&chain, a, b);
    CHECK_EQ_INT(p.plain[0], 2);
    CHECK_EQ_INT(p.plain[1], 1);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            const float *must = i == 7 || i == 20 || j == 30 ? chains : before;
            CHECK_MEM(&found[i * N + j], &must[i * N + j], sizeof *must);
        }
    }
    free(a);
    free(b);
    free(before);
    free(found);
    free(chains);
}

static void refusals(void)
{
    static float a[16], c[16];
    static char scratch[1 << 20] __attribute__((aligned(256)));
    static int64_t counts[2];
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    size_t bytes;
#define REFUSED(text)                                                                                        \
    CHECK_EQ_INT(gf_matmul(queue, &o, a, a, 4, 4, 4, c, scratch, sizeof scratch, &error),                    \
                 GF_ERROR_ARGUMENT);                                                                         \
    CHECK_STR_HAS(error.message, text)
    o.slices = 3;
    REFUSED("slices and plain are of accuracy f32x");
    o.slices = 0;
    o.plain = counts;
    REFUSED("slices and plain are of accuracy f32x");
    o.accuracy = 2;
    REFUSED("accuracy is 2, must be 0 (f32) or 1 (f32x)");
    o.accuracy = GF_MATMUL_F32X;
    o.slices = 2;
    REFUSED("slices is 2, must be 3 or 4, or 0 for 3");
    o.slices = 0;
    o.plain = (int64_t *)(void *)((char *)counts + 4);
    REFUSED("plain is not aligned to 8 bytes");
    o.plain = NULL;
    o.array.type = GF_F64;
    REFUSED("f32x is of f32, not of f64");
    o.array.type = GF_F32;
    CHECK_EQ_INT(gf_matmul_scratch(GF_DEVICE_CPU, &o, 1, (1 << 24) + 1, 1, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "k is 16777217, must be at most 2^24");
    CHECK_EQ_INT(gf_matmul(queue, &o, a, a, 4, 4, 4, c, scratch, sizeof scratch, &error), GF_OK);
    if (array_has_cuda()) {
        o.array.tile = 64;
        CHECK_EQ_INT(gf_matmul_scratch(0, &o, 4, 4, 4, &bytes, &error), GF_ERROR_ARGUMENT);
        CHECK_STR_HAS(error.message, "tile is 64, must be 96 or 128");
        o.array.tile = 0;
        o.array.algo = "tiled";
        CHECK_EQ_INT(gf_matmul_scratch(0, &o, 4, 4, 4, &bytes, &error), GF_ERROR_UNSUPPORTED);
        CHECK_STR_HAS(error.message, "variant tiled, has no accuracy f32x; sequential and auto have it");
    }
}

static const struct check_case cases[] = {
    {"scales and digits", scales},
    {"exact products", exact},
    {"within the bound of f64", within_bounds},
    {"associative within the bound", associative},
    {"subnormal rows", subnormal},
    {"plain rows and columns", plain},
    {"refusals", refusals},
};
CHECK_MAIN(cases)
