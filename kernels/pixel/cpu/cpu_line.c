/* The window's input, row by row: loaded, run through the pre program, extended at the borders. */
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_pass.h"

#include <string.h>

const void *gf_cpu_source(const struct gf_cpu_tile *tile, int64_t x, int64_t y)
{
    const struct gf_cpu_program *pre = &tile->plan->pre;
    int64_t pixel = (int64_t)gf_depth_size(pre->depth_in) * pre->channels_in;
    if (tile->plan->is_moved) {
        return gf_moved_row(&tile->plan->moved, x, tile->x1, y, tile->moved);
    }
    return (const char *)tile->plan->run->in.data + y * tile->plan->run->in.pitch + x * pixel;
}

void gf_cpu_set_second(const struct gf_cpu_plan *plan, struct gf_cpu_span *span)
{
    const struct gf_pass_operand *second = &plan->pass->operand[GF_OPERAND_SECOND];
    int64_t pixel = (int64_t)gf_depth_size(second->depth) * second->channels;
    if (!plan->run->second.data) {
        return;
    }
    span->operand[GF_OPERAND_SECOND].data =
        (const char *)plan->run->second.data + span->y * plan->run->second.pitch + span->x * pixel;
    span->operand[GF_OPERAND_SECOND].depth = second->depth;
}

void gf_cpu_load(const struct gf_cpu_tile *tile, int64_t y, int64_t from, int64_t to, void *out, bool streams)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_program *pre = &plan->pre;
    size_t pixel = gf_depth_size(pre->depth_in) * (size_t)pre->channels_in;
    const void *in = gf_cpu_source(tile, from, y);

    if (!gf_cpu_program_is_copy(pre)) {
        struct gf_cpu_span span = {.x = from, .y = y, .n = to - from, .work = tile->work, .streams = streams};
        gf_cpu_set_second(plan, &span);
        gf_cpu_program_run(pre, &span, in, out, plan->window.line);
    } else if (plan->window.line == pre->depth_in) {
        memcpy(out, in, (size_t)(to - from) * pixel);
    } else {
        plan->rows->to_f32(in, pre->depth_in, out, (to - from) * pre->channels_in);
    }
}

/* One pixel of the constant border, in the window's input format. */
static void fill_pixel(const struct gf_cpu_tile *tile, void *out)
{
    const struct gf_window *window = &tile->plan->pass->window;
    gf_depth line = tile->plan->window.line;

    for (int32_t c = 0; c < window->channels_in; c++) {
        float v = gf_quantise_to(window->fill[c], window->depth_in);
        if (line == GF_U8) {
            ((uint8_t *)out)[c] = (uint8_t)v;
        } else if (line == GF_U16) {
            ((uint16_t *)out)[c] = (uint16_t)v;
        } else {
            ((float *)out)[c] = v;
        }
    }
}

/* Fills `pixels` pixels of which the first `period` are there. */
static void repeat(char *out, int64_t pixels, int64_t period, size_t pixel)
{
    for (int64_t n = period; n < pixels; n *= 2) {
        int64_t more = pixels - n < n ? pixels - n : n;
        memcpy(out + (size_t)n * pixel, out, (size_t)more * pixel);
    }
}

static void fill_constant(const struct gf_cpu_tile *tile, char *out, int64_t pixels, size_t pixel)
{
    if (pixels > 0) {
        fill_pixel(tile, out);
        repeat(out, pixels, 1, pixel);
    }
}

/* The tile's line: pixels from `start` on; [from, to) of source row y are in it already. */
struct line {
    char *data;
    size_t pixel; /* bytes */
    int64_t start, from, to, y;
};

/* Virtual pixels [x, end), which lie outside the picture: copied from the line where it has them, else
 * loaded, as long runs as the border allows; what lies a period further out is the same again. */
static void extend(const struct gf_cpu_tile *tile, const struct line *line, int64_t x, int64_t end)
{
    const struct gf_pass *pass = tile->plan->pass;
    int border = pass->window.border;

    if (border == GF_BORDER_CONSTANT) {
        fill_constant(tile, line->data + (size_t)(x - line->start) * line->pixel, end - x, line->pixel);
        return;
    }
    const int64_t period = gf_border_period(pass->width, border);
    const int64_t last = x + period < end ? x + period : end;
    char *first = line->data + (size_t)(x - line->start) * line->pixel;
    const int64_t pixels = end - x;
    while (x < last) {
        char *out = line->data + (size_t)(x - line->start) * line->pixel;
        int64_t at = gf_border_index(x, pass->width, border);
        int64_t n = 1;
        if (at >= line->from && at < line->to) {
            memcpy(out, line->data + (size_t)(at - line->start) * line->pixel, line->pixel);
        } else {
            while (x + n < last && gf_border_index(x + n, pass->width, border) == at + n) {
                n++;
            }
            gf_cpu_load(tile, line->y, at, at + n, out, false);
        }
        x += n;
    }
    if (pixels > period) {
        repeat(first, pixels, period, line->pixel);
    }
}

/* Virtual pixels [line->start, end), of which [line->from, line->to) are in the picture. */
static void fill(const struct gf_cpu_tile *tile, const struct line *line, int64_t end)
{
    char *first = line->data + (size_t)(line->from - line->start) * line->pixel;
    gf_cpu_load(tile, line->y, line->from, line->to, first, false);
    extend(tile, line, line->start, line->from);
    extend(tile, line, line->to, end);
}

/* Pixels [start, end) of row y, to be filled. */
static struct line line_make(const struct gf_cpu_tile *tile, int64_t y, int64_t start, int64_t end, void *out)
{
    const struct gf_pass *pass = tile->plan->pass;
    return (struct line){out,
                         gf_depth_size(tile->plan->window.line) * (size_t)pass->window.channels_in,
                         start,
                         start > 0 ? start : 0,
                         end < pass->width ? end : pass->width,
                         y};
}

void gf_cpu_make_line(const struct gf_cpu_tile *tile, int64_t v, int64_t start, int64_t end, void *out)
{
    const struct gf_pass *pass = tile->plan->pass;
    const struct line line =
        line_make(tile, gf_border_index(v, pass->height, pass->window.border), start, end, out);

    if (line.y < 0) {
        fill_constant(tile, line.data, end - start, line.pixel);
    } else {
        fill(tile, &line, end - GF_FAULT(halo_short));
    }
}

/* Does the line hold the picture's samples as they are? */
static bool is_source(const struct gf_cpu_plan *plan)
{
    return gf_cpu_program_is_copy(&plan->pre) && plan->window.line == plan->pre.depth_in;
}

/* Only what sees a border goes to the line: pixels [x0, a) and [b, x1). */
static void fill_parts(struct gf_cpu_tile *tile, const struct line *whole, int64_t a, int64_t b)
{
    int64_t radius = tile->plan->window.radius_x;
    struct line left = *whole, right = *whole;

    tile->n_parts = 0;
    if (a > tile->x0) {
        left.to = a + radius;
        fill(tile, &left, left.to);
        tile->parts[tile->n_parts++] = (struct gf_cpu_part){left.data, 0, a - tile->x0};
    }
    tile->parts[tile->n_parts++] =
        (struct gf_cpu_part){gf_cpu_source(tile, a - radius, whole->y), a - tile->x0, b - a};
    if (b < tile->x1) {
        right.start = right.from = b - radius;
        right.data += (size_t)(right.start - whole->start) * right.pixel;
        fill(tile, &right, tile->x1 + radius - GF_FAULT(halo_short));
        tile->parts[tile->n_parts++] = (struct gf_cpu_part){right.data, b - tile->x0, tile->x1 - b};
    }
}

static void look_ahead(struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_pass *pass = tile->plan->pass;
    int64_t y = gf_border_index(v, pass->height, pass->window.border);
    tile->ahead = y >= 0 && is_source(tile->plan) ? gf_cpu_source(tile, tile->x0, y) : tile->line;
}

void gf_cpu_fill_line(struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_pass *pass = tile->plan->pass;
    const struct gf_cpu_window *window = &tile->plan->window;
    int64_t start = tile->x0 - window->radius_x;
    int64_t end = tile->x1 + window->radius_x;
    int64_t a = start < 0 ? window->radius_x : tile->x0;
    int64_t b = end > pass->width ? pass->width - window->radius_x : tile->x1;
    int64_t y = gf_border_index(v, pass->height, pass->window.border);

    look_ahead(tile, v + 1);
    if (y >= 0 && window->in_parts && is_source(tile->plan) && 2 * (b - a) > tile->x1 - tile->x0) {
        const struct line line = line_make(tile, y, start, end, tile->line);
        fill_parts(tile, &line, a, b);
        return;
    }
    tile->parts[0] = (struct gf_cpu_part){tile->line, 0, tile->x1 - tile->x0};
    tile->n_parts = 1;
    gf_cpu_make_line(tile, v, start, end, tile->line);
}
