/* label on CUDA: what its kernels share, and their order (label_cuda.cuh). */
#include "array/common/clear_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "pixel/whole/label/label_cuda.cuh"

/* Takes the next array of the scratch, if there is one. */
template <class N> static void gf_label_take(const struct gf_apply_run *run, size_t *used, N **at, int64_t n)
{
    *at = run->scratch ? reinterpret_cast<N *>(static_cast<char *>(run->scratch) + *used) : nullptr;
    *used += (static_cast<size_t>(n) * sizeof(N) + 63) / 64 * 64;
}

/* Sets what is the same for all pictures of this shape. Returns the bytes of the scratch; those from *clear
 * on have to be 0. */
static size_t gf_label_layout(const struct gf_apply_run *run, struct gf_label_params *p, size_t *clear)
{
    *p = {};
    gf_args_get(&run->apply->args, &p->args, sizeof p->args);
    p->width = run->in_values[0].width;
    p->height = run->in_values[0].height;
    p->channels = run->in_values[0].channels;
    p->rows = p->args.equal ? gf_label_shape<true>::ROWS : gf_label_shape<false>::ROWS;
    p->across = (p->width + GF_LABEL_SIDE - 1) / GF_LABEL_SIDE;
    p->down = (p->height + p->rows - 1) / p->rows;
    p->tiles = p->across * p->down;
    const int64_t pixels = p->width * p->height, nodes = p->args.equal ? pixels : pixels / 2 + p->tiles;
    const int64_t words = (pixels + GF_WARP - 1) / GF_WARP;
    const int64_t blocks = (words + GF_LABEL_NUMBERED - 1) / GF_LABEL_NUMBERED;
    size_t used = 0;
    gf_label_take(run, &used, &p->parent, nodes);
    gf_label_take(run, &used, &p->area, nodes);
    gf_label_take(run, &used, &p->first, nodes);
    gf_label_take(run, &used, &p->parts, p->tiles);
    gf_label_take(run, &used, &p->slots, pixels);
    gf_label_take(run, &used, &p->row_ends, 2 * p->down * p->width);
    gf_label_take(run, &used, &p->column_ends, 2 * p->across * p->height);
    gf_label_take(run, &used, &p->before, blocks * GF_LABEL_NUMBERED);
    *clear = used;
    gf_label_take(run, &used, &p->roots, blocks * GF_LABEL_NUMBERED);
    gf_label_take(run, &used, &p->totals, blocks);
    gf_label_take(run, &used, &p->choice, 1);
    gf_label_take(run, &used, &p->ticket, 1);
    return used;
}

size_t gf_label_cuda_scratch(const struct gf_apply_run *run)
{
    struct gf_label_params p;
    size_t clear;
    return gf_label_layout(run, &p, &clear);
}

gf_status gf_label_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    const gf_depth depth = run->in_values[0].depth;
    struct gf_label_params p;
    size_t clear;
    const size_t bytes = gf_label_layout(run, &p, &clear);
    struct gf_launch first = {};
    first.stream = static_cast<cudaStream_t>(run->queue.stream);
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.white = static_cast<float>(gf_depth_white(depth));
    p.counts = static_cast<uint64_t *>(run->out[1].data);
    p.regions = static_cast<struct gf_region *>(run->out[2].data);
    GF_TRY(gf_clear(static_cast<char *>(run->scratch) + clear, bytes - clear, &first, error));
    GF_TRY(gf_label_queue_tiles(&p, depth, first.stream, error));
    GF_TRY(gf_label_queue_join(&p, depth, first.stream, error));
    if (p.args.largest > 0) {
        GF_TRY(gf_label_queue_choice(&p, first.stream, error));
    }
    GF_TRY(gf_label_queue_numbers(&p, first.stream, error));
    return gf_label_queue_finish(&p, depth, first.stream, error);
}
