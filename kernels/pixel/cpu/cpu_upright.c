/* Pictures one pixel wide on the CPU, as fast as signals: the pass is turned by a right angle, so that the
 * rows become one line. What a window does along x comes first, as ever; on one pixel that is the same sum
 * for each sample of the line. Then the window runs along the line. */
#include "base/status.h"
#include "pixel/cpu/cpu_pass.h"
#include "pixel/ir/kernel_table.h"

#include <string.h>

/* Whether it asks for places, whose x and y would change theirs. */
static bool is_placed(const struct gf_program *program)
{
    bool placed = false;
    for (int32_t i = 0; i < program->n; i++) {
        placed = placed || program->insn[i].code == GF_INSN_FORMULA_PLACE;
    }
    return placed;
}

bool gf_upright_takes(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    for (int i = 0; i < pass->n_taps; i++) {
        if (gf_cpu_tap_has_cells(pass, &pass->taps[i]) || pass->taps[i].kernel->tap.cpu->by_place) {
            return false; /* sums by cells, which are not square, or of columns */
        }
    }
    struct gf_window turned = *window;
    bool beside = pass->operand[GF_OPERAND_SECOND].value != GF_NONE; /* it would have to be moved, too */
    return pass->width == 1 && pass->height > 1 && !beside && !is_placed(&pass->pre) &&
           !is_placed(&pass->post) && window->kernel && window->kernel->window.turn &&
           window->kernel->window.turn(&turned);
}

static void turn(const struct gf_pass *pass, struct gf_pass *turned)
{
    *turned = *pass;
    turned->width = pass->height;
    turned->height = 1;
    for (int32_t i = 0; i < pass->n_rois; i++) {
        struct gf_rect r = pass->rois[i];
        turned->rois[i] = (struct gf_rect){.x = r.y, .y = r.x, .w = r.h, .h = r.w};
    }
    (void)turned->window.kernel->window.turn(&turned->window);
}

/* Bytes of a pixel of the picture that is read, and of the one that is written. */
static size_t pixel_in(const struct gf_pass *pass)
{
    return gf_depth_size(pass->pre.depth_in) * (size_t)pass->pre.channels_in;
}
static size_t pixel_out(const struct gf_pass *pass)
{
    return gf_depth_size(pass->post.depth_out) * (size_t)pass->post.channels_out;
}

static const struct gf_cpu_options options = {.upright = true};

size_t gf_upright_scratch(const struct gf_path *path, const struct gf_pass *pass, int32_t threads)
{
    (void)path;
    struct gf_pass turned;
    turn(pass, &turned);
    const size_t rows = (size_t)pass->height;
    return gf_cpu_padded(rows * pixel_in(pass)) + gf_cpu_padded(rows * pixel_out(pass)) +
           gf_pass_cpu_scratch(&turned, threads, &options);
}

/* n pixels between memory where they lie `from_pitch` apart and memory where they lie `to_pitch` apart. */
static void move_pixels(const char *from, int64_t from_pitch, char *to, int64_t to_pitch, int64_t n,
                        size_t pixel)
{
    for (int64_t y = 0; y < n; y++) {
        memcpy(to + y * to_pitch, from + y * from_pitch, pixel);
    }
}

gf_status gf_upright_run(const struct gf_path *path, struct gf_run *run, gf_error *error)
{
    (void)path;
    const struct gf_pass *pass = run->pass;
    const size_t in = pixel_in(pass), out = pixel_out(pass), rows = (size_t)pass->height;
    struct gf_pass turned;
    struct gf_run line = *run;
    char *pixels_in = run->scratch;
    char *pixels_out = pixels_in + gf_cpu_padded(rows * in);
    turn(pass, &turned);
    line.pass = &turned;
    line.scratch = pixels_out + gf_cpu_padded(rows * out);
    if (run->in.pitch != (int64_t)in) {
        move_pixels(run->in.data, run->in.pitch, pixels_in, (int64_t)in, pass->height, in);
        line.in.data = pixels_in;
    }
    const bool apart = pass->out != GF_NONE && run->out.pitch != (int64_t)out;
    if (apart) {
        line.out.data = pixels_out;
    }
    GF_TRY(gf_pass_cpu(&line, &options, error));
    if (apart) {
        move_pixels(pixels_out, (int64_t)out, run->out.data, run->out.pitch, pass->height, out);
    }
    run->bytes_read = line.bytes_read;
    run->bytes_written = line.bytes_written;
    return GF_OK;
}

void gf_cpu_upright_chain(const struct gf_cpu_rows *rows, float *line, int64_t n, int32_t channels,
                          const float *fill, const float *weights, int64_t taps, const float **pointers)
{
    enum { PIXELS = 64, SAMPLES = PIXELS * GF_MAX_CHANNELS };
    float samples[SAMPLES], outside[SAMPLES];
    const int64_t most = (int64_t)PIXELS * channels;
    for (int64_t i = 0; fill && i < most; i++) {
        outside[i] = fill[i % channels];
    }
    for (int64_t k = 0; k < taps; k++) {
        pointers[k] = fill && k != taps / 2 ? outside : samples;
    }
    for (int64_t at = 0; at < n; at += most) {
        const int64_t m = n - at < most ? n - at : most;
        memcpy(samples, line + at, (size_t)m * sizeof *line);
        rows->f32_down(pointers, line + at, m, weights, taps);
    }
}
