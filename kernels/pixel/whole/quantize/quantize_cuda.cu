/* quantize on CUDA. quantize_find_cuda.cu finds the palette. Threads put colours in place, or, of Floyd and
 * Steinberg, one block walks down the picture, a thread a row, two pixels behind the row above it. */
#include "base/device_scope_cuda.h"
#include "pixel/whole/quantize/quantize_cuda.cuh"

/* Takes the palette into shared memory; returns how many colours it has. */
GF_DEVICE_FN int32_t gf_quantize_load(const struct gf_quantize_params &p, uint32_t *colours)
{
    colours[threadIdx.x] = p.palette[1 + threadIdx.x];
    __syncthreads();
    return static_cast<int32_t>(p.palette[0]);
}

static __global__ void __launch_bounds__(GF_QUANTIZE_THREADS)
    gf_quantize_put(const struct gf_quantize_params p)
{
    GF_SHARED(uint32_t, colours, GF_QUANTIZE_MOST);
    const int32_t n = gf_quantize_load(p, colours), colour = gf_quantize_colour_channels(p.channels);
    const int64_t i = int64_t(blockIdx.x) * GF_QUANTIZE_THREADS + threadIdx.x;
    if (i >= p.width * p.height) {
        return;
    }
    const int64_t y = i / p.width, x = i % p.width;
    const uint8_t *from = p.in + y * p.in_pitch + x * p.channels;
    uint8_t *to = p.out + y * p.out_pitch + x * p.channels;
    const int32_t more = p.args.dither == GF_QUANTIZE_ORDERED ? gf_quantize_offset(x, y, p.args.spread) : 0;
    int32_t v[GF_QUANTIZE_CHANNELS];
    GF_UNROLL
    for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
        v[c] = c < p.channels ? from[c] + (c < colour ? more : 0) : 0;
        v[c] = v[c] < 0 ? 0 : v[c] > 255 ? 255 : v[c];
    }
    const uint32_t taken = colours[gf_quantize_closest(colours, n, p.channels, v)];
    for (int32_t c = 0; c < p.channels; c++) {
        to[c] = uint8_t(taken >> 8 * c & 255);
    }
}

/* A step is one pixel of each thread's row, and a barrier. Of a row the errors of four pixels are kept: the
 * row below is two behind. */
static __global__ void __launch_bounds__(GF_QUANTIZE_THREADS)
    gf_quantize_diffuse(const struct gf_quantize_params p)
{
    GF_SHARED(uint32_t, colours, GF_QUANTIZE_MOST);
    GF_SHARED(int32_t, errors, GF_QUANTIZE_THREADS * 4 * 3);
    const int32_t n = gf_quantize_load(p, colours), colour = gf_quantize_colour_channels(p.channels);
    const int64_t t = threadIdx.x;
    for (int64_t top = 0; top < p.height; top += GF_QUANTIZE_THREADS) {
        const int64_t y = top + t, rows = p.height - top < GF_QUANTIZE_THREADS ? p.height - top
                                                                               : int64_t(GF_QUANTIZE_THREADS);
        int32_t left[3] = {}, above[3][3] = {}; /* above: at the left, here, at the right */
        for (int64_t step = 0; step < p.width + 2 * (rows - 1); step++) {
            const int64_t x = step - 2 * t;
            if (y < p.height && x >= 0 && x < p.width) {
                const uint8_t *from = p.in + y * p.in_pitch + x * p.channels;
                uint8_t *to = p.out + y * p.out_pitch + x * p.channels;
                int32_t v[GF_QUANTIZE_CHANNELS];
                GF_UNROLL
                for (int32_t c = 0; c < 3; c++) {
                    const int64_t first = x == 0 ? 0 : x + 1;
                    for (int64_t k = first; k <= x + 1; k++) {
                        above[0][c] = above[1][c];
                        above[1][c] = above[2][c];
                        above[2][c] = k >= p.width ? 0
                                      : t > 0      ? errors[((t - 1) * 4 + (k & 3)) * 3 + c]
                                      : top > 0 && !GF_FAULT(cuda_quantize_band) ? p.line[k * 3 + c]
                                                                                 : 0;
                    }
                }
                GF_UNROLL
                for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
                    const int32_t k = c < 3 ? c : 0;
                    v[c] = c >= p.channels ? 0
                           : c < colour
                               ? gf_quantize_spread(from[c], left[k], above[0][k], above[1][k], above[2][k])
                               : from[c];
                }
                const uint32_t taken = colours[gf_quantize_closest(colours, n, p.channels, v)];
                for (int32_t c = 0; c < p.channels; c++) {
                    to[c] = uint8_t(taken >> 8 * c & 255);
                }
                GF_UNROLL
                for (int32_t c = 0; c < 3; c++) {
                    left[c] = c < colour ? v[c] - int32_t(taken >> 8 * c & 255) : 0;
                    errors[(t * 4 + (x & 3)) * 3 + c] = left[c];
                    if (t == GF_QUANTIZE_THREADS -
                                 1) { /* behind what the band's first row still reads: it is far ahead */
                        p.line[x * 3 + c] = int16_t(left[c]);
                    }
                }
            }
            __syncthreads();
        }
    }
}

static size_t gf_quantize_layout(const struct gf_apply_run *run, struct gf_quantize_params *p)
{
    const struct gf_value *in = &run->in_values[0];
    const int32_t cells = gf_quantize_cells(in->channels);
    char *at = static_cast<char *>(run->scratch);
    if (at) {
        p->cells = cells;
        p->sums = reinterpret_cast<uint64_t *>(at);
        p->boxes =
            reinterpret_cast<struct gf_quantize_boxes *>(p->sums + int64_t(cells) * GF_QUANTIZE_FIELDS);
        p->added = reinterpret_cast<struct gf_quantize_added *>(p->boxes + GF_QUANTIZE_STATES);
        p->box = reinterpret_cast<uint32_t *>(p->added + 1 + GF_QUANTIZE_ROUNDS);
        p->line = reinterpret_cast<int16_t *>(at + gf_quantize_cleared(cells));
    }
    return gf_quantize_cleared(cells) + static_cast<size_t>(in->width) * 3 * sizeof(int16_t);
}

size_t gf_quantize_cuda_scratch(const struct gf_apply_run *run)
{
    struct gf_quantize_params p = {};
    return gf_quantize_layout(run, &p);
}

gf_status gf_quantize_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    const struct gf_value *in = &run->in_values[0];
    struct gf_quantize_params p = {};
    gf_quantize_layout(run, &p);
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.in = static_cast<const uint8_t *>(run->in[0].data);
    p.out = static_cast<uint8_t *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.width = in->width;
    p.height = in->height;
    p.channels = in->channels;
    p.given = run->apply->in[1] == GF_NONE ? nullptr : static_cast<const uint32_t *>(run->in[1].data);
    p.palette = static_cast<uint32_t *>(run->out[1].data);

    GF_TRY(gf_quantize_find_cuda(p, static_cast<cudaStream_t>(run->queue.stream), error));
    if (!p.out) {
        return GF_OK;
    }
    const gf_launch one = gf_launch_on(run->queue.stream, 1, GF_QUANTIZE_THREADS);
    const gf_launch all = gf_launch_on(run->queue.stream, gf_blocks(p.width * p.height, GF_QUANTIZE_THREADS),
                                       GF_QUANTIZE_THREADS);
    GF_CUDA_TRY(error, p.args.dither == GF_QUANTIZE_FLOYD ? GF_LAUNCH(gf_quantize_diffuse, one, p)
                                                          : GF_LAUNCH(gf_quantize_put, all, p));
    return GF_OK;
}
