/* spmv on the CPU: parts of as many rows and entries, which threads take; and the check of a matrix. */
#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/team.h"
#include "linear/spmv_lines.h"

enum { PARTS = 16 /* a thread */, LEAST = 1 << 12 /* rows and entries of a part */ };

struct job {
    const struct gf_spmv_call *call;
    void (*rows)(const struct gf_spmv_call *call, int64_t row, int64_t end);
    int64_t parts;
    int64_t next; /* the first part that nobody has taken */
};

/* The first row of a part: no more than `part` shares of rows and entries lie before it. */
static int64_t row_of(const struct job *job, int64_t part)
{
    const gf_csr *m = &job->call->matrix;
    const int64_t before = gf_array_share(m->rows + m->entries, (int32_t)part, (int32_t)job->parts);
    int64_t low = 0, high = m->rows;
    while (low < high) {
        const int64_t row = low + (high - low) / 2;
        if (m->offsets[row] + row < before) {
            low = row + 1;
        } else {
            high = row;
        }
    }
    return low;
}

static void take(void *argument, int thread, int threads)
{
    struct job *job = argument;
    gf_float_mode saved;
    (void)thread;
    (void)threads;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t part; (part = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < job->parts;) {
        const int64_t end = part + 1 < job->parts ? row_of(job, part + 1) : job->call->matrix.rows;
        job->rows(job->call, row_of(job, part), end);
    }
    gf_float_mode_restore(&saved);
}

gf_status gf_spmv_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_spmv_lines *lines = GF_LEVEL_BEST(&gf_spmv_lines);
    struct job job = {.call = gf_spmv_call_of(array)};
    struct gf_array_call work = *array;
    (void)error;
    work.n = job.call->matrix.rows + job.call->matrix.entries;
    const int32_t threads = gf_array_threads(&work, GF_ARRAY_PAYS);
    const int64_t most = work.n / LEAST + 1;
    job.parts = most < (int64_t)threads * PARTS ? most : (int64_t)threads * PARTS;
    job.rows = array->options.type == GF_F32 ? lines->f32 : lines->f64;
    gf_team_run_once(threads, take, &job);
    return GF_OK;
}

/* ---- The check ----------------------------------------------------------------------------------------- */

static int is_right(const gf_csr *m, int64_t row)
{
    const int64_t first = m->offsets[row], end = m->offsets[row + 1];
    if (first < 0 || end < first || end > m->entries || (row == 0 && first != 0)) {
        return 0;
    }
    for (int64_t e = first; e < end; e++) {
        if (m->indices[e] >= m->columns) {
            return 0;
        }
    }
    return 1;
}

gf_status gf_csr_check_cpu(const struct gf_array_call *array, gf_error *error)
{
    const gf_csr *m = &gf_spmv_call_of(array)->matrix;
    int64_t *bad = array->out, row = 0;
    (void)error;
    while (row < m->rows && is_right(m, row)) {
        row++;
    }
    *bad = row == m->rows && m->offsets[row] == m->entries ? -1 : row;
    return GF_OK;
}
