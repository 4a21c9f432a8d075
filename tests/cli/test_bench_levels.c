/* What `gpufilter bench` makes of searches that stop at a level, and shapes of charts, without a device. */
#include "study_case.h"

#include "bench/bench_levels.h"
#include "bench/chart/svg_chart.h"

/* ---- Levels ---------------------------------------------------------------------------------------------- */

static void depths_are_even(void)
{
    int32_t d[64];
    CHECK_EQ_INT(bench_depths(5, 24, d), 5);
    CHECK(d[0] == 1 && d[1] == 2 && d[4] == 5);
    CHECK_EQ_INT(bench_depths(4095, 24, d), 24);
    CHECK(d[0] == 1 && d[1] == 179 && d[23] == 4095);
    CHECK_EQ_INT(bench_depths(1, 24, d), 1);
    CHECK(d[0] == 1);
    CHECK_EQ_INT(bench_depths(9, 1, d), 1);
    CHECK(d[0] == 9);
}

/* A search that stops at level `to`, since the one that stopped before `from`. */
static struct bench_row level(int series, int32_t from, int32_t to, int64_t edges, double us)
{
    struct bench_row r = row(series, to, us);
    r.q1_us = us - 1;
    r.q3_us = us + 1;
    r.panel = series;
    r.level = (struct bench_level){from, to, edges / 2, edges};
    return r;
}

static const char *levels_say(struct bench_result *result, int panel, double what, double high)
{
    static char why[240];
    static const char *const words[] = {"holds", "fails", "close", "not judged"};
    const struct bench_claim claim = {"", CLAIM_OWN, panel, "a", NULL, what, high};
    return words[bench_levels.judge(result, &claim, why, sizeof why)];
}

static void verdicts_of_levels(void)
{
    static const struct bench_panel two[] = {
        {.title = "A", .name = "a"}, {.title = "B", .name = "b"}, {.title = NULL}};
    const struct bench_experiment e = {.id = "T", .source = "text", .panels = two, .study = &bench_levels};
    struct bench_line lines[] = {{.label = "a"}, {.panel = 1, .label = "a"}};
    struct bench_row rows[] = {level(0, 1, 1, 10, 20),     level(0, 2, 2, 1000, 120),
                               level(0, 3, 3, 100, 140),   level(1, 1, 1, 4, 20),
                               level(1, 2, 11, 100, 120),  level(1, 12, 21, 200, 230),
                               level(1, 22, 31, 100, 520), level(1, 32, 41, 10, 530)};
    struct bench_result result = {.experiment = &e, .rows = rows, .n_rows = 8, .lines = lines, .n_lines = 2};
    struct bench_span us;
    REQUIRE(bench_level_span(&result, 0, 1, &us));
    CHECK(us.low == 98 && us.middle == 100 && us.high == 102);
    REQUIRE(bench_level_span(&result, 0, 0, &us));
    CHECK(us.low == 19 && us.middle == 20);
    CHECK(!bench_level_span(&result, 0, 3, &us));
    CHECK_STR(levels_say(&result, 0, LEVELS_ONE, 0.6), "holds"); /* 100 of 140 */
    CHECK_STR(levels_say(&result, 0, LEVELS_ONE, 0.71), "close");
    CHECK_STR(levels_say(&result, 0, LEVELS_ONE, 0.8), "fails");
    CHECK_STR(levels_say(&result, 1, LEVELS_EVEN, 3.2), "holds"); /* 10, 11 and 29 us a level */
    CHECK_STR(levels_say(&result, 1, LEVELS_EVEN, 2.9), "close");
    CHECK_STR(levels_say(&result, 1, LEVELS_EVEN, 2), "fails");
    CHECK_STR(levels_say(&result, 0, LEVELS_RATE, 9), "holds"); /* 1110 in 140 us, 414 in 530 */
    CHECK_STR(levels_say(&result, 0, LEVELS_RATE, 11), "fails");
    CHECK_STR(levels_say(&result, 1, LEVELS_RATE, 1), "not judged");
    int missing = 0;
    strcpy(rows[0].algo, "a");
    struct buffer text = conclusion(&result, "levels", &missing);
    CHECK_STR(written,
              "levels.csv a-frontier.svg a-time.svg a-rate.svg b-frontier.svg b-time.svg b-rate.svg ");
    CHECK_STR_HAS(text.data, "\n        2     2        500       1000               100          10\n");
    CHECK_STR_HAS(text.data, "\n       12    21         10         20                11       1.818\n");
    CHECK_STR_HAS(kept.data, ",a,,1,1,5,10,20,19,21,0.5\n");
    CHECK_STR_HAS(kept.data, ",2,2,500,1000,100,98,102,10\n");
    buffer_free(&text);
    rows[3].timed = rows[4].timed = rows[5].timed = rows[6].timed = rows[7].timed = false;
    text = conclusion(&result, "levels", &missing);
    CHECK_STR(written, "levels.csv a-frontier.svg a-time.svg a-rate.svg b-frontier.svg ");
    CHECK_EQ_INT(missing, 2);
    CHECK_STR_HAS(kept.data, ",12,21,100,200,,,,\n");
    CHECK_STR(levels_say(&result, 1, LEVELS_EVEN, 2), "not judged");
    buffer_free(&text);
    buffer_free(&kept);
}

/* ---- Charts ---------------------------------------------------------------------------------------------- */

/* Areas, rectangles and points, and axes with decades; bars are of lines only. */
static void shapes(void)
{
    static const struct svg_point points[] = {{10, 1, 0, 0}, {1000, 2, 0, 0}};
    static const char *const classes[] = {"line", "point", "ring", "area", "box", "block"};
    static const int in_figure[] = {2, 3, 3, 2, 2, 2}; /* with the legend's */
    for (int shape = SVG_LINE; shape <= SVG_BLOCKS; shape++) {
        const struct svg_line line = {"a < b", points, 2, (enum svg_shape)shape, NULL};
        const struct svg_chart chart = {
            .title = "T", .log_x = true, .decades_x = true, .lines = &line, .n_lines = 1};
        struct buffer text = {0};
        char word[32];
        svg_chart_add(&text, &chart);
        snprintf(word, sizeof word, "class=\"%s\"", classes[shape]);
        CHECK_EQ_INT(count_of(text.data, word), in_figure[shape]);
        CHECK_EQ_INT(count_of(text.data, ">100</text>"), 1);
        CHECK_EQ_INT(count_of(text.data, ">1000</text>"), 1);
        CHECK_EQ_INT(count_of(text.data, ">a &lt; b</text>"), 1);
        buffer_free(&text);
    }
    const struct svg_line one = {"a", points, 1, SVG_POINTS, NULL};
    const struct svg_chart chart = {.title = "T", .lines = &one, .n_lines = 1};
    struct buffer text = {0};
    svg_chart_add(&text, &chart);
    CHECK_EQ_INT(count_of(text.data, "class=\"bar\""), 0);
    CHECK_EQ_INT(count_of(text.data, "class=\"point\""), 2);
    buffer_free(&text);
}

static const struct check_case cases[] = {
    {"depths of searches that stop", depths_are_even},
    {"times and verdicts of levels", verdicts_of_levels},
    {"shapes of charts", shapes},
};
CHECK_MAIN(cases)
