#include "job/job_response.h"

#include "base/message.h"
#include "bench/chart/svg_chart.h"
#include "job/job_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRID = 3000, NEAR = 16, MOST_LINES = 4, MOST_EDGES = 8, DEEP = 120 /* dB that are shown */ };

/* ---- what is drawn ---- */

static const char *name_of(const struct job_table *file)
{
    return *file->name ? file->name : NULL;
}

/* A name means the stages that have it; without one whatever was measured comes first. */
static gf_status choose(struct job_signal *s, struct job_table *file)
{
    const gf_pipeline *pipeline = s->job->pipeline;
    bool measures = false;
    for (int32_t i = 0; i < gf_pipeline_stage_count(pipeline); i++) {
        measures = measures || job_plot_is_of(gf_pipeline_stage_type(pipeline, i));
    }
    file->is_response = gf_signal_plan_filters(s->plan, name_of(file)) > 0 && (*file->name || !measures);
    return file->is_response || measures
               ? GF_OK
               : cli_fail(GF_ERROR_ARGUMENT,
                          "--plot %s: no stage %s%s measures what can be drawn, as hist or spectrum, or "
                          "filters by frequency, as lowpass",
                          file->path, *file->name ? "called " : "of the list", file->name);
}

gf_status job_choose_responses(struct job_signal *s)
{
    struct job_options *options = &s->job->options;
    for (int i = 0; i < options->n_tables; i++) {
        CLI_TRY(options->tables[i].is_plot ? choose(s, &options->tables[i]) : GF_OK);
    }
    return GF_OK;
}

bool job_draws_response(const struct job_signal *s)
{
    const struct job_options *options = &s->job->options;
    bool draws = false;
    for (int i = 0; i < options->n_tables; i++) {
        draws = draws || options->tables[i].is_response;
    }
    return draws;
}

/* ---- curves ---- */

/* The gain of a channel at ascending frequencies, and where it is the greatest one times the root of 1/2. */
struct curve {
    const gf_signal_plan *plan;
    const char *name;
    int32_t channel;
    struct svg_point *points;
    int count, n_edges;
    double greatest;
    struct svg_point edges[MOST_EDGES];
};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Frequencies up to `top`: even steps of the logarithm, and more of them the nearer a pole or zero is, so
 * that no notch is too narrow. NULL: no memory. */
static double *make_frequencies(const gf_signal_plan *plan, const char *name, double top, int *count)
{
    const int32_t turns = gf_signal_plan_turns(plan, name, NULL, 0);
    double *at = malloc(sizeof *at * (size_t)(GRID + 1 + turns * (2 * NEAR + 2)));
    double *turn = at ? at + GRID + 1 + turns * (2 * NEAR + 1) : NULL; /* behind all that is made of them */
    int n = 0;
    for (int i = 0; at && i <= GRID; i++) {
        at[n++] = i < GRID ? top * pow(10, 6 * ((double)i / GRID - 1)) : top;
    }
    if (at) {
        gf_signal_plan_turns(plan, name, turn, turns);
    }
    for (int32_t i = 0; at && i < turns; i++) {
        const double middle = turn[i];
        for (int k = -NEAR; k <= NEAR; k++) {
            const double near = middle * (1 + (k < 0 ? -1 : k > 0) * ldexp(1, -abs(k)));
            if (near >= at[0] && near <= top) {
                at[n++] = near;
            }
        }
    }
    *count = n;
    if (at) {
        qsort(at, (size_t)n, sizeof *at, compare);
    }
    return at;
}

static double gain_at(const struct curve *c, double frequency)
{
    return gf_signal_plan_gain(c->plan, c->name, c->channel, frequency);
}

/* Halves the interval until its ends are neighbours. */
static double find_edge(const struct curve *c, double from, double to)
{
    const double level = c->greatest * sqrt(0.5);
    const bool above = gain_at(c, from) >= level;
    for (int i = 0; i < 40; i++) {
        const double middle = 0.5 * (from + to);
        const bool same = (gain_at(c, middle) >= level) == above;
        from = same ? middle : from;
        to = same ? to : middle;
    }
    return from;
}

/* Of gains, which stand as y, makes edges and dB. */
static void finish(struct curve *c)
{
    const double level = c->greatest * sqrt(0.5);
    for (int i = 0; i + 1 < c->count; i++) {
        if ((c->points[i].y >= level) != (c->points[i + 1].y >= level)) {
            if (c->n_edges < MOST_EDGES) {
                c->edges[c->n_edges] = (struct svg_point){
                    .x = find_edge(c, c->points[i].x, c->points[i + 1].x), .y = 20 * log10(level)};
            }
            c->n_edges++;
        }
    }
    for (int i = 0; i < c->count; i++) {
        c->points[i].y = fmax(20 * log10(c->points[i].y), 20 * log10(c->greatest) - DEEP);
    }
}

static bool make_curve(struct curve *c, const double *frequencies, int count)
{
    c->points = malloc(sizeof *c->points * (size_t)count);
    for (int i = 0; c->points && i < count; i++) {
        const double gain = gain_at(c, frequencies[i]);
        if (isfinite(gain)) {
            c->points[c->count++] = (struct svg_point){.x = frequencies[i], .y = gain};
            c->greatest = fmax(c->greatest, gain);
        }
    }
    if (c->points) {
        finish(c);
    }
    return c->points != NULL;
}

/* Tells whether this channel is filtered as the first one. */
static bool is_as_first(const struct curve *c, const double *frequencies, int count)
{
    const struct curve first = {.plan = c->plan, .name = c->name};
    bool same = true;
    for (int i = 0; same && i < count; i += 61) {
        same = gain_at(c, frequencies[i]) == gain_at(&first, frequencies[i]);
    }
    return same;
}

/* ---- a chart ---- */

/* Adds the stages of that effect. */
static int add_stages(struct buffer *text, const struct job_signal *s, gf_signal_effect effect,
                      const char *before)
{
    int n = 0;
    for (int32_t i = 0; i < gf_pipeline_stage_count(s->job->pipeline); i++) {
        if (gf_signal_plan_effect(s->plan, i) == effect) {
            buffer_printf(text, "%s%s", n++ ? ", " : before,
                          gf_pipeline_stage_type(s->job->pipeline, i)->name);
        }
    }
    return n;
}

/* Three decades, or one below the lowest edge. */
static void leave_out_low(struct curve *curves, int n, double top)
{
    double least = top / 1000;
    for (int i = 0; i < n; i++) {
        least = curves[i].n_edges ? fmin(least, curves[i].edges[0].x / 10) : least;
    }
    for (int i = 0; i < n; i++) {
        while (curves[i].count > 0 && curves[i].points->x < least) {
            curves[i].points++; /* whoever frees them knows where they began */
            curves[i].count--;
        }
    }
}

/* Lines and edges; labels[i] has room for what edge i of the only line is called. */
static int add_lines(struct curve *curves, int n, const char *unit, char labels[][40], struct svg_line *lines)
{
    static const char *const channels[] = {"channel 1", "channel 2", "channel 3", "channel 4"};
    static const char *const edges[] = {"channel 1, -3 dB", "channel 2, -3 dB", "channel 3, -3 dB",
                                        "channel 4, -3 dB"};
    int count = 0;
    for (int i = 0; i < n; i++) {
        lines[count++] = (struct svg_line){n > 1 ? channels[i] : "gain", curves[i].points, curves[i].count,
                                           SVG_LINE, NULL};
    }
    for (int i = 0; i < n; i++) {
        const struct curve *c = &curves[i];
        const bool apart = n == 1 && c->n_edges <= MOST_EDGES;
        for (int k = 0; apart && k < c->n_edges; k++) {
            snprintf(labels[k], sizeof labels[k], "-3 dB: %.5g%s", c->edges[k].x, unit);
            lines[count++] = (struct svg_line){labels[k], &c->edges[k], 1, SVG_POINTS, "#777777"};
        }
        if (!apart && c->n_edges > 0) {
            const int shown = c->n_edges < MOST_EDGES ? c->n_edges : MOST_EDGES;
            lines[count++] = (struct svg_line){n > 1 ? edges[i] : "-3 dB, the first 8", c->edges, shown,
                                               SVG_POINTS, "#777777"};
        }
    }
    return count;
}

static void add_chart(struct buffer *text, const struct job_signal *s, const char *name, struct curve *curves,
                      int n)
{
    const double rate = gf_signal_reader_info(s->reader)->rate;
    struct buffer title = {0}, subtitle = {0}, without = {0};
    char labels[MOST_EDGES][40];
    struct svg_line lines[2 * MOST_LINES + MOST_EDGES];
    const int count = add_lines(curves, n, rate > 0 ? " Hz" : "", labels, lines);
    if (name) {
        buffer_add(&title, name);
    } else {
        add_stages(&title, s, GF_SIGNAL_FILTERS, "");
        add_stages(&without, s, GF_SIGNAL_BENDS, "without ");
    }
    buffer_printf(&subtitle, "%s", s->job->options.in);
    if (rate > 0) {
        buffer_printf(&subtitle, ": %.10g Hz", rate);
    }
    const struct svg_chart chart = {.title = title.data,
                                    .subtitle = subtitle.data,
                                    .subtitle2 = without.data,
                                    .x_label = rate > 0 ? "frequency, Hz" : "frequency, cycles a frame",
                                    .y_label = "gain, dB",
                                    .log_x = true,
                                    .decades_x = true,
                                    .lines = lines,
                                    .n_lines = count};
    text->failed |= title.failed || subtitle.failed || without.failed;
    if (!text->failed) {
        svg_chart_add(text, &chart);
    }
    buffer_free(&title);
    buffer_free(&subtitle);
    buffer_free(&without);
}

gf_status job_response_add(struct buffer *text, const struct job_signal *s, const struct job_table *file)
{
    const gf_signal_shape out = gf_signal_plan_output(s->plan);
    const gf_signal_info *in = gf_signal_reader_info(s->reader);
    const bool picture = job_picture_stage(s->job) != NULL;
    const int32_t channels = picture ? in->channels : out.channels;
    const double top = in->rate > 0 ? 0.5 * (picture ? in->rate : fmin(in->rate, out.rate)) : 0.5;
    struct curve curves[MOST_LINES] = {{0}};
    struct svg_point *points[MOST_LINES] = {0};
    int count = 0, n = 0;
    double *frequencies = make_frequencies(s->plan, name_of(file), top, &count);
    bool good = frequencies != NULL, differ = false;
    for (int32_t c = 1; good && c < channels && c < MOST_LINES; c++) {
        const struct curve other = {.plan = s->plan, .name = name_of(file), .channel = c};
        differ = differ || !is_as_first(&other, frequencies, count);
    }
    for (; good && n < (differ ? channels : 1) && n < MOST_LINES; n++) {
        curves[n] = (struct curve){.plan = s->plan, .name = name_of(file), .channel = n};
        good = make_curve(&curves[n], frequencies, count);
        points[n] = curves[n].points;
    }
    if (good) {
        leave_out_low(curves, n, top);
        add_chart(text, s, name_of(file), curves, n);
    }
    for (int i = 0; i < MOST_LINES; i++) {
        free(points[i]);
    }
    free(frequencies);
    return cli_need_memory(good && !text->failed);
}
