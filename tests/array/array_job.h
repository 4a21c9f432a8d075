/* A job of `gpufilter prim` (cli/prim/prim.h), run on guarded memory: one way to run any variant of any
 * primitive.
 */
#ifndef TESTS_ARRAY_JOB_H
#define TESTS_ARRAY_JOB_H

#include "array_case.h"

#include "prim/prim.h"

/* "scan --op sum --type f32", and n, but where the line has a shape. The job borrows the words, which are
 * malloc'ed: free them after prim_job_destroy. */
static inline bool array_job_parse(const char *line, int64_t n, struct prim_job *job, char **words)
{
    enum { MOST = 24 };
    char *word[MOST], number[32];
    int count = 0;
    struct prim_options options = {.primitive = NULL};
    snprintf(number, sizeof number,
             strstr(line, "--shape") || strstr(line, "--graph") || strstr(line, "--picture") ||
                     strstr(line, "--nx")
                 ? ""
                 : " --n %lld",
             (long long)n);
    *words = malloc(strlen(line) + sizeof number);
    if (!*words) {
        return false;
    }
    strcat(strcpy(*words, line), number);
    for (char *at = strtok(*words, " "); at && count < MOST; at = strtok(NULL, " ")) {
        word[count++] = at;
    }
    return prim_options_read(count, word, &options) == GF_OK && prim_job_create(&options, job) == GF_OK;
}

/* Makes a job, and what "sequential" makes of it. special: the data is ARRAY_SPECIAL, which has no word. */
static inline bool array_job_make(const char *line, int64_t n, bool special, struct prim_job *job,
                                  char **words)
{
    gf_error error = GF_ERROR_INIT;
    bool made = array_job_parse(line, n, job, words);
    if (made && special) {
        array_data_fill(job->in[0].data, job->type, job->n, ARRAY_SPECIAL, 0, 5);
    }
    made = made && prim_job_expect(job, &error) == GF_OK;
    CHECK_MSG(made, "%s: %s", line, error.message);
    return made;
}

static inline size_t array_job_out_bytes(const struct prim_job *job, int i)
{
    return (size_t)job->out[i].n * gf_depth_size(job->out[i].type);
}

/* Where output i begins among all of them: behind those before it, on a boundary of its type. */
static inline size_t array_job_place(const struct prim_job *job, int i)
{
    const size_t size = i < PRIM_BLOCKS ? gf_depth_size(job->out[i].type) : 1;
    const size_t end = i > 0 ? array_job_place(job, i - 1) + array_job_out_bytes(job, i - 1) : 0;
    return (end + size - 1) / size * size;
}

/* The bytes of all outputs, with those between them. */
static inline size_t array_job_all_bytes(const struct prim_job *job)
{
    return array_job_place(job, PRIM_BLOCKS);
}

/* Runs the job as job->array says. Inputs and outputs lie `offset` bytes, as far as their types allow, off a
 * 256-byte boundary, between canaries. out: all outputs, each at its array_job_place; where nothing was
 * written the bytes are the canary's. GF_ERROR_UNSUPPORTED where the variant does not take the job. */
static inline gf_status array_job_run(const struct prim_job *job, gf_queue queue, size_t offset, char *out)
{
    gf_error error = GF_ERROR_INIT;
    struct array_memory in[PRIM_BLOCKS] = {{0}}, to[PRIM_BLOCKS] = {{0}}, scratch = {0};
    struct prim_memory memory = {.scratch = NULL};
    bool made = true;
    gf_status status = job->driver->scratch(job, queue.device, &memory.scratch_bytes, &error);
    if (status != GF_OK) {
        return status;
    }
    made = array_memory_make(&scratch, queue.device, memory.scratch_bytes, 0);
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        size_t from = gf_depth_size(job->in[i].type), size = gf_depth_size(job->out[i].type);
        made = array_memory_make(&in[i], queue.device, (size_t)job->in[i].n * from, offset / from * from) &&
               made;
        made = array_memory_make(&to[i], queue.device, array_job_out_bytes(job, i), offset / size * size) &&
               made;
        if (made && job->in[i].data) {
            array_memory_upload(&in[i], job->in[i].data);
        }
        memory.in[i] = in[i].data;
        memory.out[i] = to[i].data;
    }
    memory.scratch = scratch.data;
    CHECK(made);
    status = made ? job->driver->run(job, queue, &memory, &error) : GF_ERROR_MEMORY;
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s, %s: %s", job->driver->name, job->array->algo, error.message);
    array_memory_end(&scratch, "the scratch");
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        array_memory_download(&to[i], out + array_job_place(job, i));
        array_memory_end(&in[i], "the input");
        array_memory_end(&to[i], "the output");
    }
    return status;
}

#endif
