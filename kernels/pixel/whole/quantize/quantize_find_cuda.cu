/* quantize on CUDA: the palette. A launch a cut finds which box is cut, in every block alike, and measures
 * the two that come of it; a launch a round adds up what goes to each colour. All sums are of integers, so
 * that their order changes nothing. */
#include "array/common/clear_cuda.cuh"
#include "pixel/whole/quantize/quantize_cuda.cuh"

/* A thread takes neighbours of a row, and adds up those of one cell before it adds them to what others have.
 */
static __global__ void __launch_bounds__(GF_QUANTIZE_THREADS)
    gf_quantize_count(const struct gf_quantize_params p)
{
    const int64_t runs = (p.width + GF_QUANTIZE_RUN - 1) / GF_QUANTIZE_RUN,
                  i = int64_t(blockIdx.x) * GF_QUANTIZE_THREADS + threadIdx.x;
    gf_pdl_wait();
    if (i >= runs * p.height) {
        return;
    }
    const int64_t y = i / runs, x = i % runs * GF_QUANTIZE_RUN,
                  end = x + GF_QUANTIZE_RUN < p.width ? x + GF_QUANTIZE_RUN : p.width;
    const uint8_t *pixel = p.in + y * p.in_pitch + x * p.channels;
    int32_t last = gf_quantize_cell(pixel, p.channels);
    uint32_t own[GF_QUANTIZE_FIELDS] = {};
    for (int64_t k = x; k <= end; k++, pixel += p.channels) {
        const int32_t cell = k < end ? gf_quantize_cell(pixel, p.channels) : -1;
        if (cell != last) {
            GF_UNROLL
            for (int32_t c = 0; c < GF_QUANTIZE_FIELDS; c++) {
                if (own[c]) {
                    gf_atomic_add(p.sums + int64_t(last) * GF_QUANTIZE_FIELDS + c, uint64_t(own[c]));
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

/* Moves cells of a box whose places along a channel lie from `low` to `high` to the box `to`, which may be
 * the same, and measures them. */
GF_DEVICE_FN void gf_quantize_move(const struct gf_quantize_params &p, struct gf_quantize_boxes *next,
                                   uint32_t from, uint32_t to, int32_t channel, int32_t low, int32_t high)
{
    uint64_t sums[GF_QUANTIZE_FIELDS] = {};
    uint32_t ends[GF_QUANTIZE_ENDS] = {};
    for (int32_t k = 0; k < GF_QUANTIZE_CELLS; k++) {
        const int32_t cell =
            (int32_t(blockIdx.x) * GF_QUANTIZE_CELLS + k) * GF_QUANTIZE_THREADS + int32_t(threadIdx.x);
        const uint64_t n =
            cell < p.cells && p.box[cell] == from ? p.sums[int64_t(cell) * GF_QUANTIZE_FIELDS] : 0;
        const int32_t along = n ? gf_quantize_place(cell, p.channels, channel) : 0;
        if (n == 0 || along < low || along > high) {
            continue;
        }
        p.box[cell] = to;
        sums[0] += n;
        GF_UNROLL
        for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
            const uint32_t place = c < p.channels ? uint32_t(gf_quantize_place(cell, p.channels, c)) : 0u;
            sums[1 + c] += n * place;
            ends[2 * c] = 255 - place > ends[2 * c] ? 255 - place : ends[2 * c];
            ends[2 * c + 1] = place > ends[2 * c + 1] ? place : ends[2 * c + 1];
        }
    }
    if (!gf_any(sums[0] > 0)) {
        return;
    }
    GF_UNROLL
    for (int32_t c = 0; c < GF_QUANTIZE_FIELDS; c++) {
        const uint64_t sum = gf_reduce_add(sums[c]);
        if (gf_lane() == 0 && sum) {
            gf_atomic_add(&next->sums[to][c], sum);
        }
    }
    GF_UNROLL
    for (int32_t c = 0; c < GF_QUANTIZE_ENDS; c++) {
        const uint32_t end = gf_reduce_max(ends[c]);
        if (gf_lane() == 0) {
            gf_atomic_max(&next->ends[to][c], end);
        }
    }
}

/* Which box is cut, along which channel, behind which place. score 0: none. */
struct gf_quantize_cut {
    uint64_t score;
    int32_t channel, mean;
};

GF_DEVICE_FN struct gf_quantize_cut gf_quantize_choose(const struct gf_quantize_params &p,
                                                       const struct gf_quantize_boxes *now, uint32_t box)
{
    struct gf_quantize_cut cut = {};
    const uint64_t n = now->sums[box][0];
    for (int32_t c = 0; c < p.channels; c++) {
        const int32_t side = int32_t(now->ends[box][2 * c + 1]) - int32_t(255 - now->ends[box][2 * c]);
        const uint64_t score = gf_quantize_score(n, side, gf_quantize_bits(p.channels, c));
        if (score > cut.score) {
            cut = {score, c, int32_t(now->sums[box][1 + c] / n)};
        }
    }
    return cut;
}

/* The first of the greatest of n scores. */
GF_DEVICE_FN uint32_t gf_quantize_first(const uint64_t *scores, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++) {
        best = scores[i] > scores[best] ? i : best;
    }
    return best;
}

/* Cut 0 makes one box of all cells that have pixels. */
static __global__ void __launch_bounds__(GF_QUANTIZE_THREADS)
    gf_quantize_cut_box(const struct gf_quantize_params p, int32_t step)
{
    GF_SHARED(uint64_t, scores, GF_QUANTIZE_THREADS);
    const struct gf_quantize_boxes *now = p.boxes + step % GF_QUANTIZE_STATES;
    struct gf_quantize_boxes *next = p.boxes + (step + 1) % GF_QUANTIZE_STATES;
    uint32_t *later = reinterpret_cast<uint32_t *>(p.boxes + (step + 2) % GF_QUANTIZE_STATES);
    const uint32_t t = threadIdx.x, n = now->count[0], words = sizeof *now / sizeof *later;
    for (uint32_t i = blockIdx.x * GF_QUANTIZE_THREADS + t; i < words; i += gridDim.x * GF_QUANTIZE_THREADS) {
        later[i] = 0;
    }
    scores[t] = t < n ? gf_quantize_choose(p, now, t).score : 0;
    __syncthreads();
    const uint32_t box = gf_quantize_first(scores, n);
    const struct gf_quantize_cut cut = n ? gf_quantize_choose(p, now, box) : gf_quantize_cut{1, 0, 255};
    if (blockIdx.x == 0) {
        if (t < n && (t != box || cut.score == 0)) {
            for (int32_t c = 0; c < GF_QUANTIZE_FIELDS; c++) {
                next->sums[t][c] = now->sums[t][c];
            }
            for (int32_t c = 0; c < GF_QUANTIZE_ENDS; c++) {
                next->ends[t][c] = now->ends[t][c];
            }
        }
        if (t == 0) {
            next->count[0] = n + (cut.score > 0);
        }
    }
    if (cut.score > 0) {
        gf_quantize_move(p, next, box, box, cut.channel, 0, cut.mean - GF_FAULT(cuda_quantize_cut));
    }
    if (cut.score > 0 && n > 0) {
        gf_quantize_move(p, next, box, n, cut.channel, cut.mean + 1, 255);
    }
}

/* Colour i behind so many rounds: the mean of what was added up for it last. */
GF_DEVICE_FN uint32_t gf_quantize_colour(const struct gf_quantize_params &p, uint32_t i, int32_t rounds)
{
    uint32_t colour = 0;
    while (rounds > 0 && p.added[rounds].of[i][0] == 0) {
        rounds--;
    }
    const uint64_t *added = p.added[rounds].of[i];
    for (int32_t c = 0; c < p.channels; c++) {
        colour |= gf_quantize_mean(added[1 + c], added[0]) << 8 * c;
    }
    return colour;
}

/* Adds what a cell has to what goes to its colour: that of its box in round 0, and then the nearest.
 * Neighbours of one colour are added up by the thread before it adds them to what the block has. */
static __global__ void __launch_bounds__(GF_QUANTIZE_THREADS)
    gf_quantize_gather(const struct gf_quantize_params p, int32_t round)
{
    GF_SHARED(uint64_t, sums, GF_QUANTIZE_MOST * GF_QUANTIZE_FIELDS);
    GF_SHARED(uint32_t, colours, GF_QUANTIZE_MOST);
    const uint32_t t = threadIdx.x, n = p.boxes[p.args.colours % GF_QUANTIZE_STATES].count[0];
    for (uint32_t i = t; i < GF_QUANTIZE_MOST * GF_QUANTIZE_FIELDS; i += GF_QUANTIZE_THREADS) {
        sums[i] = 0;
    }
    colours[t] = round > 0 && t < n ? gf_quantize_colour(p, t, round - 1) : 0;
    __syncthreads();
    uint64_t own[GF_QUANTIZE_FIELDS] = {};
    int32_t last = 0;
    for (int32_t k = 0; k <= GF_QUANTIZE_CELLS; k++) {
        const int32_t cell = (int32_t(blockIdx.x) * GF_QUANTIZE_THREADS + int32_t(t)) * GF_QUANTIZE_CELLS + k;
        const uint64_t *from = p.sums + int64_t(cell) * GF_QUANTIZE_FIELDS;
        const bool some = k < GF_QUANTIZE_CELLS && cell < p.cells && from[0] > 0;
        if (!some && k < GF_QUANTIZE_CELLS) {
            continue;
        }
        int32_t to = some && round == 0 ? int32_t(p.box[cell]) : -1, mean[GF_QUANTIZE_CHANNELS];
        if (some && round > 0) {
            GF_UNROLL
            for (int32_t c = 0; c < GF_QUANTIZE_CHANNELS; c++) {
                mean[c] = int32_t(gf_quantize_mean(from[1 + c], from[0]));
            }
            to = gf_quantize_closest(colours, int32_t(n), p.channels, mean);
        }
        GF_UNROLL
        for (int32_t c = 0; c < GF_QUANTIZE_FIELDS; c++) {
            if (to != last && own[c]) {
                gf_atomic_add(sums + last * GF_QUANTIZE_FIELDS + c, own[c]);
            }
            own[c] = (to != last ? 0 : own[c]) + (some ? from[c] : 0);
        }
        last = to;
    }
    __syncthreads();
    for (uint32_t i = t; i < n * GF_QUANTIZE_FIELDS; i += GF_QUANTIZE_THREADS) {
        if (sums[i]) {
            gf_atomic_add(&p.added[round].of[0][0] + i, sums[i]);
        }
    }
}

static __global__ void __launch_bounds__(GF_QUANTIZE_THREADS)
    gf_quantize_settle(const struct gf_quantize_params p)
{
    const uint32_t t = threadIdx.x,
                   n = p.given ? p.given[0] : p.boxes[p.args.colours % GF_QUANTIZE_STATES].count[0];
    p.palette[1 + t] = t >= n ? 0 : p.given ? p.given[1 + t] : gf_quantize_colour(p, t, GF_QUANTIZE_ROUNDS);
    if (t == 0) {
        p.palette[0] = n;
    }
}

gf_status gf_quantize_find_cuda(const struct gf_quantize_params &p, cudaStream_t stream, gf_error *error)
{
    const int64_t runs = (p.width + GF_QUANTIZE_RUN - 1) / GF_QUANTIZE_RUN * p.height;
    gf_launch count = gf_launch_on(stream, gf_blocks(runs, GF_QUANTIZE_THREADS), GF_QUANTIZE_THREADS);
    const gf_launch cells = gf_launch_on(stream, gf_blocks(p.cells, GF_QUANTIZE_THREADS * GF_QUANTIZE_CELLS),
                                         GF_QUANTIZE_THREADS);
    const gf_launch one = gf_launch_on(stream, 1, GF_QUANTIZE_THREADS);
    if (p.given) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_quantize_settle, one, p));
        return GF_OK;
    }
    GF_TRY(gf_clear(p.sums, gf_quantize_cleared(p.cells), &count, error));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_quantize_count, count, p));
    for (int32_t step = 0; step < p.args.colours; step++) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_quantize_cut_box, cells, p, step));
    }
    for (int32_t round = 0; round <= GF_QUANTIZE_ROUNDS; round++) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_quantize_gather, cells, p, round));
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_quantize_settle, one, p));
    return GF_OK;
}
