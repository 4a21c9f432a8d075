/* Tests of a primitive by words of `gpufilter prim`: every variant against "sequential" for each line, type
 * and size, on guarded memory off any boundary. */
#ifndef TESTS_ARRAY_WORDS_CASE_H
#define TESTS_ARRAY_WORDS_CASE_H

#include "array_job.h"

#include "prim/element.h"

static inline bool words_takes(const struct prim_job *job, const gf_variant *v, gf_device device)
{
    return (v->cuda != 0) == (device >= 0) && (v->types >> job->type & 1) != 0 &&
           (v->max_n == 0 || job->n <= v->max_n);
}

static inline void words_run(struct prim_job *job, const gf_variant *v, gf_device device, const char *line,
                             int turn)
{
    const gf_queue queue = {device, NULL};
    char *found = malloc(array_job_all_bytes(job) + 1);
    static const int32_t blocks[] = {0, 64, 256, 1024, 32};
    const bool block = strstr(v->parameters, "block") != NULL;
    *job->array = (gf_array_options){v->name, job->type, turn % 5, block ? blocks[turn % 5] : 0, 0, 0};
    const void *outs[PRIM_BLOCKS];
    const gf_status status = array_job_run(job, queue, (size_t)(turn % 16), found);
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        outs[i] = found + array_job_place(job, i);
    }
    for (int i = 0; status == GF_OK && i < PRIM_BLOCKS; i++) {
        const void *expected[PRIM_BLOCKS];
        for (int k = 0; k < PRIM_BLOCKS; k++) {
            expected[k] = job->expected[k].data;
        }
        const size_t bytes = prim_job_bytes(job, expected, i);
        CHECK_MSG(prim_job_bytes(job, outs, i) == bytes && !memcmp(outs[i], expected[i], bytes),
                  "%s, %s, n %lld, output %d: not what sequential gives", line, v->name, (long long)job->n,
                  i);
    }
    CHECK_MSG(status == GF_OK || status == GF_ERROR_UNSUPPORTED, "%s, %s: status %d", line, v->name,
              (int)status);
    free(found);
}

/* Each line with each size, on every variant of the device. "special " in front: data with NaN, infinities,
 * extremes. */
static inline void words_check(const char *const *lines, int count, const int64_t *sizes, int size_count,
                               gf_device device)
{
    int turn = 0, runs = 0, jobs = 0;
    for (int l = 0; l < count; l++) {
        const bool special = !strncmp(lines[l], "special ", 8);
        const char *line = lines[l] + (special ? 8 : 0);
        for (int s = 0; s < size_count; s++, turn++) {
            struct prim_job job;
            char *words = NULL;
            if (array_in_slice() && array_job_make(line, sizes[s], special, &job, &words)) {
                const gf_variant *v;
                jobs++;
                for (size_t i = 0; (v = gf_primitive_variant(job.driver->name, i)) != NULL; i++) {
                    if (words_takes(&job, v, device) && strcmp(v->name, "sequential") != 0) {
                        words_run(&job, v, device, line, turn);
                        runs++;
                    }
                }
            }
            if (words) {
                prim_job_destroy(&job);
                free(words);
            }
        }
    }
    CHECK_MSG(runs >= jobs, "%d runs of %d jobs", runs, jobs);
}

static inline void words_cpu(const char *const *lines, int count)
{
    static const int64_t sizes[] = {0, 1, 2, 63, 1025, 8193, 70001};
    words_check(lines, count, sizes, 7, GF_DEVICE_CPU);
}

static inline void words_cuda(const char *const *lines, int count)
{
    static const int64_t small[] = {0, 1, 33, 4097, 21001}, large[] = {0, 1, 4097, 70001, 3000001};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    words_check(lines, count, array_is_emulated() ? small : large, 5, 0);
}

#endif
