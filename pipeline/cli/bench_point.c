/* One measurement of an experiment: the words of `gpufilter prim` for it, its job, its device, its rows. */
#include "bench_runner.h"

#include "message.h"

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

struct bench_row *bench_add_row(struct bench_result *result)
{
    struct bench_row *rows = bench_grow(result->rows, result->n_rows, &result->row_capacity, sizeof *rows);
    if (!rows) {
        (void)cli_fail(GF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    result->rows = rows;
    rows[result->n_rows] = (struct bench_row){.panel = 0};
    return &rows[result->n_rows++];
}

void bench_note(struct bench_runner *r, const struct bench_running *series, const char *why)
{
    struct bench_line *line = &r->result->lines[series->line];
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

/* ---- One point --------------------------------------------------------------------------------------- */

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

/* The words of a point, in the order in which later ones win. */
static char *words_of(const struct bench_runner *r, const struct bench_panel *panel,
                      const struct bench_running *series, const char *value)
{
    struct buffer text = {0};
    const struct bench_options *o = r->options;
    bool is_n = !strcmp(panel->sweep, "n");
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
        buffer_printf(&text, " --%s %s", panel->sweep, value);
    }
    buffer_printf(&text, "%s%s%s%s", o->threads ? " --threads " : "", o->threads ? o->threads : "",
                  o->repeat ? " --repeat " : "", o->repeat ? o->repeat : "");
    return text.data; /* NULL: no memory */
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

/* What the run gave, in words; of a search also as a number. */
static void keep_result(const struct prim_job *job, const struct prim_measurement *m, struct bench_row *row)
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

static gf_status keep(struct bench_runner *r, const struct bench_row *common,
                      const struct prim_measurement *m, int run)
{
    struct bench_row *row = bench_add_row(r->result);
    if (!row) {
        return GF_ERROR_MEMORY;
    }
    *row = *common;
    row->verdict = m->verdict;
    row->timed = m->timed;
    row->time_us = m->time_us;
    row->gbps = m->gbps;
    row->q1_us = m->q1_us;
    row->q3_us = m->q3_us;
    row->fraction = m->copy_fraction;
    keep_result(&r->job, m, row);
    if (run >= 0) {
        size_t used = strlen(row->parameters);
        double factor = m->timed ? m->time_us / m->times_us[run] : 1;
        row->x = run + 1;
        snprintf(row->x_word, sizeof row->x_word, "%d", run + 1);
        snprintf(row->parameters + used, sizeof row->parameters - used, "%srun=%d", used ? " " : "", run + 1);
        row->time_us = row->q1_us = row->q3_us = m->timed ? m->times_us[run] : 0;
        row->gbps *= factor;
        row->fraction *= factor;
    }
    return GF_OK;
}

static void describe(const struct bench_runner *r, const struct prim_options *options,
                     const struct prim_how *how, const struct bench_opened *place, struct bench_row *row)
{
    struct buffer asked = {0};
    prim_options_add(&asked, options);
    row->primitive = r->job.driver->name;
    row->n = r->job.n;
    row->type = r->job.type;
    snprintf(row->algo, sizeof row->algo, "%s", how->algo);
    snprintf(row->device, sizeof row->device, "%s", place->device.word);
    snprintf(row->data, sizeof row->data, "%s", r->job.recipe.word);
    bench_count(row->primitive, row->algo, row->n, how->block, &row->counts);
    snprintf(row->parameters, sizeof row->parameters, "%s", asked.data ? asked.data : "");
    buffer_free(&asked);
}

gf_status bench_point(struct bench_runner *r, int p, const struct bench_running *series, const char *value,
                      int runs, double *least_us)
{
    const struct bench_panel *panel = &r->result->experiment->panels[p];
    struct bench_opened *place = open_place(r, r->result->lines[series->line].cpu);
    struct bench_row row = {.panel = p, .series = series->line};
    struct prim_options options = {.primitive = series->s.primitive ? series->s.primitive : panel->primitive};
    struct prim_measurement measured = {.verdict = PRIM_UNCHECKED};
    struct prim_how how = {.algo = ""};
    gf_error error = GF_ERROR_INIT;
    char *words[MOST_WORDS], *text = words_of(r, panel, series, series->s.fixed && !least_us ? NULL : value);
    int count = 0;
    if (!text) {
        return cli_fail(GF_ERROR_MEMORY, "out of memory");
    }
    if (!place->ok) {
        bench_note(r, series, place->error.message);
        free(text);
        return GF_OK;
    }
    split(text, words, &count);
    gf_status status = prim_options_read(count, words, &options);
    status = status == GF_OK ? prim_options_how(&options, &how) : status;
    status = status == GF_OK ? take_job(r, &options, &text) : status;
    if (status == GF_OK && place->device.queue.device == GF_DEVICE_CPU && r->job.n > CPU_MOST) {
        bench_note(r, series, "on the CPU up to 2^24 elements only");
    } else if (status == GF_OK) {
        how.repeat = runs > 0 ? runs : how.repeat;
        how.seconds = BENCH_SECONDS;
        gf_status ran = prim_measure(&r->job, &place->device, &how, &measured, &error);
        if (ran != GF_OK) {
            bench_note(r, series, error.message);
        } else if (least_us) {
            *least_us = measured.time_us;
        } else {
            describe(r, &options, &how, place, &row);
            row.x = value ? strtod(value, NULL) : 0;
            row.x = !strcmp(panel->sweep, "n")       ? (double)r->job.n
                    : !strcmp(panel->sweep, "shape") ? (double)r->job.size[0]
                                                     : row.x;
            snprintf(row.x_word, sizeof row.x_word, "%s", value ? value : "");
            int n_rows = value ? 1 : runs;
            for (int i = 0; status == GF_OK && i < n_rows; i++) {
                status = keep(r, &row, &measured, value ? -1 : i);
            }
        }
    }
    prim_measurement_free(&measured);
    free(text);
    return status;
}
