/* The product with slices on the CPU: scales, then panels of all of A and B, then threads take blocks of C.
 * Sums of 64 bits wait between two parts of k. Chains come first, for all that lies between the first and the
 * last side that is plain; the rest is written over them. */
#include "linear/matmul/matmul_slices_cpu.h"

#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"
#include "linear/matmul/matmul_slices_lines.h"

#include <string.h>

enum { TALL = 16, WIDE = 4 }; /* tiles of a block of C: one above the other, side by side */

/* The rows of A, or the columns of B. */
struct sides {
    const float *data;
    int64_t count, along, deep; /* of the matrix, as in gf_slices_panel */
    int32_t lanes;
    int64_t panels, words; /* panels side by side, words of one of GF_SLICES_DEEP steps */
    void (*pack)(const struct gf_slices_panel *panel, uint32_t *to);
    int32_t *scales;
    uint32_t *packed;
    int64_t plain, first, last; /* sides that are plain: how many, and from where to where */
};

struct job {
    const struct gf_matmul_call *call;
    const struct gf_slices_lines *lines;
    gf_slices_look_lines *look;
    int32_t threads;
    struct sides a, b;
    int64_t *sums; /* a block of C for each thread */
    int64_t next;  /* the first piece of work that nobody has taken */
    void *rest;    /* scratch of the chains */
    size_t rest_bytes;
};

static int64_t take(struct job *job)
{
    return __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
}

static void choose_lines(struct job *job)
{
    const int32_t at = job->call->slices - GF_SLICES_LEAST;
    job->lines = &GF_LEVEL_BEST(gf_slices_lines)[at];
    job->look = GF_LEVEL_BEST(gf_slices_look);
#if defined(__x86_64__) && !defined(GF_ROWS_BASELINE_ONLY)
    if (gf_cpu_level() == GF_CPU_AVX512 && __builtin_cpu_supports("avx512vnni")) {
        job->lines = &gf_slices_lines_vnni[at];
    }
#endif
}

static struct gf_array_call chain_of(const struct job *job, struct gf_matmul_call *chain)
{
    *chain = *job->call;
    chain->slices = 0;
    chain->plain = NULL;
    return chain->array;
}

/* Lays out what is where; returns the size, and does no more where memory is NULL. */
static size_t lay_out(struct job *job, const struct gf_matmul_call *call, void *memory)
{
    struct gf_array_call work = call->array;
    const double products = (double)work.n * (double)call->k / 8;
    size_t used = 0;
    *job = (struct job){.call = call};
    choose_lines(job);
    work.n = products < 1e18 ? (int64_t)products : INT64_MAX / 2;
    job->threads = gf_array_threads(&work, GF_ARRAY_PAYS);
    job->a = (struct sides){.data = call->a.data,
                            .count = call->m,
                            .along = call->a.row,
                            .deep = call->a.column,
                            .lanes = job->lines->rows,
                            .pack = job->lines->pack_a};
    job->b = (struct sides){.data = call->b.data,
                            .count = call->n,
                            .along = call->b.column,
                            .deep = call->b.row,
                            .lanes = job->lines->columns,
                            .pack = job->lines->pack_b};
    struct sides *const both[] = {&job->a, &job->b};
    for (int i = 0; i < 2; i++) {
        struct sides *s = both[i];
        s->panels = gf_divide_up(s->count, s->lanes);
        s->words = (int64_t)GF_SLICES_DEEP / job->lines->together * call->slices * s->lanes;
        s->words += i == 0 ? job->lines->after : 0;
        s->scales = gf_scratch_take(memory, &used, (size_t)s->count * sizeof *s->scales);
        s->packed = gf_scratch_take(memory, &used,
                                    (size_t)(s->panels * gf_divide_up(call->k, GF_SLICES_DEEP) * s->words) *
                                        sizeof *s->packed);
    }
    const int64_t block = (int64_t)TALL * job->a.lanes * WIDE * job->b.lanes;
    job->sums = gf_scratch_take(memory, &used, (size_t)(job->threads * block) * sizeof *job->sums);
    struct gf_matmul_call chain;
    chain_of(job, &chain);
    job->rest_bytes = gf_matmul_chain_cpu_scratch(&chain.array);
    job->rest = gf_scratch_take(memory, &used, job->rest_bytes);
    return used;
}

/* ---- Scales -------------------------------------------------------------------------------------- */

static void find_scales(struct job *job, struct sides *s, int64_t first)
{
    struct gf_slices_side seen[GF_SLICES_LANES];
    const struct gf_slices_panel panel = {.from = s->data + first * s->along,
                                          .along = s->along,
                                          .deep = s->deep,
                                          .k = job->call->k,
                                          .count = (int32_t)gf_least(GF_SLICES_LANES, s->count - first)};
    job->look(&panel, seen);
    for (int32_t r = 0; r < panel.count; r++) {
        s->scales[first + r] = gf_slices_scale(seen[r], job->call->slices);
    }
}

static void look_at_all(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const int64_t rows = gf_divide_up(job->a.count, GF_SLICES_LANES),
                  columns = gf_divide_up(job->b.count, GF_SLICES_LANES);
    (void)thread;
    (void)threads;
    for (int64_t at; (at = take(job)) < rows + columns;) {
        if (at < rows) {
            find_scales(job, &job->a, at * GF_SLICES_LANES);
        } else {
            find_scales(job, &job->b, (at - rows) * GF_SLICES_LANES);
        }
    }
}

static void count_plain(struct sides *s)
{
    for (int64_t i = 0; i < s->count; i++) {
        if (s->scales[i] == GF_SLICES_PLAIN) {
            s->first = s->plain > 0 ? s->first : i;
            s->last = i;
            s->plain++;
        }
    }
}

/* ---- Chains ---------------------------------------------------------------------------------------- */

/* Adds chains for the rows and columns from a first one on. */
static gf_status add_chains(const struct job *job, int64_t row, int64_t rows, int64_t column, int64_t columns,
                            gf_error *error)
{
    struct gf_matmul_call c;
    chain_of(job, &c);
    c.m = rows;
    c.n = columns;
    c.array.n = rows * columns;
    c.a.data = (const float *)c.a.data + row * c.a.row;
    c.b.data = (const float *)c.b.data + column * c.b.column;
    c.array.out = (float *)c.array.out + row * c.ldc + column;
    c.array.scratch = job->rest;
    c.array.scratch_bytes = job->rest_bytes;
    return gf_matmul_chain_cpu(&c.array, error);
}

static gf_status all_chains(const struct job *job, gf_error *error)
{
    const struct sides *a = &job->a, *b = &job->b;
    if (a->plain > 0) {
        GF_TRY(add_chains(job, a->first, a->last + 1 - a->first, 0, b->count, error));
    }
    if (b->plain > 0) {
        GF_TRY(add_chains(job, 0, a->count, b->first, b->last + 1 - b->first, error));
    }
    return GF_OK;
}

/* ---- Panels ------------------------------------------------------------------------------------------ */

static uint32_t *panel_of(const struct sides *s, int64_t deep, int64_t panel)
{
    return s->packed + (deep * s->panels + panel) * s->words;
}

static void pack_panel(const struct job *job, const struct sides *s, int64_t at)
{
    const int64_t deep = at / s->panels, first = at % s->panels * s->lanes;
    const struct gf_slices_panel panel = {
        .from = s->data + first * s->along + deep * GF_SLICES_DEEP * s->deep,
        .along = s->along,
        .deep = s->deep,
        .k = gf_least(GF_SLICES_DEEP, job->call->k - deep * GF_SLICES_DEEP),
        .scales = s->scales + first,
        .count = (int32_t)gf_least(s->lanes, s->count - first),
        .lanes = s->lanes,
    };
    s->pack(&panel, panel_of(s, deep, at % s->panels));
}

static void pack_all(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const int64_t deep = gf_divide_up(job->call->k, GF_SLICES_DEEP);
    const int64_t of_a = deep * job->a.panels, of_b = deep * job->b.panels;
    gf_float_mode saved;
    (void)thread;
    (void)threads;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t at; (at = take(job)) < of_a + of_b;) {
        if (at < of_a) {
            pack_panel(job, &job->a, at);
        } else {
            pack_panel(job, &job->b, at - of_a);
        }
    }
    gf_float_mode_restore(&saved);
}

/* ---- Blocks of C --------------------------------------------------------------------------------- */

/* A rectangle of tiles of C. */
struct block {
    int64_t row, rows, column, columns; /* in tiles */
    int64_t *sums, ld;
};

static void add_block(const struct job *job, const struct block *block)
{
    const int64_t k = job->call->k;
    memset(block->sums, 0, (size_t)(block->rows * job->a.lanes * block->ld) * sizeof *block->sums);
    for (int64_t deep = GF_FAULT(slices_part); deep < gf_divide_up(k, GF_SLICES_DEEP); deep++) {
        const int64_t words =
            gf_divide_up(gf_least(GF_SLICES_DEEP, k - deep * GF_SLICES_DEEP), job->lines->together);
        for (int64_t j = 0; j < block->columns; j++) {
            const uint32_t *b = panel_of(&job->b, deep, block->column + j);
            for (int64_t i = 0; i < block->rows; i++) {
                job->lines->tile(words, panel_of(&job->a, deep, block->row + i), b,
                                 block->sums + i * job->a.lanes * block->ld + j * job->b.lanes, block->ld);
            }
        }
    }
}

static void finish_block(const struct job *job, const struct block *block)
{
    const int64_t row = block->row * job->a.lanes, column = block->column * job->b.lanes;
    const int64_t rows = gf_least(block->rows * job->a.lanes, job->a.count - row);
    const int64_t columns = gf_least(block->columns * job->b.lanes, job->b.count - column);
    for (int64_t i = 0; i < rows; i++) {
        float *c = (float *)job->call->array.out + (row + i) * job->call->ldc + column;
        if (job->a.scales[row + i] != GF_SLICES_PLAIN) {
            job->lines->finish(block->sums + i * block->ld, columns, job->a.scales[row + i],
                               job->b.scales + column, c);
        }
    }
}

static void multiply(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const int64_t across = gf_divide_up(job->b.panels, WIDE),
                  blocks = across * gf_divide_up(job->a.panels, TALL);
    const int64_t ld = (int64_t)WIDE * job->b.lanes;
    gf_float_mode saved;
    (void)threads;
    gf_float_mode_set(&saved);
    for (int64_t at; (at = take(job)) < blocks;) {
        struct block block = {.row = at / across * TALL,
                              .column = at % across * WIDE,
                              .sums = job->sums + thread * TALL * job->a.lanes * ld,
                              .ld = ld};
        block.rows = gf_least(TALL, job->a.panels - block.row);
        block.columns = gf_least(WIDE, job->b.panels - block.column);
        add_block(job, &block);
        finish_block(job, &block);
    }
    gf_float_mode_restore(&saved);
}

/* ---- All of it ------------------------------------------------------------------------------------- */

size_t gf_matmul_slices_cpu_scratch(const struct gf_matmul_call *call)
{
    struct job job;
    return lay_out(&job, call, NULL);
}

gf_status gf_matmul_slices_cpu(const struct gf_matmul_call *call, gf_error *error)
{
    struct job job;
    lay_out(&job, call, call->array.scratch);
    struct gf_team *team = gf_team_create(job.threads);
    gf_team_run(team, job.threads, look_at_all, &job);
    count_plain(&job.a);
    count_plain(&job.b);
    if (call->plain) {
        call->plain[0] = job.a.plain;
        call->plain[1] = job.b.plain;
    }
    const gf_status status = all_chains(&job, error);
    if (status == GF_OK && job.a.plain < job.a.count && job.b.plain < job.b.count) {
        job.next = 0;
        gf_team_run(team, job.threads, pack_all, &job);
        job.next = 0;
        gf_team_run(team, job.threads, multiply, &job);
    }
    gf_team_destroy(team);
    return status;
}
