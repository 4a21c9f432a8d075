/* Windows of the embedder: what the function sees at every border, and what becomes of what it makes, against
 * sums over neighbours that are looked up one by one; and what happens where it fails or is none. */
#include "own_window_case.h"

#include <stdatomic.h>

/* f32 pictures of integers. */
static void make_whole(gf_image *image)
{
    float *samples = image->data;
    for (int64_t i = 0; i < image->shape.width * image->shape.height * image->shape.channels; i++) {
        samples[i] = (float)((i * 7919 + i / 3) % 256);
    }
}

static void check_verified(struct bench *b, gf_exec *exec, const gf_image *made, const char *what)
{
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    gf_status status = gf_verify(exec, &b->in, made, GF_DEVICE_REFERENCE, &mismatch, &b->error);
    CHECK_MSG(status == GF_OK, "%s: %s", what, b->error.message);
}

/* A text over a picture, whole, in bands, and by the judge. fill < 0: only the last two. */
static void check_window(const char *text, gf_shape shape, gf_plan_options options, gf_border border,
                         double fill)
{
    struct bench b;
    char what[200];
    snprintf(what, sizeof what, "%s on %lld x %lld x %d %s", text, (long long)shape.width,
             (long long)shape.height, shape.channels, gf_depth_name(shape.depth));
    gf_status status = open_bench_of(&b, text, shape, options, types, 1);
    CHECK_MSG(status == GF_OK, "%s: %s", what, b.error.message);
    if (status == GF_OK) {
        if (shape.depth == GF_F32) {
            make_whole(&b.in);
            CHECK_EQ_INT(gf_exec_run(b.judge, &b.in, &b.expected, &b.error), GF_OK);
        }
        if (fill >= 0) {
            check_picture(&b, border, fill, what);
        }
        check_verified(&b, b.judge, &b.expected, what);
        CHECK_MSG(gf_exec_run(b.exec, &b.in, &b.out, &b.error) == GF_OK, "%s: %s", what, b.error.message);
        check_same(&b, what);
    }
    close_bench(&b);
}

/* ---- cases ---- */

static const int32_t reaches[][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {3, 0, 1, 2}, {0, 5, 9, 0}};

static void borders(void)
{
    static const char *const words[] = {"replicate", "reflect101", "reflect", "wrap", "constant"};
    static const int64_t sizes[][2] = {{1, 1}, {1, 7}, {6, 1}, {9, 8}, {70, 21}};
    for (int i = 0; i < 5 * 5 * 3 * 2 * 4 * 2; i++) {
        const int border = i % 5, size = i / 5 % 5, depth = i / 25 % 3, stored = i / 75 % 2,
                  reach = i / 150 % 4, many = i / 600;
        const gf_shape shape = {sizes[size][0], sizes[size][1], many ? 3 : 1, (gf_depth)depth};
        const double white = depth == GF_F32 ? 2 : gf_depth_white((gf_depth)depth);
        char text[64];
        snprintf(text, sizeof text, "own:border=%s%s", words[border],
                 border == GF_BORDER_CONSTANT ? depth == GF_F32 ? ":value=1" : ":value=0.5" : "");
        gf_plan_options options = streamed(i % 4);
        options.band_rows = i % 3;
        set_now(reaches[reach], 0, stored);
        check_window(text, shape, options, (gf_border)border, floor(white / 2 + 0.5));
    }
}

/* More than a strip wide, with more threads than processors. */
static void strips_and_threads(void)
{
    const gf_shape shape = {4000, 40, 1, GF_U8};
    const int32_t reach[4] = {4, 2, 70, 60};
    gf_plan_options options = streamed(16);
    options.threads = 5;
    set_now(reach, 0, false);
    now.weights.total = 100;
    check_window("own:border=reflect", shape, options, GF_BORDER_REFLECT, 0);
    set_now(reaches[2], 0, true);
    check_window("own:border=wrap", (gf_shape){3000, 300, 2, GF_U16}, options, GF_BORDER_WRAP, -1);
}

static void channels(void)
{
    static const int32_t ends[][2] = {{1, 3}, {3, 1}, {4, 3}, {2, 4}, {3, 3}};
    for (int i = 0; i < 5 * 3 * 2; i++) {
        const int k = i % 5;
        gf_plan_options options = streamed(4);
        options.alpha = GF_ALPHA_PREMUL; /* which weighs nothing where channels change */
        set_now(reaches[2], ends[k][1], i / 15);
        check_window("own:border=wrap", (gf_shape){12, 11, ends[k][0], (gf_depth)(i / 5 % 3)}, options,
                     GF_BORDER_WRAP, 0);
    }
}

/* Checks what the stage must not touch, and what lies around it in a chain. */
static void chains(void)
{
    static const char *const texts[] = {
        "own:channels=1:border=reflect",
        "own:roi=9x7+3+2:border=constant:value=0.3",
        "invert,own,gamma:2,stats",
        "own,own:border=wrap,threshold:otsu,hist",
        "blur,own:roi=5x5+1+1:channels=0,sobel,stats",
        "gray,own,median,points:max=10",
    };
    for (int i = 0; i < 6 * 3 * 2 * 2; i++) {
        const int64_t rows = i % 5 == 0 ? 0 : 8; /* not all of them run in bands */
        gf_plan_options options = streamed(rows);
        options.no_fuse = i / 36;
        set_now(reaches[i % 4], 0, i / 18 % 2);
        check_window(texts[i % 6], (gf_shape){40, 33, 3, (gf_depth)(i / 6 % 3)}, options, GF_BORDER_WRAP, -1);
    }
    gf_plan_options premul = streamed(8);
    premul.alpha = GF_ALPHA_PREMUL;
    for (int i = 0; i < 6; i++) {
        set_now(reaches[i % 4], 0, i / 3);
        check_window("own,invert", (gf_shape){17, 30, 4, (gf_depth)(i % 3)}, premul, GF_BORDER_WRAP, -1);
    }
}

/* One pass with what is around it, its name, and alpha as it was. */
static void joins_its_pass(void)
{
    struct bench b;
    char text[4096];
    gf_plan_options options = streamed(0);
    options.alpha = GF_ALPHA_STRAIGHT;
    set_now(reaches[2], 0, true);
    REQUIRE(open_bench_of(&b, "invert,own:border=reflect,gamma:2,stats", (gf_shape){20, 10, 4, GF_U8},
                          options, types, 1) == GF_OK);
    CHECK_EQ_INT(gf_plan_step_count(b.plan), 1);
    CHECK_EQ_INT(gf_plan_explain(b.plan, GF_PRINT_TEXT, text, sizeof text, NULL, NULL), GF_OK);
    CHECK_STR_HAS(text, "| own window 'weigh' 4x4 reflect |");
    CHECK_STR_HAS(text, "halo 3 x 2");
    CHECK_STR_HAS(text, "time     not known: a function of the embedder takes part\n");
    for (int64_t i = 3; i < 800; i += 4) {
        CHECK_EQ_INT(((const uint8_t *)b.expected.data)[i], ((const uint8_t *)b.in.data)[i]);
    }
    close_bench(&b);
}

static gf_status canonical_row(const gf_window_row *row, const void *args, gf_error *error)
{
    (void)error;
    CHECK(args == &now.weights); /* not copied, as args_size is 0 */
    for (int64_t i = 0; i < row->pixels; i++) {
        const int64_t in = (int64_t)((const float *)row->in[0])[i];
        const uint32_t bits = in % 3 == 0 ? 0xffc12345 : in % 3 == 1 ? 0x80000000 : 0x7f800000;
        memcpy((float *)row->out + i, &bits, sizeof bits);
    }
    return GF_OK;
}

static void nan_is_canonical(void)
{
    struct bench b;
    const int32_t none[4] = {0, 0, 0, 0};
    set_now(none, 0, true);
    now.window.host = canonical_row;
    now.window.args = &now.weights;
    now.window.args_size = 0;
    REQUIRE(open_bench_of(&b, "own", (gf_shape){6, 2, 1, GF_F32}, streamed(0), types, 1) == GF_OK);
    make_whole(&b.in);
    CHECK_EQ_INT(gf_exec_run(b.judge, &b.in, &b.expected, &b.error), GF_OK);
    const uint32_t *bits = b.expected.data;
    for (int i = 0; i < 12; i++) {
        const int64_t in = (int64_t)((const float *)b.in.data)[i];
        CHECK_EQ_INT(bits[i], in % 3 == 0 ? 0x7fc00000 : in % 3 == 1 ? 0x80000000 : 0x7f800000);
    }
    check_verified(&b, b.judge, &b.expected, "NaN");
    close_bench(&b);
}

/* ---- what goes wrong ---- */

static atomic_int calls;
static atomic_bool fails;

/* Fails where the row is one of white. */
static gf_status picky(const gf_window_row *row, const void *args, gf_error *error)
{
    (void)args;
    atomic_fetch_add(&calls, 1);
    memset(row->out, 0, (size_t)row->pixels);
    if (fails && ((const uint8_t *)row->in[1])[0] == 255) {
        snprintf(error->message, sizeof error->message, "a white row");
        return GF_ERROR_LIMIT;
    }
    return GF_OK;
}

static void failures_end_the_run(void)
{
    struct bench b;
    gf_plan_options options = streamed(0);
    options.threads = 4;
    options.band_rows = 1;
    set_now(reaches[1], 0, true);
    now.window.host = picky;
    fails = false;
    REQUIRE(open_bench_of(&b, "invert,own", (gf_shape){1000, 900, 1, GF_U8}, options, types, 1) == GF_OK);
    memset(b.in.data, 255, 900000);
    for (int64_t y = 100; y < 900; y++) {
        memset((char *)b.in.data + y * 1000, 0, 1000); /* white after invert */
    }
    fails = true;
    for (int i = 0; i < 2; i++) {
        calls = 0;
        CHECK_EQ_INT(gf_exec_run(b.exec, &b.in, &b.out, &b.error), GF_ERROR_LIMIT);
        CHECK_STR(b.error.message, "a white row");
        CHECK_EQ_INT(b.error.stage, 1);
        CHECK_MSG(calls < 850, "%d calls: it goes on", (int)calls);
    }
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    CHECK_EQ_INT(gf_verify(b.exec, &b.in, &b.out, GF_DEVICE_REFERENCE, &mismatch, &b.error), GF_ERROR_LIMIT);
    CHECK_EQ_INT(b.error.stage, 1);
    fails = false;
    CHECK_EQ_INT(gf_exec_run(b.exec, &b.in, &b.out, &b.error), GF_OK);
    close_bench(&b);
}

/* Cheats: what it makes depends on where the stretch begins, which the judge finds out. */
static gf_status cheat(const gf_window_row *row, const void *args, gf_error *error)
{
    (void)args, (void)error;
    for (int64_t i = 0; i < row->pixels; i++) {
        ((uint8_t *)row->out)[i] = (uint8_t)i;
    }
    return GF_OK;
}

static void cheats_are_found(void)
{
    struct bench b;
    gf_mismatch mismatch = {.struct_size = sizeof mismatch};
    set_now(reaches[0], 0, true);
    now.window.host = cheat;
    REQUIRE(open_bench_of(&b, "own", (gf_shape){30, 3, 1, GF_U8}, streamed(0), types, 1) == GF_OK);
    CHECK_EQ_INT(gf_verify(b.judge, &b.in, &b.expected, GF_DEVICE_REFERENCE, &mismatch, &b.error),
                 GF_ERROR_MISMATCH);
    close_bench(&b);
}

static void check_refused(const char *text, gf_device device, gf_status code, const char *says)
{
    struct bench b;
    gf_plan_options options = streamed(0);
    options.device = device;
    CHECK_EQ_INT(open_bench_of(&b, text, (gf_shape){8, 8, 3, GF_U8}, options, types, 1), code);
    CHECK_STR_HAS(b.error.message, "stage 1 'own'");
    CHECK_STR_HAS(b.error.message, says);
    close_bench(&b);
}

static void wrong_windows(void)
{
    static const int64_t far[] = {-1, GF_WINDOW_FAR + 1};
    static const char *const sides[] = {"left", "right", "up", "down"};
    for (int i = 0; i < 8; i++) {
        char says[80];
        set_now(reaches[1], 0, true);
        int64_t *const reach[] = {&now.window.left, &now.window.right, &now.window.up, &now.window.down};
        *reach[i % 4] = far[i / 4];
        snprintf(says, sizeof says, "reads %d pixels %s, must be 0 to 32767", (int)far[i / 4], sides[i % 4]);
        check_refused("own", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, says);
    }
    set_now(reaches[1], 5, true);
    check_refused("own", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "makes 5 channels, must be 1 to 4, or 0");
    set_now(reaches[1], 1, true);
    check_refused("own:roi=2x2+1+1", GF_DEVICE_CPU, GF_ERROR_UNSUPPORTED, "makes 1 channels of 3");
    check_refused("own:channels=0", GF_DEVICE_CPU, GF_ERROR_UNSUPPORTED, "roi= and channels=");
    now.window.host = NULL;
    check_refused("own", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "host function of a gf_window_function is NULL");
    set_now(reaches[1], 0, true);
    now.window.args_size = 3;
    check_refused("own", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "args of a gf_window_function is NULL");
    set_now(reaches[1], 0, true);
    now.window.struct_size = 8;
    check_refused("own", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "gf_window_function");
    set_now(reaches[1], 0, true);
    now.nothing = true;
    check_refused("own", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "gf_window_function: the pointer is NULL");
    set_now(reaches[1], 0, true);
    now.before = gf_lower_stats; /* no picture */
    check_refused("own", GF_DEVICE_CPU, GF_ERROR_ARGUMENT, "no picture");
}

/* It is as with a call: it runs on no GPU, and `auto` takes the CPU. */
static void not_on_a_gpu(void)
{
    struct bench b;
    gf_plan_options options = streamed(0);
    set_now(reaches[1], 0, true);
    options.device = GF_DEVICE_AUTO;
    REQUIRE(open_bench_of(&b, "own", (gf_shape){8, 8, 3, GF_U8}, options, types, 1) == GF_OK);
    CHECK_EQ_INT(gf_plan_device(b.plan), GF_DEVICE_CPU);
    CHECK_STR_HAS(gf_plan_device_reason(b.plan),
                  gf_has_cuda() ? "stage 1 has no device function" : "no CUDA backend");
    close_bench(&b);
    if (gf_has_cuda()) {
        check_refused("own", 0, GF_ERROR_UNSUPPORTED, "has no device function: use the CPU");
    }
}

static const struct check_case cases[] = {
    {"every border, depth and size", borders},
    {"strips, and many threads", strips_and_threads},
    {"other channels", channels},
    {"in chains, in parts of a picture", chains},
    {"joins the pass around it", joins_its_pass},
    {"NaN that it makes is canonical", nan_is_canonical},
    {"a function that fails ends the run", failures_end_the_run},
    {"a function that looks at its place is found out", cheats_are_found},
    {"windows that are none", wrong_windows},
    {"no GPU runs it", not_on_a_gpu}};
CHECK_MAIN(cases)
