/* Runs the panels of an experiment: for each value of the swept option, each series, as `gpufilter prim`
 * would. */
#include "bench/bench_runner.h"

#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEST_REPEAT = 5 };

/* ---- Series -------------------------------------------------------------------------------------------- */

gf_status bench_add_line(struct bench_result *result, int panel, const char *label, bool cpu, int *index)
{
    struct bench_line *lines =
        bench_grow(result->lines, result->n_lines, &result->line_capacity, sizeof *lines);
    CLI_TRY(cli_need_memory(lines));
    result->lines = lines;
    *index = result->n_lines++;
    lines[*index] = (struct bench_line){.panel = panel, .cpu = cpu};
    snprintf(lines[*index].label, sizeof lines[*index].label, "%s", label);
    return GF_OK;
}

static bool has_variant(const char *primitive, const char *words, bool cuda)
{
    char wanted[48];
    const char *algo = strstr(words, "--algo ");
    snprintf(wanted, sizeof wanted, "%.*s", algo ? (int)strcspn(algo + 7, " ") : 4, algo ? algo + 7 : "auto");
    return prim_has_variant(primitive, wanted, cuda);
}

/* The --k that is fastest; 0 where there are no times. */
static gf_status find_best(struct bench_runner *r, int p, struct bench_running *series)
{
    int from = 1, to = 1, best = 0;
    double least = 0;
    sscanf(series->s.best, "%d-%d", &from, &to);
    for (int k = from; k <= to; k++) {
        double us = 0;
        series->best = k;
        CLI_TRY(bench_point(r, p, series, NULL, BEST_REPEAT, &us));
        if (us > 0 && (best == 0 || us < least)) {
            least = us;
            best = k;
        }
    }
    series->best = best;
    if (best == 0) {
        series->absent = true;
        bench_note(r->result, series->line, "no best k: there are no times");
    }
    return GF_OK;
}

bool bench_can_run(struct bench_runner *r, int line, const char *primitive, const char *words)
{
    const bool cpu = r->result->lines[line].cpu;
    const char *why = "";
    if (!cpu && r->gpu == GF_DEVICE_CPU) {
        why = "a variant for CUDA, and --device is cpu";
    } else if (!has_variant(primitive, words, !cpu)) {
        why = !cpu && !gf_has_cuda() ? "there is no CUDA backend" : "this build has no such variant";
    }
    if (*why) {
        bench_note(r->result, line, why);
    }
    return !*why;
}

gf_status bench_list_lines(struct bench_runner *r, int p, struct bench_lines *lines)
{
    const struct bench_panel *panel = &r->result->experiment->panels[p];
    lines->count = 0;
    for (const struct bench_series *s = panel->series; s->label; s++) {
        int line = 0;
        CLI_TRY(bench_add_line(r->result, p, s->label, s->place == BENCH_CPU, &line));
        if (bench_can_run(r, line, panel->primitive, s->words)) {
            lines->series[lines->count] = s;
            lines->line[lines->count++] = line;
        }
    }
    return GF_OK;
}

/* Finds where a series runs, or notes why it cannot. */
static gf_status place_series(struct bench_runner *r, int p, struct bench_running *series, bool cpu,
                              const char *label)
{
    const struct bench_panel *panel = &r->result->experiment->panels[p];
    const char *primitive = series->s.primitive ? series->s.primitive : panel->primitive;
    if (series->s.place == BENCH_EITHER) {
        cpu = has_variant(primitive, series->s.words, false);
    }
    CLI_TRY(bench_add_line(r->result, p, label, cpu, &series->line));
    series->absent = !bench_can_run(r, series->line, primitive, series->s.words);
    return !series->absent && series->s.best ? find_best(r, p, series) : GF_OK;
}

/* The series of the table, or one for each variant. */
static gf_status list_series(struct bench_runner *r, int p, struct bench_running *series, int most,
                             int *count)
{
    const struct bench_panel *panel = &r->result->experiment->panels[p];
    const gf_variant *v;
    *count = 0;
    for (int i = 0; panel->series && panel->series[i].label && *count < most; i++) {
        struct bench_running *s = &series[(*count)++];
        *s = (struct bench_running){.s = panel->series[i]};
        CLI_TRY(place_series(r, p, s, s->s.place == BENCH_CPU, s->s.label));
    }
    for (size_t i = 0; !panel->series && *count < most; i++) {
        if ((v = gf_primitive_variant(panel->primitive, i)) == NULL) {
            break;
        }
        struct bench_running *s = &series[(*count)++];
        char label[64];
        *s = (struct bench_running){.s = {.place = v->cuda ? BENCH_GPU : BENCH_CPU}};
        snprintf(s->words, sizeof s->words, "--algo %s", v->name);
        s->s.words = s->words;
        snprintf(label, sizeof label, v->cuda ? "%s" : "%s, CPU", v->name);
        CLI_TRY(place_series(r, p, s, !v->cuda, label));
    }
    return GF_OK;
}

/* ---- Panels -------------------------------------------------------------------------------------------- */

/* A minus sign behind a power belongs to the number. */
int bench_values(const char *text, char values[BENCH_VALUES][BENCH_VALUE])
{
    int n = 0;
    for (const char *at = text; *(at += strspn(at, " ,")) && n < BENCH_VALUES; at += strcspn(at, " ,")) {
        int length = (int)strcspn(at, " ,"), from, to;
        char word[BENCH_VALUE];
        snprintf(word, sizeof word, "%.*s", length, at);
        if (!strpbrk(word, "^e") && sscanf(word, "%d-%d", &from, &to) == 2) {
            for (int i = from; i <= to && n < BENCH_VALUES; i++) {
                snprintf(values[n++], BENCH_VALUE, "%d", i);
            }
        } else {
            snprintf(values[n++], BENCH_VALUE, "%s", word);
        }
    }
    return n;
}

gf_status bench_run_panel(struct bench_runner *r, int p)
{
    const struct bench_panel *panel = &r->result->experiment->panels[p];
    char(*values)[BENCH_VALUE] = calloc(BENCH_VALUES, sizeof *values);
    struct bench_running *series = calloc(BENCH_SERIES, sizeof *series);
    bool is_n = !strcmp(panel->sweep, "n"), is_run = !strcmp(panel->sweep, "run");
    const char *list = is_n && r->options->n ? r->options->n
                       : r->options->quick   ? panel->quick
                                             : panel->values;
    int n_values = values ? bench_values(list, values) : 0, n_series = 0;
    gf_status status = values && series ? list_series(r, p, series, BENCH_SERIES, &n_series)
                                        : cli_fail(GF_ERROR_MEMORY, "out of memory");
    for (int v = 0; status == GF_OK && v < (is_run ? 1 : n_values); v++) {
        for (int i = 0; status == GF_OK && i < n_series; i++) {
            if (!series[i].absent) {
                status =
                    bench_point(r, p, &series[i], is_run ? NULL : values[v], is_run ? n_values : 0, NULL);
            }
        }
    }
    free(values);
    free(series);
    return status;
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

gf_status bench_how(const struct bench_options *options, struct prim_how *how)
{
    struct prim_options asked = {.text = {[PRIM_DEVICE] = options->device,
                                          [PRIM_THREADS] = options->threads,
                                          [PRIM_REPEAT] = options->repeat}};
    gf_status status = prim_options_how(&asked, how);
    how->seconds = BENCH_SECONDS;
    return status;
}

gf_status bench_begin(struct bench_result *result, const struct bench_options *options,
                      struct bench_runner *r)
{
    struct prim_how how;
    gf_status status = bench_how(options, &how);
    *r = (struct bench_runner){.options = options, .result = result};
    r->gpu = how.device == GF_DEVICE_AUTO ? 0 : how.device;
    r->want_emulated = how.emulated;
    return status;
}

void bench_end(struct bench_runner *r)
{
    for (int i = 0; i < 2; i++) {
        if (r->places[i].ok) {
            prim_device_close(&r->places[i].device);
        }
    }
    if (r->job.driver) {
        prim_job_destroy(&r->job);
    }
    free(r->job_text);
}

gf_status bench_run_panels(struct bench_result *result, const struct bench_options *options,
                           gf_status (*run)(struct bench_runner *r, int p))
{
    struct bench_runner r;
    gf_status status = bench_begin(result, options, &r);
    for (int p = 0; status == GF_OK && result->experiment->panels[p].title; p++) {
        status = run(&r, p);
    }
    bench_end(&r);
    return status;
}

gf_status bench_run(struct bench_result *result, const struct bench_options *options)
{
    return bench_run_panels(result, options, bench_run_panel);
}

void bench_result_free(struct bench_result *result)
{
    if (result->csv) {
        fclose(result->csv); /* every row was written when it came */
    }
    free(result->rows);
    free(result->lines);
    free(result->counts);
    *result = (struct bench_result){0};
}
