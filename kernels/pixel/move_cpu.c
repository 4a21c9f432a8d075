/* "move" on the CPU, and its entry. A row of the output follows one axis of the input in steps of so many
 * bytes: of a pixel, or of a row where axes are swapped. So one function makes rows of both kinds. */
#include "pixel/move.h"

#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <string.h>

/* Where axes are swapped, a column of so few output pixels at a time: each input row that it reads gives a
 * cache line to many output rows. */
enum { TILE_COLUMNS = 16 };

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
};

static int64_t axis_at(const struct move *m, const struct axis *axis, int64_t i)
{
    return gf_border_index(axis->first + axis->step * i, axis->n, m->args.border);
}

/* n pixels of `size` bytes from places that lie `stride` bytes apart. */
static inline void gather(char *out, const char *in, int64_t n, int64_t stride, size_t size)
{
    for (int64_t i = 0; i < n; i++) {
        memcpy(out + i * (int64_t)size, in + i * stride, size);
    }
}

static void copy_line(char *out, const char *in, int64_t n, int64_t stride, size_t size)
{
    if (stride == (int64_t)size) {
        memcpy(out, in, (size_t)n * size);
        return;
    }
    switch (size) { /* a known size is a load and a store */
    case 1:
        gather(out, in, n, stride, 1);
        break;
    case 2:
        gather(out, in, n, stride, 2);
        break;
    case 3:
        gather(out, in, n, stride, 3);
        break;
    case 4:
        gather(out, in, n, stride, 4);
        break;
    case 6:
        gather(out, in, n, stride, 6);
        break;
    case 8:
        gather(out, in, n, stride, 8);
        break;
    case 12:
        gather(out, in, n, stride, 12);
        break;
    case 16:
        gather(out, in, n, stride, 16);
        break;
    default:
        gather(out, in, n, stride, size);
    }
}

/* Columns [x, end) of a row whose pixels lie along the axis from `line` on (NULL: outside a constant
 * border). */
static void move_columns(const struct move *m, char *out, const char *line, int64_t x, int64_t end)
{
    for (; x < end; x++) {
        const int64_t at = line ? axis_at(m, &m->along, x) : -1;
        const void *pixel = at < 0 ? (const void *)m->args.fill : line + at * m->along.stride;
        memcpy(out + x * (int64_t)m->pixel, pixel, m->pixel);
    }
}

static int64_t between(int64_t v, int64_t lo, int64_t hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Columns [x0, x1) of row y: those before the input, those inside it, those behind it. */
static void move_row(const struct move *m, int64_t y, int64_t x0, int64_t x1)
{
    const struct axis *along = &m->along;
    const int64_t row = axis_at(m, &m->across, y);
    const char *line = row < 0 ? NULL : m->in + (row * m->across.stride - m->in_offset);
    char *out = m->out + (y - m->rows.first) * m->out_pitch;
    const int64_t begin = along->step > 0 ? -along->first : along->first - along->n + 1;
    const int64_t inside = between(begin, x0, x1);
    const int64_t behind = line ? between(begin + along->n, inside, x1) : inside;
    move_columns(m, out, line, x0, inside);
    if (behind > inside) {
        copy_line(out + inside * (int64_t)m->pixel,
                  line + (along->first + along->step * inside) * along->stride, behind - inside,
                  along->step * along->stride, m->pixel);
    }
    move_columns(m, out, line, behind, x1);
}

static void move_part(void *argument, int i, int n)
{
    const struct move *m = argument;
    const int64_t first = m->rows.first + m->rows.count * i / n;
    const int64_t end = m->rows.first + m->rows.count * (i + 1) / n;
    for (int64_t x = 0; x < m->width; x += m->tile) {
        for (int64_t y = first; y < end; y++) {
            move_row(m, y, x,
                     m->width - x < m->tile ? m->width
                                            : x + m->tile - (GF_FAULT(move_tile) && m->args.swapped));
        }
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
                     .pixel = gf_depth_size(in->depth) * (size_t)in->channels};
    (void)error;
    gf_args_get(&run->apply->args, &m.args, sizeof m.args);
    const struct axis x = {in->width, (int64_t)m.pixel, m.args.x0, m.args.step_x};
    const struct axis y = {in->height, run->in[0].pitch, m.args.y0, m.args.step_y};
    m.along = m.args.swapped ? y : x;
    m.across = m.args.swapped ? x : y;
    m.tile = m.args.swapped ? TILE_COLUMNS : m.width;
    gf_team_run(run->team, run->threads, move_part, &m);
    return GF_OK;
}

/* Rows of the output lie in the input in the same order, one each, unless axes are swapped or it is upside
 * down. Of a border that comes back to rows from further inside, the first and the last row do not tell. */
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
    /* Of rows that take none of the input (a constant border) the nearest is asked for all the same. */
    need->first = between(args.y0 + want.first, 0, in->height - 1);
    need->count = between(args.y0 + want.first + want.count - 1, 0, in->height - 1) - need->first + 1;
    return true;
}

const struct gf_kernel gf_kernel_move = {
    .name = "move",
    .kind = GF_KERNEL_MAP,
    .apply_cpu = move_cpu,
    .light = true,
    .apply_cuda = GF_CUDA_FN(gf_move_cuda),
    .reach = move_reach,
    .judge = gf_judge_move,
    .words = "pixels to other places, unchanged",
};
