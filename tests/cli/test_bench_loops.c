/* What `gpufilter bench` makes of nested loops: by numbers that are given, without a device. */
#include "study_case.h"

#include "bench/bench_ragged_judge.h"

#include <math.h>
#include <stdlib.h>

/* ---- Nested loops ---------------------------------------------------------------------------------------- */

static void nodes_are_even(void)
{
    struct bench_node *nodes = calloc(BENCH_NODES, sizeof *nodes);
    REQUIRE(nodes != NULL);
    CHECK_EQ_INT(bench_nodes(false, 1, nodes), 7 * 13);
    CHECK(nodes[0].nx == 10 && nodes[0].ny_max == 10 && nodes[1].ny_max == 32 && nodes[90].nx == 10000000 &&
          nodes[90].ny_max == 10000000);
    int capped = 0;
    double sum = 0;
    for (int i = 0; i < 91; i++) {
        CHECK_EQ_INT(nodes[i].capped, nodes[i].nx * nodes[i].ny_max > INT64_C(10000000000));
        CHECK(nodes[i].skew >= 0 && nodes[i].skew <= 100);
        capped += nodes[i].capped;
        sum += nodes[i].skew / 91;
    }
    CHECK_EQ_INT(capped, 20);
    CHECK_MSG(sum > 40 && sum < 60, "the mean of k is %g", sum);
    CHECK_EQ_INT(bench_nodes(false, 3, nodes), BENCH_NODES);
    for (int i = 0; i < BENCH_NODES; i++) { /* one of each third */
        CHECK_MSG(nodes[i].skew >= 100 * (i % 3) / 3.0 - 0.1 &&
                      nodes[i].skew <= 100 * (i % 3 + 1) / 3.0 + 0.1,
                  "%d: %g", i, nodes[i].skew);
    }
    CHECK_EQ_INT(bench_nodes(true, 1, nodes), 6);
    free(nodes);
}

static void thresholds(void)
{
    static const int64_t ny[] = {10, 100, 1000, 10000};
    CHECK_EQ_INT(bench_threshold(ny, (const double[]){1, 0.5, -1, -2}, 4), 1000);
    CHECK_EQ_INT(bench_threshold(ny, (const double[]){1, -0.5, 0.1, -2}, 4), 100); /* one that is noise */
    CHECK_EQ_INT(bench_threshold(ny, (const double[]){-1, -1, -1, -1}, 4), 10);
    CHECK_EQ_INT(bench_threshold(ny, (const double[]){1, 1, 1, 1}, 4), BENCH_NEVER);
    CHECK_EQ_INT(bench_threshold(ny, (const double[]){-1, 1, 1, 1}, 4), BENCH_NEVER);
}

/* The published loop by hand: heights 1 2 3 6, area 6: (6 - 1) / 6 + 1 = 1 wide, then (6 - 1) / 3 + 1 = 2. */
static void frames_by_hand(void)
{
    static const int32_t sorted[] = {0, 0, 1, 2, 3, 6};
    struct bench_frame f[4];
    int64_t sum = 0;
    CHECK_EQ_INT(bench_frames(sorted, 6, 0, 0, 6, f, 4, &sum), 3);
    CHECK(f[0].from == 5 && f[0].to == 6 && f[0].high == 6);
    CHECK(f[1].from == 3 && f[1].to == 5 && f[1].high == 3);
    CHECK(f[2].from == 0 && f[2].to == 3 && f[2].high == 1); /* (6 - 1) / 1 + 1 = 6 wide, cut at 0 */
    CHECK_EQ_INT(sum, 6 + 6 + 3);
    CHECK_EQ_INT(bench_frames(sorted, 6, 0, 0, 1, NULL, 0, &sum), 4); /* stops at empty loops */
    CHECK_EQ_INT(sum, 12);
    CHECK_EQ_INT(bench_frames(sorted, 6, 4, 2, 4, f, 4, &sum), 2); /* above a line, from a place on */
    CHECK(f[0].from == 5 && f[0].high == 6 && f[1].from == 4 && f[1].high == 3);
    CHECK_EQ_INT(sum, 4 + 1);
    CHECK_EQ_INT(bench_frames(sorted, 2, 0, 0, 6, f, 4, &sum), 0);
}

static void least_squares(void)
{
    static const double c[] = {5, -0.25, 1e-9};
    double a[3 * 20], y[20], found[3], error[3];
    for (int i = 0; i < 20; i++) {
        a[3 * i] = 1;
        a[3 * i + 1] = i * i;
        a[3 * i + 2] = 1e10 * (i % 7);
        y[i] = c[0] + c[1] * a[3 * i + 1] + c[2] * a[3 * i + 2];
    }
    REQUIRE(bench_least_squares(a, y, 20, found, error));
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(found[k] / c[k], 1, 1e-9);
        CHECK(error[k] < 1e-6 * fabs(c[k]));
    }
    y[3] += 10;
    REQUIRE(bench_least_squares(a, y, 20, found, error));
    CHECK(fabs(found[0] - 5) < 3 * error[0] && error[0] > 0.1);
    CHECK(!bench_least_squares(a, y, 3, found, error));
    for (int i = 0; i < 20; i++) {
        a[3 * i + 2] = 2 * a[3 * i + 1];
    }
    CHECK(!bench_least_squares(a, y, 20, found, error));
}

/* A loop of nx times `most`, all of `mean`, in microseconds. */
static struct bench_row loop(int series, int64_t nx, int64_t most, double mean, double skew, double us)
{
    struct bench_row r = row(series, nx, us);
    r.q1_us = 0.99 * us;
    r.q3_us = 1.01 * us;
    r.loop = (struct bench_loop){
        .ny_max = most, .most = most, .calls = (int64_t)((double)nx * mean), .skew = skew};
    return r;
}

static const struct bench_panel grid[] = {{.title = "Grid", .words = "--nx 6", .sweep = "grid"},
                                          {.title = NULL}};

static const char *judged(struct bench_result *result, const struct bench_study *study, const char *a,
                          const char *b, double low, double high)
{
    static const char *const words[] = {"holds", "fails", "close", "not judged"};
    static char why[240];
    const struct bench_claim claim = {"", CLAIM_OWN, 0, a, b, low, high};
    const enum bench_verdict verdict = study->judge(result, &claim, why, sizeof why);
    return words[verdict];
}

static void verdicts_of_loops(void)
{
    const struct bench_experiment e = {.id = "T", .source = "text", .panels = grid, .study = &bench_loops};
    struct bench_line lines[] = {{.label = "simple"},
                                 {.label = "frame"},
                                 {.label = "combined"},
                                 {.label = "smart"},
                                 {.label = "auto"}};
    /* at 10^6 x 10^3, k = 60 frame wins by far; at k = 0 it loses; smart and ours follow the better one */
    struct bench_row rows[] = {loop(0, 1000000, 1000, 20, 60, 100), loop(1, 1000000, 1000, 20, 60, 40),
                               loop(2, 1000000, 1000, 20, 60, 50),  loop(3, 1000000, 1000, 20, 60, 40),
                               loop(4, 1000000, 1000, 20, 60, 20),  loop(0, 1000000, 1000, 500, 0, 100),
                               loop(1, 1000000, 1000, 500, 0, 140), loop(2, 1000000, 1000, 500, 0, 120),
                               loop(3, 1000000, 1000, 500, 0, 101), loop(4, 1000000, 1000, 500, 0, 90)};
    struct bench_result r = {.experiment = &e, .rows = rows, .n_rows = 10, .lines = lines, .n_lines = 5};
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_LARGE, 0.9), "holds");
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_UNIFORM, 0.9), "holds");
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_SMART, 1), "holds");
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_OURS, 1), "holds");
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_SKEW, 1.25), "holds"); /* 50 at k = 60 */
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_SKEW, 1.1), "fails");
    rows[8] = loop(3, 1000000, 1000, 500, 0, 104.5); /* 1.045 of the better, quartiles about 1.05 */
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_SMART, 1), "close");
    rows[3].time_us = rows[3].q1_us = rows[3].q3_us = 60;
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_SMART, 1), "fails");
    rows[4] = loop(4, 1000000, 1000, 20, 60, 45);
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_OURS, 1), "fails");
    rows[1] = loop(1, 1000000, 1000, 20, 60, 101);
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_LARGE, 0.9), "close");
    rows[6] = loop(1, 1000000, 1000, 500, 0, 50);
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_UNIFORM, 0.9), "fails");
    rows[0].timed = false; /* k = 60 is without simple */
    CHECK_STR(judged(&r, &bench_loops, NULL, NULL, RAGGED_LARGE, 0.9), "not judged");
}

static void tau_of_parameters(void)
{
    const struct bench_experiment e = {
        .id = "T", .source = "text", .panels = grid, .study = &bench_parameters};
    struct bench_line lines[] = {{.label = "simple"},
                                 {.label = "frame"},
                                 {.label = "combined, area 16"},
                                 {.label = "combined, area 64"},
                                 {.label = "combined, alpha 0.75"}};
    struct bench_row rows[] = {
        loop(0, 10, 10, 5, 1, 10),  loop(1, 10, 10, 5, 1, 20),  loop(2, 10, 10, 5, 1, 15),
        loop(3, 10, 10, 5, 1, 10),  loop(4, 10, 10, 5, 1, 10),  loop(0, 10, 100, 5, 1, 100),
        loop(1, 10, 100, 5, 1, 50), loop(2, 10, 100, 5, 1, 50), loop(3, 10, 100, 5, 1, 60),
        loop(2, 10, 1000, 5, 1, 9)}; /* the last has none beside it */
    struct bench_result r = {.experiment = &e, .rows = rows, .n_rows = 10, .lines = lines, .n_lines = 5};
    struct bench_span tau;
    int missing = 0;
    CHECK_EQ_INT(bench_tau(&r, 2, &tau), 2);
    CHECK_NEAR(tau.middle, (1.5 + 1) / 2, 1e-12);
    CHECK(tau.low < tau.middle && tau.high > tau.middle);
    CHECK_EQ_INT(bench_tau(&r, 3, &tau), 2);
    CHECK_NEAR(tau.middle, (1 + 1.2) / 2, 1e-12);
    CHECK_STR(judged(&r, &bench_parameters, "combined, area 64", "area", RAGGED_DEFAULTS, 1.05), "holds");
    CHECK_STR(judged(&r, &bench_parameters, "combined, area 16", "area", RAGGED_DEFAULTS, 1.05), "fails");
    struct buffer text = conclusion(&r, "tau", &missing);
    CHECK_STR(written, "area.svg alpha.svg tau.csv ");
    CHECK_STR_HAS(kept.data, "\narea,16,2,1.25,");
    CHECK_STR_HAS(kept.data, "\nalpha,0.75,1,1,");
    CHECK_STR_HAS(text.data, "    area 64         tau 1.100, ");
    buffer_free(&text);
    r.n_rows = 0;
    text = conclusion(&r, "tau", &missing);
    CHECK_EQ_INT(missing, 2);
    CHECK_STR(judged(&r, &bench_parameters, "combined, area 64", "area", RAGGED_DEFAULTS, 1.05),
              "not judged");
    buffer_free(&text);
    buffer_free(&kept);
}

static void tables_of_thresholds(void)
{
    const struct bench_experiment e = {
        .id = "T", .source = "text", .panels = grid, .study = &bench_thresholds};
    struct bench_line lines[] = {{.label = "simple"}, {.label = "combined"}};
    struct bench_row rows[16];
    struct bench_result r = {
        .experiment = &e, .rows = rows, .lines = lines, .n_lines = 2, .machine = {"", "a GPU"}};
    int missing = 0;
    for (int i = 0; i < 4; i++) { /* for nx 100 combined pays from 1000 on, for nx 10 never */
        const int64_t ny = llround(pow(10, i + 1));
        rows[r.n_rows++] = loop(0, 10, ny, 5, 1, 10);
        rows[r.n_rows++] = loop(1, 10, ny, 5, 1, 20);
        rows[r.n_rows++] = loop(0, 100, ny, 5, 1, 10 * pow(4, i));
        rows[r.n_rows++] = loop(1, 100, ny, 5, 1, 100);
    }
    CHECK_EQ_INT(bench_threshold_of(&r, 100), 1000);
    CHECK_EQ_INT(bench_threshold_of(&r, 10), BENCH_NEVER);
    CHECK_EQ_INT(bench_threshold_of(&r, 1000), -1);
    struct buffer text = conclusion(&r, "ny_th", &missing);
    CHECK_STR(written, "ny_th.txt threshold.svg ");
    CHECK_STR_HAS(kept.data, "on a GPU\n10 2147483648\n100 1000\n");
    CHECK_STR_HAS(text.data, "    nx 100       combined from ny-max 1000 on\n");
    CHECK_STR(judged(&r, &bench_thresholds, NULL, NULL, RAGGED_THRESHOLD, 0.9), "holds");
    rows[3] = loop(1, 100, 10, 5, 1, 5); /* against the threshold */
    CHECK_EQ_INT(bench_threshold_of(&r, 100), 1000);
    CHECK_STR(judged(&r, &bench_thresholds, NULL, NULL, RAGGED_THRESHOLD, 0.9), "fails");
    buffer_free(&text);
    r.n_rows = 0;
    text = conclusion(&r, "ny_th", &missing);
    CHECK_STR(written, "");
    CHECK_EQ_INT(missing, 1);
    buffer_free(&text);
    buffer_free(&kept);
}

static void figures_of_frames(void)
{
    const struct bench_experiment e = {
        .id = "T", .source = "text", .panels = grid, .study = &bench_frames_study};
    static int32_t counts[6] = {6, 0, 3, 1, 2, 0};
    struct bench_result r = {.experiment = &e, .counts = counts, .n_counts = 6};
    int missing = 0;
    struct buffer text = conclusion(&r, "frames", &missing);
    CHECK_STR(written, "counts.svg frames.svg combined.svg frames.csv areas.csv areas.svg ");
    CHECK_STR_HAS(kept.data, "variant,from,to,low,high\nframe,0,6,0,6\ncombined,4,6,3,6\n");
    buffer_free(&text);
    text = conclusion(&r, "combined", &missing);
    CHECK_EQ_INT(count_of(kept.data, "class=\"block\""), 3); /* two regions, and the legend's */
    CHECK_EQ_INT(count_of(kept.data, "class=\"box\""), 2);
    CHECK_EQ_INT(count_of(kept.data, "class=\"area\""), 2);
    CHECK_STR(judged(&r, &bench_frames_study, NULL, NULL, 0, 3), "holds"); /* one frame of 36, of 12 */
    CHECK_STR(judged(&r, &bench_frames_study, NULL, NULL, 0, 2.9), "fails");
    r.n_counts = 0;
    CHECK_STR(judged(&r, &bench_frames_study, NULL, NULL, 0, 3), "not judged");
    buffer_free(&text);
    buffer_free(&kept);
}

static void costs(void)
{
    const struct bench_experiment e = {
        .id = "T", .source = "text", .panels = grid, .study = &bench_cost_study};
    struct bench_line lines[] = {{.label = "simple"}, {.label = "frame"}};
    struct bench_row rows[60];
    struct bench_result r = {.experiment = &e, .rows = rows, .lines = lines, .n_lines = 2};
    struct bench_cost cost;
    int missing = 0;
    for (int i = 0; i < 30; i++) {
        const double nx = pow(10, 1 + i % 6), most = pow(10, 1 + i % 5), mean = most / (1 + i % 7);
        const double calls = (double)(int64_t)(nx * mean), noise = i % 2 ? 1.02 : 0.98;
        rows[r.n_rows++] = loop(0, llround(nx), llround(most), mean, i,
                                noise * (4 + 1e-5 * (nx * most - calls) + 3e-5 * calls));
        rows[r.n_rows++] =
            loop(1, llround(nx), llround(most), mean, i, noise * (20 + 1e-3 * nx + 5e-5 * calls));
    }
    REQUIRE(bench_cost_fit(&r, "simple", &cost));
    CHECK_NEAR(cost.c[0], 4, 0.1);
    CHECK_NEAR(cost.c[1], 1e-5, 1e-6);
    CHECK_NEAR(cost.c[2], 3e-5, 2e-6);
    REQUIRE(bench_cost_fit(&r, "frame", &cost));
    CHECK_NEAR(cost.c[2], 5e-5, 2e-6);
    CHECK_STR(judged(&r, &bench_cost_study, NULL, NULL, 0, 0), "holds");
    CHECK_STR(judged(&r, &bench_cost_study, "simple", NULL, 0, 0.9), "holds");
    struct buffer text = conclusion(&r, "predicted", &missing);
    CHECK_STR(written, "predicted.csv .svg ");
    CHECK_EQ_INT(count_of(kept.data, "\nsimple,") + count_of(kept.data, "\nframe,"), 60);
    CHECK_STR_HAS(text.data, "    C4 / cores ");
    for (int i = 0; i < 60; i += 4) {
        rows[i].time_us *= 9; /* half of simple's: no formula has them */
    }
    CHECK_STR(judged(&r, &bench_cost_study, "simple", NULL, 0, 0.9), "fails");
    r.n_rows = 4;
    CHECK_STR(judged(&r, &bench_cost_study, NULL, NULL, 0, 0), "not judged");
    buffer_free(&text);
    buffer_free(&kept);
}

static const struct check_case cases[] = {
    {"the sampled grid", nodes_are_even},
    {"thresholds", thresholds},
    {"frames by hand", frames_by_hand},
    {"least squares", least_squares},
    {"verdicts of nested loops", verdicts_of_loops},
    {"tau of parameters", tau_of_parameters},
    {"tables of thresholds", tables_of_thresholds},
    {"figures of frames", figures_of_frames},
    {"costs, fitted", costs},
};
CHECK_MAIN(cases)
