/* gpufilter prim search */
#include "base/argument_value.h"
#include "base/message.h"
#include "base/words.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define MODES "first|all|count" /* in the order of gf_search_mode */

enum { ABSENT = -1, NOWHERE = -2 };

/* The index that --at names. "last" without --at and --value: no search can stop early there. */
static gf_status read_place(const struct prim_job *job, int64_t *place)
{
    const char *text = job->options.text[PRIM_AT];
    if (!text) {
        *place = job->options.text[PRIM_VALUE] || job->n == 0 ? NOWHERE : job->n - 1;
        return GF_OK;
    }
    if (!strcmp(text, "absent")) {
        *place = ABSENT;
        return GF_OK;
    }
    if (!strcmp(text, "first") || !strcmp(text, "middle") || !strcmp(text, "last")) {
        *place = *text == 'f' ? 0 : *text == 'm' ? job->n / 2 : job->n - 1;
    } else if (isdigit((unsigned char)*text)) {
        CLI_TRY(prim_count("--at", text, 0, place));
    } else {
        return value_fail_choice("--at", text, "first|middle|last|absent|an index");
    }
    if (*place >= job->n) {
        return cli_fail(GF_ERROR_ARGUMENT, "--at %s: there are %" PRId64 " elements", text, job->n);
    }
    return GF_OK;
}

/* Makes the value stand at `place` alone, or nowhere. Files stay as they are: there the element at the place
 * is the value. */
static gf_status plant(struct prim_job *job, int64_t place)
{
    const size_t size = gf_depth_size(job->type);
    char *data = job->in[0].data;
    bool given = job->options.text[PRIM_VALUE] != NULL;
    if (place == NOWHERE) {
        return GF_OK;
    }
    if (job->in[0].file && (place == ABSENT || given)) {
        return cli_fail(GF_ERROR_ARGUMENT, "--at with --in takes the value at that index: leave out %s",
                        given ? "--value" : "--at absent, and give --value");
    }
    if (!given && job->n > 0) {
        memcpy(&job->value[0], data + (size_t)(place == ABSENT ? job->n / 2 : place) * size, size);
    }
    for (int64_t i = 0; !job->in[0].file && i < job->n; i++) {
        if (i == place) {
            memcpy(data + (size_t)i * size, &job->value[0], size);
        } else if (element_same(job->type, data + (size_t)i * size, &job->value[0])) {
            element_change(job->type, data, i);
        }
    }
    return GF_OK;
}

static gf_status read_value(struct prim_job *job)
{
    const char *value = job->options.text[PRIM_VALUE], *to = job->options.text[PRIM_TO];
    CLI_TRY(value ? element_read("--value", value, job->type, &job->value[0]) : GF_OK);
    if (!to) {
        return GF_OK;
    }
    if (!value || job->options.text[PRIM_AT]) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--to needs --value, and no --at: values from the one to the other are searched");
    }
    job->call.search.to = &job->value[1];
    CLI_TRY(element_read("--to", to, job->type, &job->value[1]));
    if (element_less(job->type, &job->value[1], &job->value[0])) {
        return cli_fail(GF_ERROR_ARGUMENT, "--to is %s, less than --value, which is %s: nothing lies between",
                        to, value);
    }
    return GF_OK;
}

static gf_status prepare(struct prim_job *job)
{
    const char *mode = job->options.text[PRIM_MODE];
    gf_search_options *o = &job->call.search;
    int64_t place = NOWHERE;
    *o = (gf_search_options)GF_SEARCH_OPTIONS_INIT;
    o->mode = (gf_search_mode)(mode ? words_index(MODES, mode) : GF_SEARCH_FIRST);
    o->value = &job->value[0];
    job->array = &o->array;
    CLI_TRY(read_value(job));
    CLI_TRY(read_place(job, &place));
    CLI_TRY(plant(job, place));
    if (o->mode == GF_SEARCH_ALL) {
        job->out[0] = (struct prim_output){job->n <= INT64_C(1) << 32 ? GF_U32 : GF_U64, job->n, PRIM_OUT, 0};
    }
    job->out[1] = (struct prim_output){GF_S64, 1, o->mode == GF_SEARCH_ALL ? 0 : PRIM_OUT, 0};
    return GF_OK;
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_search_scratch(device, &job->call.search, job->n, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    bool all = job->call.search.mode == GF_SEARCH_ALL;
    return gf_search(queue, &job->call.search, m->in[0], job->n, m->out[1], all ? m->out[0] : NULL,
                     all ? job->n : 0, m->scratch, m->scratch_bytes, error);
}

static int64_t extent(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i)
{
    (void)job;
    return i == 0 ? *(const int64_t *)out[1] : 1;
}

/* The first search may stop where it finds: what lies behind need not be read. */
static double traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    int64_t found = *(const int64_t *)out[1], read = job->n;
    if (job->call.search.mode == GF_SEARCH_FIRST && found >= 0) {
        read = found + 1;
    }
    return (double)read * (double)gf_depth_size(job->type) + (double)prim_job_bytes(job, out, 0);
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    const bool first = job->call.search.mode == GF_SEARCH_FIRST;
    int64_t found = *(const int64_t *)out[1];
    if (json) {
        buffer_printf(text, "{\"%s\":%" PRId64 "}", first ? "index" : "count", found);
    } else if (first && found < 0) {
        buffer_add(text, "not there");
    } else {
        buffer_printf(text, first ? "at index %" PRId64 : "%" PRId64 " found", found);
    }
}

const struct prim_driver prim_driver_search = {
    .name = "search",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_AT) | PRIM_TAKES(PRIM_VALUE) | PRIM_TAKES(PRIM_TO) |
             PRIM_TAKES(PRIM_MODE),
    .type = "i32",
    .data = "unique",
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .extent = extent,
    .traffic = traffic,
    .result = result,
};
