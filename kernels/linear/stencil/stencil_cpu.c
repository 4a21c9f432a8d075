/* The stencil on the CPU: threads take bands of rows, and a band goes through several steps while its rows
 * are in the core's cache. Step k of them runs a window's reach behind step k - 1, whose last rows it keeps
 * in a ring. The rows that a step needs beyond the band are computed by both neighbours. */
#include "base/cpu_level.h"
#include "base/float_mode.h"
#include "base/gf_border.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"
#include "linear/stencil/stencil_lines.h"

#include <stdbool.h>

enum {
    TOGETHER = 8,               /* steps in one pass at most */
    NEAR = 512 << 10,           /* bytes of the rings of a thread at most */
    TALL = 16,                  /* rows of a band for each row that is computed twice, at least */
    PARTS = 4,                  /* bands a thread */
    LINES = 2 * GF_STENCIL_SIDE /* rows in a ring at most */
};

struct layout {
    int32_t threads;
    int32_t reach;  /* rows that a step lies behind the one before */
    int32_t ring;   /* rows of a ring */
    int64_t row;    /* bytes of a row */
    int64_t passes; /* over the matrix; the i-th does a share of the steps */
    int64_t bands;
    size_t rings; /* bytes of a thread's */
};

struct job {
    const struct gf_stencil_call *call;
    struct layout layout;
    void (*line)(const struct gf_stencil_call *call, const void *const *lines, void *out);
    const char *from;
    char *to, *rings;
    int64_t steps; /* of this pass */
    int64_t next;  /* the first band that nobody has taken */
};

/* Threads that have enough to do: eight products take about as long as an element elsewhere. */
static int32_t threads_for(const struct gf_stencil_call *call)
{
    struct gf_array_call work = call->array;
    const double products = (double)work.n * (double)call->count * (double)call->steps / 8;
    work.n = gf_greatest(work.n, products < 1e18 ? (int64_t)products : INT64_MAX / 2);
    return gf_array_threads(&work, GF_ARRAY_PAYS);
}

static struct layout make_layout(const struct gf_stencil_call *call)
{
    struct layout l = {.threads = threads_for(call), .reach = call->up > call->down ? call->up : call->down};
    l.ring = 2 * l.reach + 1;
    l.row = call->columns * (int64_t)gf_depth_size(call->array.options.type);
    int64_t together = gf_least(call->steps, TOGETHER);
    together = gf_least(together, 1 + NEAR / gf_greatest(1, l.ring * l.row));
    together = gf_least(together, 1 + call->rows / l.threads / (TALL * gf_greatest(1, 2 * l.reach)));
    l.passes = (call->steps + together - 1) / together;
    l.rings = (size_t)((together - 1) * l.ring * l.row);
    l.bands = gf_greatest(1, gf_least((int64_t)l.threads * PARTS,
                                      call->rows / (TALL * gf_greatest(1, 2 * l.reach * together))));
    return l;
}

/* The turns of the passes, and the threads' rings; a size where memory is NULL. */
static size_t lay_out(const struct gf_stencil_call *call, struct layout *l, void *memory, char **rings)
{
    size_t used = 0;
    gf_scratch_take(memory, &used, gf_stencil_turns(&call->array, l->passes));
    l->rings = (l->rings + GF_ARRAY_ALIGNMENT - 1) / GF_ARRAY_ALIGNMENT * GF_ARRAY_ALIGNMENT;
    *rings = gf_scratch_take(memory, &used, l->rings * (size_t)l->threads);
    return used;
}

size_t gf_stencil_cpu_scratch(const struct gf_array_call *array)
{
    struct layout l = make_layout(gf_stencil_call_of(array));
    char *rings;
    return lay_out(gf_stencil_call_of(array), &l, NULL, &rings);
}

/* Row y after step k, in a ring; after step 0 in the input, after the last one in the output. With wrap, rows
 * outside are computed as any other. */
static char *row_at(const struct job *job, char *rings, int64_t k, int64_t y)
{
    const struct layout *l = &job->layout;
    if (k == job->steps) {
        return job->to + y * l->row;
    }
    return rings + ((k - 1) * l->ring + gf_modulo(y, l->ring)) * l->row;
}

/* Finds what row y of step k reads. */
static void lines_of(const struct job *job, char *rings, int64_t k, int64_t y, const void **lines)
{
    const struct gf_stencil_call *call = job->call;
    for (int32_t j = -call->up; j <= call->down; j++) {
        int64_t v = y + j;
        if (k == 1 || call->border != GF_BORDER_WRAP) {
            v = gf_border_index(v, call->rows, call->border);
        }
        const bool outside = v < 0 && call->border == GF_BORDER_CONSTANT;
        lines[j + call->up] = outside  ? NULL
                              : k == 1 ? job->from + v * job->layout.row
                                       : row_at(job, rings, k - 1, v);
    }
}

static void run_band(const struct job *job, char *rings, int64_t first, int64_t end)
{
    const struct gf_stencil_call *call = job->call;
    const int64_t reach = job->layout.reach, steps = job->steps;
    const bool wraps = call->border == GF_BORDER_WRAP;
    const void *lines[LINES];
    for (int64_t front = first - (steps - 1) * reach; front < end + (steps - 1) * reach; front++) {
        for (int64_t k = 1; k <= steps; k++) {
            const int64_t y = front - (k - 1) * reach;
            const int64_t beyond = (steps - k) * reach - (k < steps && GF_FAULT(stencil_band));
            const bool outside = !wraps && (y < 0 || y >= call->rows);
            if (y >= first - beyond && y < end + beyond && !outside) {
                lines_of(job, rings, k, y, lines);
                job->line(call, lines, row_at(job, rings, k, y));
            }
        }
    }
}

static void take(void *argument, int thread, int threads)
{
    struct job *job = argument;
    const struct layout *l = &job->layout;
    char *rings = job->rings + l->rings * (size_t)thread;
    gf_float_mode saved;
    (void)threads;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t band; (band = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED)) < l->bands;) {
        run_band(job, rings, gf_array_share(job->call->rows, (int32_t)band, (int32_t)l->bands),
                 gf_array_share(job->call->rows, (int32_t)band + 1, (int32_t)l->bands));
    }
    gf_float_mode_restore(&saved);
}

gf_status gf_stencil_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_stencil_lines *lines = GF_LEVEL_BEST(&gf_stencil_lines);
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    struct job job = {.call = call, .layout = make_layout(call)};
    (void)error;
    if (array->n == 0) {
        return GF_OK;
    }
    lay_out(call, &job.layout, array->scratch, &job.rings);
    job.line = array->options.type == GF_F32 ? lines->f32 : lines->f64;
    struct gf_team *team = gf_team_create(job.layout.threads);
    for (int64_t i = 0, passes = job.layout.passes; i < passes; i++) {
        job.from = gf_stencil_from(array, i, passes);
        job.to = gf_stencil_to(array, i, passes);
        job.steps = call->steps / passes + (i < call->steps % passes);
        job.next = 0;
        gf_team_run(team, job.layout.threads, take, &job);
    }
    gf_team_destroy(team);
    return GF_OK;
}
