#include "argument_value.h"
#include "element.h"
#include "message.h"
#include "prim.h"

#include <stdlib.h>
#include <string.h>

#define USUAL_N "16M"

/* ---- Drivers -------------------------------------------------------------------------------- */

extern const struct prim_driver prim_driver_reduce, prim_driver_scan, prim_driver_compact, prim_driver_sort,
    prim_driver_merge, prim_driver_histogram, prim_driver_search;

const struct prim_driver *prim_driver_find(const char *name)
{
    static const struct prim_driver *const drivers[] = {
        &prim_driver_reduce, &prim_driver_scan,      &prim_driver_compact, &prim_driver_sort,
        &prim_driver_merge,  &prim_driver_histogram, &prim_driver_search,
    };
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        if (!strcmp(drivers[i]->name, name)) {
            return drivers[i];
        }
    }
    return NULL;
}

/* ---- The input ------------------------------------------------------------------------------ */

static gf_status read_first(struct prim_job *job)
{
    static const enum prim_option apart[] = {PRIM_N, PRIM_DATA, PRIM_SEED};
    const struct prim_options *options = &job->options;
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++) {
        if (options->text[apart[i]]) {
            return cli_fail(GF_ERROR_ARGUMENT, "--in has elements of its own: leave out --%s",
                            prim_option_table[apart[i]].name);
        }
    }
    gf_status status = prim_array_read(options->text[PRIM_IN], &job->in[0]);
    if (status == GF_OK && options->text[PRIM_TYPE] &&
        element_type(options->text[PRIM_TYPE]) != job->in[0].type) {
        status = cli_fail(GF_ERROR_ARGUMENT, "--type is %s, but %s holds %s: leave out --type",
                          options->text[PRIM_TYPE], options->text[PRIM_IN], gf_depth_name(job->in[0].type));
    }
    job->type = job->in[0].type;
    job->n = job->in[0].n;
    strcpy(job->recipe.word, "file");
    return status;
}

static gf_status make_first(struct prim_job *job)
{
    const struct prim_options *options = &job->options;
    const char *n = options->text[PRIM_N] ? options->text[PRIM_N] : USUAL_N;
    const char *seed = options->text[PRIM_SEED];
    const char *data = job->driver->data_for ? job->driver->data_for(options) : job->driver->data;
    int64_t number = 0;
    job->type = element_type(options->text[PRIM_TYPE] ? options->text[PRIM_TYPE] : job->driver->type);
    gf_status status = prim_count("--n", n, 0, &job->n);
    status = status == GF_OK && seed ? value_integer("--seed", seed, 0, INT64_MAX, &number) : status;
    job->seed = (uint64_t)number;
    status = status == GF_OK ? prim_recipe_read(options, data, &job->recipe) : status;
    return status == GF_OK ? prim_array_make(&job->recipe, job->type, job->n, job->seed, &job->in[0])
                           : status;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

gf_status prim_job_create(const struct prim_options *options, struct prim_job *job)
{
    *job = (struct prim_job){.options = *options, .driver = prim_driver_find(options->primitive)};
    gf_status status = prim_options_check(options);
    for (int i = 0; status == GF_OK && i < 2; i++) {
        const char *file = options->text[i ? PRIM_VALUES_OUT : PRIM_OUT];
        status = file ? prim_array_check_name(file) : GF_OK;
    }
    if (status == GF_OK) {
        status = options->text[PRIM_IN] ? read_first(job) : make_first(job);
    }
    status = status == GF_OK ? job->driver->prepare(job) : status;
    if (status == GF_OK) {
        job->array->type = job->type;
    }
    for (int i = 0; status == GF_OK && i < PRIM_BLOCKS; i++) {
        const char *file = job->out[i].file ? options->text[job->out[i].file] : NULL;
        if (!file && i == 0 && options->text[PRIM_OUT]) {
            status = cli_fail(GF_ERROR_ARGUMENT, "%s has one value as its result: leave out --out",
                              job->driver->name);
        }
    }
    return status;
}

void prim_job_destroy(struct prim_job *job)
{
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        prim_array_free(&job->in[i]);
        prim_array_free(&job->expected[i]);
    }
}

int64_t prim_job_extent(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i)
{
    int64_t written = job->driver->extent ? job->driver->extent(job, out, i) : job->out[i].n;
    return written < 0 ? 0 : written < job->out[i].n ? written : job->out[i].n;
}

size_t prim_job_bytes(const struct prim_job *job, const void *const out[PRIM_BLOCKS], int i)
{
    return (size_t)prim_job_extent(job, out, i) * gf_depth_size(job->out[i].type);
}

gf_status prim_job_expect(struct prim_job *job, gf_error *error)
{
    struct prim_memory memory = {.scratch = NULL};
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    const gf_array_options before = *job->array;
    if (job->expected[0].data) {
        return GF_OK;
    }
    *job->array = (gf_array_options){.algo = "sequential", .type = job->type};
    gf_status status = job->driver->scratch(job, GF_DEVICE_CPU, &memory.scratch_bytes, error);
    if (status == GF_OK && memory.scratch_bytes > 0) {
        status = gf_memory_allocate(GF_DEVICE_CPU, memory.scratch_bytes, &memory.scratch, error);
    }
    for (int i = 0; status == GF_OK && i < PRIM_BLOCKS; i++) {
        memory.in[i] = job->in[i].data;
        status = prim_array_create(job->out[i].type, job->out[i].n, &job->expected[i], error);
        memory.out[i] = job->expected[i].data;
    }
    status = status == GF_OK ? job->driver->run(job, queue, &memory, error) : status;
    gf_memory_release(GF_DEVICE_CPU, memory.scratch);
    for (int i = 0; status != GF_OK && i < PRIM_BLOCKS; i++) {
        prim_array_free(&job->expected[i]);
    }
    *job->array = before;
    return status;
}
