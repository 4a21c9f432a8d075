/* gpufilter prim stencil */
#include "base/message.h"
#include "prim/prim.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_SHAPE  "4096x4096"
#define USUAL_WINDOW "[0 .2 0; .2 .2 .2; 0 .2 0]" /* of the source text */

enum { SIDE = 32 }; /* of a window, at most */

/* ---- The window ------------------------------------------------------------------------------------------ */

static void skip_space(const char **at)
{
    while (isspace((unsigned char)**at)) {
        (*at)++;
    }
}

/* A number, or a fraction of two: 0.2, 1e-3, 1/9. */
static bool read_number(const char **at, double *value)
{
    char *end;
    *value = strtod(*at, &end);
    bool good = end != *at;
    *at = end;
    if (good && **at == '/') {
        const double divisor = strtod(++*at, &end);
        good = end != *at && divisor != 0;
        *value /= divisor;
        *at = end;
    }
    return good && isfinite(*value);
}

/* "[0 1 0; 1 -4 1; 0 1 0]" without what surrounds it, into rows of equal length. */
static bool read_rows(const char **at, int32_t *rows, int32_t *columns, double *weights)
{
    int32_t count = 0, row = 0;
    skip_space(at);
    for (*rows = *columns = 0; **at && **at != ']';) {
        if (row == SIDE || *rows == SIDE || !read_number(at, &weights[count])) {
            return false;
        }
        count++;
        row++;
        skip_space(at);
        if (**at == ',') { /* between numbers, in front of another one */
            ++*at;
            skip_space(at);
            if (**at == ';' || **at == ']') {
                return false;
            }
        }
        if (**at == ';' || **at == ']') {
            if (*rows > 0 && row != *columns) {
                return false;
            }
            *columns = row;
            row = 0;
            ++*rows;
            *at += **at == ';';
            skip_space(at);
        }
    }
    return *rows > 0 && row == 0;
}

static gf_status read_window(const char *text, gf_stencil_window *window, double weights[SIDE * SIDE])
{
    const char *at = text;
    *window = (gf_stencil_window){.struct_size = sizeof *window, .weights = weights};
    bool good = *at++ == '[' && read_rows(&at, &window->rows, &window->columns, weights) && *at++ == ']';
    if (!good || *at) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--window is '%s': must be rows of as many numbers, at most %d each way, like %s",
                        text, SIDE, USUAL_WINDOW);
    }
    return GF_OK;
}

static const char *window_text(const struct prim_job *job)
{
    const char *text = job->options.text[PRIM_WINDOW];
    return text ? text : USUAL_WINDOW;
}

/* ---- The job ----------------------------------------------------------------------------------------------- */

static gf_status inputs(struct prim_job *job)
{
    const char *const *text = job->options.text;
    if (text[PRIM_IN]) {
        CLI_TRY(prim_job_read(job, 0, PRIM_IN, true));
        job->size[0] = job->in[0].rows;
        job->size[1] = job->size[0] > 0 ? job->n / job->size[0] : 0;
    } else {
        CLI_TRY(prim_shape(text[PRIM_SHAPE] ? text[PRIM_SHAPE] : USUAL_SHAPE, 2, job->size));
        CLI_TRY(prim_job_recipe(job));
        const bool any = job->size[0] > 0 && job->size[1] > 0;
        CLI_TRY(prim_job_make(job, 0, any ? job->size[0] : 0, any ? job->size[1] : 0));
        job->n = job->in[0].n;
    }
    snprintf(job->shape, sizeof job->shape, "%" PRId64 "x%" PRId64, job->size[0], job->size[1]);
    return GF_OK;
}

/* --border, --value, --steps; and whether --window can be read. */
static gf_status prepare(struct prim_job *job)
{
    const char *const *text = job->options.text;
    gf_stencil_options *o = &job->call.stencil;
    gf_stencil_window window;
    double weights[SIDE * SIDE];
    *o = (gf_stencil_options)GF_STENCIL_OPTIONS_INIT;
    job->array = &o->array;
    job->out[0] = (struct prim_output){job->type, job->n, PRIM_OUT, job->size[0]};
    CLI_TRY(read_window(window_text(job), &window, weights));
    CLI_TRY(text[PRIM_STEPS] ? prim_count("--steps", text[PRIM_STEPS], 1, &o->steps) : GF_OK);
    if (text[PRIM_BORDER]) {
        while (strcmp(gf_border_name(o->border), text[PRIM_BORDER]) != 0) {
            o->border = (gf_border)(o->border + 1); /* the table of options takes no other word */
        }
    }
    if (text[PRIM_VALUE]) {
        char *end;
        o->value = strtod(text[PRIM_VALUE], &end);
        if (end == text[PRIM_VALUE] || *end) {
            return cli_fail(GF_ERROR_ARGUMENT, "--value is '%s': must be a number", text[PRIM_VALUE]);
        }
        if (o->border != GF_BORDER_CONSTANT) {
            return cli_fail(GF_ERROR_ARGUMENT, "--value is for --border constant");
        }
    }
    return GF_OK;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    gf_stencil_window window;
    double weights[SIDE * SIDE];
    CLI_TRY(read_window(window_text(job), &window, weights));
    return gf_stencil_scratch(device, &job->call.stencil, &window, job->size[0], job->size[1], bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    gf_stencil_window window;
    double weights[SIDE * SIDE];
    CLI_TRY(read_window(window_text(job), &window, weights));
    return gf_stencil(queue, &job->call.stencil, &window, m->in[0], job->size[0], job->size[1], m->out[0],
                      m->scratch, m->scratch_bytes, error);
}

static double work(const struct prim_job *job)
{
    gf_stencil_window window;
    double weights[SIDE * SIDE], taps = 0;
    if (read_window(window_text(job), &window, weights) == GF_OK) {
        for (int32_t i = 0; i < window.rows * window.columns; i++) {
            taps += weights[i] != 0;
        }
    }
    return 2 * taps * (double)job->n * (double)job->call.stencil.steps;
}

const struct prim_driver prim_driver_stencil = {
    .name = "stencil",
    .takes = PRIM_TAKES(PRIM_SHAPE) | PRIM_TAKES(PRIM_IN) | PRIM_TAKES(PRIM_WINDOW) | PRIM_TAKES(PRIM_STEPS) |
             PRIM_TAKES(PRIM_BORDER) | PRIM_TAKES(PRIM_VALUE),
    .type = "f32",
    .inputs = inputs,
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .work = work,
    .result = prim_result_ends,
};
