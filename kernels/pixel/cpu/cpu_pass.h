/* What the files of the CPU executor share: see pass_cpu.h. */
#pragma once

#include "pixel/cpu/cpu_program.h"
#include "pixel/cpu/cpu_tap.h"
#include "pixel/cpu/pass_cpu.h"
#include "pixel/ir/move.h"

struct gf_cpu_plan;
struct gf_cpu_tile;

/* The format of a window's lines. */
enum gf_cpu_lines {
    GF_CPU_LINES_SAME,  /* that of the samples that it reads */
    GF_CPU_LINES_BYTES, /* of u8 the same, of others f32 */
    GF_CPU_LINES_F32
};

/* gf_cpu_window.depths of what keeps the depth. */
#define GF_CPU_SAME_DEPTHS                                                                                   \
    {                                                                                                        \
        [GF_U8] = 1 << GF_U8, [GF_U16] = 1 << GF_U16, [GF_F32] = 1 << GF_F32                                 \
    }

/* A window. It begins as its kernel's entry has it; then pass, upright, line and radius are filled in, and
 * `describe` changes what is not the same in every pass. The ring and whatever else a tile needs is its
 * "state". */
struct gf_cpu_window {
    uint16_t depths[GF_F32 + 1]; /* of depth_in: what it may become, as bits 1 << depth_out */
    int32_t channels;            /* the most that it takes; 0: any */
    enum gf_cpu_lines lines;
    /* Allocates nothing. NULL: all passes are alike. */
    gf_status (*describe)(const struct gf_pass *pass, struct gf_cpu_window *window, gf_error *error);

    const struct gf_pass *pass;
    bool upright;  /* the pass was turned, see cpu_upright.c */
    gf_depth line; /* format of the extended line */
    int64_t radius_x, radius_y;
    int64_t ring_budget; /* bytes of state that a strip should not exceed; 0: half a MiB */
    bool in_parts;       /* feed takes the line in parts */
    /* Bytes of state for a strip of that many input samples and its line, which is 2 radius_x pixels longer.
     */
    size_t (*state_bytes)(const struct gf_cpu_window *window, int64_t samples, int64_t line_samples);
    /* What comes before all tiles: a number of phases, each done by all threads, over memory that they share.
     * `prepare` does a thread's part of one. */
    int phases;
    size_t shared_bytes;
    void (*prepare)(const struct gf_cpu_tile *tile, int phase, int thread, int threads);
    /* Takes virtual row v: tile->line, or where in_parts tile->parts; v rises by one from y0 - radius_y.
     * NULL: emit reads what was prepared. */
    void (*feed)(const struct gf_cpu_tile *tile, int64_t v);
    /* Gives row y of the window's output; row y + radius_y was fed last. f32 rows are canonical. */
    void (*emit)(const struct gf_cpu_tile *tile, int64_t y, void *out);
    /* Says, after all tiles, how that went. NULL: it cannot fail. */
    gf_status (*finish)(const struct gf_cpu_plan *plan, gf_error *error);

    struct gf_args own; /* what the kernel alone has found out */
};

/* A pass made ready: read only while threads work. */
struct gf_cpu_plan {
    struct gf_run *run;
    const struct gf_pass *pass;
    const struct gf_cpu_rows *rows;
    bool has_window;
    bool streams;          /* stores past the caches */
    bool is_moved;         /* the pass loads through a move, */
    struct gf_moved moved; /* this one */
    struct gf_cpu_window window;
    void *window_memory; /* shared_bytes of it */
    struct gf_cpu_program pre, post;
    int64_t band_height, strip_width; /* of a tile; the last ones are smaller */
    int64_t bands, strips;
    size_t line_bytes, state_bytes, row_bytes, centre_bytes, moved_bytes; /* of a thread's buffers */
    size_t tap_bytes[GF_MAX_PASS_TAPS], cell_bytes[GF_MAX_PASS_TAPS];
    struct gf_cpu_tap taps[GF_MAX_PASS_TAPS];
};

/* A stretch of a virtual row, in the line or, away from the borders, in the picture itself. */
struct gf_cpu_part {
    const void *line; /* begins radius_x pixels left of the stretch */
    int64_t from, n;  /* pixels from x0 on */
};

/* What one thread holds: its buffers, and the tile it is at. */
struct gf_cpu_tile {
    const struct gf_cpu_plan *plan;
    int64_t x0, x1, y0, y1; /* pixels [x0, x1) of rows [y0, y1) */
    int64_t samples;        /* of a row of the tile, as the window reads it */
    void *line, *state;
    struct gf_cpu_part parts[3]; /* of the row that is fed */
    int n_parts;
    const void *ahead; /* for functions that read the line: see cpu_rows.h */
    void *row, *last;  /* the row before the post program, and after it where nothing is stored */
    void *centre;
    void *moved; /* a row of what is read, where it does not lie so in the picture */
    float *work;
    void *taps[GF_MAX_PASS_TAPS];
};

/* Are the window's samples those of the picture, which lie there in rows? */
static inline bool gf_cpu_window_reads_picture(const struct gf_cpu_window *window)
{
    const struct gf_program *pre = &window->pass->pre;
    return pre->n == 0 && pre->depth_in == pre->depth_out && window->line == pre->depth_in &&
           !window->pass->map.move.kernel;
}

/* Samples of the tile's line. */
static inline int64_t gf_cpu_line_samples(const struct gf_cpu_tile *tile)
{
    return tile->samples + 2 * tile->plan->window.radius_x * tile->plan->pass->window.channels_in;
}

/* Turned passes: makes each of n samples of the line what its row becomes, a chain of `taps` samples all of
 * which it is; with a fill (of each channel) only the one in the middle is. pointers: room for `taps` of
 * them. */
void gf_cpu_upright_chain(const struct gf_cpu_rows *rows, float *line, int64_t n, int32_t channels,
                          const float *fill, const float *weights, int64_t taps, const float **pointers);

/* Bytes that keep rows apart and aligned to a cache line. */
static inline size_t gf_cpu_padded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Fills all of *plan but what a run brings; cpu_geometry.c. */
gf_status gf_cpu_geometry(struct gf_cpu_plan *plan, const struct gf_pass *pass, int32_t threads,
                          const struct gf_cpu_options *options, gf_error *error);
size_t gf_cpu_shared_bytes(const struct gf_cpu_plan *plan); /* of scratch, for all threads */
size_t gf_cpu_thread_bytes(const struct gf_cpu_plan *plan); /* for each */

/* Pixel (x, y) of the picture that the pass reads, and those on its right in the tile. Through a move: until
 * the next call. */
const void *gf_cpu_source(const struct gf_cpu_tile *tile, int64_t x, int64_t y);

/* Gives a span the second picture, where the pass has one, beside the pixels that it is at. */
void gf_cpu_set_second(const struct gf_cpu_plan *plan, struct gf_cpu_span *span);

/* Samples of row y, pixels [from, to), after the pre program in the line's format. streams: past the caches.
 */
void gf_cpu_load(const struct gf_cpu_tile *tile, int64_t y, int64_t from, int64_t to, void *out,
                 bool streams);

/* Pixels [start, end) of virtual row v of the window's input, in the line's format. */
void gf_cpu_make_line(const struct gf_cpu_tile *tile, int64_t v, int64_t start, int64_t end, void *out);

/* Makes virtual row v of the window's input: pixels [x0 - radius_x, x1 + radius_x) in tile->line, or in
 * tile->parts. Sets tile->ahead to the samples that row v + 1 will be made from. */
void gf_cpu_fill_line(struct gf_cpu_tile *tile, int64_t v);
