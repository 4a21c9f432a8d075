/* What "fourier_conv" does beside its transforms on the GPU. Tiles of a batch lie one behind the other. */
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/map/fourier_conv/fourier_conv.h"

enum {
    GF_FOURIER_CONV_THREADS = 256,
    GF_FOURIER_CONV_MOST = 32768, /* blocks of rows, which take their turns */
    GF_FOURIER_CONV_SIDE = 32     /* of what a block turns */
};

struct gf_fourier_conv_params {
    const char *in;
    char *out;
    const float *weights;
    int64_t in_pitch, out_pitch, first, rows; /* rows: of all tiles that a part makes */
    struct gf_fourier_conv_tiles tiles;
    float *numbers;
    uint32_t *wild;
};

struct alignas(8) gf_fourier_conv_number {
    float re, im;
};

GF_DEVICE_FN const float *gf_fourier_conv_sample(const struct gf_fourier_conv_params &p,
                                                 const gf_fourier_conv_place &at, int64_t x, int64_t y)
{
    return reinterpret_cast<const float *>(p.in + (at.y + y - p.tiles.in_first) * p.in_pitch) +
           (at.x + x) * p.tiles.channels + at.channel;
}

static __global__ void __launch_bounds__(GF_FOURIER_CONV_THREADS)
    gf_fourier_conv_take(const struct gf_fourier_conv_params p)
{
    const struct gf_fourier_conv_tiles &t = p.tiles;
    const int64_t x = int64_t(blockIdx.x) * GF_FOURIER_CONV_THREADS + threadIdx.x;
    for (int64_t row = blockIdx.y; x < t.args.wide && row < p.rows; row += gridDim.y) {
        const int64_t unit = row / t.args.high, y = row - unit * t.args.high;
        const gf_fourier_conv_place at = gf_fourier_conv_place_of(&t, p.first + unit);
        const bool there = at.x + x < t.in_width && at.y + y < t.in_end;
        const float v = there ? *gf_fourier_conv_sample(p, at, x, y) : 0.0F;
        p.numbers[row * (t.args.wide + 2) + x] = v;
        if (!(v < GF_FOURIER_CONV_TAME && v > -GF_FOURIER_CONV_TAME)) {
            gf_store_relaxed(p.wild + unit, 1U);
        }
    }
}

/* Rows of complex numbers become columns, of a tile each z. */
static __global__ void gf_fourier_conv_turn(const gf_fourier_conv_number *from, gf_fourier_conv_number *to,
                                            const int64_t rows, const int64_t columns, const int swaps)
{
    enum { SIDE = GF_FOURIER_CONV_SIDE };
    GF_SHARED(gf_fourier_conv_number, held, SIDE * (SIDE + 1));
    const int64_t tile = int64_t(blockIdx.z) * rows * columns;
    const int64_t x = int64_t(blockIdx.x) * SIDE, y = int64_t(blockIdx.y) * SIDE;
    const int own = static_cast<int>(threadIdx.x);
    for (int r = static_cast<int>(threadIdx.y); r < SIDE; r += static_cast<int>(blockDim.y)) {
        if (x + own < columns && y + r < rows) {
            held[r * (SIDE + 1) + own] = from[tile + (y + r) * columns + x + own];
        }
    }
    __syncthreads();
    for (int r = static_cast<int>(threadIdx.y); r < SIDE; r += static_cast<int>(blockDim.y)) {
        if (y + own < rows && x + r < columns) {
            const gf_fourier_conv_number v = held[own * (SIDE + 1) + r];
            to[tile + (x + r) * rows + y + own] = swaps ? gf_fourier_conv_number{v.im, v.re} : v;
        }
    }
}

/* n numbers of each tile, times the weights', re and im in each other's place. */
static __global__ void __launch_bounds__(GF_FOURIER_CONV_THREADS)
    gf_fourier_conv_product(gf_fourier_conv_number *numbers, const gf_fourier_conv_number *by,
                            const int64_t n)
{
    const int64_t i = int64_t(blockIdx.x) * GF_FOURIER_CONV_THREADS + threadIdx.x;
    if (i < n) {
        const gf_fourier_conv_number w = by[i], v = numbers[blockIdx.y * n + i];
        numbers[blockIdx.y * n + i] = {gf_fma(v.re, w.im, v.im * w.re), gf_fma(v.re, w.re, -(v.im * w.im))};
    }
}

GF_DEVICE_FN float gf_fourier_conv_chain(const struct gf_fourier_conv_params &p,
                                         const gf_fourier_conv_place &at, int64_t x, int64_t y)
{
    const struct gf_fourier_conv_args &args = p.tiles.args;
    float sum = -0.0F; /* which the first product does not notice */
    for (int j = 0; j < args.down; j++) {
        const float *row = gf_fourier_conv_sample(p, at, x, y + j);
        for (int i = 0; i < args.across; i++) {
            sum = gf_fma(p.weights[int64_t(j) * args.across + i], row[int64_t(i) * p.tiles.channels], sum);
        }
    }
    return gf_canonical(sum);
}

static __global__ void __launch_bounds__(GF_FOURIER_CONV_THREADS)
    gf_fourier_conv_give(const struct gf_fourier_conv_params p)
{
    const struct gf_fourier_conv_tiles &t = p.tiles;
    const int64_t x = int64_t(blockIdx.x) * GF_FOURIER_CONV_THREADS + threadIdx.x;
    for (int64_t row = blockIdx.y; x < t.places_x && row < p.rows; row += gridDim.y) {
        const int64_t unit = row / t.places_y, y = row - unit * t.places_y;
        const gf_fourier_conv_place at = gf_fourier_conv_place_of(&t, p.first + unit);
        if (at.x + x < t.width && at.y + y >= t.out_first && at.y + y < t.out_end) {
            const bool wild = p.wild[unit] != 0 && !GF_FAULT(cuda_fourier_conv_wild);
            float *to = reinterpret_cast<float *>(p.out + (at.y + y - t.out_first) * p.out_pitch);
            to[(at.x + x) * t.channels + at.channel] =
                wild ? gf_fourier_conv_chain(p, at, x, y)
                     : p.numbers[(unit * t.args.high + y) * (t.args.wide + 2) + x];
        }
    }
}

/* ---- the parts ---- */

static gf_status gf_fourier_conv_turns(const struct gf_fourier_conv_batch *b, const float *from, float *to,
                                       bool back, int64_t tiles, gf_error *error)
{
    const int64_t half = b->tiles.args.wide / 2 + 1, high = b->tiles.args.high;
    const int64_t rows = back ? half : high, columns = back ? high : half;
    const dim3 grid(gf_blocks(columns, GF_FOURIER_CONV_SIDE), gf_blocks(rows, GF_FOURIER_CONV_SIDE),
                    static_cast<unsigned>(tiles));
    const gf_launch launch = gf_launch_on(b->run->queue.stream, grid, dim3(GF_FOURIER_CONV_SIDE, 8));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_fourier_conv_turn, launch,
                                 reinterpret_cast<const gf_fourier_conv_number *>(from),
                                 reinterpret_cast<gf_fourier_conv_number *>(to), rows, columns,
                                 static_cast<int>(back)));
    return GF_OK;
}

static gf_status gf_fourier_conv_products(const struct gf_fourier_conv_batch *b, gf_error *error)
{
    const int64_t n = int64_t(b->tiles.args.wide / 2 + 1) * b->tiles.args.high;
    const dim3 grid(gf_blocks(n, GF_FOURIER_CONV_THREADS), static_cast<unsigned>(b->count));
    const gf_launch launch = gf_launch_on(b->run->queue.stream, grid, dim3(GF_FOURIER_CONV_THREADS));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_fourier_conv_product, launch,
                                 reinterpret_cast<gf_fourier_conv_number *>(b->turned),
                                 reinterpret_cast<const gf_fourier_conv_number *>(b->spectrum),
                                 n - GF_FAULT(cuda_fourier_conv_last)));
    return GF_OK;
}

static gf_status gf_fourier_conv_samples(const struct gf_fourier_conv_batch *b, bool gives, gf_error *error)
{
    const struct gf_apply_run *run = b->run;
    const struct gf_fourier_conv_tiles *t = &b->tiles;
    struct gf_fourier_conv_params p = {};
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.weights = static_cast<const float *>(run->in[1].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.first = b->first;
    p.rows = b->count * (gives ? t->places_y : t->args.high);
    p.tiles = *t;
    p.numbers = b->numbers;
    p.wild = b->wild;
    const unsigned rows =
        gf_blocks(p.rows < GF_FOURIER_CONV_MOST ? p.rows : int64_t(GF_FOURIER_CONV_MOST), 1);
    const dim3 grid(gf_blocks(gives ? t->places_x : t->args.wide, GF_FOURIER_CONV_THREADS), rows);
    const gf_launch launch = gf_launch_on(run->queue.stream, grid, dim3(GF_FOURIER_CONV_THREADS));
    if (gives) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_fourier_conv_give, launch, p));
        return GF_OK;
    }
    GF_CUDA_TRY(error,
                cudaMemsetAsync(b->wild, 0, static_cast<size_t>(b->count) * sizeof *b->wild, launch.stream));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_fourier_conv_take, launch, p));
    return GF_OK;
}

gf_status gf_fourier_conv_part_cuda(const struct gf_fourier_conv_batch *b, enum gf_fourier_conv_part part,
                                    gf_error *error)
{
    GF_ON_DEVICE(b->run->queue.device, error)
    switch (part) {
    case GF_FOURIER_CONV_SPECTRUM:
        return gf_fourier_conv_turns(b, static_cast<const float *>(b->run->in[2].data), b->spectrum, false, 1,
                                     error);
    case GF_FOURIER_CONV_TURN:
        return gf_fourier_conv_turns(b, b->numbers, b->turned, false, b->count, error);
    case GF_FOURIER_CONV_PRODUCT:
        return gf_fourier_conv_products(b, error);
    case GF_FOURIER_CONV_TURN_BACK:
        return gf_fourier_conv_turns(b, b->turned, b->numbers, true, b->count, error);
    default:
        return gf_fourier_conv_samples(b, part == GF_FOURIER_CONV_GIVE, error);
    }
}
