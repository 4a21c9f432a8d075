/* Bands as views of their plan: stages are lowered once, maps of rows stream by what they reach for, and what
 * is measured before a map takes away rows is measured of all of them. */
#include "stream_bench.h"

#include "lower/lowering_private.h"
#include "pixel/ir/kernel_table.h"

/* ---- a map of one's own: row y of the output is row step * y + first of the input ---- */

struct thin {
    int64_t step, first;
};

static gf_status thin_cpu(const struct gf_apply_run *run, gf_error *error)
{
    struct thin thin;
    (void)error;
    gf_args_get(&run->apply->args, &thin, sizeof thin);
    const struct gf_value *out = &run->out_values[0];
    size_t row = (size_t)(out->width * out->channels) * gf_depth_size(out->depth);
    for (int64_t i = 0; i < run->out[0].rows.count; i++) {
        int64_t from = (run->out[0].rows.first + i) * thin.step + thin.first - run->in[0].rows.first;
        memcpy((char *)run->out[0].data + i * run->out[0].pitch,
               (const char *)run->in[0].data + from * run->in[0].pitch, row);
    }
    return GF_OK;
}

static bool thin_reach(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                       struct gf_rows want, struct gf_rows *need)
{
    struct thin thin;
    (void)in;
    (void)out;
    gf_args_get(&apply->args, &thin, sizeof thin);
    *need = (struct gf_rows){want.first * thin.step + thin.first, (want.count - 1) * thin.step + 1};
    return true;
}

static const struct gf_kernel thin_kernel = {
    .name = "thin", .kind = GF_KERNEL_MAP, .apply = {.cpu = thin_cpu}, .map = {.reach = thin_reach}};

static void thin_lower(gf_lowering *l, const void *params)
{
    const struct thin *thin = params;
    gf_value_id v = gf_lower_input(l);
    gf_shape shape = gf_lower_shape(l, v);
    int64_t height = (shape.height - thin->first + thin->step - 1) / thin->step;
    int32_t out = gf_lowering_picture(l, shape.width, height, shape.channels, shape.depth);
    gf_lowering_apply(l, &thin_kernel, (struct gf_lowering_operands){{v - 1}, 1},
                      (struct gf_lowering_operands){{out}, 1}, thin, sizeof *thin);
    gf_lower_output(l, gf_to_id(out));
}

static const gf_param thin_params[] = {{"step", GF_PARAM_INT, offsetof(struct thin, step), "1", 1, 100, NULL,
                                        NULL, NULL, "one row in so many", 1},
                                       {"first", GF_PARAM_INT, offsetof(struct thin, first), "0", 0, 10000,
                                        NULL, NULL, NULL, "the first of them", 0},
                                       {0}};
static const gf_stage_type thin_type = {.struct_size = sizeof thin_type,
                                        .name = "thin",
                                        .group = "own",
                                        .summary = "some of the rows",
                                        .formula = "",
                                        .params = thin_params,
                                        .params_size = sizeof(struct thin),
                                        .lower = thin_lower};

/* ---- stages that count how often they are lowered, and one that is never lowered the same way ---- */

static int calls;

static void counted_lower(gf_lowering *l, const void *params)
{
    (void)params;
    calls++;
    gf_lower_output(l, gf_lower_affine(l, gf_lower_input(l), 0.5, 0.25));
}

static void fickle_finish(const gf_measured *m, gf_result_builder *builder)
{
    (void)m;
    gf_result_u64(builder, "nothing", 1, 1);
}

/* Makes in turn: twice as dark, as wide as before, with a result or none, or another depth. */
static void fickle_lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l), counts = gf_lower_histogram(l, v, 256, 0, 1, 0);
    if (calls % 3 == 0) {
        gf_lower_result(l, v, &counts, 1, fickle_finish);
    }
    for (int i = 0; i <= calls % 4; i++) {
        v = gf_lower_affine(l, v, 0.5, 0);
    }
    gf_lower_output(l, calls % 5 == 4 ? gf_lower_convert(l, v, GF_U16) : v);
    calls++;
}

static const gf_stage_type counted_type = {.struct_size = sizeof counted_type,
                                           .name = "counted",
                                           .group = "own",
                                           .summary = "counts",
                                           .formula = "",
                                           .lower = counted_lower};
static const gf_stage_type fickle_type = {.struct_size = sizeof fickle_type,
                                          .name = "fickle",
                                          .group = "own",
                                          .summary = "changes its mind",
                                          .formula = "",
                                          .lower = fickle_lower};

static const gf_stage_type *const types[] = {&thin_type, &counted_type, &fickle_type};
enum { TYPES = sizeof types / sizeof *types };

/* ---- cases ---- */

static gf_status run_stream(struct bench *b, gf_exec *exec)
{
    struct image_rows from = {.image = &b->in}, to = {.image = &b->out};
    gf_source source = image_source(&from);
    gf_sink sink = image_sink(&to);
    gf_status status = gf_exec_stream(exec, &source, &sink, &b->error);
    check_that(status != GF_OK || from.next == b->in.shape.height, __FILE__, __LINE__,
               "%lld rows were read of %lld", (long long)from.next, (long long)b->in.shape.height);
    check_that(status != GF_OK || to.next == b->out.shape.height, __FILE__, __LINE__,
               "%lld rows were given of %lld", (long long)to.next, (long long)b->out.shape.height);
    return status;
}

static void maps_stream(void)
{
    static const char *const chains[] = {
        "thin:2",
        "thin:step=1:first=150",
        "hist,thin:step=1:first=300,stats",
        "stats,thin:step=3:first=40,hist",
        "blur:2,thin:2,blur:3,hist,thin:step=5:first=7,stats",
        "convert:f32,box:radius=4,thin:step=3,box:radius=2,convert:u8,hist",
        "thin:step=2:first=31,equalize,thin:4,threshold:otsu,stats",
        "stats:roi=20x200+5+150,thin:step=7,blur:2,stats:roi=9x30+1+12",
        "thin:100,hist",
        "crop:40x80+3+200,blur:sigma=2,pad:30,stats",
    };
    static const int64_t rows[] = {1, 16, 90, 250};
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            struct bench b;
            gf_shape shape = {53, 390, r % 2 ? 3 : 1, GF_U8};
            gf_status status = open_bench_of(&b, chains[c], shape, streamed(rows[r]), types, TYPES);
            check_that(status == GF_OK, __FILE__, __LINE__, "%s: %s", chains[c], b.error.message);
            for (int again = 0; status == GF_OK && again < 2; again++) {
                memset(b.out.data, 0, (size_t)(b.out.pitch * b.out.shape.height));
                status = again ? gf_exec_run(b.exec, &b.in, &b.out, &b.error) : run_stream(&b, b.exec);
                check_that(status == GF_OK, __FILE__, __LINE__, "%s: %s", chains[c], b.error.message);
                check_same(&b, chains[c]);
            }
            gf_band_info info = bands_of(b.plan);
            check_that(info.count > 1 || rows[r] > 200, __FILE__, __LINE__, "%s: %lld bands of %lld rows",
                       chains[c], (long long)info.count, (long long)info.rows);
            close_bench(&b);
        }
    }
}

/* A band of a map holds what it reaches for, and not the picture. */
static void maps_hold_bands(void)
{
    struct bench b;
    gf_shape shape = {500, 4000, 1, GF_U8};
    REQUIRE(open_bench_of(&b, "hist,thin:step=1:first=3000,blur:1", shape, streamed(40), types, TYPES) ==
            GF_OK);
    gf_band_info info = bands_of(b.plan);
    CHECK_STR(info.reason, "");
    CHECK(info.rows >= 40 && info.rows <= 40 + info.above + info.below && info.rows < 80);
    CHECK(gf_plan_memory(b.plan) < 500 * 4000 / 4);
    close_bench(&b);
}

static void lowered_once(void)
{
    static const char *const chains[] = {"counted", "blur,counted,equalize,blur:9,threshold:otsu,hist",
                                         "counted,thin:3,blur"};
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        for (int32_t device = GF_DEVICE_AUTO; device <= GF_DEVICE_CPU; device++) {
            struct bench b;
            gf_shape shape = {60, 500, 1, GF_U8};
            if (device == GF_DEVICE_REFERENCE && strstr(chains[c], "thin")) { /* which has no judge */
                continue;
            }
            REQUIRE(open_bench_of(&b, chains[c], shape, streamed(20), types, TYPES) == GF_OK);
            gf_plan_options options = streamed(20);
            options.device = device;
            options.memory_limit = device == GF_DEVICE_CPU ? gf_plan_memory(b.plan) - 1 : 0;
            gf_plan *plan = NULL;
            gf_exec *exec = NULL;
            calls = 0;
            CHECK_EQ_INT(plan_with(&b, options, &plan), GF_OK);
            CHECK_EQ_INT(calls, 1);
            CHECK_EQ_INT(gf_exec_create(plan, &exec, &b.error), GF_OK);
            for (int again = 0; again < 2; again++) {
                gf_status status = run_stream(&b, exec);
                check_that(status == GF_OK, __FILE__, __LINE__, "%s on %d: %s", chains[c], device,
                           b.error.message);
            }
            CHECK_EQ_INT(calls, 1);
            gf_exec_destroy(&exec);
            gf_plan_destroy(&plan);
            close_bench(&b);
        }
    }
}

/* Where a stage is lowered differently each time, a plan keeps what it was told first; whoever judges it by
 * another plan is told that they differ. */
static void lowered_differently(void)
{
    for (int first = 0; first < 12; first++) {
        struct bench b;
        gf_shape shape = {60, 500, 1, GF_U8};
        calls = 0;
        REQUIRE(open_bench_of(&b, "fickle,blur", shape, streamed(20), types, TYPES) == GF_OK);
        gf_plan *plan = NULL;
        gf_exec *exec = NULL;
        calls = first;
        CHECK_EQ_INT(plan_with(&b, streamed(20), &plan), GF_OK);
        CHECK_EQ_INT(gf_exec_create(plan, &exec, &b.error), GF_OK);
        free(b.out.data);
        b.out = make_image(gf_plan_output(plan));
        CHECK_EQ_INT(run_stream(&b, exec), GF_OK);
        gf_mismatch mismatch = {.struct_size = sizeof mismatch};
        CHECK_EQ_INT(gf_verify(exec, &b.in, &b.out, GF_DEVICE_REFERENCE, &mismatch, &b.error),
                     GF_ERROR_MISMATCH);
        gf_exec_destroy(&exec);
        gf_plan_destroy(&plan);
        close_bench(&b);
    }
}

static const struct check_case cases[] = {
    {"maps stream", maps_stream},
    {"maps hold bands", maps_hold_bands},
    {"lowered once", lowered_once},
    {"lowered differently", lowered_differently},
};

CHECK_MAIN(cases)
