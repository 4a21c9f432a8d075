#include "pixel/cpu/cpu_tap.h"

#include "base/gf_num.h"

#include <string.h>

bool gf_cpu_tap_has_cells(const struct gf_pass *pass, const struct gf_tap *tap)
{
    return tap->kernel->tap.cpu->end_cells && pass->post.depth_out == GF_F32;
}

size_t gf_cpu_tap_cell_bytes(const struct gf_pass *pass, const struct gf_tap *tap)
{
    return gf_cpu_tap_has_cells(pass, tap) ? tap->kernel->tap.cpu->cell_bytes(pass, tap) : 0;
}

static struct gf_rect clipped(struct gf_rect r, int64_t width, int64_t height)
{
    if (r.w == 0) {
        return (struct gf_rect){0, 0, width, height};
    }
    int64_t x = r.x > 0 ? r.x : 0;
    int64_t y = r.y > 0 ? r.y : 0;
    int64_t right = r.x + r.w < width ? r.x + r.w : width;
    int64_t bottom = r.y + r.h < height ? r.y + r.h : height;
    if (right <= x || bottom <= y) {
        return (struct gf_rect){0, 0, 0, 0};
    }
    return (struct gf_rect){x, y, right - x, bottom - y};
}

void gf_cpu_tap_make(struct gf_cpu_tap *made, const struct gf_run *run, int i, const struct gf_cpu_rows *rows,
                     int64_t strip, double *cells)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *tap = &pass->taps[i];
    struct gf_rect roi = {0, 0, 0, 0};

    if (tap->roi != GF_NONE) {
        roi = pass->rois[tap->roi];
    }
    *made = (struct gf_cpu_tap){.tap = tap,
                                .part = &pass->part,
                                .rows = rows,
                                .depth = pass->post.depth_out,
                                .channels = pass->post.channels_out,
                                .width = pass->width,
                                .height = pass->height,
                                .roi = clipped(roi, pass->width, pass->height),
                                .top = gf_tap_continues(pass, tap) ? pass->part.top : 0,
                                .strip = strip,
                                .bytes = tap->kernel->tap.cpu->bytes(pass, tap, strip),
                                .cells = cells,
                                .out = run->taps[i]};
    if (tap->range != GF_NONE) {
        made->range = run->blocks[tap->range] ? run->blocks[tap->range] : run->host_blocks[tap->range];
    }
    if (!pass->part.continues || !gf_tap_continues(pass, tap)) {
        memset(made->out, 0, gf_tap_block_size(pass, tap));
    }
}

void gf_cpu_tap_row(const struct gf_cpu_tap *tap, void *state, const void *row, int64_t x, int64_t y,
                    int64_t n)
{
    const struct gf_cpu_measure *measure = tap->tap->kernel->tap.cpu;
    int64_t left = tap->roi.x > x ? tap->roi.x : x;
    int64_t right = tap->roi.x + tap->roi.w < x + n ? tap->roi.x + tap->roi.w : x + n;

    if (y >= tap->roi.y && y < tap->roi.y + tap->roi.h && left < right) {
        const struct gf_cpu_piece at = {.x = left, .y = y, .n = right - left, .offset = left - x};
        size_t skipped = (size_t)(at.offset * tap->channels) * gf_depth_size(tap->depth);
        measure->row(tap, state, (const char *)row + skipped, &at);
    }
    if (tap->cells && (y + 1) % GF_CELL_H == 0) {
        measure->end_cells(tap, state, x, y, n);
    }
}

void gf_cpu_tap_end_tile(const struct gf_cpu_tap *tap, void *state, int64_t x, int64_t end, int64_t n)
{
    if (tap->cells && end % GF_CELL_H != 0) {
        tap->tap->kernel->tap.cpu->end_cells(tap, state, x, end - 1, n);
    }
    if (tap->tap->kernel->tap.cpu->end_tile) {
        tap->tap->kernel->tap.cpu->end_tile(tap, state, x, n);
    }
}

double gf_cpu_fold_cells(double *cells, int64_t n)
{
    for (; n > 1; n = (n + 1) / 2) {
        for (int64_t i = 0; i < n / 2; i++) {
            cells[i] = cells[2 * i] + cells[2 * i + 1];
        }
        if (n % 2 != 0) {
            cells[n / 2] = cells[n - 1];
        }
    }
    return gf_canonical_double(cells[0]);
}
