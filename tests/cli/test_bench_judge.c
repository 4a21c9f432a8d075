/* How `gpufilter bench` judges: by numbers that are given, without a device. */
#include "array_job.h"

#include "bench/chart/svg_axis.h"
#include "bench_case.h"

#ifdef GF_EMU
#include "emu_control.h"
#endif

/* ---- Numbers ------------------------------------------------------------------------------------------- */

static struct bench_span span(double low, double middle, double high)
{
    return (struct bench_span){low, middle, high};
}

static void overlaps(void)
{
    CHECK_EQ_INT(bench_compare(span(1, 2, 3), span(3.1, 4, 5)), BENCH_LESS);
    CHECK_EQ_INT(bench_compare(span(3.1, 4, 5), span(1, 2, 3)), BENCH_MORE);
    CHECK_EQ_INT(bench_compare(span(1, 2, 3), span(3, 4, 5)), BENCH_NEITHER);
    CHECK_EQ_INT(bench_compare(span(1, 9, 10), span(2, 3, 4)), BENCH_NEITHER);
    CHECK_EQ_INT(bench_compare(span(2, 2, 2), span(2, 2, 2)), BENCH_NEITHER);
    const struct bench_span q = bench_quotient(span(2, 4, 8), span(1, 2, 4));
    CHECK(q.low == 0.5 && q.middle == 2 && q.high == 8);
    CHECK_EQ_INT(bench_within(q, 0.5, 8), BENCH_HOLDS);
    CHECK_EQ_INT(bench_within(q, 1, 8), BENCH_CLOSE);
    CHECK_EQ_INT(bench_within(q, 0, 1), BENCH_CLOSE);
    CHECK_EQ_INT(bench_within(q, 8.5, 9), BENCH_FAILS);
    CHECK_EQ_INT(bench_within(q, 0, 0.4), BENCH_FAILS);
}

static void shares(void)
{
    CHECK_EQ_INT(bench_share(3, 0, 4, 0.75), BENCH_HOLDS);
    CHECK_EQ_INT(bench_share(2, 0, 4, 0.75), BENCH_FAILS);
    CHECK_EQ_INT(bench_share(2, 1, 4, 0.75), BENCH_CLOSE);
    CHECK_EQ_INT(bench_share(1, 1, 4, 0.75), BENCH_FAILS);
    CHECK_EQ_INT(bench_share(0, 0, 0, 0), BENCH_NOT_JUDGED);
}

static void fits(void)
{
    struct bench_power fit = {0, 0};
    double x[9], y[9];
    for (int i = 0; i < 9; i++) {
        x[i] = ldexp(1, i);
        y[i] = 3 * pow(x[i], 1.5);
    }
    REQUIRE(bench_fit(x, y, 9, &fit));
    CHECK_NEAR(fit.power, 1.5, 1e-12);
    CHECK_NEAR(fit.residual, 1, 1e-12);
    y[4] *= 2; /* in the middle: the slope stays, and the point lies 2^(8/9) above the line */
    REQUIRE(bench_fit(x, y, 9, &fit));
    CHECK_NEAR(fit.power, 1.5, 1e-12);
    CHECK_NEAR(fit.residual, pow(2, 8.0 / 9), 1e-12);
    CHECK(!bench_fit(x, y, 1, &fit));
    CHECK(!bench_fit((const double[]){2, 2}, (const double[]){1, 3}, 2, &fit));
    CHECK(!bench_fit((const double[]){0, 2}, (const double[]){1, 3}, 2, &fit));
    CHECK(!bench_fit((const double[]){1, 2}, (const double[]){1, 0}, 2, &fit));
    const int from[] = {0, 0, 0, 0, 0, 1, 2, 3, 4, 4, 5}; /* four at least */
    for (int n = 0; n <= 10; n++) {
        CHECK_EQ_INT(bench_upper_half(n), from[n]);
    }
}

/* ---- Counts -------------------------------------------------------------------------------------------- */

#ifdef GF_EMU
/* What the published scans launch and add, as they are built. Tiles of `tile` elements by one launch, their
 * totals in the same way, and on each level a launch that adds what lies before each tile. */
static int64_t levels_of(int64_t n, int64_t tile)
{
    int64_t launches = 0;
    for (int64_t left = n; left > 0;) {
        const int64_t tiles = (left + tile - 1) / tile;
        launches += 1 + (left == n || tiles > 1);
        left = tiles > 1 ? tiles : 0;
    }
    return launches;
}

static int64_t joins_of_steps(int64_t n)
{
    int64_t joins = 0;
    for (int64_t distance = 1; distance < n; distance *= 2) {
        joins += n - distance;
    }
    return joins;
}

/* By hand: at least two launches of naive, so that it can work in place; a tree of at least two leaves, which
 * is filled, swept up and down, and copied out; blocks with an element a thread. */
static void expect(int algo, int64_t n, int64_t block, int64_t *launches, int64_t *additions)
{
    int64_t size = 2, steps = 1;
    for (; size < (algo == 3 ? block : n); size *= 2) {
        steps++;
    }
    const int64_t tiles = (n + block - 1) / block;
    *launches = algo == 0 ? (steps < 2 ? 2 : steps) : algo == 1 ? 2 * steps + 2 : levels_of(n, block);
    *additions = algo == 0   ? joins_of_steps(n)
                 : algo == 1 ? 2 * (size - 1)
                 : algo == 2 ? tiles * joins_of_steps(block)
                             : tiles * 2 * (size - 1);
}

#endif

/* Launches by GF_LAUNCH and by the emulator, additions by the emulator, and both as they must be. */
static void counted(void)
{
#ifdef GF_EMU
    static const char *const algos[] = {"naive", "efficient", "hillis-steele", "blelloch"};
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 127, 128, 129, 256, 257, 4096, 16385};
    for (size_t i = 0; i < sizeof algos / sizeof algos[0] * 12; i++) {
        const int64_t n = sizes[i % 12];
        const int32_t block = i % 2 ? 32 : 0;
        struct prim_job job;
        int64_t launches[3], additions[3];
        size_t count, emulated = 0;
        char *words = NULL, *out = malloc(16385 * 4);
        REQUIRE(out && array_job_parse("scan --type i32", n, &job, &words));
        *job.array = (gf_array_options){.algo = algos[i / 12], .type = job.type, .block = block};
        for (size_t k = 0; gf_emu_kernel(k, &count) != NULL; k++) {
            emulated -= count;
        }
        CHECK_EQ_INT(gf_work_counted(0, &launches[0], &additions[0], NULL), GF_OK);
        CHECK(array_job_run(&job, (gf_queue){0, NULL}, 0, out) == GF_OK);
        CHECK_EQ_INT(gf_work_counted(0, &launches[1], &additions[1], NULL), GF_OK);
        for (size_t k = 0; gf_emu_kernel(k, &count) != NULL; k++) {
            emulated += count;
        }
        expect((int)(i / 12), n, block ? block : 128, &launches[2], &additions[2]);
        CHECK_MSG(launches[1] - launches[0] == launches[2] && (int64_t)emulated == launches[2],
                  "%s of %d, block %d: %d launches, %d, must be %d", algos[i / 12], (int)n, (int)block,
                  (int)(launches[1] - launches[0]), (int)emulated, (int)launches[2]);
        CHECK_MSG(additions[1] - additions[0] == additions[2], "%s of %d, block %d: %d additions, must be %d",
                  algos[i / 12], (int)n, (int)block, (int)(additions[1] - additions[0]), (int)additions[2]);
        prim_job_destroy(&job);
        free(words);
        free(out);
    }
#else
    SKIP("the device is not emulated");
#endif
}

static void counted_on_the_cpu(void)
{
    int64_t launches = 7, additions = 7;
    gf_error error = GF_ERROR_INIT;
    CHECK_EQ_INT(gf_work_counted(GF_DEVICE_CPU, &launches, &additions, NULL), GF_OK);
    CHECK_EQ_INT(launches, 0);
    CHECK_EQ_INT(additions, -1);
    CHECK_EQ_INT(gf_work_counted(GF_DEVICE_CPU, NULL, &additions, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_work_counted(GF_DEVICE_CPU, &launches, NULL, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_work_counted(GF_DEVICE_REFERENCE, &launches, &additions, &error), GF_ERROR_ARGUMENT);
}

/* ---- Verdicts ------------------------------------------------------------------------------------------ */

static const struct bench_panel panels[] = {{.title = "A title | of sizes", .sweep = "n"}, {.title = NULL}};
static struct bench_line two_lines[] = {{.label = "a"}, {.label = "b"}};

/* The words by which the claim is judged. */
static const char *verdict(const struct bench_claim *claim, struct bench_row *rows, int n_rows, bool reduced)
{
    static char first[80];
    const struct bench_claim claims[] = {*claim, {0}};
    const struct bench_experiment e = {.id = "T", .source = "text", .panels = panels, .claims = claims};
    const struct bench_result result = {.experiment = &e,
                                        .rows = rows,
                                        .n_rows = n_rows,
                                        .lines = two_lines,
                                        .n_lines = 2,
                                        .reduced = reduced};
    struct buffer text = {0};
    bench_judge(&result, &text);
    snprintf(first, sizeof first, "%.*s", (int)strcspn(text.data + 2, ":"), text.data + 2);
    if (reduced && claim->kind != CLAIM_WORK && claim->kind != CLAIM_LAUNCHES) { /* counts hold at any size */
        CHECK_MSG(strstr(text.data, "(not the text's sizes; here: ") != NULL, "%s", text.data);
    }
    buffer_free(&text);
    return first;
}

static void verdicts(void)
{
    struct bench_row rows[] = {row(0, 1, 10), row(0, 2, 20), row(0, 4, 40), row(0, 8, 80),
                               row(1, 1, 20), row(1, 2, 40), row(1, 4, 41), row(1, 8, 60)};
    /* a is faster at 1 and 2, too close to tell at 4, slower at 8 */
    const struct {
        struct bench_claim claim;
        const char *says;
    } cases[] = {
        {{"", CLAIM_FASTER, 0, "a", "b", 0.5, 0}, "holds on this device"},
        {{"", CLAIM_FASTER, 0, "a", "b", 0.75, 0}, "too close to tell"},
        {{"", CLAIM_FASTER, 0, "a", "b", 1, 0}, "does not hold on this device"},
        {{"", CLAIM_FASTER_END, 0, "a", "b", 0, 0}, "does not hold on this device"},
        {{"", CLAIM_FASTER_END, 0, "b", "a", 0, 0}, "holds on this device"},
        {{"", CLAIM_FASTEST, 0, "a", NULL, 0.75, 0}, "too close to tell"},
        {{"", CLAIM_SLOWEST, 0, "b", NULL, 0.5, 0}, "holds on this device"},
        {{"", CLAIM_CROSSES, 0, "a", "b", 0, 0}, "holds on this device"},
        {{"", CLAIM_CROSSES, 0, "b", "a", 0, 0}, "does not hold on this device"},
        {{"", CLAIM_OVERTAKES, 0, "b", "a", 0, 0}, "holds on this device"},
        {{"", CLAIM_OVERTAKES, 0, "a", "b", 0, 0}, "does not hold on this device"},
        {{"", CLAIM_OVERTAKES, 0, "b", "a", 0, 8}, "holds on this device"},
        {{"", CLAIM_OVERTAKES, 0, "b", "a", 0, 4}, "does not hold on this device"},
        {{"", CLAIM_RATIO, 0, "b", "a", 1.6, 2.6}, "holds on this device"},
        {{"", CLAIM_RATIO, 0, "b", "a", 1.9, 2.6}, "too close to tell"},
        {{"", CLAIM_RATIO_END, 0, "b", "a", 1.6, 2.6}, "does not hold on this device"},
        {{"", CLAIM_RISES, 0, "a", NULL, 6, 0}, "holds on this device"},
        {{"", CLAIM_RISES, 0, "a", NULL, 8, 0}, "too close to tell"},
        {{"", CLAIM_RISES, 0, "a", NULL, 10, 0}, "does not hold on this device"},
        {{"", CLAIM_DROPS, 0, "a", NULL, 1.3, 0}, "holds on this device"},
        {{"", CLAIM_DROPS, 0, "a", NULL, 0.5, 0}, "does not hold on this device"},
        {{"", CLAIM_BEST_AT, 0, "a", NULL, 1, 1}, "holds on this device"},
        {{"", CLAIM_BEST_AT, 0, "a", NULL, 2, 8}, "does not hold on this device"},
        {{"", CLAIM_GROWTH, 0, "a", NULL, 0.8, 1.2}, "holds on this device"},
        {{"", CLAIM_GROWTH, 0, "a", NULL, 0.95, 1.05}, "too close to tell"}, /* quartiles a tenth off */
        {{"", CLAIM_GROWTH, 0, "a", NULL, 1.5, 2.3}, "does not hold on this device"},
        {{"", CLAIM_GROWTH, 0, "b", NULL, 0.6, 1.1}, "too close to tell"}, /* n^0.48, points 1.2 times off */
        {{"", CLAIM_GROWTH, 0, "b", NULL, 0.9, 1.1}, "does not hold on this device"},
        {{"", CLAIM_CHECKED, 0, NULL, NULL, 0, 0}, "holds on this device"},
        {{"", CLAIM_SLOW_END, 0, "a", NULL, 0, 0.3}, "holds on this device"},
        {{"", CLAIM_SLOW_END, 0, "a", NULL, 0, 0.26}, "too close to tell"},
        {{"", CLAIM_SLOW_END, 0, "a", NULL, 0, 0.2}, "does not hold on this device"},
        {{"", CLAIM_FASTER, 0, "a", "c", 1, 0}, "not judged"},
        {{"", CLAIM_WORK, 0, "a", NULL, 0, 2}, "not judged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_MSG(!strcmp(verdict(&cases[i].claim, rows, 8, false), cases[i].says), "case %d: %s, must be %s",
                  (int)i, verdict(&cases[i].claim, rows, 8, false), cases[i].says);
        CHECK_STR(verdict(&cases[i].claim, rows, 8, true), "not judged");
    }
}

static void verdicts_by_counts(void)
{
    struct bench_row rows[] = {row(0, 16, 1), row(0, 1024, 1)};
    for (int i = 0; i < 2; i++) {
        rows[i].launches = i ? 22 : 10;
        rows[i].additions = 2 * (rows[i].n - 1);
        rows[i].timed = false; /* counts need no clock */
    }
    CHECK_STR(verdict(&(struct bench_claim){"", CLAIM_LAUNCHES, 0, "a", NULL, 2, 2}, rows, 2, false),
              "holds on this device");
    CHECK_STR(verdict(&(struct bench_claim){"", CLAIM_LAUNCHES, 0, "a", NULL, 2, 0}, rows, 2, false),
              "does not hold on this device");
    CHECK_STR(verdict(&(struct bench_claim){"", CLAIM_WORK, 0, "a", NULL, 0, 2}, rows, 2, false),
              "holds on this device");
    CHECK_STR(verdict(&(struct bench_claim){"", CLAIM_WORK, 0, "a", NULL, 0, 1}, rows, 2, false),
              "does not hold on this device");
}

/* Of three points, or of one run each, no growth can be told, whatever line they lie on. */
static void verdicts_of_few(void)
{
    const struct bench_claim claim = {"", CLAIM_GROWTH, 0, "a", NULL, 0.9, 1.1};
    struct bench_row rows[5];
    for (int i = 0; i < 5; i++) {
        rows[i] = row(0, 1 << (4 * i), 1 << (4 * i));
    }
    CHECK_STR(verdict(&claim, rows, 5, false), "holds on this device");
    CHECK_STR(verdict(&claim, rows, 3, false), "too close to tell");
    for (int i = 0; i < 5; i++) {
        rows[i].q1_us = rows[i].q3_us = rows[i].time_us;
    }
    CHECK_STR(verdict(&claim, rows, 5, false), "too close to tell");
}

/* Single runs are judged as a whole: by pairs, whichever came first would count. */
static void verdicts_of_runs(void)
{
    static const struct bench_panel of_runs[] = {{.title = "T", .sweep = "run"}, {.title = NULL}};
    static const struct bench_claim claims[] = {{"", CLAIM_FASTER, 0, "a", "b", 0.9, 0}, {0}};
    const struct bench_experiment e = {.id = "T", .source = "text", .panels = of_runs, .claims = claims};
    struct bench_row rows[20];
    struct bench_result result = {
        .experiment = &e, .rows = rows, .n_rows = 20, .lines = two_lines, .n_lines = 2};
    struct buffer text = {0};
    for (int i = 0; i < 20; i++) {
        rows[i] = row(i / 10, i % 10 + 1, i < 10 ? 10 + i : 12 + i % 10); /* always by 2 less, as it drifts */
        rows[i].q1_us = rows[i].q3_us = rows[i].time_us;
    }
    bench_judge(&result, &text);
    CHECK_MSG(strstr(text.data, "too close to tell") != NULL, "%s", text.data);
    for (int i = 10; i < 20; i++) {
        rows[i].time_us += 10;
    }
    bench_judge(&result, &text);
    CHECK_MSG(strstr(text.data, "holds on this device") != NULL, "%s", text.data);
    buffer_free(&text);
}

/* ---- Tables and figures ---------------------------------------------------------------------------------- */

static void published_beside_ours(void)
{
    static const struct bench_panel four[] = {{.title = "Scan | powers of 2", .sweep = "n"}, {.title = NULL}};
    const struct bench_experiment e = {.id = "C3", .source = "compaction", .panels = four};
    struct bench_line lines[] = {{.label = "CPU"}, {.label = "naive"}};
    struct bench_row rows[] = {row(0, 1 << 21, 1540), row(1, 1 << 24, 123)};
    struct bench_result result = {.experiment = &e, .rows = rows, .n_rows = 2, .lines = lines, .n_lines = 2};
    struct buffer text = {0};
    strcpy(rows[0].x_word, "2^21");
    strcpy(rows[1].x_word, "2^24");
    bench_panel_add(&result, 0, &text);
    CHECK(strstr(text.data, "  Scan, powers of 2\n") != NULL);
    CHECK(strstr(text.data, "    2^21          1.54   (3.424)         -   (1.434)\n") != NULL);
    CHECK_MSG(strstr(text.data, "    2^24             -    (33.7)     0.123   (11.74)\n") != NULL, "%s",
              text.data);
    buffer_free(&text);
    result.reduced = true;
    bench_panel_add(&result, 0, &text);
    CHECK(strstr(text.data, "  Scan\n") != NULL && strstr(text.data, "(3.424)") == NULL);
    buffer_free(&text);
}

static void figures(void)
{
    const struct bench_experiment e = {.id = "T", .source = "text", .panels = panels};
    struct bench_row rows[] = {row(0, 1024, 10), row(0, 2048, 20), row(1, 1024, 30)};
    struct bench_result result = {.experiment = &e,
                                  .rows = rows,
                                  .n_rows = 3,
                                  .lines = two_lines,
                                  .n_lines = 2,
                                  .machine = {"A processor, gpufilter 7", "A GPU, driver 5, gpufilter 7"}};
    struct buffer text = {0};
    for (int i = 0; i < 3; i++) {
        strcpy(rows[i].device, i == 2 ? "cpu" : "cuda:0");
    }
    CHECK(bench_figure_add(&result, 0, &text));
    CHECK(strstr(text.data, ">A GPU, driver 5, gpufilter 7; A processor, gpufilter 7</text>") != NULL);
    CHECK(strstr(text.data, ">A title, of sizes</text>") != NULL);
    CHECK_EQ_INT(count_of(text.data, "<circle "), 3);
    CHECK_EQ_INT(count_of(text.data, "class=\"spread\""), 3);
    CHECK_EQ_INT(count_of(text.data, "class=\"bar\""), 0);
    buffer_free(&text);
    rows[1].timed = false; /* a single size is left */
    CHECK(bench_figure_add(&result, 0, &text));
    CHECK_EQ_INT(count_of(text.data, "<circle "), 0);
    CHECK_EQ_INT(count_of(text.data, "class=\"bar\""), 2);
    CHECK(strstr(text.data, ">elements: 1024</text>") != NULL);
    buffer_free(&text);
    rows[0].timed = rows[2].timed = false;
    CHECK(!bench_figure_add(&result, 0, &text));
    CHECK(text.length == 0);
}

/* An axis has two numbers at least, however narrow it is. */
static void ticks(void)
{
    for (int width = 10; width < 300; width++) {
        for (int least = -200; least < 700; least += 7) {
            const struct svg_axis axis = {
                .log = true, .least = least / 100.0, .most = (least + width) / 100.0};
            double at[SVG_TICKS];
            const int n = svg_ticks(&axis, false, at);
            CHECK_MSG(n >= 2, "%d numbers from 10^%g to 10^%g", n, axis.least, axis.most);
            for (int i = 0; i < n; i++) {
                CHECK(at[i] > 0 && log10(at[i]) > axis.least - 1e-9 && log10(at[i]) < axis.most + 1e-9);
            }
        }
    }
}

static const struct check_case cases[] = {
    {"quartiles that overlap", overlaps},
    {"shares with some too close to tell", shares},
    {"powers are fitted over all points", fits},
    {"launches and additions, counted", counted},
    {"launches and additions on the CPU", counted_on_the_cpu},
    {"verdicts of every kind, and none off the text's sizes", verdicts},
    {"verdicts of few points", verdicts_of_few},
    {"verdicts by counts", verdicts_by_counts},
    {"single runs are judged together", verdicts_of_runs},
    {"the text's table beside ours", published_beside_ours},
    {"two numbers at an axis", ticks},
    {"figures: machines, quartiles, bars, and none of nothing", figures},
};
CHECK_MAIN(cases)
