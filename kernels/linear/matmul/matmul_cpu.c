/* matmul on the CPU: B is packed into panels of as many columns as a tile has, all of it at once; then
 * threads take blocks of C, and pack the rows of A for them. A sum is cut into blocks of DEEP steps, between
 * which it waits in C: its order is that of the definition. */
#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"
#include "linear/matmul/matmul_lines.h"
#include "linear/matmul/matmul_slices_cpu.h"

#include <string.h>

enum {
    DEEP = 256, /* elements of a sum at a time; even */
    TALL = 12,  /* tiles of a block of C one above the other: its panels of A stay in the core's cache */
    WIDE = 4,   /* tiles side by side of a block, at least */
    PARTS = 4   /* blocks a thread, at least */
};

/* How the work is cut. */
struct layout {
    const struct gf_matmul_lines *lines;
    int32_t threads;
    int64_t size;             /* bytes of an element of a panel, and of C */
    int64_t block_m, block_n; /* of C: multiples of a tile's sides */
    int64_t across, blocks;   /* blocks of C side by side, and all */
    int64_t panels, deep;     /* panels of B side by side, and blocks of the sum */
    size_t a_bytes, b_bytes;  /* of a thread's panels of A, of all of B */
};

struct job {
    const struct gf_matmul_call *call;
    struct layout layout;
    char *a, *b;  /* panels */
    int64_t next; /* the first block of C, or panel of B, that nobody has taken */
};

/* Steps that k elements take in a panel. */
static int64_t steps_of(const struct gf_matmul_call *call, int64_t k)
{
    return call->array.options.type == GF_U8 ? gf_divide_up(k, 2) : k;
}

/* Threads that have enough to do: sixteen products take about as long as an element elsewhere. */
static int32_t threads_for(const struct gf_matmul_call *call)
{
    struct gf_array_call work = call->array;
    const double products = (double)call->array.n * (double)call->k / 16;
    work.n = products < 1e18 ? (int64_t)products : INT64_MAX / 2;
    return gf_array_threads(&work, GF_ARRAY_PAYS);
}

static struct layout make_layout(const struct gf_matmul_call *call)
{
    const gf_depth type = call->array.options.type;
    struct layout l = {.lines = &GF_LEVEL_BEST(gf_matmul_lines)[type], .threads = threads_for(call)};
    const int64_t rows = l.lines->rows, columns = l.lines->columns;
    l.size = (int64_t)gf_depth_size(gf_matmul_result(type));
    const int64_t down = gf_divide_up(call->m, rows * TALL) > 0 ? gf_divide_up(call->m, rows * TALL) : 1;
    l.block_m = gf_divide_up(gf_divide_up(call->m, down), rows) * rows;
    l.panels = gf_divide_up(call->n, columns);
    const int64_t wanted = l.threads > 1 ? gf_divide_up((int64_t)PARTS * l.threads, down) : 1;
    const int64_t wide = gf_divide_up(l.panels, wanted) > WIDE ? gf_divide_up(l.panels, wanted) : WIDE;
    l.block_n = wide * columns;
    l.across = gf_divide_up(call->n, l.block_n);
    l.blocks = l.across * (call->m > 0 ? gf_divide_up(call->m, l.block_m) : 0);
    l.deep = gf_divide_up(call->k, DEEP);
    /* of the tallest block that so many rows could have: scratch for a product does for any part of it */
    l.a_bytes = (size_t)(gf_least(gf_divide_up(call->m, rows), TALL) * rows * steps_of(call, DEEP) * l.size);
    l.b_bytes = (size_t)(l.panels * columns * steps_of(call, call->k) * l.size);
    return l;
}

/* The thread's panels of A, and those of B; a size where memory is NULL. */
static size_t lay_out(struct job *job, void *memory)
{
    size_t used = 0;
    const size_t each =
        (job->layout.a_bytes + GF_ARRAY_ALIGNMENT - 1) / GF_ARRAY_ALIGNMENT * GF_ARRAY_ALIGNMENT;
    job->layout.a_bytes = each;
    job->a = gf_scratch_take(memory, &used, each * (size_t)job->layout.threads);
    job->b = gf_scratch_take(memory, &used, job->layout.b_bytes);
    return used;
}

/* ---- Panels of B ------------------------------------------------------------------------------- */

/* Returns where the panel begins that holds the columns of tile `tile` in block `deep` of the sum. */
static char *panel_of_b(const struct job *job, int64_t deep, int64_t tile)
{
    const struct layout *l = &job->layout;
    const struct gf_matmul_call *call = job->call;
    const int64_t here = steps_of(call, gf_least(DEEP, call->k - deep * DEEP));
    const int64_t before = deep * steps_of(call, DEEP) * l->panels;
    return job->b + (before + tile * here) * l->lines->columns * l->size;
}

static void pack_b(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const struct gf_matmul_call *call = job->call;
    const struct layout *l = &job->layout;
    const int64_t element = (int64_t)gf_depth_size(call->array.options.type);
    (void)thread;
    (void)threads;
    for (int64_t at; (at = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < l->deep * l->panels;) {
        const int64_t deep = at / l->panels, tile = at % l->panels;
        const int64_t column = tile * l->lines->columns, row = deep * DEEP;
        const struct gf_matmul_panel panel = {
            .from = (const char *)call->b.data + (row * call->b.row + column * call->b.column) * element,
            .along = call->b.column,
            .deep = call->b.row,
            .k = gf_least(DEEP, call->k - row),
            .count = (int32_t)gf_least(l->lines->columns, call->n - column),
            .lanes = l->lines->columns,
            .is_signed = call->signed_b,
        };
        l->lines->pack(&panel, panel_of_b(job, deep, tile));
    }
}

/* ---- Blocks of C --------------------------------------------------------------------------------- */

/* A rectangle of C, and what a thread has for it. */
struct block {
    int64_t row, column, rows, columns;
    char *a;
};

static void pack_a(const struct job *job, const struct block *block, int64_t deep)
{
    const struct gf_matmul_call *call = job->call;
    const struct gf_matmul_lines *lines = job->layout.lines;
    const int64_t element = (int64_t)gf_depth_size(call->array.options.type);
    const int64_t k = gf_least(DEEP, call->k - deep * DEEP), steps = steps_of(call, k);
    for (int64_t i = 0; i < block->rows; i += lines->rows) {
        const int64_t first = (block->row + i) * call->a.row + deep * DEEP * call->a.column;
        const struct gf_matmul_panel panel = {
            .from = (const char *)call->a.data + first * element,
            .along = call->a.row,
            .deep = call->a.column,
            .k = k,
            .count = (int32_t)gf_least(lines->rows, block->rows - i),
            .lanes = lines->rows,
            .is_signed = call->signed_a,
        };
        lines->pack(&panel, block->a + i * steps * job->layout.size);
    }
}

/* The part of a tile that lies in C, by way of memory where all of a tile has room. */
static void edge_tile(const struct job *job, int64_t steps, const char *a, const char *b, char *c,
                      int64_t rows, int64_t columns, int32_t first)
{
    const struct gf_matmul_lines *lines = job->layout.lines;
    const size_t size = (size_t)job->layout.size, row = (size_t)lines->columns * size;
    _Alignas(64) char whole[GF_MATMUL_TILE_BYTES] = {0};
    for (int64_t i = 0; !first && i < rows; i++) {
        memcpy(whole + (size_t)i * row, c + (size_t)(i * job->call->ldc) * size, (size_t)columns * size);
    }
    lines->tile(steps, a, b, whole, lines->columns, first);
    for (int64_t i = 0; i < rows; i++) {
        memcpy(c + (size_t)(i * job->call->ldc) * size, whole + (size_t)i * row, (size_t)columns * size);
    }
}

/* Adds one block of the sum. */
static void add_block(const struct job *job, const struct block *block, int64_t deep)
{
    const struct gf_matmul_call *call = job->call;
    const struct gf_matmul_lines *lines = job->layout.lines;
    const int64_t size = job->layout.size, steps = steps_of(call, gf_least(DEEP, call->k - deep * DEEP));
    const int32_t first = deep == GF_FAULT(matmul_block);
    for (int64_t j = 0; j < block->columns; j += lines->columns) {
        const char *b = panel_of_b(job, deep, (block->column + j) / lines->columns);
        for (int64_t i = 0; i < block->rows; i += lines->rows) {
            const char *a = block->a + i * steps * size;
            char *c = (char *)call->array.out + ((block->row + i) * call->ldc + block->column + j) * size;
            const int64_t rows = gf_least(lines->rows, block->rows - i), columns = block->columns - j;
            if (rows == lines->rows && columns >= lines->columns) {
                lines->tile(steps, a, b, c, call->ldc, first);
            } else {
                edge_tile(job, steps, a, b, c, rows, gf_least(lines->columns, columns), first);
            }
        }
    }
}

/* A sum of nothing is 0. */
static void finish_block(const struct job *job, const struct block *block)
{
    const struct gf_matmul_call *call = job->call;
    for (int64_t i = 0; i < block->rows; i++) {
        const int64_t at = (block->row + i) * call->ldc + block->column;
        char *c = (char *)call->array.out + at * job->layout.size;
        if (call->k == 0) {
            memset(c, 0, (size_t)(block->columns * job->layout.size));
        }
        job->layout.lines->finish(c, block->columns);
    }
}

static void multiply(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const struct gf_matmul_call *call = job->call;
    const struct layout *l = &job->layout;
    gf_float_mode saved;
    (void)threads;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t at; (at = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < l->blocks;) {
        struct block block = {.row = at / l->across * l->block_m,
                              .column = at % l->across * l->block_n,
                              .a = job->a + (size_t)thread * l->a_bytes};
        block.rows = gf_least(l->block_m, call->m - block.row);
        block.columns = gf_least(l->block_n, call->n - block.column);
        for (int64_t deep = 0; deep < l->deep; deep++) {
            pack_a(job, &block, deep);
            add_block(job, &block, deep);
        }
        finish_block(job, &block);
    }
    gf_float_mode_restore(&saved);
}

/* ---- The variant ----------------------------------------------------------------------------------- */

static void run(struct job *job)
{
    struct gf_team *team = gf_team_create(job->layout.threads);
    gf_team_run(team, job->layout.threads, pack_b, job);
    job->next = 0;
    gf_team_run(team, job->layout.threads, multiply, job);
    gf_team_destroy(team);
}

/* A batch: threads take one product after the other. */
struct batch {
    const struct gf_matmul_call *call;
    char *scratch;
    size_t each; /* scratch of a thread */
    int64_t next;
};

static struct gf_matmul_call alone(const struct gf_matmul_call *call, int64_t product)
{
    struct gf_matmul_call one = gf_matmul_product(call, product);
    one.array.options.threads = 1;
    return one;
}

static void multiply_batch(void *argument, int thread, int threads)
{
    enum { AT_ONCE = 16 };
    struct batch *batch = argument;
    const struct gf_matmul_call *call = batch->call;
    struct gf_matmul_call one = alone(call, 0);
    struct job job = {.call = &one, .layout = make_layout(&one)}; /* the same for all */
    (void)threads;
    lay_out(&job, batch->scratch + (size_t)thread * batch->each);
    for (int64_t at; (at = __atomic_fetch_add(&batch->next, AT_ONCE, __ATOMIC_RELAXED)) < call->batch;) {
        for (int64_t i = at; i < gf_least(at + AT_ONCE, call->batch); i++) {
            one = alone(call, i);
            job.next = 0;
            pack_b(&job, 0, 1);
            job.next = 0;
            multiply(&job, 0, 1);
        }
    }
}

size_t gf_matmul_chain_cpu_scratch(const struct gf_array_call *array)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    const struct gf_matmul_call one = alone(call, 0);
    struct job job = {.call = call->batch > 1 ? &one : call};
    job.layout = make_layout(job.call);
    return lay_out(&job, NULL) * (size_t)(call->batch > 1 ? threads_for(call) : 1);
}

gf_status gf_matmul_chain_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    const struct gf_matmul_call one = alone(call, 0);
    struct job job = {.call = call->batch > 1 ? &one : call};
    (void)error;
    job.layout = make_layout(job.call);
    if (call->batch == 1) {
        lay_out(&job, array->scratch);
        run(&job);
    } else if (array->n > 0) {
        struct batch batch = {.call = call, .scratch = array->scratch, .each = lay_out(&job, NULL)};
        gf_team_run_once(threads_for(call), multiply_batch, &batch);
    }
    return GF_OK;
}

size_t gf_matmul_cpu_scratch(const struct gf_array_call *array)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    return call->slices > 0 ? gf_matmul_slices_cpu_scratch(call) : gf_matmul_chain_cpu_scratch(array);
}

gf_status gf_matmul_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_matmul_call *call = gf_matmul_call_of(array);
    return call->slices > 0 ? gf_matmul_slices_cpu(call, error) : gf_matmul_chain_cpu(array, error);
}
