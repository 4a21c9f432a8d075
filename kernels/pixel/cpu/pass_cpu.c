/* The driver: gives threads their buffers, marches through tiles. */
#include "pixel/cpu/pass_cpu.h"

#include "base/float_mode.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "base/team.h"
#include "pixel/cpu/cpu_pass.h"

#include <string.h>

/* ---- one thread ---- */

static void give_buffers(struct gf_cpu_tile *tile, const struct gf_cpu_plan *plan, int thread)
{
    char *next =
        (char *)plan->run->scratch + gf_cpu_shared_bytes(plan) + (size_t)thread * gf_cpu_thread_bytes(plan);

    memset(tile, 0, sizeof *tile);
    tile->plan = plan;
    tile->line = next;
    next += plan->line_bytes;
    tile->centre = next;
    next += plan->centre_bytes;
    tile->moved = next;
    next += plan->moved_bytes;
    tile->state = next;
    next += plan->state_bytes;
    tile->row = next;
    next += plan->row_bytes;
    tile->last = next;
    next += plan->row_bytes;
    tile->work = (float *)(void *)next;
    next += gf_cpu_padded(GF_CPU_WORK * sizeof(float));
    for (int i = 0; i < plan->pass->n_taps; i++) {
        tile->taps[i] = next;
        next += plan->tap_bytes[i];
    }
}

/* The row as the post program reads it: the source itself where nothing comes before. */
static const void *row_before_post(const struct gf_cpu_tile *tile, int64_t y, void *wanted)
{
    const struct gf_cpu_plan *plan = tile->plan;
    void *row = wanted ? wanted : tile->row;

    if (plan->has_window) {
        plan->window.emit(tile, y, row);
        return row;
    }
    if (gf_cpu_program_is_copy(&plan->pre)) {
        return gf_cpu_source(tile, tile->x0, y);
    }
    gf_cpu_load(tile, y, tile->x0, tile->x1, row, wanted && plan->streams);
    return row;
}

/* The centre: the window's input. */
static void set_centre(const struct gf_cpu_tile *tile, struct gf_cpu_span *span)
{
    const struct gf_cpu_plan *plan = tile->plan;
    bool copy = gf_cpu_program_is_copy(&plan->pre);
    if (!copy) {
        gf_cpu_load(tile, span->y, tile->x0, tile->x1, tile->centre, false);
    }
    span->operand[GF_OPERAND_CENTRE].data = copy ? gf_cpu_source(tile, tile->x0, span->y) : tile->centre;
    span->operand[GF_OPERAND_CENTRE].depth = copy ? plan->pre.depth_in : plan->window.line;
}

/* Row y of the tile to the picture, or to tile->last where the pass stores none. */
static void make_row(const struct gf_cpu_tile *tile, int64_t y)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_program *post = &plan->pass->post;
    int64_t pixels = tile->x1 - tile->x0;
    int64_t pixel = (int64_t)gf_depth_size(post->depth_out) * post->channels_out;
    void *out = tile->last;

    bool stores = plan->pass->out != GF_NONE;
    if (stores) {
        out = (char *)plan->run->out.data + y * plan->run->out.pitch + tile->x0 * pixel;
    }
    bool copy = gf_cpu_program_is_copy(&plan->post);
    bool streams = copy && plan->has_window && plan->streams;
    const void *row = row_before_post(tile, y, copy && !streams ? out : NULL);
    if (streams) {
        plan->rows->stream(out, row, (size_t)(pixels * pixel));
    } else if (!copy || (row != out && stores &&
                         post->depth_out == GF_F32)) { /* a copied f32 picture becomes canonical */
        struct gf_cpu_span span = {
            .x = tile->x0, .y = y, .n = pixels, .work = tile->work, .streams = plan->streams};
        if (plan->post.reads[GF_OPERAND_CENTRE]) {
            set_centre(tile, &span);
        }
        gf_cpu_set_second(plan, &span);
        gf_cpu_program_run(&plan->post, &span, row, out, post->depth_out);
    } else if (row != out) {
        if (stores && plan->streams) {
            plan->rows->stream(out, row, (size_t)(pixels * pixel));
        } else if (stores) {
            memcpy(out, row, (size_t)(pixels * pixel));
        }
        out = (void *)(uintptr_t)row; /* only read below */
    }
    for (int i = 0; i < plan->pass->n_taps; i++) {
        gf_cpu_tap_row(&plan->taps[i], tile->taps[i], out, tile->x0, y, pixels);
        if (GF_FAULT(tap_twice) && y == tile->y0 && y > 0) {
            gf_cpu_tap_row(&plan->taps[i], tile->taps[i], out, tile->x0, y, pixels);
        }
    }
    if (GF_FAULT(one_pixel) && stores && plan->has_window && tile->x0 == 0 && y == plan->pass->height / 2) {
        ((unsigned char *)out)[pixels / 2 * pixel] ^= 1;
    }
}

static void march(struct gf_cpu_tile *tile)
{
    const struct gf_cpu_plan *plan = tile->plan;
    int64_t radius = plan->has_window ? plan->window.radius_y : 0;
    int64_t channels = plan->has_window ? plan->pass->window.channels_in : plan->pass->pre.channels_out;

    tile->samples = (tile->x1 - tile->x0) * channels;
    int64_t first = tile->y0 - radius + (GF_FAULT(band_seam) && tile->y0 > 0 && radius > 0);
    for (int64_t v = first; v < tile->y1 + radius; v++) {
        if (plan->has_window && plan->window.feed) {
            gf_cpu_fill_line(tile, v);
            plan->window.feed(tile, v);
        }
        if (v >= tile->y0 + radius) {
            make_row(tile, v - radius);
        }
    }
    for (int i = 0; i < plan->pass->n_taps; i++) {
        gf_cpu_tap_end_tile(&plan->taps[i], tile->taps[i], tile->x0, tile->y1, tile->x1 - tile->x0);
    }
    if (plan->streams) {
        plan->rows->fence();
    }
}

static void march_tile(struct gf_cpu_tile *tile, int64_t index)
{
    const struct gf_cpu_plan *plan = tile->plan;
    tile->x0 = index % plan->strips * plan->strip_width;
    tile->x0 += GF_FAULT(strip_seam) && tile->x0 > 0;
    tile->y0 = index / plan->strips * plan->band_height;
    tile->x1 = tile->x0 + plan->strip_width;
    tile->y1 = tile->y0 + plan->band_height;
    tile->x1 = tile->x1 < plan->pass->width ? tile->x1 : plan->pass->width;
    tile->y1 = tile->y1 < plan->pass->height ? tile->y1 : plan->pass->height;
    march(tile);
}

/* ---- all threads ---- */

/* Tiles for whoever has time. */
struct march {
    const struct gf_cpu_plan *plan;
    int64_t next; /* the first tile that nobody has taken; atomic */
};

static void work(void *argument, int thread, int threads)
{
    struct march *all = argument;
    const struct gf_cpu_plan *plan = all->plan;
    int64_t index, tiles = plan->bands * plan->strips;
    struct gf_cpu_tile tile;
    (void)threads;
    gf_float_mode saved;

    gf_float_mode_set(&saved);
    give_buffers(&tile, plan, thread);
    for (int i = 0; i < plan->pass->n_taps; i++) {
        memset(tile.taps[i], 0, plan->taps[i].bytes);
    }
    while ((index = __atomic_fetch_add(&all->next, 1, __ATOMIC_RELAXED)) < tiles) {
        march_tile(&tile, index);
    }
    gf_float_mode_restore(&saved);
}

/* Puts together what `threads` threads have measured. */
static void finish_taps(const struct gf_cpu_plan *plan, int threads)
{
    struct gf_cpu_tile tile;
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    for (int thread = 0; thread < threads; thread++) {
        give_buffers(&tile, plan, thread);
        for (int i = 0; i < plan->pass->n_taps; i++) {
            plan->pass->taps[i].kernel->tap.cpu->merge(&plan->taps[i], tile.taps[i]);
        }
    }
    for (int i = 0; i < plan->pass->n_taps; i++) {
        if (plan->pass->taps[i].kernel->tap.cpu->finish) {
            plan->pass->taps[i].kernel->tap.cpu->finish(&plan->taps[i]);
        }
    }
    gf_float_mode_restore(&saved);
}

/* A phase of what the window needs before its tiles. */
struct phase {
    const struct gf_cpu_plan *plan;
    int number;
};

static void work_on_phase(void *argument, int thread, int threads)
{
    const struct phase *phase = argument;
    struct gf_cpu_tile tile;
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    give_buffers(&tile, phase->plan, thread);
    phase->plan->window.prepare(&tile, phase->number, thread, threads);
    gf_float_mode_restore(&saved);
}

static gf_status check_pass(const struct gf_run *run, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    gf_depth ends[4] = {pass->pre.depth_in, pass->pre.depth_out, pass->post.depth_in, pass->post.depth_out};

    for (int i = 0; i < 4; i++) {
        if (ends[i] != GF_U8 && ends[i] != GF_U16 && ends[i] != GF_F32 && ends[i] != GF_S16) {
            return gf_fail(error, GF_ERROR_UNSUPPORTED, "no pass on the CPU works on %s",
                           gf_depth_name(ends[i]));
        }
    }
    if (run->threads < 1) {
        return gf_fail(error, GF_ERROR_INTERNAL, "a pass on %d threads", (int)run->threads);
    }
    return GF_OK;
}

/* Waking a thread takes some 20 us, in which this many bytes go through a program; a window takes eight times
 * as long for a byte, a tap twice. */
enum { THREAD_BYTES = 1 << 20, WINDOW_WEIGHT = 8, TAP_WEIGHT = 2 };

/* Returns how many threads have enough to do. */
static int threads_worth(const struct gf_cpu_plan *plan, const struct gf_run *run)
{
    uint64_t weight = plan->has_window ? WINDOW_WEIGHT : plan->pass->n_taps > 0 ? TAP_WEIGHT : 1;
    uint64_t worth = 1 + (run->bytes_read + run->bytes_written) * weight / THREAD_BYTES;
    uint64_t tiles = (uint64_t)(plan->bands * plan->strips);
    worth = worth < tiles ? worth : tiles;
    return worth < (uint64_t)run->threads ? (int)worth : run->threads;
}

gf_status gf_pass_cpu(struct gf_run *run, const struct gf_cpu_options *options, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    struct gf_cpu_plan plan;
    char *cells = run->scratch;
    gf_float_mode saved;

    memset(&plan, 0, sizeof plan);
    GF_TRY(check_pass(run, error));
    GF_TRY(gf_cpu_geometry(&plan, pass, run->threads, options, error));
    plan.run = run;
    plan.is_moved = pass->map.move.kernel != NULL;
    if (plan.is_moved) {
        plan.moved = gf_moved_of(run);
    }
    plan.rows = options && options->rows ? options->rows : gf_cpu_rows_best();
    gf_float_mode_set(&saved);
    gf_cpu_program_make(&plan.pre, &pass->pre, run, plan.rows);
    gf_cpu_program_make(&plan.post, &pass->post, run, plan.rows);
    gf_float_mode_restore(&saved);
    if (plan.pre.reads[GF_OPERAND_CENTRE] || (plan.post.reads[GF_OPERAND_CENTRE] && !plan.has_window)) {
        return gf_fail(error, GF_ERROR_INTERNAL,
                       "a program reads the centre of a window that is not before it");
    }
    if ((plan.pre.reads[GF_OPERAND_SECOND] || plan.post.reads[GF_OPERAND_SECOND]) && !run->second.data) {
        return gf_fail(error, GF_ERROR_INTERNAL, "a program reads a second picture that is not there");
    }
    for (int i = 0; i < pass->n_taps; i++) {
        gf_cpu_tap_make(&plan.taps[i], run, i, plan.rows, plan.strip_width,
                        plan.cell_bytes[i] ? (double *)(void *)cells : NULL);
        plan.taps[i].two_values = gf_cpu_program_ends_in_step(&plan.post, plan.taps[i].values);
        cells += plan.cell_bytes[i];
    }
    plan.window_memory = cells;
    for (int number = 0; number < plan.window.phases; number++) {
        struct phase phase = {&plan, number};
        gf_team_run(run->team, run->threads, work_on_phase, &phase);
    }
    uint64_t area = (uint64_t)pass->width * (uint64_t)pass->height;
    run->bytes_read = gf_pass_in_size(pass) + gf_pass_second_size(pass);
    run->bytes_written = pass->out == GF_NONE
                             ? 0
                             : area * (uint64_t)pass->post.channels_out * gf_depth_size(pass->post.depth_out);
    int threads = threads_worth(&plan, run);
    struct march march = {&plan, 0};
    gf_team_run(run->team, threads, work, &march);
    finish_taps(&plan, threads);
    return plan.window.finish ? plan.window.finish(&plan, error) : GF_OK;
}

static size_t rows_scratch(const struct gf_path *path, const struct gf_pass *pass, int32_t threads)
{
    (void)path;
    return gf_pass_cpu_scratch(pass, threads, NULL);
}

static gf_status rows_run(const struct gf_path *path, struct gf_run *run, gf_error *error)
{
    const struct gf_cpu_options options = {.band_height = run->band_rows};
    (void)path;
    return gf_pass_cpu(run, &options, error);
}

const struct gf_path gf_paths_cpu[] = {
    {.name = "upright", .takes = gf_upright_takes, .scratch = gf_upright_scratch, .run = gf_upright_run},
    {.name = "rows", .scratch = rows_scratch, .run = rows_run},
    {0}};

const struct gf_kernel gf_kernel_point = {
    .name = "point",
    .kind = GF_KERNEL_POINT,
    .paths = {.cpu = gf_paths_cpu, .cuda = gf_cuda_paths_point},
};
