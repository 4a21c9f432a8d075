/* "move" on the CPU, and its entry. A row of the output follows one axis of the input in steps of so many
 * bytes: a pixel's, or a row's where axes are swapped. So one function makes rows of both kinds; but tiles
 * inside the input change places by themselves. */
#include "pixel/ir/move.h"

#include "base/cpu_level.h"
#include "base/cpu_stream.h"
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

enum {
    /* Where axes are swapped and borders asked for, it takes a column of so few output pixels at a time that
     * each input row it reads gives a cache line to many output rows. */
    TILE_COLUMNS = 16,
    LINES = 64,               /* of a cache */
    SWAP_COLUMNS = 192,       /* of the input that change places at a time, at most */
    SWAP_BYTES = 256,         /* of so many of its rows, about */
    STREAM_BYTES = 64 << 20,  /* of a picture that no cache holds until it is read again */
    STREAM_SWAPPED = 4 << 20, /* the same where stores go to many rows at a time */
};

/* An axis of the input: how many samples it has, how far they lie apart, which one the output's 0 takes. */
struct axis {
    int64_t n, stride, first;
    int32_t step;
};

struct move {
    struct gf_move_args args;
    const char *in;
    char *out;
    int64_t in_offset; /* of the input's row 0 from `in`: rows of a band begin later */
    int64_t out_pitch, width;
    struct gf_rows rows;       /* to make, and those at `out` */
    size_t pixel;              /* bytes */
    struct axis along, across; /* what the output's x and y follow */
    int64_t tile;              /* output columns at a time */
    int64_t readable;          /* bytes of a row of the input */
    const struct gf_move_rows *best;
    bool streams; /* the output goes past the caches */
};

static int64_t axis_at(const struct move *m, const struct axis *axis, int64_t i)
{
    return gf_border_index(axis->first + axis->step * i, axis->n, m->args.border);
}

/* n pixels from right to left, past the caches: by way of a few lines that stay in the nearest one. A line
 * that is left in part and written on later costs as much as several: pieces end where lines do. */
static void mirror_past(const struct move *m, char *out, const char *in, int64_t n)
{
    char lines[64 * LINES];
    const int64_t pixel = (int64_t)m->pixel, most = (int64_t)sizeof lines / pixel / LINES * LINES;
    int64_t count = 1;
    while (count < LINES && (uintptr_t)(out + count * pixel) % LINES > 0) {
        count++;
    }
    for (int64_t i = 0; i < n; i += count, count = most) {
        count = n - i < count ? n - i : count;
        m->best->mirror(lines, in - i * pixel, count, m->pixel);
        m->best->stream(out + i * pixel, lines, (size_t)(count * pixel));
    }
}

static void copy_line(const struct move *m, char *out, const char *in, int64_t n, int64_t stride)
{
    const int64_t pixel = (int64_t)m->pixel;
    if (stride == pixel && m->streams) {
        m->best->stream(out, in, (size_t)(n * pixel));
    } else if (stride == pixel) {
        memcpy(out, in, (size_t)(n * pixel));
    } else if (stride == -pixel && pixel <= 16 && m->streams) {
        mirror_past(m, out, in, n);
    } else if (stride == -pixel && pixel <= 16) {
        m->best->mirror(out, in, n, m->pixel);
    } else {
        m->best->line(out, in, n, stride, m->pixel);
    }
}

/* Columns [x, end), to `out`, of a row whose pixels lie along the axis from `line` on (NULL: outside a
 * constant border). */
static void move_columns(const struct move *m, char *out, const char *line, int64_t x, int64_t end)
{
    for (; x < end; x++, out += m->pixel) {
        const int64_t at = line ? axis_at(m, &m->along, x) : -1;
        const void *pixel = at < 0 ? (const void *)m->args.fill : line + at * m->along.stride;
        memcpy(out, pixel, m->pixel);
    }
}

static int64_t between(int64_t v, int64_t lo, int64_t hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Returns where row y of the output lies in the input; NULL: outside, with a constant border. */
static const char *line_of(const struct move *m, int64_t y)
{
    const int64_t row = axis_at(m, &m->across, y);
    return row < 0 ? NULL : m->in + (row * m->across.stride - m->in_offset);
}

/* Columns [x0, x1) of row y, to `out`: those before the input, those inside it, those behind it. */
static void move_row(const struct move *m, int64_t y, int64_t x0, int64_t x1, char *out)
{
    const struct axis *along = &m->along;
    const int64_t pixel = (int64_t)m->pixel;
    const char *line = line_of(m, y);
    const int64_t begin = along->step > 0 ? -along->first : along->first - along->n + 1;
    const int64_t inside = between(begin, x0, x1);
    const int64_t behind = line ? between(begin + along->n, inside, x1) : inside;
    move_columns(m, out, line, x0, inside);
    if (behind > inside) {
        copy_line(m, out + (inside - x0) * pixel,
                  line + (along->first + along->step * inside) * along->stride, behind - inside,
                  along->step * along->stride);
    }
    move_columns(m, out + (behind - x0) * pixel, line, behind, x1);
}

/* What a thread swaps goes through memory in the nearest caches, a line for each row of the output: behind
 * what was left of the row's last line of the cache. So the output gets whole lines, which can go past the
 * caches. */
struct swap_lines {
    char bytes[SWAP_COLUMNS * (SWAP_BYTES + LINES)];
    int64_t pitch, rows, columns; /* of the input, at a time */
};

/* Columns [x0, x1) of rows [y0, y1), axes swapped and all of them from inside the input, to the lines. */
static void swap_tile(const struct move *m, int64_t x0, int64_t x1, int64_t y0, int64_t y1,
                      struct swap_lines *lines)
{
    const struct axis *along = &m->along, *across = &m->across; /* along: of rows of the input */
    const int64_t column = across->first + across->step * (across->step < 0 ? y1 - 1 : y0); /* the leftmost */
    const int64_t at = column * across->stride;
    const struct gf_move_tile tile = {
        .out = lines->bytes + LINES,
        .in = m->in + (along->first + along->step * x0) * along->stride - m->in_offset + at,
        .out_pitch = lines->pitch,
        .in_pitch = along->step * along->stride,
        .rows = x1 - x0,
        .columns = y1 - y0,
        .readable = m->readable - at,
    };
    m->best->swap(&tile, m->pixel);
}

/* Line to columns [x0, x1) of a row of the output, and what was left in front of them. */
static void put_line(const struct move *m, char *row, int64_t x0, int64_t x1, char *line)
{
    const int64_t pixel = (int64_t)m->pixel, bytes = (x1 - x0) * pixel;
    const bool last = x1 == m->width;
    const int64_t left = x0 > 0 ? (int64_t)((uintptr_t)(row + x0 * pixel) % LINES) : 0;
    const int64_t leaves = last ? 0 : (int64_t)((uintptr_t)(row + x1 * pixel) % LINES);
    char *to = row + x0 * pixel - left;
    const size_t n = (size_t)(left + bytes - leaves);
    if (m->streams) {
        m->best->stream(to, line + LINES - left, n);
    } else {
        memcpy(to, line + LINES - left, n);
    }
    if (!last) {
        memcpy(line, line + bytes, LINES);
    }
}

static void swap_rows(const struct move *m, int64_t first, int64_t end)
{
    struct swap_lines lines;
    const int64_t pixel = (int64_t)m->pixel;
    lines.rows = 32 * (1 + 7 / pixel);
    lines.columns = pixel < 3 ? SWAP_COLUMNS : 16 * (32 / pixel);
    lines.pitch = lines.rows * pixel + LINES;
    for (int64_t y = first; y < end; y += lines.columns) {
        const int64_t y1 = end - y < lines.columns ? end : y + lines.columns;
        for (int64_t x = 0; x < m->width; x += lines.rows) {
            const int64_t x1 = m->width - x < lines.rows ? m->width : x + lines.rows;
            swap_tile(m, x, x1, y, y1, &lines);
            for (int64_t i = 0; i < y1 - y; i++) {
                const int64_t to = m->across.step < 0 ? y1 - 1 - i : y + i;
                put_line(m, m->out + (to - m->rows.first) * m->out_pitch, x, x1,
                         lines.bytes + i * lines.pitch);
            }
        }
    }
}

static bool is_inside(const struct axis *axis, int64_t i, int64_t n)
{
    const int64_t first = axis->first + axis->step * i, last = first + axis->step * (n - 1);
    return first >= 0 && first < axis->n && last >= 0 && last < axis->n;
}

static void move_part(void *argument, int i, int n)
{
    const struct move *m = argument;
    const int64_t first = m->rows.first + m->rows.count * i / n;
    const int64_t end = m->rows.first + m->rows.count * (i + 1) / n;
    if (m->args.swapped && end > first && is_inside(&m->along, 0, m->width) &&
        is_inside(&m->across, first, end - first)) {
        swap_rows(m, first, end);
        if (m->streams) {
            gf_cpu_fence();
        }
        return;
    }
    for (int64_t x = 0; x < m->width; x += m->tile) {
        for (int64_t y = first; y < end; y++) {
            move_row(m, y, x,
                     m->width - x < m->tile ? m->width
                                            : x + m->tile - (GF_FAULT(move_tile) && m->args.swapped),
                     m->out + (y - m->rows.first) * m->out_pitch + x * (int64_t)m->pixel);
        }
    }
    if (m->streams) {
        gf_cpu_fence();
    }
}

static gf_status move_cpu(const struct gf_apply_run *run, gf_error *error)
{
    const struct gf_value *in = &run->in_values[0];
    const struct gf_value *out = &run->out_values[0];
    struct move m = {.in = run->in[0].data,
                     .out = run->out[0].data,
                     .in_offset = run->in[0].rows.first * run->in[0].pitch,
                     .out_pitch = run->out[0].pitch,
                     .width = out->width,
                     .rows = run->out[0].rows,
                     .pixel = gf_depth_size(in->depth) * (size_t)in->channels,
                     .best = GF_LEVEL_BEST(&gf_move_rows)};
    (void)error;
    gf_args_get(&run->apply->args, &m.args, sizeof m.args);
    const struct axis x = {in->width, (int64_t)m.pixel, m.args.x0, m.args.step_x};
    const struct axis y = {in->height, run->in[0].pitch, m.args.y0, m.args.step_y};
    m.along = m.args.swapped ? y : x;
    m.across = m.args.swapped ? x : y;
    m.tile = m.args.swapped ? TILE_COLUMNS : m.width;
    m.readable = in->width * (int64_t)m.pixel;
    m.streams =
        out->width * out->height * (int64_t)m.pixel > (m.args.swapped ? STREAM_SWAPPED : STREAM_BYTES);
    gf_team_run(run->team, run->threads, move_part, &m);
    return GF_OK;
}

const void *gf_moved_row(const struct gf_moved *moved, int64_t x0, int64_t x1, int64_t y, void *room)
{
    const struct move m = {.args = moved->args,
                           .in = moved->in,
                           .in_offset = moved->first * moved->pitch,
                           .pixel = (size_t)moved->pixel,
                           .along = {moved->width, moved->pixel, moved->args.x0, moved->args.step_x},
                           .across = {moved->height, moved->pitch, moved->args.y0, moved->args.step_y},
                           .best = GF_LEVEL_BEST(&gf_move_rows)};
    const char *line = line_of(&m, y);
    if (line && m.along.step > 0 && is_inside(&m.along, x0, x1 - x0)) {
        return line + (m.along.first + x0) * m.along.stride;
    }
    move_row(&m, y, x0, x1, room);
    return room;
}

/* Rows of the output lie in the input in the same order, one each, unless axes are swapped or it is upside
 * down. With a border that comes back to rows from further inside, the first and the last row do not tell. */
static bool move_reach(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                       struct gf_rows want, struct gf_rows *need)
{
    struct gf_move_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const int64_t last = args.y0 + out->height - 1;
    const bool outside = args.y0 < 0 || last >= in->height;
    const bool folds = args.border != GF_BORDER_REPLICATE && args.border != GF_BORDER_CONSTANT;
    if (args.swapped || args.step_y < 0 || (outside && folds)) {
        return false;
    }
    /* Rows that take none of the input (a constant border) ask for the nearest all the same. */
    need->first = between(args.y0 + want.first, 0, in->height - 1);
    need->count = between(args.y0 + want.first + want.count - 1, 0, in->height - 1) - need->first + 1;
    return true;
}

const struct gf_kernel gf_kernel_move = {
    .name = "move",
    .kind = GF_KERNEL_MAP,
    .words = "pixels to other places, unchanged",
    .apply = {.cpu = move_cpu, .cuda = gf_move_cuda, .light = true},
    .map = {.reach = move_reach, .moves = true},
    .judge = gf_judge_move,
};
