/* The window's input, row by row: loaded, run through the pre program, extended at the borders. */
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/cpu_pass.h"

#include <string.h>

void gf_cpu_load(const struct gf_cpu_tile *tile, int64_t y, int64_t from, int64_t to, void *out)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_program *pre = &plan->pre;
    size_t pixel = gf_depth_size(pre->depth_in) * (size_t)pre->channels_in;
    const char *in = (const char *)plan->run->in.data + y * plan->run->in.pitch + from * (int64_t)pixel;

    if (!gf_cpu_program_is_copy(pre)) {
        struct gf_cpu_span span = {
            .x = from, .y = y, .n = to - from, .centre_depth = pre->depth_out, .work = tile->work};
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

static void fill_constant(const struct gf_cpu_tile *tile, char *out, int64_t pixels, size_t pixel)
{
    if (pixels > 0) {
        fill_pixel(tile, out);
    }
    for (int64_t i = 1; i < pixels; i++) {
        memcpy(out + (size_t)i * pixel, out, pixel);
    }
}

/* The tile's line: pixels from `start` on; [from, to) of source row y are in it already. */
struct line {
    char *data;
    size_t pixel; /* bytes */
    int64_t start, from, to, y;
};

/* Virtual pixels [x, end), which lie outside the picture: copied from the line where it has them, else
 * loaded, as long runs as the border allows. */
static void extend(const struct gf_cpu_tile *tile, const struct line *line, int64_t x, int64_t end)
{
    const struct gf_pass *pass = tile->plan->pass;
    int border = pass->window.border;

    if (border == GF_BORDER_CONSTANT) {
        fill_constant(tile, line->data + (size_t)(x - line->start) * line->pixel, end - x, line->pixel);
        return;
    }
    while (x < end) {
        char *out = line->data + (size_t)(x - line->start) * line->pixel;
        int64_t at = gf_border_index(x, pass->width, border);
        int64_t n = 1;
        if (at >= line->from && at < line->to) {
            memcpy(out, line->data + (size_t)(at - line->start) * line->pixel, line->pixel);
        } else {
            while (x + n < end && gf_border_index(x + n, pass->width, border) == at + n) {
                n++;
            }
            gf_cpu_load(tile, line->y, at, at + n, out);
        }
        x += n;
    }
}

void gf_cpu_fill_line(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_pass *pass = tile->plan->pass;
    const struct gf_cpu_window *window = &tile->plan->window;
    int64_t start = tile->x0 - window->radius_x;
    int64_t end = tile->x1 + window->radius_x;
    struct line line = {tile->line,
                        gf_depth_size(window->line) * (size_t)pass->window.channels_in,
                        start,
                        start > 0 ? start : 0,
                        end < pass->width ? end : pass->width,
                        gf_border_index(v, pass->height, pass->window.border)};

    if (line.y < 0) {
        fill_constant(tile, line.data, end - start, line.pixel);
        return;
    }
    gf_cpu_load(tile, line.y, line.from, line.to, line.data + (size_t)(line.from - start) * line.pixel);
    extend(tile, &line, start, line.from);
    extend(tile, &line, line.to, end - GF_FAULT(halo_short));
}

const void *gf_cpu_line_source(const struct gf_cpu_tile *tile, int64_t v)
{
    const struct gf_cpu_plan *plan = tile->plan;
    const struct gf_cpu_program *pre = &plan->pre;
    int64_t y = gf_border_index(v, plan->pass->height, plan->pass->window.border);

    if (y < 0 || !gf_cpu_program_is_copy(pre) || plan->window.line != pre->depth_in) {
        return tile->line;
    }
    int64_t pixel = (int64_t)gf_depth_size(pre->depth_in) * pre->channels_in;
    return (const char *)plan->run->in.data + y * plan->run->in.pitch + tile->x0 * pixel;
}
