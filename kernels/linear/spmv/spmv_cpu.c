/* spmv on the CPU: parts of as many rows and entries, which threads take; a row of more entries than two
 * parts goes by groups of chains, which threads take, too. And the check of a matrix. */
#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "base/team.h"
#include "linear/spmv/spmv_lines.h"

#include <stdbool.h>

enum { PARTS = 16 /* a thread */, LEAST = 1 << 12 /* rows and entries of a part */ };

struct job {
    const struct gf_spmv_call *call;
    const struct gf_spmv_lines *lines;
    int64_t parts, longest; /* longest: entries of a row that a part takes */
    int64_t next;           /* the first part, or group, that nobody has taken */
    double *sums;           /* of the groups of a long row */
    int64_t row, groups;    /* which; and how many */
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

static void take_rows(struct job *job, int64_t part)
{
    const int64_t end = part + 1 < job->parts ? row_of(job, part + 1) : job->call->matrix.rows;
    const bool single = job->call->array.options.type == GF_F32;
    (single ? job->lines->f32 : job->lines->f64)(job->call, row_of(job, part), end, job->longest);
}

static void take_group(struct job *job, int64_t group)
{
    const int64_t *offsets = job->call->matrix.offsets + job->row;
    const int64_t e = offsets[0] + group * GF_SPMV_GROUP;
    const int64_t stop = offsets[1] - e < GF_SPMV_GROUP ? offsets[1] : e + GF_SPMV_GROUP;
    const bool single = job->call->array.options.type == GF_F32;
    job->sums[group] = (single ? job->lines->part_f32 : job->lines->part_f64)(job->call, e, stop);
}

static void take(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const int64_t n = job->groups ? job->groups : job->parts;
    gf_float_mode saved;
    (void)thread;
    (void)threads;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t i; (i = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < n;) {
        if (job->groups) {
            take_group(job, i);
        } else {
            take_rows(job, i);
        }
    }
    gf_float_mode_restore(&saved);
}

/* Its groups are folded as the chains of one would be: what a group makes is what 256 chains leave behind. */
static void finish_row(const struct job *job)
{
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    if (job->call->array.options.type == GF_F32) {
        struct gf_spmv_fold_f32 fold = {{0}, {0}};
        for (int64_t i = 0; i < job->groups; i++) {
            gf_spmv_fold_add_f32(&fold, (float)job->sums[i]);
        }
        ((float *)job->call->array.out)[job->row] = gf_canonical(gf_spmv_fold_end_f32(&fold));
    } else {
        struct gf_spmv_fold_f64 fold = {{0}, {0}};
        for (int64_t i = 0; i < job->groups; i++) {
            gf_spmv_fold_add_f64(&fold, job->sums[i]);
        }
        ((double *)job->call->array.out)[job->row] = gf_canonical_double(gf_spmv_fold_end_f64(&fold));
    }
    gf_float_mode_restore(&saved);
}

/* A row of more than two parts has the beginning of one inside it, so that looking there finds all. */
static void take_long_rows(struct job *job, struct gf_team *team, int32_t threads)
{
    const int64_t *offsets = job->call->matrix.offsets;
    int64_t done = -1;
    for (int64_t part = 1; part < job->parts; part++) {
        job->row = row_of(job, part) - 1;
        if (job->row <= done || offsets[job->row + 1] - offsets[job->row] <= job->longest) {
            continue;
        }
        done = job->row;
        job->groups = (offsets[done + 1] - offsets[done] + GF_SPMV_GROUP - 1) / GF_SPMV_GROUP;
        job->next = 0;
        gf_team_run(team, threads, take, job);
        finish_row(job);
    }
}

static struct job begin(const struct gf_array_call *array, int32_t *threads)
{
    struct job job = {.call = gf_spmv_call_of(array), .lines = GF_LEVEL_BEST(&gf_spmv_lines)};
    struct gf_array_call work = *array;
    work.n = job.call->matrix.rows + job.call->matrix.entries;
    *threads = gf_array_threads(&work, GF_ARRAY_PAYS);
    const int64_t most = work.n / LEAST + 1;
    job.parts = most < (int64_t)*threads * PARTS ? most : (int64_t)*threads * PARTS;
    job.longest = 2 * (work.n / job.parts + 1);
    job.longest = *threads > 1 && job.longest > GF_SPMV_GROUP ? job.longest : GF_SPMV_GROUP;
    job.longest = *threads > 1 ? job.longest : INT64_MAX;
    return job;
}

size_t gf_spmv_cpu_scratch(const struct gf_array_call *array)
{
    int32_t threads;
    const struct job job = begin(array, &threads);
    const int64_t entries = job.call->matrix.entries;
    return entries > job.longest ? (size_t)(entries / GF_SPMV_GROUP + 1) * sizeof(double) : 0;
}

gf_status gf_spmv_cpu(const struct gf_array_call *array, gf_error *error)
{
    int32_t threads;
    struct job job = begin(array, &threads);
    struct gf_team *team = gf_team_create(threads);
    (void)error;
    gf_team_run(team, threads, take, &job);
    if (job.call->matrix.entries > job.longest) {
        job.sums = array->scratch;
        take_long_rows(&job, team, threads);
    }
    gf_team_destroy(team);
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
