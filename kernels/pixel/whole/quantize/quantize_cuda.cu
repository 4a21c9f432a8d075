/* quantize on CUDA. Threads count pixels by cells; one block finds the palette among those cells that have
 * any; threads put colours in place, or, of Floyd and Steinberg, one block walks down the picture, a thread a
 * row, two pixels behind the row above it. All sums are of integers, so that their order changes nothing. */
#include "array/common/clear_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "pixel/whole/quantize/quantize.h"

enum { THREADS = 256, RUN = 32, FIELDS = 1 + GF_QUANTIZE_CHANNELS };

struct gf_quantize_params {
    const uint8_t *in;
    uint8_t *out;
    int64_t in_pitch, out_pitch, width, height;
    int32_t channels;
    struct gf_quantize_args args;
    const uint32_t *given;
    uint32_t *palette; /* [GF_QUANTIZE_PALETTE] */
    uint64_t *sums;    /* [cells][FIELDS] */
    int32_t *list;     /* cells that have pixels */
    uint32_t *box;     /* of each of them */
    int16_t *line;     /* [width][3]: errors of the last row of a band of rows */
};

/* A thread takes neighbours of a row, and adds up those of one cell before it adds them to what others have.
 */
static __global__ void __launch_bounds__(THREADS) gf_quantize_count(const struct gf_quantize_params p)
{
    const int64_t runs = (p.width + RUN - 1) / RUN, i = int64_t(blockIdx.x) * THREADS + threadIdx.x;
    gf_pdl_wait();
    if (i >= runs * p.height) {
        return;
    }
    const int64_t y = i / runs, x = i % runs * RUN, end = x + RUN < p.width ? x + RUN : p.width;
    const uint8_t *pixel = p.in + y * p.in_pitch + x * p.channels;
    int32_t last = gf_quantize_cell(pixel, p.channels);
    uint32_t own[FIELDS] = {};
    for (int64_t k = x; k <= end; k++, pixel += p.channels) {
        const int32_t cell = k < end ? gf_quantize_cell(pixel, p.channels) : -1;
        if (cell != last) {
            GF_UNROLL
            for (int32_t c = 0; c < FIELDS; c++) {
                if (own[c]) {
                    gf_atomic_add(p.sums + int64_t(last) * FIELDS + c, uint64_t(own[c]));
                }
                own[c] = 0;
            }
            last = cell;
        }
        if (cell >= 0) {
            own[0]++;
            GF_UNROLL
            for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
                own[1 + c] += c < p.channels ? pixel[c] : 0u;
            }
        }
    }
}

/* The index of the nearest of n colours. */
GF_DEVICE_FN int32_t gf_quantize_closest(const uint32_t *colours, int32_t n, int32_t channels,
                                         const int32_t v[4])
{
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < n; i++) {
        const uint32_t colour = colours[i];
        int32_t distance = 0;
        GF_UNROLL
        for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
            const int32_t d = c < channels ? v[c] - int32_t(colour >> 8 * c & 255) : 0;
            distance += d * d;
        }
        const int32_t key = distance * 256 + i;
        best = key < best ? key : best;
    }
    return best & 255;
}

/* What is known of a box while it is added up, in shared memory: pixels, sums of places; least and greatest.
 */
struct gf_quantize_boxes {
    uint64_t *n; /* [GF_QUANTIZE_MOST][FIELDS] */
    uint32_t
        *ends; /* [GF_QUANTIZE_MOST][GF_QUANTIZE_CHANNELS][2]: the least of 255 - place, for atomic maxima */
};

GF_DEVICE_FN void gf_quantize_measure(const struct gf_quantize_params &p,
                                      const struct gf_quantize_boxes &boxes, uint32_t box, int32_t cell)
{
    const uint64_t n = p.sums[int64_t(cell) * FIELDS];
    gf_atomic_add(boxes.n + box * FIELDS, n);
    for (int32_t c = 0; c < p.channels; c++) {
        const uint32_t place = static_cast<uint32_t>(gf_quantize_place(cell, p.channels, c));
        uint32_t *ends = boxes.ends + (box * GF_QUANTIZE_CHANNELS + static_cast<uint32_t>(c)) * 2;
        gf_atomic_add(boxes.n + box * FIELDS + 1 + c, n * place);
        gf_atomic_max(ends, 255 - place);
        gf_atomic_max(ends + 1, place);
    }
}

GF_DEVICE_FN void gf_quantize_clear_box(const struct gf_quantize_boxes &boxes, uint32_t box)
{
    if (threadIdx.x < FIELDS) {
        boxes.n[box * FIELDS + threadIdx.x] = 0;
    }
    if (threadIdx.x < 2 * GF_QUANTIZE_CHANNELS) {
        boxes.ends[box * 2 * GF_QUANTIZE_CHANNELS + threadIdx.x] = 0;
    }
}

/* The first thread's: which box is cut, along which channel, behind which place. score 0: none. */
struct gf_quantize_cut {
    uint64_t score;
    uint32_t box, mean;
    int32_t channel;
};

GF_DEVICE_FN struct gf_quantize_cut gf_quantize_choose(const struct gf_quantize_params &p,
                                                       const struct gf_quantize_boxes &boxes, uint32_t box)
{
    struct gf_quantize_cut cut = {0, box, 0, 0};
    const uint64_t *n = boxes.n + box * FIELDS;
    for (int32_t c = 0; c < p.channels; c++) {
        const uint32_t *ends = boxes.ends + (box * GF_QUANTIZE_CHANNELS + static_cast<uint32_t>(c)) * 2;
        const int32_t side = static_cast<int32_t>(ends[1]) - static_cast<int32_t>(255 - ends[0]);
        const uint64_t score = gf_quantize_score(n[0], side, gf_quantize_bits(p.channels, c));
        if (score > cut.score) {
            cut = {score, box, static_cast<uint32_t>(n[1 + c] / n[0]), c};
        }
    }
    return cut;
}

static __global__ void __launch_bounds__(THREADS) gf_quantize_find(const struct gf_quantize_params p)
{
    GF_SHARED(uint64_t, sums, GF_QUANTIZE_MOST * FIELDS);
    GF_SHARED(uint32_t, ends, GF_QUANTIZE_MOST * GF_QUANTIZE_CHANNELS * 2);
    GF_SHARED(uint64_t, scores, THREADS);
    GF_SHARED(uint32_t, colours, GF_QUANTIZE_MOST);
    GF_SHARED(uint32_t, used, 1);
    const struct gf_quantize_boxes boxes = {sums, ends};
    const uint32_t t = threadIdx.x;
    if (p.given) {
        for (uint32_t i = t; i < GF_QUANTIZE_PALETTE; i += THREADS) {
            p.palette[i] = p.given[i];
        }
        return;
    }
    gf_quantize_clear_box(boxes, 0);
    if (t == 0) {
        *used = 0;
    }
    __syncthreads();
    for (int32_t cell = int32_t(t); cell < gf_quantize_cells(p.channels); cell += THREADS) {
        if (p.sums[int64_t(cell) * FIELDS]) {
            const uint32_t at = gf_atomic_add(used, 1u);
            p.list[at] = cell;
            p.box[at] = 0;
            gf_quantize_measure(p, boxes, 0, cell);
        }
    }
    __syncthreads();
    const uint32_t cells = *used;
    uint32_t n = 1;
    for (; n < uint32_t(p.args.colours);
         n++) { /* the first of the greatest scores, found by all threads alike */
        const struct gf_quantize_cut own =
            t < n ? gf_quantize_choose(p, boxes, t) : gf_quantize_cut{0, t, 0, 0};
        scores[t] = own.score;
        __syncthreads();
        uint32_t best = 0;
        for (uint32_t i = 1; i < n; i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        const struct gf_quantize_cut cut = gf_quantize_choose(p, boxes, best);
        __syncthreads();
        if (cut.score == 0) {
            break;
        }
        gf_quantize_clear_box(boxes, cut.box);
        gf_quantize_clear_box(boxes, n);
        __syncthreads();
        for (uint32_t i = t; i < cells; i += THREADS) { /* the cells that this thread alone looks at */
            if (p.box[i] == cut.box) {
                const int32_t cell = p.list[i];
                p.box[i] =
                    uint32_t(gf_quantize_place(cell, p.channels, cut.channel)) > cut.mean ? n : cut.box;
                gf_quantize_measure(p, boxes, p.box[i], cell);
            }
        }
        __syncthreads();
    }
    colours[t] = 0;
    for (int32_t round = 0; round <= GF_QUANTIZE_ROUNDS; round++) {
        for (uint32_t i = t; i < GF_QUANTIZE_MOST * FIELDS; i += THREADS) {
            sums[i] = 0;
        }
        __syncthreads();
        for (uint32_t i = t; i < cells; i += THREADS) {
            const uint64_t *from = p.sums + int64_t(p.list[i]) * FIELDS;
            int32_t mean[GF_QUANTIZE_CHANNELS];
            GF_UNROLL
            for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
                mean[c] = int32_t(gf_quantize_mean(from[1 + c], from[0]));
            }
            const uint32_t to =
                round == 0 ? p.box[i] : uint32_t(gf_quantize_closest(colours, int32_t(n), p.channels, mean));
            for (int32_t c = 0; c <= p.channels; c++) {
                gf_atomic_add(sums + to * FIELDS + c, from[c]);
            }
        }
        __syncthreads();
        if (t < n && sums[t * FIELDS]) {
            uint32_t colour = 0;
            for (int32_t c = 0; c < p.channels; c++) {
                colour |= gf_quantize_mean(sums[t * FIELDS + 1 + uint32_t(c)], sums[t * FIELDS]) << 8 * c;
            }
            colours[t] = colour;
        }
        __syncthreads();
    }
    p.palette[1 + t] = t < n ? colours[t] : 0;
    if (t == 0) {
        p.palette[0] = n;
    }
}

/* Takes the palette into shared memory; returns how many colours it has. */
GF_DEVICE_FN int32_t gf_quantize_load(const struct gf_quantize_params &p, uint32_t *colours)
{
    colours[threadIdx.x] = p.palette[1 + threadIdx.x];
    __syncthreads();
    return static_cast<int32_t>(p.palette[0]);
}

static __global__ void __launch_bounds__(THREADS) gf_quantize_put(const struct gf_quantize_params p)
{
    GF_SHARED(uint32_t, colours, GF_QUANTIZE_MOST);
    const int32_t n = gf_quantize_load(p, colours), colour = gf_quantize_colour_channels(p.channels);
    const int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x;
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
static __global__ void __launch_bounds__(THREADS) gf_quantize_diffuse(const struct gf_quantize_params p)
{
    GF_SHARED(uint32_t, colours, GF_QUANTIZE_MOST);
    GF_SHARED(int32_t, errors, THREADS * 4 * 3);
    const int32_t n = gf_quantize_load(p, colours), colour = gf_quantize_colour_channels(p.channels);
    const int64_t t = threadIdx.x;
    for (int64_t top = 0; top < p.height; top += THREADS) {
        const int64_t y = top + t, rows = p.height - top < THREADS ? p.height - top : int64_t(THREADS);
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
                                      : top > 0    ? p.line[k * 3 + c]
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
                    if (t ==
                        THREADS - 1) { /* behind what the band's first row still reads: it is far ahead */
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
    const size_t cells = static_cast<size_t>(gf_quantize_cells(in->channels));
    char *at = static_cast<char *>(run->scratch);
    if (at) {
        p->sums = reinterpret_cast<uint64_t *>(at);
        p->list = reinterpret_cast<int32_t *>(at + cells * FIELDS * sizeof(uint64_t));
        p->box = reinterpret_cast<uint32_t *>(p->list + cells);
        p->line = reinterpret_cast<int16_t *>(p->box + cells);
    }
    return cells * (FIELDS * sizeof(uint64_t) + 8) + static_cast<size_t>(in->width) * 3 * sizeof(int16_t);
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

    const int64_t runs = (p.width + RUN - 1) / RUN * p.height;
    gf_launch count = gf_launch_on(run->queue.stream, gf_blocks(runs, THREADS), THREADS);
    const gf_launch one = gf_launch_on(run->queue.stream, 1, THREADS);
    const gf_launch all = gf_launch_on(run->queue.stream, gf_blocks(p.width * p.height, THREADS), THREADS);
    if (!p.given) {
        const size_t bytes = static_cast<size_t>(gf_quantize_cells(p.channels)) * FIELDS * sizeof(uint64_t);
        GF_TRY(gf_clear(p.sums, bytes, &count, error));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_quantize_count, count, p));
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_quantize_find, one, p));
    if (!p.out) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, p.args.dither == GF_QUANTIZE_FLOYD ? GF_LAUNCH(gf_quantize_diffuse, one, p)
                                                          : GF_LAUNCH(gf_quantize_put, all, p));
    return GF_OK;
}
