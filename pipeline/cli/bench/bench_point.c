/* One measurement of an experiment: the words of `gpufilter prim` for it, its job, its device, its rows. */
#include "bench/bench_runner.h"

#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64 };
#define CPU_MOST ((int64_t)1 << 24) /* elements: beyond, a figure of the CPU takes minutes */

/* ---- Rows and notes ---------------------------------------------------------------------------------- */

void *bench_grow(void *array, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    *capacity = *capacity * 2 + 64;
    return realloc(array, (size_t)*capacity * size);
}

void bench_note(struct bench_result *result, int index, const char *why)
{
    struct bench_line *line = &result->lines[index];
    if (!*line->note) {
        snprintf(line->note, sizeof line->note, "%.*s", (int)sizeof line->note - 1, why);
    }
}

/* ---- Devices --------------------------------------------------------------------------------------- */

static struct bench_opened *open_place(struct bench_runner *r, bool cpu)
{
    struct bench_opened *place = &r->places[!cpu];
    if (!place->tried) {
        place->tried = true;
        place->error = (gf_error)GF_ERROR_INIT;
        place->ok = prim_device_open(cpu ? GF_DEVICE_CPU : r->gpu, !cpu && r->want_emulated, &place->device,
                                     &place->error) == GF_OK;
        r->result->emulated = r->result->emulated || (place->ok && place->device.emulated);
        if (place->ok) {
            bench_machine(&place->device, r->result->machine[!cpu], sizeof r->result->machine[0]);
        }
    }
    return place;
}

/* ---- One measurement --------------------------------------------------------------------------------- */

static char *copy_of(const char *words)
{
    struct buffer text = {0};
    buffer_add(&text, words);
    return text.data; /* NULL: no memory */
}

static void split(char *text, char **words, int *count)
{
    *count = 0;
    for (char *at = text; *(at += strspn(at, " ")) && *count < MOST_WORDS;) {
        words[(*count)++] = at;
        at += strcspn(at, " ");
        if (*at) {
            *at++ = '\0';
        }
    }
}

/* The job of these options: the one there is, or a new one, which then owns the text. */
static gf_status take_job(struct bench_runner *r, const struct prim_options *options, char **text)
{
    if (r->job.driver && prim_options_same_job(&r->job.options, options)) {
        return GF_OK;
    }
    if (r->job.driver) {
        prim_job_destroy(&r->job);
        r->job.driver = NULL;
    }
    free(r->job_text);
    r->job_text = *text;
    *text = NULL;
    return prim_job_create(options, &r->job);
}

/* Describes what the run gave, in words; a search also as a number. */
static void describe_result(const struct prim_job *job, const struct prim_measurement *m,
                            struct bench_row *row)
{
    const void *out[PRIM_BLOCKS];
    struct buffer text = {0};
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        out[i] = m->out[i].data;
    }
    job->driver->result(job, out, &text, false);
    snprintf(row->result, sizeof row->result, "%.*s", text.data ? (int)strcspn(text.data, "\n") : 0,
             text.data ? text.data : "");
    buffer_free(&text);
    row->found = !strcmp(job->driver->name, "search") ? (double)*(const int64_t *)out[1] : -1;
}

static void describe(const struct bench_runner *r, const struct prim_options *options,
                     const struct prim_how *how, const struct prim_measurement *m, struct bench_row *row)
{
    struct buffer asked = {0};
    prim_options_add(&asked, options);
    row->panel = r->result->lines[row->series].panel;
    row->primitive = r->job.driver->name;
    row->n = r->job.n;
    row->type = r->job.type;
    snprintf(row->algo, sizeof row->algo, "%s", how->algo);
    snprintf(row->device, sizeof row->device, "%s",
             r->places[!r->result->lines[row->series].cpu].device.word);
    snprintf(row->data, sizeof row->data, "%s", r->job.recipe.word);
    row->launches = m->launches;
    row->additions = m->additions;
    snprintf(row->parameters, sizeof row->parameters, "%s", asked.data ? asked.data : "");
    buffer_free(&asked);
    row->verdict = m->verdict;
    row->timed = m->timed;
    row->time_us = m->time_us;
    row->gbps = m->gbps;
    row->q1_us = m->q1_us;
    row->q3_us = m->q3_us;
    row->fraction = m->copy_fraction;
    describe_result(&r->job, m, row);
}

/* Describes what a ragged loop was asked to be like, and is like. */
static void describe_loop(const struct prim_job *job, const struct prim_options *options,
                          struct bench_row *row)
{
    const char *data = job->options.text[PRIM_DATA], *ny_max = job->options.text[PRIM_NY_MAX];
    int64_t area = 0;
    row->loop.most = job->size[1];
    row->loop.calls = job->size[2];
    row->loop.skew = data && !strncmp(data, "skew:", 5) ? strtod(data + 5, NULL) : 0;
    if (ny_max && prim_sizes(ny_max, 1, &row->loop.ny_max) && options->text[PRIM_FRAME_AREA] &&
        prim_sizes(options->text[PRIM_FRAME_AREA], 1, &area)) {
        row->loop.area = area;
    }
    row->loop.alpha = options->text[PRIM_ALPHA] ? strtod(options->text[PRIM_ALPHA], NULL) : 0;
}

/* Runs the runner's job, on the line's device. */
static gf_status run_job(struct bench_runner *r, const struct bench_shot *shot,
                         const struct prim_options *options, struct bench_row *row,
                         struct prim_measurement *measured)
{
    struct bench_opened *place = open_place(r, r->result->lines[shot->line].cpu);
    struct prim_how how = {.algo = ""};
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(prim_options_how(options, &how));
    if (place->device.queue.device == GF_DEVICE_CPU && r->job.n > CPU_MOST) {
        bench_note(r->result, shot->line, "on the CPU up to 2^24 elements only");
        return GF_OK;
    }
    if (r->result->n_thresholds > 0 && !strcmp(r->job.driver->name, "ragged")) {
        memcpy(r->job.threshold, r->result->thresholds, sizeof r->result->thresholds);
        r->job.call.ragged.thresholds = r->result->n_thresholds;
    }
    how.repeat = shot->runs > 0 ? shot->runs : how.repeat;
    how.seconds = BENCH_SECONDS;
    how.brief = shot->brief;
    if (prim_measure(&r->job, &place->device, &how, measured, &error) != GF_OK) {
        bench_note(r->result, shot->line, error.message);
        return GF_OK;
    }
    *row = (struct bench_row){.series = shot->line};
    describe(r, options, &how, measured, row);
    if (!strcmp(row->primitive, "ragged")) {
        describe_loop(&r->job, options, row);
    }
    return GF_OK;
}

gf_status bench_job(struct bench_runner *r, const char *primitive, const char *words)
{
    struct prim_options options = {.primitive = primitive};
    char *list[MOST_WORDS], *text = copy_of(words);
    int count = 0;
    CLI_TRY(cli_need_memory(text));
    split(text, list, &count);
    gf_status status = prim_options_read(count, list, &options);
    status = status == GF_OK ? take_job(r, &options, &text) : status;
    free(text);
    return status;
}

gf_status bench_shoot(struct bench_runner *r, const struct bench_shot *shot, struct bench_row *row,
                      struct prim_measurement *measured)
{
    struct bench_opened *place = open_place(r, r->result->lines[shot->line].cpu);
    struct prim_options options = {.primitive = shot->primitive};
    char *words[MOST_WORDS], *text = copy_of(shot->words);
    int count = 0;
    *row = (struct bench_row){.series = shot->line};
    *measured = (struct prim_measurement){.verdict = PRIM_UNCHECKED};
    CLI_TRY(cli_need_memory(text));
    if (!place->ok) {
        bench_note(r->result, shot->line, place->error.message);
        free(text);
        return GF_OK;
    }
    bench_tell(r->result, shot->primitive, shot->words);
    split(text, words, &count);
    gf_status status = prim_options_read(count, words, &options);
    status = status == GF_OK && !shot->same_job ? take_job(r, &options, &text) : status;
    status = status == GF_OK ? run_job(r, shot, &options, row, measured) : status;
    free(text);
    return status;
}

/* ---- One point --------------------------------------------------------------------------------------- */

/* The words of a point, in the order in which later ones win. */
static char *words_of(const struct bench_runner *r, const struct bench_panel *panel,
                      const struct bench_running *series, const char *value)
{
    struct buffer text = {0};
    const struct bench_options *o = r->options;
    const bool is_n = !strcmp(panel->sweep, "n"), is_skew = !strcmp(panel->sweep, "skew");
    buffer_printf(&text, "%s %s %s", panel->words, o->quick && panel->quick_words ? panel->quick_words : "",
                  series->s.words);
    if (panel->unchecked && !o->quick) {
        buffer_add(&text, " --no-check");
    }
    if (o->n && !is_n) {
        buffer_printf(&text, " --n %.*s", (int)strcspn(o->n, ","), o->n);
    }
    if (series->best > 0) {
        buffer_printf(&text, " --k %d", series->best);
    }
    if (value) {
        buffer_printf(&text, is_skew ? " --data %s:%s" : " --%s %s", panel->sweep, value);
    }
    bench_how_add(o, &text);
    return text.data; /* NULL: no memory */
}

void bench_how_add(const struct bench_options *o, struct buffer *text)
{
    buffer_printf(text, "%s%s%s%s", o->threads ? " --threads " : "", o->threads ? o->threads : "",
                  o->repeat ? " --repeat " : "", o->repeat ? o->repeat : "");
}

/* The run-th of single runs. */
static gf_status keep_run(struct bench_runner *r, const struct bench_row *common,
                          const struct prim_measurement *m, int run)
{
    struct bench_row row = *common;
    const size_t used = strlen(row.parameters);
    const double factor = m->timed ? m->time_us / m->times_us[run] : 1;
    row.x = run + 1;
    snprintf(row.x_word, sizeof row.x_word, "%d", run + 1);
    snprintf(row.parameters + used, sizeof row.parameters - used, "%srun=%d", used ? " " : "", run + 1);
    row.time_us = row.q1_us = row.q3_us = m->timed ? m->times_us[run] : 0;
    row.gbps *= factor;
    row.fraction *= factor;
    return bench_keep(r->result, &row);
}

/* The value on the figure's axis. */
static double value_of(const struct bench_runner *r, const char *sweep, const char *value)
{
    int64_t count;
    return !strcmp(sweep, "n") || !strcmp(sweep, "graph") ? (double)r->job.n
           : !strcmp(sweep, "shape")                      ? (double)r->job.size[0]
           : !value                                       ? 0
           : prim_sizes(value, 1, &count)                 ? (double)count
                                                          : strtod(value, NULL);
}

gf_status bench_point(struct bench_runner *r, int p, const struct bench_running *series, const char *value,
                      int runs, double *least_us)
{
    const struct bench_panel *panel = &r->result->experiment->panels[p];
    char *text = words_of(r, panel, series, series->s.fixed && !least_us ? NULL : value);
    const struct bench_shot shot = {.primitive = series->s.primitive ? series->s.primitive : panel->primitive,
                                    .line = series->line,
                                    .words = text,
                                    .runs = runs};
    struct prim_measurement measured;
    struct bench_row row;
    CLI_TRY(cli_need_memory(text));
    gf_status status = bench_shoot(r, &shot, &row, &measured);
    if (status == GF_OK && row.primitive && least_us) {
        *least_us = measured.time_us;
    } else if (status == GF_OK && row.primitive) {
        row.x = value_of(r, panel->sweep, value);
        snprintf(row.x_word, sizeof row.x_word, "%s", value ? value : "");
        status = value ? bench_keep(r->result, &row) : GF_OK;
        for (int i = 0; status == GF_OK && !value && i < runs; i++) {
            status = keep_run(r, &row, &measured, i);
        }
    }
    prim_measurement_free(&measured);
    free(text);
    return status;
}
