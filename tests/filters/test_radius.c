/* Windows about as large as the picture, and far larger: the same bits everywhere, near the formula in real
 * numbers, at a cost that the picture bounds. And pictures one pixel wide, which cost what lying ones cost.
 */
#include "drawn_check.h"

#include <stdlib.h>
#include <time.h>

static const char *const borders[] = {"replicate", "reflect", "reflect101", "wrap", "constant"};
static const double FILL = 0.3; /* of white, for the constant border */
static const int64_t sizes[][2] = {{3, 2}, {1, 9}, {13, 1}, {70, 3}, {5, 66}, {1, 70}, {1, 1}};
static const char *const stages[] = {"box:", "blur:sigma=5:radius=", "blur:sigma=400:radius="};
enum {
    BORDERS = sizeof borders / sizeof *borders,
    SIZES = sizeof sizes / sizeof *sizes,
    STAGES = sizeof stages / sizeof *stages,
    RADII = 12
};

/* Around the extents of the picture, and beyond all of them. */
static int64_t radius_number(int number, int64_t width, int64_t height)
{
    const int64_t n = number < 5 ? width : height;
    const int64_t radii[RADII] = {n - 1, n, n + 1, 2 * n, 10 * n, n - 1, n, n + 1, 2 * n, 10 * n, 66, 999};
    return radii[number];
}

static bool noise(struct parity_picture *picture, const gf_shape *shape, uint64_t seed)
{
    return drawn_picture(picture, shape, seed, PLAN_NOISE, false);
}

/* ---- the same bits from all executors and the judge ---- */

static void check_same(const char *text, const gf_shape *shape, uint64_t seed, gf_alpha alpha)
{
    drawn_check(text, shape, seed, PLAN_NOISE, seed % 5 == 0, alpha);
}

static void same_bits(void)
{
    const long count = (long)STAGES * BORDERS * SIZES * RADII * 3;
    for (long n = 0; n < count; n++) {
        const int64_t *size = sizes[n % SIZES];
        const int64_t radius = radius_number((int)(n / SIZES % RADII), size[0], size[1]);
        const int border = (int)(n / SIZES / RADII % BORDERS);
        const int stage = (int)(n / SIZES / RADII / BORDERS % STAGES);
        const gf_shape shape = {size[0], size[1], (int32_t)(n / 5 % 4 + 1),
                                (gf_depth)(GF_U8 + n / SIZES / RADII / BORDERS / STAGES)};
        char text[128];
        if (check_slice(n, count)) {
            snprintf(text, sizeof text, "%s%lld:border=%s%s", stages[stage], (long long)radius,
                     borders[border], border == BORDERS - 1 ? ":value=0.3" : "");
            check_same(text, &shape, (uint64_t)n, (gf_alpha)(n / 3 % 3));
        }
    }
}

/* Checks what else a pass does, beside a window that the picture is too small for. */
static void same_bits_in_chains(void)
{
    static const char *const texts[] = {
        "invert,box:1000000:border=reflect,hist,stats",
        "box:500:roi=1x3+0+2,contrast:1.5,hist:roi=1x5+0+3",
        "blur:sigma=9:channels=0:border=wrap,stats",
        "blur:sigma=3:radius=90:channels=0,equalize",
        "blur:50,box:70:border=constant:value=0.6,blur:sigma=2,stats:roi=1x4+0+1",
        "convert:f32,blur:2:roi=1x6+0+1,box:80:border=wrap,convert:u16,hist",
        "blur:sigma=300:radius=1000000:border=constant:value=0.2,threshold:otsu",
    };
    static const int64_t tall[][2] = {{1, 9}, {1, 300}, {2, 40}, {65, 9}};
    enum { TEXTS = sizeof texts / sizeof *texts };
    for (long n = 0; n < TEXTS * 4 * 3 * 2; n++) {
        const int64_t *size = tall[n / TEXTS % 4];
        const gf_shape shape = {size[0], size[1], n / TEXTS / 12 ? 4 : 1,
                                (gf_depth)(GF_U8 + n / TEXTS / 4 % 3)};
        if (check_slice(n, TEXTS * 4 * 3 * 2)) {
            check_same(texts[n % TEXTS], &shape, (uint64_t)n, GF_ALPHA_STRAIGHT);
        }
    }
}

/* Ranks of windows that no side of the picture comes up to. */
static void ranks(void)
{
    static const char *const texts[] = {"median:3", "median:64", "rank:20:percentile=3"};
    static const int64_t small[][2] = {{1, 1}, {3, 2}, {1, 9}, {19, 5}};
    for (long n = 0; n < 3L * BORDERS * 4 * 3; n++) {
        const gf_shape shape = {small[n % 4][0], small[n % 4][1], (int32_t)(n / 5 % 4 + 1),
                                (gf_depth)(GF_U8 + n / 4 % 3)};
        const int border = (int)(n / 12 % BORDERS);
        char text[128];
        if (check_slice(n, 3L * BORDERS * 4 * 3)) {
            snprintf(text, sizeof text, "%s:border=%s%s", texts[n / 12 / BORDERS], borders[border],
                     border == BORDERS - 1 ? ":value=0.3" : "");
            check_same(text, &shape, (uint64_t)n, GF_ALPHA_STRAIGHT);
        }
    }
}

/* ---- the formula, in real numbers ---- */

/* Sample i of an axis of n, by walking; n: outside. */
static int64_t place(int64_t i, int64_t n, int border)
{
    while (i < 0 || i >= n) {
        switch (border) {
        case 0:
            return i < 0 ? 0 : n - 1;
        case 1:
            i = i < 0 ? -1 - i : 2 * n - 1 - i;
            break;
        case 2:
            i = n == 1 ? 0 : i < 0 ? -i : 2 * n - 2 - i;
            break;
        case 3:
            i = i < 0 ? i + n : i - n;
            break;
        default:
            return n;
        }
    }
    return i;
}

/* weights[x * (n + 1) + j]: that of sample j for result x; that of the fill for j = n. Sigma 0: a box. */
static double *real_weights(int64_t n, int64_t radius, double sigma, int border)
{
    double *weights = calloc((size_t)(n * (n + 1)), sizeof *weights);
    double sum = 0.0;
    for (int64_t i = -radius; i <= radius; i++) {
        const double x = sigma > 0.0 ? (double)i / sigma : 0.0, bell = exp(-0.5 * x * x);
        sum += bell;
        for (int64_t at = 0; weights && at < n; at++) {
            weights[at * (n + 1) + place(at + i, n, border)] += bell;
        }
    }
    for (int64_t i = 0; weights && i < n * (n + 1); i++) {
        weights[i] /= sum;
    }
    return weights;
}

static double sample_at(const gf_image *image, int64_t x, int64_t y)
{
    const char *row = (const char *)image->data + y * image->pitch;
    return image->shape.depth == GF_U8    ? ((const uint8_t *)row)[x]
           : image->shape.depth == GF_U16 ? ((const uint16_t *)row)[x]
                                          : (double)((const float *)row)[x];
}

static double white_of(gf_depth depth)
{
    return depth == GF_U8 ? 255.0 : depth == GF_U16 ? 65535.0 : 1.0;
}

static double real_result(const gf_image *in, const double *wx, const double *wy, int64_t x, int64_t y)
{
    const int64_t w = in->shape.width, h = in->shape.height;
    const double white = white_of(in->shape.depth);
    const double fill = in->shape.depth == GF_F32 ? (double)(float)FILL : floor(FILL * white + 0.5);
    double sum = 0.0;
    for (int64_t j = 0; j <= h; j++) {
        double row = 0.0;
        for (int64_t i = 0; i <= w; i++) {
            row += wx[x * (w + 1) + i] * (i == w || j == h ? fill : sample_at(in, i, j));
        }
        sum += wy[y * (h + 1) + j] * row;
    }
    return sum;
}

/* Runs the text on the CPU with one thread. Returns seconds of processor time, the least of `turns` runs, and
 * the plan's memory; -1 after a failure. */
static double run_cpu(const char *text, const gf_image *in, gf_image *out, int turns, uint64_t *bytes)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_error error = GF_ERROR_INIT;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    double least = -1.0;
    options.device = GF_DEVICE_CPU;
    options.threads = 1;
    bool ok = gf_context_create(NULL, &context, &error) == GF_OK &&
              gf_pipeline_parse(text, NULL, 0, &pipeline, &error) == GF_OK &&
              gf_plan_create(context, pipeline, &in->shape, &options, &plan, &error) == GF_OK;
    if (ok && bytes) {
        *bytes = gf_plan_memory(plan);
    }
    ok = ok && gf_exec_create(plan, &exec, &error) == GF_OK;
    for (int turn = 0; ok && turn < turns; turn++) {
        const clock_t start = clock();
        ok = gf_exec_run(exec, in, out, &error) == GF_OK;
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        least = least < 0.0 || seconds < least ? seconds : least;
    }
    CHECK_MSG(ok, "%s: %s", text, error.message);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return ok ? least : -1.0;
}

/* Half a level for rounding, and what f32 may lose over as many additions as there are. */
static double allowed(gf_depth depth, bool box, int64_t w, int64_t h)
{
    const double lost = (double)(6 * (w + h) + 2 * 200) * 0x1p-24;
    if (depth == GF_F32) {
        return lost;
    }
    return box ? 0.5 + 1e-6 : depth == GF_U8 ? 1.0 : 0.5 + lost * 65535.0;
}

static void check_real(int stage, int border, const int64_t *size, int64_t radius, gf_depth depth)
{
    static const double sigmas[STAGES] = {0.0, 5.0, 400.0};
    const gf_shape shape = {size[0], size[1], 1, depth};
    struct parity_picture in = {0}, out = {0};
    char text[128];
    snprintf(text, sizeof text, "%s%lld:border=%s%s", stages[stage], (long long)radius, borders[border],
             border == BORDERS - 1 ? ":value=0.3" : "");
    double *wx = real_weights(size[0], radius, sigmas[stage], border);
    double *wy = real_weights(size[1], size[1] == 1 ? 0 : radius, sigmas[stage], border);
    if (wx && wy && noise(&in, &shape, (uint64_t)(radius + border)) && noise(&out, &shape, 0) &&
        run_cpu(text, &in.image, &out.image, 1, NULL) >= 0.0) {
        double most = 0.0;
        for (int64_t i = 0; i < size[0] * size[1]; i++) {
            const int64_t x = i % size[0], y = i / size[0];
            const double distance = fabs(sample_at(&out.image, x, y) - real_result(&in.image, wx, wy, x, y));
            most = distance > most ? distance : most;
        }
        const double limit = allowed(depth, stage == 0, size[0], size[1]);
        CHECK_MSG(most <= limit, "%s on %lld x %lld %s: %g off, at most %g", text, (long long)size[0],
                  (long long)size[1], gf_depth_name(depth), most, limit);
    }
    parity_picture_free(&in);
    parity_picture_free(&out);
    free(wx);
    free(wy);
}

static void near_the_formula(void)
{
    const long count = (long)STAGES * BORDERS * SIZES * RADII * 3;
    for (long n = 0; n < count; n++) {
        const int64_t *size = sizes[n % SIZES];
        const int64_t radius = radius_number((int)(n / SIZES % RADII), size[0], size[1]);
        if (check_slice(n, count)) {
            check_real((int)(n / SIZES / RADII / BORDERS % STAGES), (int)(n / SIZES / RADII % BORDERS), size,
                       radius, (gf_depth)(GF_U8 + n / SIZES / RADII / BORDERS / STAGES));
        }
    }
}

/* NaN and infinity reach every result, as every window contains them. */
static void not_a_number(void)
{
    static const char *const texts[] = {"box:500", "blur:sigma=2:radius=500", "box:500:border=wrap",
                                        "blur:sigma=2:radius=500:border=reflect", "box:500:border=constant"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        for (int infinite = 0; infinite < 2; infinite++) {
            const gf_shape shape = {90, 4, 1, GF_F32};
            struct parity_picture in, out;
            REQUIRE(noise(&in, &shape, 1) && noise(&out, &shape, 2));
            ((float *)in.image.data)[40] = infinite ? INFINITY : NAN;
            run_cpu(texts[t], &in.image, &out.image, 1, NULL);
            for (int64_t i = 0; i < 90 * 4; i++) {
                const double v = sample_at(&out.image, i % 90, i / 90);
                CHECK_MSG(isnan(v) || (infinite && isinf(v)), "%s: %lld is %g", texts[t], (long long)i, v);
            }
            parity_picture_free(&in);
            parity_picture_free(&out);
        }
    }
}

/* ---- the cost ---- */

/* A radius beyond all pictures takes about the memory and time of one as large as this one. */
static void check_cost(const char *stage, const char *border, const gf_shape *shape)
{
    const int64_t most = shape->width > shape->height ? shape->width : shape->height;
    struct parity_picture in, out;
    char near[128], far[128];
    uint64_t near_bytes = 0, far_bytes = 0;
    snprintf(near, sizeof near, "%s%lld:border=%s", stage, (long long)most, border);
    snprintf(far, sizeof far, "%s1000000:border=%s", stage, border);
    REQUIRE(noise(&in, shape, 1) && noise(&out, shape, 2));
    const double near_time = run_cpu(near, &in.image, &out.image, 1, &near_bytes);
    const double far_time = run_cpu(far, &in.image, &out.image, 1, &far_bytes);
    CHECK_MSG(far_bytes <= 5 * near_bytes, "%s: %lld bytes, %s: %lld", far, (long long)far_bytes, near,
              (long long)near_bytes);
    CHECK_MSG(far_time <= 10.0 * near_time + 0.5, "%s: %g s, %s: %g s", far, far_time, near, near_time);
    parity_picture_free(&in);
    parity_picture_free(&out);
}

static void bounded_cost(void)
{
    static const gf_shape shapes[] = {{3, 2, 1, GF_U8},
                                      {64, 48, 3, GF_U8},
                                      {200, 150, 3, GF_U16},
                                      {200, 150, 3, GF_F32},
                                      {1, 900, 1, GF_F32}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int border = 0; border < BORDERS; border++) {
            check_cost("box:", borders[border], &shapes[i]);
            check_cost("blur:sigma=2:radius=", borders[border], &shapes[i]);
            check_cost("blur:sigma=9999:radius=", borders[border], &shapes[i]);
        }
    }
}

/* Standing, a line of pixels takes about the time that it takes lying. */
static void upright_lines(void)
{
    static const char *const texts[] = {"blur:50",
                                        "blur:2",
                                        "box:50",
                                        "blur:sigma=20:radius=60:border=constant",
                                        "convert:f32,box:40:border=reflect",
                                        "convert:u16,blur:sigma=20:radius=60,invert"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const gf_shape lying = {400000, 1, 1, GF_U8}, standing = {1, 400000, 1, GF_U8};
        struct parity_picture in[2], out[2];
        gf_shape made = lying;
        double seconds[2];
        made.depth = strstr(texts[t], "f32") ? GF_F32 : strstr(texts[t], "u16") ? GF_U16 : GF_U8;
        for (int i = 0; i < 2; i++) {
            gf_shape to = i ? standing : lying;
            to.depth = made.depth;
            REQUIRE(noise(&in[i], i ? &standing : &lying, 1) && noise(&out[i], &to, 2));
            seconds[i] = run_cpu(texts[t], &in[i].image, &out[i].image, 3, NULL);
            parity_picture_free(&in[i]);
            parity_picture_free(&out[i]);
        }
        /* Row by row the first took 2 s; sanitizers and other processes take their share. */
        CHECK_MSG(seconds[1] <= 12.0 * seconds[0] + 0.4, "%s: standing %g s, lying %g s", texts[t],
                  seconds[1], seconds[0]);
    }
}

static const struct check_case cases[] = {
    {"the same bits", same_bits},           {"the same bits in chains", same_bits_in_chains},
    {"near the formula", near_the_formula}, {"not a number", not_a_number},
    {"bounded cost", bounded_cost},         {"upright lines", upright_lines},
    {"ranks beyond the picture", ranks},
};
CHECK_MAIN(cases)
