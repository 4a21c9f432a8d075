/* A stencil: every variant against the sequential definition, byte by byte, over windows, borders and steps;
 * the definition against sums by hand, and against sums in long double. */
#include "array_case.h"

#include "gpufilter/stencil.h"
#include "text_run.h"

#include <float.h>
#include <math.h>

enum { BORDERS = GF_BORDER_CONSTANT + 1 };

/* ---- Windows ------------------------------------------------------------------------------------------- */

struct window {
    const char *name;
    gf_stencil_window window;
};

#define WINDOW(name, rows, columns, ...)                                                                     \
    {                                                                                                        \
        name,                                                                                                \
        {                                                                                                    \
            sizeof(gf_stencil_window), rows, columns, (const double[])                                       \
            {                                                                                                \
                __VA_ARGS__                                                                                  \
            }                                                                                                \
        }                                                                                                    \
    }

static double large[32 * 32]; /* few of them not 0: filled by windows_fill */
static double mean[81];

static const struct window windows[] = {
    WINDOW("five points", 3, 3, 0, .2, 0, .2, .2, .2, 0, .2, 0),
    WINDOW("nine points", 3, 3, .1, -.2, .3, .4, -1.5, .6, .7, .8, 1e-3),
    WINDOW("four points", 3, 3, 0, .25, 0, .25, 0, .25, 0, .25, 0),
    WINDOW("one above", 3, 1, 1, 0, 0),
    WINDOW("even", 2, 2, .5, .25, -.125, 3),
    WINDOW("across", 1, 9, 1, 2, 3, 4, 5, 4, 3, 2, 1),
    WINDOW("down", 4, 1, -1, .5, .3, .7),
    WINDOW("one sided", 5, 5, .1, .2, .3, 0, 0, .4, .5, .6, 0, 0, .7, .8, .9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
           0),
    {"nine by nine", {sizeof(gf_stencil_window), 9, 9, mean}},
    {"32 by 32", {sizeof(gf_stencil_window), 32, 32, large}},
};
enum { WINDOWS = sizeof windows / sizeof *windows };

static void windows_fill(void)
{
    for (int i = 0; i < 81; i++) {
        mean[i] = (i % 7 + 1) / 324.0;
    }
    large[0] = .3;
    large[31] = -.2;
    large[17 * 32 + 4] = .4;
    large[31 * 32] = .1;
    large[32 * 32 - 1] = .25;
}

/* ---- Runs ---------------------------------------------------------------------------------------------- */

struct ask {
    gf_depth type;
    int64_t rows, columns;
    const gf_stencil_window *window;
    gf_border border;
    int64_t steps;
    double value;
};
static int32_t ask_block, ask_tile; /* of all runs; 0: the variant's own */

static gf_stencil_options options_of(const struct ask *ask, const char *algo, int threads)
{
    gf_stencil_options o = GF_STENCIL_OPTIONS_INIT;
    o.array = (gf_array_options){algo, ask->type, threads, ask_block, ask_tile, 0};
    o.border = ask->border;
    o.steps = ask->steps;
    o.value = ask->value;
    return o;
}

/* The result; to be freed. `in`: host memory. */
static void *compute(const struct ask *ask, const void *in, const char *algo, gf_device device, int threads)
{
    const gf_stencil_options o = options_of(ask, algo, threads);
    const gf_queue queue = {device, NULL};
    const size_t size = gf_depth_size(ask->type), whole = (size_t)(ask->rows * ask->columns) * size;
    struct array_memory from = {0}, to = {0}, scratch = {0};
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 1;
    void *out = malloc(whole + 1);
    gf_status status = gf_stencil_scratch(device, &o, ask->window, ask->rows, ask->columns, &bytes, &error);
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    const bool made = array_memory_make(&from, device, whole, (size_t)array_next_offset(size) * size) &&
                      array_memory_make(&to, device, whole, (size_t)array_next_offset(size) * size) &&
                      array_memory_make(&scratch, device, bytes, 0);
    if (!made || !out) {
        abort();
    }
    array_memory_upload(&from, in);
    status = gf_stencil(queue, &o, ask->window, from.data, ask->rows, ask->columns, to.data, scratch.data,
                        bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    array_memory_download(&to, out);
    array_memory_end(&from, "the matrix");
    array_memory_end(&to, "the result");
    array_memory_end(&scratch, "the scratch memory");
    return out;
}

static void *make(const struct ask *ask, array_data kind, uint64_t seed)
{
    const int64_t n = ask->rows * ask->columns;
    void *in = malloc((size_t)n * gf_depth_size(ask->type) + 1);
    if (!in) {
        abort();
    }
    array_data_fill(in, ask->type, n, kind, 0, seed);
    return in;
}

static void compare(const struct ask *ask, const gf_variant *v, const char *name, array_data kind,
                    uint64_t seed)
{
    const gf_device device = v->cuda ? 0 : GF_DEVICE_CPU;
    const gf_stencil_options o = options_of(ask, v->name, 1);
    size_t bytes = 0;
    if ((v->types & 1U << ask->type) == 0 ||
        gf_stencil_scratch(device, &o, ask->window, ask->rows, ask->columns, &bytes, NULL) ==
            GF_ERROR_UNSUPPORTED) {
        return; /* a window that the published ones refuse: see published() */
    }
    void *in = make(ask, kind, seed);
    void *expected = compute(ask, in, "sequential", GF_DEVICE_CPU, 1);
    void *found = compute(ask, in, v->name, device, 3);
    CHECK_MSG(!memcmp(found, expected, (size_t)(ask->rows * ask->columns) * gf_depth_size(ask->type)),
              "%s on %s: %s, %s of %s, %lld x %lld, %s, %lld steps", v->name, v->cuda ? "CUDA" : "CPU", name,
              array_data_name(kind), gf_depth_name(ask->type), (long long)ask->rows, (long long)ask->columns,
              gf_border_name(ask->border), (long long)ask->steps);
    free(in);
    free(expected);
    free(found);
}

/* ---- Variants ------------------------------------------------------------------------------------------ */

static void all(const gf_variant *v)
{
    static const int64_t shapes[][2] = {{0, 5},   {5, 0},   {1, 1},    {1, 300}, {300, 1}, {2, 2},  {3, 130},
                                        {130, 3}, {17, 19}, {33, 121}, {97, 31}, {64, 64}, {7, 257}};
    static const int64_t steps[] = {1, 2, 3, 5, 13};
    int turn = 0;
    windows_fill();
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        for (int w = 0; w < WINDOWS; w++) {
            for (int border = 0; border < BORDERS; border++, turn++) {
                const struct ask ask = {
                    turn % 2 ? GF_F32 : GF_F64, shapes[k][0],        shapes[k][1], &windows[w].window,
                    (gf_border)border,          steps[turn / 3 % 5], -0.75};
                if (array_in_slice()) {
                    compare(&ask, v, windows[w].name, turn / 7 % 2 ? ARRAY_SPECIAL : ARRAY_RANDOM,
                            (uint64_t)turn);
                }
            }
        }
    }
}

/* Several bands, strips and segments; rows that begin at multiples of 16 bytes, and others. */
static void wide(const gf_variant *v)
{
    static const int64_t columns[] = {256, 260, 251};
    for (int k = 0; k < 3; k++) {
        for (int64_t steps = 1; steps <= 8; steps++) {
            for (int w = 0; w < 2; w++) {
                const struct ask ask = {
                    k == 1 ? GF_F64 : GF_F32,           150,   columns[k], &windows[w].window,
                    (gf_border)((steps + k) % BORDERS), steps, 2};
                if (array_in_slice()) {
                    compare(&ask, v, windows[w].name, ARRAY_RANDOM, (uint64_t)steps);
                }
            }
        }
    }
}

static void variants(bool is_cuda)
{
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("stencil", i)) != NULL; i++) {
        if (v->cuda == is_cuda && strcmp(v->name, "sequential") != 0) {
            all(v);
            wide(v);
        }
    }
}

static void cpu_variants(void)
{
    variants(false);
    for (int border = 0; border < BORDERS; border++) { /* bands through several steps, on several threads */
        const struct ask ask = {GF_F32, 3000, 70, &windows[1].window, (gf_border)border, 11, 1};
        compare(&ask, gf_primitive_variant("stencil", 1), "nine points", ARRAY_RANDOM, 5);
        const struct ask tall = {GF_F64, 3000, 33, &windows[6].window, (gf_border)border, 5, 1};
        compare(&tall, gf_primitive_variant("stencil", 1), "down", ARRAY_RANDOM, 6);
    }
}

/* Blocks and tiles of every size, for a matrix that a texture can lie over, and for one that it cannot. */
static void parameters(const gf_variant *v)
{
    static const int32_t blocks[] = {32, 96, 1024}, tiles[] = {8, 16, 32};
    static const int64_t shapes[][2] = {{40, 64}, {40, 61}, {1, 1}, {1, 70}, {33, 1}, {65, 17}};
    for (int k = 0; k < 6 * 2 * BORDERS; k++) {
        const struct ask ask = {
            GF_F32, shapes[k % 6][0], shapes[k % 6][1], &windows[k / 6 % 2].window, (gf_border)(k / 12), 2,
            .5};
        ask_block = blocks[k % 3];
        ask_tile = strcmp(v->name, "shared") ? 0 : tiles[k / 2 % 3];
        compare(&ask, v, windows[k / 6 % 2].name, k % 5 ? ARRAY_RANDOM : ARRAY_SPECIAL, (uint64_t)k);
    }
    ask_block = ask_tile = 0;
}

/* What the text's kernels are not for is refused, and says what is. */
static void published(void)
{
    static const char *const names[] = {"naive", "shared", "texture"};
    gf_stencil_options o = GF_STENCIL_OPTIONS_INIT;
    for (int i = 0; i < 3; i++) {
        gf_error error = GF_ERROR_INIT;
        size_t bytes = 0;
        o.array.algo = names[i];
        CHECK_EQ_INT(gf_stencil_scratch(0, &o, &windows[1].window, 9, 9, &bytes, &error),
                     GF_ERROR_UNSUPPORTED);
        CHECK_STR_HAS(error.message, "takes windows of five points");
        CHECK_STR_HAS(error.message, "sequential and auto take others");
        CHECK_EQ_INT(gf_stencil_scratch(0, &o, &windows[0].window, 60000, 40000, &bytes, &error),
                     GF_ERROR_UNSUPPORTED);
        CHECK_EQ_INT(gf_stencil_scratch(0, &o, &windows[0].window, 65536, 4, &bytes, &error),
                     GF_ERROR_UNSUPPORTED);
        CHECK_EQ_INT(gf_stencil_scratch(0, &o, &windows[0].window, 40000, 40000, &bytes, &error), GF_OK);
    }
}

static void cuda_variants(void)
{
    const gf_variant *v;
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    variants(true);
    for (size_t i = 0; (v = gf_primitive_variant("stencil", i)) != NULL; i++) {
        if (v->cuda) {
            parameters(v);
        }
    }
    published();
}

/* ---- What is known --------------------------------------------------------------------------------------- */

static void by_hand(void)
{
    static const float in[] = {1, 2, 3, 4, 5, 6};
    static const double weights[] = {1, 10, 100};
    static const float expected[BORDERS][6] = {
        /* of 1 2 3: 1 * left + 10 * it + 100 * right */
        {1 + 10 + 200, 1 + 20 + 300, 2 + 30 + 300, 4 + 40 + 500, 4 + 50 + 600, 5 + 60 + 600},
        {2 + 10 + 200, 1 + 20 + 300, 2 + 30 + 200, 5 + 40 + 500, 4 + 50 + 600, 5 + 60 + 500},
        {1 + 10 + 200, 1 + 20 + 300, 2 + 30 + 300, 4 + 40 + 500, 4 + 50 + 600, 5 + 60 + 600},
        {3 + 10 + 200, 1 + 20 + 300, 2 + 30 + 100, 6 + 40 + 500, 4 + 50 + 600, 5 + 60 + 400},
        {7 + 10 + 200, 1 + 20 + 300, 2 + 30 + 700, 7 + 40 + 500, 4 + 50 + 600, 5 + 60 + 700},
    };
    const gf_stencil_window across = {sizeof across, 1, 3, weights};
    for (int border = 0; border < BORDERS; border++) {
        const struct ask ask = {GF_F32, 2, 3, &across, (gf_border)border, 1, 7};
        float *found = compute(&ask, in, "sequential", GF_DEVICE_CPU, 1);
        CHECK_MEM(found, expected[border], sizeof in);
        free(found);
    }
}

/* A window of one weight moves elements: their bits stay, -0 and infinities too, and every NaN is the same.
 */
static void moves(void)
{
    static const float in[] = {1, -0.0F, INFINITY, -INFINITY, 1e-42F, FLT_MAX, 3, 0, -5};
    static const double identity[] = {1}, left[] = {1, 0, 0};
    const gf_stencil_window one = {sizeof one, 1, 1, identity}, shift = {sizeof shift, 1, 3, left};
    for (int at = 0; at < 2; at++) {
        const char *algo = at ? "auto" : "sequential";
        struct ask ask = {GF_F32, 3, 3, &one, GF_BORDER_REPLICATE, 1, 0};
        float *found = compute(&ask, in, algo, GF_DEVICE_CPU, 1);
        CHECK_MEM(found, in, sizeof in);
        free(found);
        ask.window = &shift;
        ask.border = GF_BORDER_WRAP;
        for (ask.steps = 1; ask.steps <= 6; ask.steps++) {
            found = compute(&ask, in, algo, GF_DEVICE_CPU, 1);
            for (int i = 0; i < 9; i++) {
                const int from = i / 3 * 3 + (int)((i + 6 - ask.steps) % 3);
                CHECK_MEM(&found[i], &in[from], sizeof *in);
            }
            free(found);
        }
    }
}

/* What lies where a weight is 0 does not matter, and NaN and infinity reach as far as the window. */
static void zeros_see_nothing(void)
{
    static float in[7 * 7];
    in[3 * 7 + 3] = INFINITY;
    in[0] = NAN;
    const struct ask ask = {GF_F32, 7, 7, &windows[0].window, GF_BORDER_REPLICATE, 1, 0};
    float *found = compute(&ask, in, "auto", GF_DEVICE_CPU, 1);
    static const uint32_t canonical = 0x7fc00000;
    for (int y = 0; y < 7; y++) {
        for (int x = 0; x < 7; x++) {
            const bool is_nan = x + y <= 1, is_infinite = abs(x - 3) + abs(y - 3) <= 1;
            const float v = found[y * 7 + x];
            CHECK_MSG(is_nan        ? !memcmp(&v, &canonical, 4)
                      : is_infinite ? v == INFINITY
                                    : v == 0,
                      "%d, %d: %g", y, x, (double)v);
        }
    }
    free(found);
}

/* So many steps are so many calls. */
static void step_by_step(void)
{
    for (int border = 0; border < BORDERS; border++) {
        struct ask ask = {GF_F32, 61, 47, &windows[1].window, (gf_border)border, 1, 3};
        float *in = make(&ask, ARRAY_RANDOM, 9), *chain = make(&ask, ARRAY_RANDOM, 9);
        for (int i = 0; i < 7; i++) {
            float *next = compute(&ask, chain, "sequential", GF_DEVICE_CPU, 1);
            free(chain);
            chain = next;
        }
        ask.steps = 7;
        for (int at = 0; at < 2; at++) {
            float *found = compute(&ask, in, at ? "auto" : "sequential", GF_DEVICE_CPU, 1);
            CHECK_MEM(found, chain, 61 * 47 * sizeof *in);
            free(found);
        }
        free(in);
        free(chain);
    }
}

/* Sums may be off by as many roundings as there are weights, of a sum of such magnitudes. */
static void sums(void)
{
    enum { N = 40 };
    const struct ask ask = {GF_F64, N, N, &windows[8].window, GF_BORDER_REFLECT, 1, 0};
    windows_fill();
    double *in = make(&ask, ARRAY_RANDOM, 3), *found = compute(&ask, in, "auto", GF_DEVICE_CPU, 2);
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) {
            long double sum = 0, size = 0;
            for (int k = 0; k < 81; k++) {
                int v = y + k / 9 - 4, u = x + k % 9 - 4;
                v = v < 0 ? -1 - v : v >= N ? 2 * N - 1 - v : v;
                u = u < 0 ? -1 - u : u >= N ? 2 * N - 1 - u : u;
                sum += (long double)mean[k] * in[v * N + u];
                size += fabsl((long double)mean[k] * in[v * N + u]);
            }
            CHECK(fabsl(sum - found[y * N + x]) <= 81 * DBL_EPSILON / 2 * size);
        }
    }
    free(in);
    free(found);
}

/* Where no weight is 0 and the window has no factors, it is the stage conv. */
static void as_the_stage(void)
{
    enum { ROWS = 37, COLUMNS = 53 };
    struct ask ask = {GF_F32, ROWS, COLUMNS, &windows[1].window, GF_BORDER_REFLECT101, 1, 0};
    float *in = make(&ask, ARRAY_RANDOM, 11), *found = compute(&ask, in, "auto", GF_DEVICE_CPU, 1);
    static float picture[ROWS * COLUMNS];
    gf_error error = GF_ERROR_INIT;
    gf_image from = gf_image_view(in, COLUMNS, ROWS, 1, GF_F32, 0);
    gf_image to = gf_image_view(picture, COLUMNS, ROWS, 1, GF_F32, 0);
    const gf_status status =
        text_run_once("conv:[.1 -.2 .3; .4 -1.5 .6; .7 .8 1e-3]:border=reflect101", &from, &to, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    CHECK_MEM(found, picture, sizeof picture);
    free(in);
    free(found);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"moves", moves},
    {"zeros see nothing", zeros_see_nothing},
    {"step by step", step_by_step},
    {"sums", sums},
    {"as the stage conv", as_the_stage},
    {"CPU variants", cpu_variants},
    {"CUDA variants", cuda_variants},
};
CHECK_MAIN(cases)
