/* gpufilter prim compact, gpufilter prim partition */
#include "base/argument_value.h"
#include "base/message.h"
#include "base/words.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RULES "nonzero|eq|ne|lt|le|gt|ge|flags" /* in the order of gf_keep */

/* "ge:128": the rule, and its value into job->value. */
static gf_status read_rule(struct prim_job *job, const char *text)
{
    gf_compact_options *o = &job->call.compact;
    char word[16];
    const char *value = strchr(text, ':');
    snprintf(word, sizeof word, "%.*s", (int)(value ? value - text : (int)sizeof word - 1), text);
    int index = words_index(RULES, word);
    bool takes_value = index != GF_KEEP_NONZERO && index != GF_KEEP_FLAGS;
    if (index < 0) {
        return value_fail_choice("--keep", word, RULES);
    }
    if (takes_value != (value != NULL)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        takes_value ? "--keep is '%s': must have a value, like %s:128"
                                    : "--keep is '%s': %s takes no value",
                        text, word);
    }
    o->keep = (gf_keep)index;
    o->value = value ? &job->value[0] : NULL;
    return value ? element_read("the value of --keep", value + 1, job->type, &job->value[0]) : GF_OK;
}

static gf_status read_flags(struct prim_job *job)
{
    const char *path = job->options.text[PRIM_FLAGS];
    bool wanted = job->call.compact.keep == GF_KEEP_FLAGS;
    if (wanted != (path != NULL)) {
        return cli_fail(GF_ERROR_ARGUMENT, "--keep flags and --flags FILE go together");
    }
    CLI_TRY(path ? prim_array_read(path, false, &job->in[1]) : GF_OK);
    if (path && (job->in[1].type != GF_U8 || job->in[1].n != job->n)) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %" PRId64 " flags of %s, must hold %" PRId64 " of u8",
                        path, job->in[1].n, gf_depth_name(job->in[1].type), job->n);
    }
    return GF_OK;
}

static gf_status prepare(struct prim_job *job)
{
    const char *keep = job->options.text[PRIM_KEEP];
    job->call.compact = (gf_compact_options)GF_COMPACT_OPTIONS_INIT;
    job->call.compact.indices = job->options.text[PRIM_INDICES] != NULL;
    job->call.compact.array.type = job->type;
    job->array = &job->call.compact.array;
    CLI_TRY(read_rule(job, keep ? keep : "nonzero"));
    CLI_TRY(read_flags(job));
    job->out[0] = (struct prim_output){gf_compact_result(&job->call.compact, job->n), job->n, PRIM_OUT, 0};
    job->out[1] = (struct prim_output){GF_U64, 1, 0, 0};
    return GF_OK;
}

/* Half of the elements stay, unless they are compared with a value, which density knows nothing of. */
static const char *data_for(const struct prim_options *options)
{
    const char *keep = options->text[PRIM_KEEP];
    return keep && strchr(keep, ':') ? "random" : "density:0.5";
}

static gf_status scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_compact_scratch(device, &job->call.compact, job->n, bytes, error);
}

static gf_status run(const struct prim_job *job, gf_queue queue, const struct prim_memory *m, gf_error *error)
{
    gf_compact_options options = job->call.compact;
    options.flags = options.keep == GF_KEEP_FLAGS ? m->in[1] : NULL;
    return gf_compact(queue, &options, m->in[0], job->n, m->out[0], job->n, m->out[1], m->scratch,
                      m->scratch_bytes, error);
}

static int64_t extent(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i)
{
    (void)job;
    return i == 0 ? *(const int64_t *)out[1] : 1;
}

static double traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    double flags = job->in[1].data ? (double)job->n : 0;
    return (double)job->n * (double)gf_depth_size(job->type) + flags + (double)prim_job_bytes(job, out, 0);
}

static void result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                   bool json)
{
    const uint64_t count = *(const uint64_t *)out[1];
    if (json) {
        buffer_printf(text, "{\"count\":%" PRIu64 "}", count);
    } else {
        buffer_printf(text, "%" PRIu64 " kept, %.4g%%", count,
                      job->n > 0 ? 100.0 * (double)count / (double)job->n : 0);
    }
}

/* ---- partition ---------------------------------------------------------------------------------- */

static gf_status partition_scratch(const struct prim_job *job, gf_device device, size_t *bytes,
                                   gf_error *error)
{
    return gf_partition_scratch(device, &job->call.compact, job->n, bytes, error);
}

static gf_status run_partition(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                               gf_error *error)
{
    gf_compact_options options = job->call.compact;
    options.flags = options.keep == GF_KEEP_FLAGS ? m->in[1] : NULL;
    return gf_partition(queue, &options, m->in[0], job->n, m->out[0], m->out[1], m->scratch, m->scratch_bytes,
                        error);
}

const struct prim_driver prim_driver_partition = {
    .name = "partition",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_FLAGS) | PRIM_TAKES(PRIM_KEEP) | PRIM_TAKES(PRIM_INDICES),
    .type = "u8",
    .data_for = data_for,
    .prepare = prepare,
    .scratch = partition_scratch,
    .run = run_partition,
    .traffic = traffic,
    .result = result,
};

/* ---- compact ------------------------------------------------------------------------------------ */

const struct prim_driver prim_driver_compact = {
    .name = "compact",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_FLAGS) | PRIM_TAKES(PRIM_KEEP) | PRIM_TAKES(PRIM_INDICES),
    .type = "u8",
    .data_for = data_for,
    .prepare = prepare,
    .scratch = scratch,
    .run = run,
    .extent = extent,
    .traffic = traffic,
    .result = result,
};
