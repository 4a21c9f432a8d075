/* Ragged loops: the definition by what other calls and closed forms give, every variant by the definition. */
#include "ragged_case.h"

#include "array/ragged/ragged_call.h"

#include "gpufilter/reduce.h"

/* ---- The definition ---------------------------------------------------------------------------------------- */

/* Sums of iy * value, what is filled, expanded and decoded, worked out from the counts. */
static void plain_bodies(const struct loop *l)
{
    uint32_t *found = ragged_run(l, GF_RAGGED_EXPAND, GF_U32, "sequential", GF_DEVICE_CPU, NULL);
    int64_t *sums = ragged_run(l, GF_RAGGED_SUM, GF_S64, "sequential", GF_DEVICE_CPU, NULL);
    int32_t *runs = ragged_run(l, GF_RAGGED_DECODE, GF_S32, "sequential", GF_DEVICE_CPU, NULL);
    double *filled = ragged_run(l, GF_RAGGED_FILL, GF_F64, "sequential", GF_DEVICE_CPU, NULL);
    const int32_t *values = (const int32_t *)(const void *)l->values;
    int64_t k = 0;
    for (int64_t ix = 0; ix < l->nx; ix++) {
        const int64_t n = l->counts[ix] > 0 ? l->counts[ix] : 0;
        CHECK_EQ_INT(sums[ix], n * (n - 1) / 2 * RAGGED_VALUE);
        for (int64_t iy = 0; iy < n; iy++, k++) {
            CHECK(found[k] == ix && found[l->items + k] == iy && runs[k] == values[ix] &&
                  filled[k] == RAGGED_VALUE);
        }
    }
    CHECK_EQ_INT(k, l->items);
    free(found);
    free(sums);
    free(runs);
    free(filled);
}

/* Each segment comes out as gf_reduce makes it. */
static void as_reduce(const struct loop *l, gf_ragged_body body, gf_depth type)
{
    const size_t size = gf_depth_size(type), result = gf_depth_size(gf_ragged_result(body, type));
    char *found = ragged_run(l, body, type, "sequential", GF_DEVICE_CPU, NULL);
    gf_reduce_options o = GF_REDUCE_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    static _Alignas(256) char scratch[1 << 14];
    int64_t k = 0;
    o.op = body == GF_RAGGED_SEGMENT_SUM   ? GF_REDUCE_SUM
           : body == GF_RAGGED_SEGMENT_MIN ? GF_REDUCE_MIN
                                           : GF_REDUCE_MAX;
    o.array.type = type;
    for (int64_t ix = 0; ix < l->nx; ix++) {
        uint64_t expected[2] = {0};
        const int64_t n = l->counts[ix] > 0 ? l->counts[ix] : 0;
        CHECK_EQ_INT(gf_reduce((gf_queue){GF_DEVICE_CPU, NULL}, &o, l->values + (size_t)k * size, n, expected,
                               scratch, sizeof scratch, &error),
                     GF_OK);
        CHECK_MSG(!memcmp(found + (size_t)ix * result, expected, result), "%s, %s of %s: segment %lld",
                  l->name, ragged_body_names[body], gf_depth_name(type), (long long)ix);
        k += n;
    }
    free(found);
}

static void definition(void)
{
    for (int kind = 0; kind < RAGGED_KINDS; kind++) {
        struct loop l = ragged_make((enum ragged_kind)kind, GF_S32, false);
        plain_bodies(&l);
        ragged_free(&l);
        for (size_t t = 0; t < RAGGED_TYPES; t++) {
            l = ragged_make((enum ragged_kind)kind, ragged_types[t], kind % 2 == 0);
            for (gf_ragged_body body = GF_RAGGED_SEGMENT_SUM; body <= GF_RAGGED_SEGMENT_MAX; body++) {
                as_reduce(&l, body, ragged_types[t]);
            }
            ragged_free(&l);
        }
    }
}

/* ---- Variants ---------------------------------------------------------------------------------------------- */

/* Sums of floats may be added in any order. */
static bool is_near(const struct loop *l, gf_depth type, const double *expected, const double *found)
{
    int64_t k = 0;
    for (int64_t ix = 0; ix < l->nx; ix++) {
        const int64_t n = l->counts[ix] > 0 ? l->counts[ix] : 0;
        double size = 0;
        for (int64_t end = k + n; k < end; k++) {
            size += fabs(type == GF_F32 ? (double)((const float *)(const void *)l->values)[k]
                                        : ((const double *)(const void *)l->values)[k]);
        }
        if (!(fabs(expected[ix] - found[ix]) <= 1e-13 * size) && !(expected[ix] == found[ix]) &&
            !(isnan(expected[ix]) && isnan(found[ix]))) {
            return false;
        }
    }
    return true;
}

static void compare(const struct loop *l, gf_ragged_body body, gf_depth type, const gf_variant *v,
                    const gf_ragged_options *how)
{
    char *expected = ragged_run(l, body, type, "sequential", GF_DEVICE_CPU, how);
    char *found = ragged_run(l, body, type, v->name, v->cuda ? 0 : GF_DEVICE_CPU, how);
    const bool is_loose = v->loose && body == GF_RAGGED_SEGMENT_SUM && (type == GF_F32 || type == GF_F64);
    const bool is_right = is_loose ? is_near(l, type, (void *)expected, (void *)found)
                                   : !memcmp(expected, found, ragged_bytes(l, body, type));
    CHECK_MSG(is_right, "%s on %s: %s, %s of %s", v->name, v->cuda ? "CUDA" : "CPU", l->name,
              ragged_body_names[body], gf_depth_name(type));
    free(expected);
    free(found);
}

/* Every body under every kind; types by turns, but for sums of floats, which come in all types. */
static void variants(bool is_cuda)
{
    const gf_variant *v;
    unsigned turn = 0;
    for (size_t i = 0; (v = gf_primitive_variant("ragged", i)) != NULL; i++) {
        if (v->cuda != is_cuda || !strcmp(v->name, "sequential")) {
            continue;
        }
        for (int kind = 0; kind < RAGGED_KINDS; kind++) {
            for (gf_ragged_body body = GF_RAGGED_SUM; body <= GF_RAGGED_DECODE; body++) {
                const bool turns = body != GF_RAGGED_SUM && body != GF_RAGGED_EXPAND;
                for (size_t t = 0; t < (turns ? 3 : 1); t++) {
                    const gf_depth type = ragged_types[(turn++ + t) % RAGGED_TYPES];
                    if (array_in_slice()) {
                        struct loop l = ragged_make((enum ragged_kind)kind, type, turn % 2 == 0);
                        compare(&l, body, type, v, NULL);
                        ragged_free(&l);
                    }
                }
            }
        }
    }
}

static void cpu_variants(void)
{
    variants(false);
    for (int turn = 0; turn < 4; turn++) {
        struct loop l = ragged_large(turn);
        for (gf_ragged_body body = GF_RAGGED_SUM; body <= GF_RAGGED_DECODE; body++) {
            compare(&l, body, GF_F32, gf_primitive_variant("ragged", 1), NULL);
        }
        ragged_free(&l);
    }
}

/* The published variants with other parameters: none shows in a result. */
static void parameters(void)
{
    static const struct {
        int64_t area;
        double alpha;
        int32_t x, y;
        int64_t ny;
    } sets[] = {{1, 0.5, 32, 1, 0}, {7, 1, 1, 64, 5}, {100, 0.01, 8, 16, 1 << 20}, {5000, 0.9, 3, 5, 100}};
    static const char *const names[] = {"simple", "frame", "combined", "smart"};
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("ragged", i)) != NULL; i++) {
        for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
            gf_ragged_options how = GF_RAGGED_OPTIONS_INIT;
            const gf_ragged_threshold threshold = {0, sets[s].ny};
            bool is_published = false;
            for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
                is_published = is_published || (v->cuda && !strcmp(v->name, names[n]));
            }
            how.frame_area = sets[s].area;
            how.alpha = sets[s].alpha;
            how.block_x = sets[s].x;
            how.block_y = sets[s].y;
            how.thresholds = 1;
            how.threshold = &threshold;
            for (int kind = 0; is_published && kind < RAGGED_KINDS; kind++) {
                if (array_in_slice()) {
                    struct loop l = ragged_make((enum ragged_kind)kind, GF_S32, false);
                    compare(&l, kind % 2 == 0 ? GF_RAGGED_SUM : GF_RAGGED_EXPAND, GF_S32, v, &how);
                    ragged_free(&l);
                }
            }
        }
    }
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    variants(true);
    parameters();
}

/* ---- Limits ------------------------------------------------------------------------------------------------ */

/* Arrays of fewer items than the counts ask for: what there is is used, and the total is that of the counts.
 */
static void fewer_items(void)
{
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("ragged", i)) != NULL; i++) {
        for (int64_t there = 0; (!v->cuda || array_has_cuda()) && there < 9000; there = there * 2 + 700) {
            for (gf_ragged_body body = GF_RAGGED_SEGMENT_SUM; array_in_slice() && body <= GF_RAGGED_DECODE;
                 body++) {
                struct loop l = ragged_make(RAGGED_EDGES, GF_S64, false);
                l.there = there < l.items ? there : l.items;
                compare(&l, body, GF_S64, v, NULL);
                ragged_free(&l);
            }
        }
    }
}

static gf_status scratch_for(const gf_ragged_options *o, int64_t nx, int64_t items, gf_error *error)
{
    size_t bytes;
    return gf_ragged_scratch(GF_DEVICE_CPU, o, nx, items, &bytes, error);
}

static void refusals(void)
{
    const gf_ragged_options good = GF_RAGGED_OPTIONS_INIT;
    const gf_ragged_threshold down[] = {{10, 1}, {10, 2}};
    gf_error error = GF_ERROR_INIT;
    gf_ragged_options o = good;
    gf_ragged_loop loop = GF_RAGGED_LOOP_INIT;
    size_t bytes = 0;
    CHECK_EQ_INT(scratch_for(&good, 5, 0, &error), GF_OK);
    CHECK_EQ_INT(scratch_for(&good, -1, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(scratch_for(&good, INT64_C(1) << 31, 0, &error), GF_ERROR_UNSUPPORTED);
    CHECK_EQ_INT(scratch_for(&good, 5, -1, &error), GF_ERROR_ARGUMENT);
    o.body = (gf_ragged_body)7;
    CHECK_EQ_INT(scratch_for(&o, 5, 0, &error), GF_ERROR_ARGUMENT);
    o = good;
    o.frame_area = -1;
    CHECK_EQ_INT(scratch_for(&o, 5, 0, &error), GF_ERROR_ARGUMENT);
    o = good;
    o.alpha = 1.5;
    CHECK_EQ_INT(scratch_for(&o, 5, 0, &error), GF_ERROR_ARGUMENT);
    o.alpha = NAN;
    CHECK_EQ_INT(scratch_for(&o, 5, 0, &error), GF_ERROR_ARGUMENT);
    o = good;
    o.block_x = 64;
    o.block_y = 32;
    CHECK_EQ_INT(scratch_for(&o, 5, 0, &error), GF_ERROR_ARGUMENT);
    o = good;
    o.thresholds = 2;
    CHECK_EQ_INT(scratch_for(&o, 5, 0, &error), GF_ERROR_ARGUMENT);
    o.threshold = down;
    CHECK_EQ_INT(scratch_for(&o, 5, 0, &error), GF_ERROR_ARGUMENT);
    o = good;
    o.array.type = GF_U8;
    CHECK_EQ_INT(scratch_for(&o, 5, 0, &error), GF_ERROR_UNSUPPORTED);
    CHECK_EQ_INT(gf_ragged_begin_scratch(GF_DEVICE_CPU, &good, 5, 0, &bytes, &error), GF_ERROR_UNSUPPORTED);
    CHECK_EQ_INT(gf_ragged_begin((gf_queue){GF_DEVICE_CPU, NULL}, &good, NULL, 0, 0, &loop, NULL, 0, &error),
                 GF_ERROR_UNSUPPORTED);
}

/* The table of smart: the entry of the largest nx that is not above. */
static void thresholds(void)
{
    const gf_ragged_threshold table[] = {{10, 7}, {100, 5}, {1000, 3}};
    gf_ragged_options o = GF_RAGGED_OPTIONS_INIT;
    CHECK(gf_ragged_threshold_of(&o, 1) >= gf_ragged_threshold_of(&o, 1000000));
    CHECK(gf_ragged_threshold_of(NULL, 1000) > 0);
    CHECK(gf_ragged_threshold_on(NULL, 90, 1000) <
          gf_ragged_threshold_on(NULL, 80, 1000)); /* measured there */
    CHECK_EQ_INT(gf_ragged_threshold_on(NULL, 80, 1000), gf_ragged_threshold_of(NULL, 1000));
    o.thresholds = 3;
    o.threshold = table;
    CHECK_EQ_INT(gf_ragged_threshold_of(&o, 0), 7);
    CHECK_EQ_INT(gf_ragged_threshold_of(&o, 99), 7);
    CHECK_EQ_INT(gf_ragged_threshold_of(&o, 100), 5);
    CHECK_EQ_INT(gf_ragged_threshold_of(&o, 5000), 3);
}

/* Checks what the counts of `skew` and `zipf` are drawn from: mean and greatest number of the density. */
static void counts_drawn(void)
{
    enum { N = 200000, MOST = 1000000 };
    static const double skews[] = {0, 1, 10, 20, 50, 100};
    int32_t *counts = malloc(N * sizeof *counts);
    REQUIRE(counts != NULL);
    for (size_t s = 0; s < sizeof skews / sizeof *skews; s++) {
        const double k = skews[s], e = 0.01;
        const double mean = k > 0 ? e / 2 + (1 - e) * (1 / k - 1 / expm1(k)) : 0.5;
        double sum = 0;
        array_counts_fill(counts, N, MOST, COUNTS_SKEW, k, 3);
        for (int i = 0; i < N; i++) {
            CHECK(counts[i] >= 0 && counts[i] <= MOST);
            sum += counts[i];
        }
        CHECK_MSG(fabs(sum / N / MOST - mean) < 0.015 * mean, "skew %g: mean %g, must be %g", k,
                  sum / N / MOST, mean);
    }
    array_counts_fill(counts, N, MOST, COUNTS_ZIPF, 0, 3);
    int32_t most = 0;
    for (int i = 0; i < N; i++) {
        most = counts[i] > most ? counts[i] : most;
        CHECK(counts[i] >= MOST / N);
    }
    CHECK_EQ_INT(most, MOST);
    free(counts);
}

static const struct check_case cases[] = {{"definition", definition},
                                          {"CPU variants", cpu_variants},
                                          {"CUDA variants", cuda_variants},
                                          {"fewer items", fewer_items},
                                          {"refusals", refusals},
                                          {"thresholds", thresholds},
                                          {"counts that are drawn", counts_drawn}};
CHECK_MAIN(cases)
