/* The judge's windows of the embedder: the function makes each pixel by itself, from rows that are gathered
 * for it, so that one which depends on more than it is allowed to is found out. */
#include "pixel/ir/own_window.h"
#include "pixel/judge/reference_parts.h"

#include <stdlib.h>
#include <string.h>

struct gathered {
    void *samples, *made; /* up + 1 + down rows of left + 1 + right pixels; a pixel */
    const void **in;
};

/* The neighbourhood of pixel (x, y). */
static void gather(struct gf_judge_plane *p, const struct gf_own_window_args *args, int64_t x, int64_t y,
                   struct gathered *g)
{
    const int32_t channels = p->value.channels;
    const gf_depth depth = p->value.depth;
    int64_t i = 0;
    for (int64_t v = 0; v <= (int64_t)args->up + args->down; v++) {
        g->in[v] =
            (const char *)g->samples + (size_t)(i + (int64_t)args->left * channels) * gf_depth_size(depth);
        for (int64_t u = x - args->left; u <= x + args->right; u++) {
            for (p->channel = 0; p->channel < channels; p->channel++, i++) {
                const float sample = gf_judge_extended(p, u, y - args->up + v);
                if (depth == GF_F32) {
                    ((float *)g->samples)[i] = sample;
                } else {
                    gf_judge_store(g->samples, depth, i, sample);
                }
            }
        }
    }
}

static gf_status make_all(struct gf_judge_plane *p, const struct gf_own_window_args *args, const void *given,
                          struct gathered *g, void *out, gf_error *error)
{
    const struct gf_window *window = p->window;
    const gf_window_row row = {sizeof row, window->depth_in, window->channels_in, window->channels_out, 1,
                               g->in,      g->made};
    for (int64_t i = 0; i < p->value.width * p->value.height; i++) {
        gather(p, args, i % p->value.width, i / p->value.width, g);
        gf_error said = GF_ERROR_INIT;
        gf_status status = args->host(&row, given, &said);
        GF_TRY(gf_own_window_status(args, status, &said, error)); /* words, on which no pixel depends */
        for (int32_t c = 0; c < window->channels_out; c++) {
            gf_judge_store(out, window->depth_out, i * window->channels_out + c,
                           gf_judge_sample(g->made, window->depth_out, c));
        }
    }
    return GF_OK;
}

gf_status gf_judge_own_window(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    struct gf_judge_plane p = gf_judge_input(judge, op);
    const struct gf_own_window_args args = gf_own_window_args_of(p.window);
    const int32_t block = p.window->blocks[0] == GF_NONE ? GF_NONE : op->blocks[p.window->blocks[0]];
    const size_t rows = (size_t)args.up + (size_t)args.down + 1;
    const size_t columns = (size_t)args.left + (size_t)args.right + 1;
    struct gathered g = {.samples = calloc(rows * columns, sizeof(float) * (size_t)p.value.channels),
                         .made = calloc(GF_MAX_CHANNELS, sizeof(float)),
                         .in = calloc(rows, sizeof *g.in)};
    gf_status status = GF_ERROR_MEMORY;
    if (g.samples && g.made && g.in) {
        status = make_all(&p, &args, block == GF_NONE ? args.args : judge->data[block], &g,
                          judge->data[op->out], error);
    } else {
        gf_fail(error, status, "out of memory");
    }
    free(g.samples);
    free(g.made);
    free(g.in);
    return status;
}
