/* gpufilter prim NAME: one array primitive, checked and measured; with --algo all, all its variants. */
#include "help/commands.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/words.h"
#include "job/job_options.h"
#include "prim/prim_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2, MOST_ROWS = 64 }; /* the CPU and one CUDA device */
static const enum prim_option outputs[] = {PRIM_OUT, PRIM_VALUES_OUT, PRIM_PARENTS_OUT, PRIM_COUNTS_OUT,
                                           PRIM_KEYS_OUT};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

/* A device, or why there is none. */
struct opened {
    bool ok;
    struct prim_device device;
    gf_error error;
};

struct session {
    struct prim_options options;
    struct prim_how how;
    struct prim_job job;
    struct opened devices[DEVICES];
    int n_devices;
    struct prim_row rows[MOST_ROWS];
    int n_rows;
    gf_error vendor; /* why there is no module; code GF_OK: there is one */
};

/* ---- Devices ------------------------------------------------------------------------------------ */

static void open_device(struct session *s, gf_device device)
{
    struct opened *o = &s->devices[s->n_devices++];
    o->error = (gf_error)GF_ERROR_INIT;
    o->ok = prim_device_open(device, device >= 0 && s->how.emulated, &o->device, &o->error) == GF_OK;
}

/* Opens all that a table compares, or the one to run on: where nothing was asked for, CUDA before the CPU. */
static void open_devices(struct session *s, bool all)
{
    const char *name = s->options.primitive;
    if (s->how.device != GF_DEVICE_AUTO) {
        open_device(s, s->how.device);
        return;
    }
    bool cuda = all || prim_has_variant(name, s->how.algo, true),
         cpu = all || prim_has_variant(name, s->how.algo, false);
    if (cpu && all) {
        open_device(s, GF_DEVICE_CPU);
    }
    if (cuda) {
        open_device(s, 0);
    }
    if (cpu && !all && (!cuda || !s->devices[0].ok)) {
        s->n_devices = 0;
        open_device(s, GF_DEVICE_CPU);
    }
}

/* ---- Parameters ---------------------------------------------------------------------------------- */

/* Tells whether the list "block=128 tile" has the name. */
static bool has_parameter(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; *(at += strspn(at, " ")); at += strcspn(at, " ")) {
        if (!strncmp(at, name, length) && strchr(" =", at[length])) {
            return true;
        }
    }
    return false;
}

/* Says of parameters that were given and that the variant ignores. */
static void note_ignored(const struct session *s)
{
    static const struct {
        enum prim_option option;
        const char *name;
    } parameters[] = {{PRIM_BLOCK, "block"},           {PRIM_TILE, "tile"},   {PRIM_K, "unroll"},
                      {PRIM_FRAME_AREA, "frame-area"}, {PRIM_ALPHA, "alpha"}, {PRIM_NY_TH, "ny-th"},
                      {PRIM_BLOCK_XY, "block-xy"}};
    const bool cuda = s->devices[0].device.queue.device >= 0;
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant(s->options.primitive, i)) != NULL; i++) {
        if (strcmp(v->name, s->how.algo) != 0 || (v->cuda != 0) != cuda) {
            continue;
        }
        for (size_t k = 0; k < sizeof parameters / sizeof parameters[0]; k++) {
            if (s->options.text[parameters[k].option] && !has_parameter(v->parameters, parameters[k].name)) {
                cli_note("variant %s on %s has no %s: --%s changes nothing", v->name,
                         s->devices[0].device.word, parameters[k].name,
                         prim_option_table[parameters[k].option].name);
            }
        }
    }
}

/* ---- Runs --------------------------------------------------------------------------------------- */

static void add_row(struct session *s, struct opened *o, const char *algo)
{
    struct prim_row *row = &s->rows[s->n_rows++];
    struct prim_how how = s->how;
    how.algo = algo;
    if (o->ok) {
        prim_row_run(&s->job, &o->device, &how, row);
        return;
    }
    row->status = o->error.code;
    snprintf(row->algo, sizeof row->algo, "%s", algo);
    snprintf(row->device, sizeof row->device, "%s", o->device.word);
    snprintf(row->why, sizeof row->why, "%s", o->error.message);
}

static void run_rows(struct session *s, bool all)
{
    const gf_variant *v;
    for (int d = 0; d < s->n_devices; d++) {
        const bool cuda = s->devices[d].device.queue.device >= 0;
        for (size_t i = 0; all && (v = gf_primitive_variant(s->options.primitive, i)) != NULL; i++) {
            if ((v->cuda != 0) == cuda && s->n_rows < MOST_ROWS) {
                add_row(s, &s->devices[d], v->name);
            }
        }
        if (!all) {
            add_row(s, &s->devices[d], s->how.algo);
        }
    }
}

/* ---- The answer --------------------------------------------------------------------------------- */

static gf_status write_outputs(const struct session *s)
{
    const struct prim_row *row = &s->rows[0];
    const void *out[PRIM_BLOCKS];
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        out[i] = row->measured.out[i].data;
    }
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        const char *path = s->job.out[i].file ? s->options.text[s->job.out[i].file] : NULL;
        if (path) {
            const struct prim_output *o = &s->job.out[i];
            const int64_t n = prim_job_extent(&s->job, out, i);
            CLI_TRY(prim_array_write(path, o->type, o->rows, n, out[i]));
        }
    }
    return GF_OK;
}

static void add_answer(const struct session *s, bool all, struct buffer *text)
{
    if (!s->options.text[PRIM_JSON]) {
        if (all) {
            prim_report_table(&s->job, s->rows, s->n_rows, text);
        } else {
            prim_report_one(&s->job, &s->rows[0], text);
        }
        return;
    }
    for (int i = 0; i < s->n_rows; i++) {
        buffer_add(text, !all ? "" : i == 0 ? "[" : ",\n ");
        prim_report_json(&s->job, &s->rows[i], text);
    }
    buffer_add(text, all ? "]\n" : "\n");
}

/* Says what was wrong with any row; where none ran, why. */
static gf_status judge(const struct session *s)
{
    gf_status status = s->n_rows > 0 ? s->rows[0].status : GF_OK;
    for (int i = 0; i < s->n_rows; i++) {
        status = s->rows[i].status == GF_OK ? GF_OK : status;
    }
    for (int i = 0; i < s->n_rows; i++) {
        if (s->rows[i].measured.verdict == PRIM_WRONG) {
            return cli_fail(GF_ERROR_MISMATCH, "%s, variant %s on %s, is wrong: %s", s->options.primitive,
                            s->rows[i].algo, s->rows[i].device, s->rows[i].measured.difference);
        }
    }
    return status;
}

/* Returns how many of the results go to files, or to standard output alone. */
static int outputs_to(const struct session *s, bool only_stdout)
{
    int n = 0;
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *path = s->options.text[outputs[i]];
        n += only_stdout ? is_standard_output(path) : path != NULL;
    }
    return n;
}

/* Whoever works from file to file wants the file: runs for the clock, and memory to copy between them, would
 * take seconds. */
static bool wants_time(const struct session *s)
{
    const char *const *text = s->options.text;
    return !s->job.file || outputs_to(s, false) == 0 || text[PRIM_TIME] || text[PRIM_REPEAT] ||
           text[PRIM_HOST];
}

/* Beside an array on standard output, text goes where messages go; with -q, beside any array, nowhere. */
static gf_status print_answer(const struct session *s, const struct buffer *text)
{
    if (cli_verbosity() == CLI_QUIET && outputs_to(s, false) > 0) {
        return GF_OK;
    }
    if (outputs_to(s, true) == 0) {
        return buffer_to_stdout(text);
    }
    fputs(text->data ? text->data : "", stderr);
    return GF_OK;
}

static gf_status answer(struct session *s, bool all)
{
    struct buffer text = {0};
    if (!all && s->rows[0].status != GF_OK) {
        return cli_fail(s->rows[0].status, "%s", s->rows[0].why);
    }
    if (all && s->vendor.code != GF_OK && gf_has_cuda()) {
        cli_note("no vendors' variants: %s", s->vendor.message);
    }
    if (all && !gf_has_cuda()) {
        cli_note(PRIM_NO_CUDA, gf_cuda_missing());
    }
    gf_status status = judge(s), printed = GF_OK;
    status = status == GF_OK && !all ? write_outputs(s) : status;
    if (status == GF_OK || status == GF_ERROR_MISMATCH || all) {
        add_answer(s, all, &text);
        printed = print_answer(s, &text);
    }
    buffer_free(&text);
    return status == GF_OK ? printed : status;
}

/* ---- All of it ---------------------------------------------------------------------------------- */

/* Everything that can be refused before there is data. */
static gf_status check(struct session *s, bool all)
{
    CLI_TRY(prim_options_check(&s->options));
    if (!all && !prim_has_variant(s->options.primitive, s->how.algo, false) &&
        !prim_has_variant(s->options.primitive, s->how.algo, true)) {
        return prim_fail_unknown_algo(s->options.primitive, s->how.algo, &s->vendor);
    }
    if (outputs_to(s, true) > 1) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "two results cannot both go to standard output: one of them needs a file");
    }
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *path = s->options.text[outputs[i]];
        if (path && all) {
            return cli_fail(GF_ERROR_ARGUMENT, "--%s with --algo all: whose result? choose one variant",
                            prim_option_table[outputs[i]].name);
        }
        CLI_TRY(path ? prim_array_check_name(path) : GF_OK);
        CLI_TRY(path ? output_check(path) : GF_OK);
    }
    const struct run_file files[] = {{"--out", s->options.text[PRIM_OUT], true},
                                     {"--values-out", s->options.text[PRIM_VALUES_OUT], true},
                                     {"--parents-out", s->options.text[PRIM_PARENTS_OUT], true},
                                     {"--counts-out", s->options.text[PRIM_COUNTS_OUT], true},
                                     {"--keys-out", s->options.text[PRIM_KEYS_OUT], true}};
    return output_check_distinct(files, OUTPUTS, false);
}

static gf_status run_session(struct session *s)
{
    CLI_TRY(prim_options_how(&s->options, &s->how));
    const bool all = !strcmp(s->how.algo, "all");
    if (gf_vendor_load(NULL, &s->vendor) == GF_OK) {
        s->vendor.code = GF_OK;
    }
    gf_status status = check(s, all);
    status = status == GF_OK ? prim_job_create(&s->options, &s->job) : status;
    if (status == GF_OK) {
        s->how.timed = wants_time(s);
        open_devices(s, all);
        if (!all) {
            note_ignored(s);
        }
        run_rows(s, all);
        status = answer(s, all);
    }
    for (int i = 0; i < s->n_rows; i++) {
        prim_row_free(&s->rows[i]);
    }
    for (int i = 0; i < s->n_devices; i++) {
        prim_device_close(&s->devices[i].device);
    }
    prim_job_destroy(&s->job);
    return status;
}

int run_prim(const struct cli_command *command, int count, char **words)
{
    struct session *s = calloc(1, sizeof *s);
    if (!s) {
        return gf_status_exit_code(cli_fail(GF_ERROR_MEMORY, "out of memory"));
    }
    s->vendor = (gf_error)GF_ERROR_INIT;
    gf_status status = prim_options_read(count, words, &s->options);
    if (status == GF_OK && s->options.text[PRIM_QUIET]) {
        cli_set_verbosity(CLI_QUIET);
    }
    if (status == GF_OK && s->options.primitive && !prim_driver_find(s->options.primitive)) {
        status = prim_fail_unknown(s->options.primitive);
    } else if (status == GF_OK && (s->options.text[PRIM_HELP] || !s->options.primitive)) {
        status = prim_print_help(command, &s->options);
    } else if (status == GF_OK) {
        status = run_session(s);
    }
    free(s);
    return gf_status_exit_code(status);
}
