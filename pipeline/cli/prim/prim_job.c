#include "base/argument_value.h"
#include "base/message.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <stdlib.h>
#include <string.h>

/* ---- Inputs ----------------------------------------------------------------------------------- */

gf_status prim_job_read(struct prim_job *job, int i, enum prim_option option, bool matrix)
{
    static const enum prim_option apart[] = {PRIM_N, PRIM_SHAPE, PRIM_DATA, PRIM_SEED};
    const struct prim_options *options = &job->options;
    const char *path = options->text[option], *type = options->text[PRIM_TYPE];
    for (size_t k = 0; k < sizeof apart / sizeof apart[0]; k++) {
        if (options->text[apart[k]]) {
            return cli_fail(GF_ERROR_ARGUMENT, "--%s has elements of its own: leave out --%s",
                            prim_option_table[option].name, prim_option_table[apart[k]].name);
        }
    }
    CLI_TRY(prim_array_read(path, matrix, &job->in[i]));
    if (type && element_type(type) != job->in[i].type) {
        return cli_fail(GF_ERROR_ARGUMENT, "--type is %s, but %s holds %s: leave out --type", type, path,
                        gf_depth_name(job->in[i].type));
    }
    if (i > 0 && job->in[i].type != job->type) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %s, the first array %s: they must be of one type", path,
                        gf_depth_name(job->in[i].type), gf_depth_name(job->type));
    }
    if (i == 0) {
        job->type = job->in[0].type;
        job->n = job->in[0].n;
        job->file = path;
        strcpy(job->recipe.word, "file");
    }
    return GF_OK;
}

gf_status prim_job_recipe(struct prim_job *job)
{
    const struct prim_options *options = &job->options;
    const char *seed = options->text[PRIM_SEED];
    const char *data = job->driver->data_for ? job->driver->data_for(options) : job->driver->data;
    int64_t number = 0;
    job->type = element_type(options->text[PRIM_TYPE] ? options->text[PRIM_TYPE] : job->driver->type);
    CLI_TRY(seed ? value_integer("--seed", seed, 0, INT64_MAX, &number) : GF_OK);
    job->seed = (uint64_t)number;
    return prim_recipe_read(options, data ? data : "random", &job->recipe);
}

gf_status prim_job_make(struct prim_job *job, int i, int64_t rows, int64_t columns)
{
    if (rows > 0 && columns > INT64_MAX / rows) {
        return cli_fail(GF_ERROR_MEMORY, "a matrix of %lld x %lld is more than memory can hold",
                        (long long)rows, (long long)columns);
    }
    const int64_t n = rows > 0 ? rows * columns : columns;
    gf_status status = prim_array_make(&job->recipe, job->type, n, job->seed + (uint64_t)i, &job->in[i]);
    job->in[i].rows = rows;
    return status;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

void prim_job_destroy(struct prim_job *job)
{
    free(job->ids);
    gf_fft_plan_destroy(job->plan);
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

double prim_job_traffic(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    double bytes = 0;
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        bytes += (double)job->in[i].n * (double)gf_depth_size(job->in[i].type) +
                 (double)job->out[i].n * (double)gf_depth_size(job->out[i].type);
    }
    return job->driver->traffic ? job->driver->traffic(job, out) : bytes;
}

void prim_job_forget(struct prim_job *job)
{
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        prim_array_free(&job->expected[i]);
    }
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
