/* "wide_conv" on CUDA, where products would take longer: sums by transforms of squares in f64, as on the CPU,
 * a few squares at a time. One kernel takes samples and transforms rows, one transforms columns, multiplies
 * and transforms them back, one transforms rows back and rounds (wide_line_cuda.cuh). Frequencies of samples
 * and of weights lie in the same places. */
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "fourier/fft_unit.h"
#include "pixel/map/wide_conv/wide_line_cuda.cuh"
#include "pixel/map/wide_conv/wide_put_cuda.cuh"

enum {
    GF_WIDE_THREADS = 256,
    GF_WIDE_NUMBERS = GF_WIDE_HAS * GF_WIDE_THREADS, /* of a CUDA block: whole lines */
    GF_WIDE_BATCH = 256 << 20                        /* bytes of squares at a time */
};

struct gf_wide_params {
    const char *in;
    char *out;
    const double *weights;
    int64_t in_pitch, out_pitch;
    int64_t in_width, in_rows, width, rows; /* pixels; rows in memory, the output's begin at in's first */
    int channels, bytes, depth;             /* bytes of a sample of in; depth of out */
    struct gf_wide_conv_args args;
    int side, lines, mix;        /* lines of a block; how one's mix differs from that of the one before */
    int64_t tile, half;          /* pixels of a square that count, across and down */
    int64_t tiles, bands, first; /* first: unit of the batch */
    struct gf_wide_number *turns, *spectra, *squares;
    int64_t apart; /* numbers from the squares of a part to the next one's; those of samples lie in front */
    int part;
};

/* Line `line` of a block's. */
GF_DEVICE_FN gf_wide_line gf_wide_line_of(const struct gf_wide_params &p, gf_wide_number *room, int line,
                                          int place)
{
    return {room + line * p.side, p.turns, p.side, place, line * p.mix};
}

/* ---- kernels ---- */

static __global__ void __launch_bounds__(GF_WIDE_THREADS) gf_wide_turns(const struct gf_wide_params p)
{
    const int k = static_cast<int>(blockIdx.x) * GF_WIDE_THREADS + static_cast<int>(threadIdx.x);
    double c, s;
    if (k < p.side) {
        gf_fft_unit_of(k, p.side, &c, &s);
        p.turns[k] = {c, -s};
    }
}

/* The line of a thread where each has side / 16 threads that stand side by side, and which of the block's. */
GF_DEVICE_FN gf_wide_line gf_wide_row(const struct gf_wide_params &p, gf_wide_number *room, int *line)
{
    const int own = static_cast<int>(threadIdx.x), each = p.side / GF_WIDE_HAS;
    *line = own / each;
    return gf_wide_line_of(p, room, *line, own & (each - 1));
}

/* Where in the output the tile of a unit lies. */
struct gf_wide_place {
    int64_t x, y;
    int c;
};
GF_DEVICE_FN gf_wide_place gf_wide_place_of(const struct gf_wide_params &p)
{
    const int64_t unit = p.first + blockIdx.y, tile = unit / p.channels;
    return {tile % p.tiles * p.tile, tile / p.tiles * p.half * (p.bytes == 1 ? 2 : 1),
            static_cast<int>(unit - tile * p.channels)};
}

/* A byte of a sample, 0 where there is none. */
GF_DEVICE_FN double gf_wide_byte(const struct gf_wide_params &p, const gf_wide_place &at, int64_t x,
                                 int64_t y, int digit)
{
    const int64_t column = at.x + x, row = at.y + y;
    if (column >= p.in_width || row >= p.in_rows) {
        return 0;
    }
    const char *from = p.in + row * p.in_pitch + (column * p.channels + at.c) * p.bytes + digit;
    return static_cast<double>(static_cast<unsigned char>(*from));
}

/* Number (x, y) of the square of weights, which lie backwards from the first on. */
GF_DEVICE_FN double gf_wide_weight(const struct gf_wide_params &p, int x, int y)
{
    const int i = (p.side - x) & (p.side - 1), j = (p.side - y) & (p.side - 1);
    return i < p.args.across && j < p.args.down ? gf_wide_conv_part(p.weights[int64_t(j) * p.args.across + i],
                                                                    p.part, p.args.parts, p.args.bits)
                                                : 0.0;
}

template <bool WEIGHTS>
static __global__ void __launch_bounds__(GF_WIDE_THREADS) gf_wide_take(const struct gf_wide_params p)
{
    GF_SHARED_DYN(gf_wide_number, room);
    int line;
    const gf_wide_line l = gf_wide_row(p, room, &line);
    const int y = static_cast<int>(blockIdx.x) * p.lines + line, each = p.side / GF_WIDE_HAS;
    const gf_wide_place at = gf_wide_place_of(p);
    gf_wide_number v[GF_WIDE_HAS];
    GF_UNROLL
    for (int i = 0; i < GF_WIDE_HAS; i++) {
        const int x = l.place + i * each;
        v[i] = {WEIGHTS ? gf_wide_weight(p, x, y) : gf_wide_byte(p, at, x, y, 0),
                WEIGHTS        ? 0.0
                : p.bytes == 1 ? gf_wide_byte(p, at, x, y + p.half, 0)
                               : gf_wide_byte(p, at, x, y, 1)};
    }
    gf_wide_forward(l, v);
    gf_wide_number *to = p.squares + (int64_t(blockIdx.y) * p.side + y) * p.side + l.place;
    GF_UNROLL
    for (int i = 0; i < GF_WIDE_HAS; i++) {
        to[i * each] = v[i];
    }
}

/* WEIGHTS: to a spectrum, divided by side^2. Else times that, and back, to the squares of the part. */
template <bool WEIGHTS>
static __global__ void __launch_bounds__(GF_WIDE_THREADS) gf_wide_columns(const struct gf_wide_params p)
{
    GF_SHARED_DYN(gf_wide_number, room);
    const int own = static_cast<int>(threadIdx.x), line = own & (p.lines - 1), each = p.side / GF_WIDE_HAS;
    const gf_wide_line l = gf_wide_line_of(p, room, line, own / p.lines);
    const int64_t column = int64_t(blockIdx.x) * p.lines + line, size = int64_t(p.side) * p.side;
    const int64_t first = int64_t(l.place) * p.side + column, step = int64_t(each) * p.side;
    gf_wide_number *square = p.squares + blockIdx.y * size, *spectrum = p.spectra + p.part * size;
    gf_wide_number v[GF_WIDE_HAS];
    GF_UNROLL
    for (int i = 0; i < GF_WIDE_HAS; i++) {
        v[i] = square[first + i * step];
    }
    gf_wide_forward(l, v);
    if constexpr (WEIGHTS) {
        const double scale = 1.0 / static_cast<double>(size); /* a power of two */
        GF_UNROLL
        for (int i = 0; i < GF_WIDE_HAS; i++) {
            spectrum[first + i * step] = {v[i].re * scale, v[i].im * scale};
        }
    } else {
        GF_UNROLL
        for (int i = 0; i < GF_WIDE_HAS; i++) {
            v[i] = gf_wide_times(v[i], spectrum[first + i * step]);
        }
        gf_wide_backward(l, v);
        square += p.apart * (p.args.parts > 1 ? 1 + p.part : 0);
        GF_UNROLL
        for (int i = 0; i < GF_WIDE_HAS; i++) {
            square[first + i * step] = v[i];
        }
    }
}

GF_DEVICE_FN void gf_wide_put(const struct gf_wide_params &p, const gf_wide_place &at, int64_t x, int64_t y,
                              int64_t sum)
{
    const int64_t column = at.x + x, row = at.y + y;
    if (x < p.tile && column < p.width && row < p.rows) {
        gf_wide_conv_put(p.out + row * p.out_pitch, column * p.channels + at.c, p.depth,
                         static_cast<double>(sum), p.args.unit);
    }
}

/* ONE: there is one part. */
template <bool ONE>
static __global__ void __launch_bounds__(GF_WIDE_THREADS) gf_wide_give(const struct gf_wide_params p)
{
    GF_SHARED_DYN(gf_wide_number, room);
    int line;
    const gf_wide_line l = gf_wide_row(p, room, &line);
    const int y = static_cast<int>(blockIdx.x) * p.lines + line, each = p.side / GF_WIDE_HAS;
    const int parts = ONE ? 1 : p.args.parts - GF_FAULT(cuda_wide_conv_part);
    const gf_wide_number *from = p.squares + (int64_t(blockIdx.y) * p.side + y) * p.side + l.place;
    int64_t sums[2][GF_WIDE_HAS] = {};
    for (int part = 0; part < parts; part++) {
        gf_wide_number v[GF_WIDE_HAS];
        from += ONE ? 0 : p.apart;
        GF_UNROLL
        for (int i = 0; i < GF_WIDE_HAS; i++) {
            v[i] = from[i * each];
        }
        gf_wide_backward(l, v);
        GF_UNROLL
        for (int i = 0; i < GF_WIDE_HAS; i++) {
            const int64_t times = int64_t(1) << (ONE ? 0 : part * p.args.bits);
            sums[0][i] += times * static_cast<int64_t>(gf_wide_conv_whole(v[i].re));
            sums[1][i] += times * static_cast<int64_t>(gf_wide_conv_whole(v[i].im));
        }
    }
    const gf_wide_place at = gf_wide_place_of(p);
    GF_UNROLL
    for (int i = 0; i < GF_WIDE_HAS && y < p.half; i++) {
        const int x = l.place + i * each;
        gf_wide_put(p, at, x, y, sums[0][i] + (p.bytes == 1 ? 0 : 256 * sums[1][i]));
        if (p.bytes == 1) {
            gf_wide_put(p, at, x, y + p.half, sums[1][i]);
        }
    }
}

/* ---- the run ---- */

/* Fills what follows from the run but memory; returns how many squares are made at a time. */
static int64_t gf_wide_plan(const struct gf_apply_run *run, struct gf_wide_params *p)
{
    const struct gf_value *in = &run->in_values[0], *out = &run->out_values[0];
    double cost;
    gf_args_get(&run->apply->args, &p->args, sizeof p->args);
    p->bytes = in->depth == GF_U16 ? 2 : 1;
    p->depth = out->depth;
    p->channels = in->channels;
    p->in_width = in->width;
    p->width = out->width;
    p->rows = run->out[0].rows.count;
    p->side = gf_wide_conv_side(&p->args, in, out, GF_WIDE_CONV_LEAST, 1, &cost);
    p->tile = p->side - p->args.across + 1;
    p->half = p->side - p->args.down + 1;
    p->tiles = gf_wide_conv_pieces(p->width, p->tile);
    p->bands = gf_wide_conv_pieces(p->rows, p->bytes == 1 ? 2 * p->half : p->half);
    p->lines = GF_WIDE_NUMBERS / p->side;
    p->mix = p->lines < 8 ? 8 / p->lines : 1;
    const int64_t size = int64_t(p->side) * p->side * int64_t(sizeof(gf_wide_number));
    const int64_t most = size < GF_WIDE_BATCH ? GF_WIDE_BATCH / size : 1;
    const int64_t units = p->tiles * p->bands * p->channels;
    return units < most ? units : most;
}

size_t gf_wide_conv_cuda_scratch(const struct gf_apply_run *run)
{
    struct gf_wide_params p = {};
    const int64_t batch = gf_wide_plan(run, &p), parts = p.args.parts;
    if (gf_wide_conv_products(&p.args, &run->in_values[0], &run->out_values[0]) > 0) {
        return gf_wide_products_scratch(&p.args);
    }
    const int64_t squares = parts + batch * (parts > 1 ? parts + 1 : 1);
    return static_cast<size_t>((squares * p.side + 1) * p.side) * sizeof(gf_wide_number);
}

gf_status gf_wide_conv_cuda(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_wide_params p = {};
    struct gf_launch launch = {};
    GF_ON_DEVICE(run->queue.device, error)
    const int64_t batch = gf_wide_plan(run, &p), size = int64_t(p.side) * p.side;
    if (gf_wide_conv_products(&p.args, &run->in_values[0], &run->out_values[0]) > 0) {
        return gf_wide_products_cuda(run, error);
    }
    const int64_t units = p.tiles * p.bands * p.channels;
    p.in = static_cast<const char *>(run->in[0].data) +
           (run->out[0].rows.first - run->in[0].rows.first) * run->in[0].pitch;
    p.in_rows = run->in[0].rows.first + run->in[0].rows.count - run->out[0].rows.first;
    p.in_pitch = run->in[0].pitch;
    p.out = static_cast<char *>(run->out[0].data);
    p.out_pitch = run->out[0].pitch;
    p.weights = static_cast<const double *>(run->in[1].data);
    p.turns = static_cast<gf_wide_number *>(run->scratch);
    p.spectra = p.turns + p.side;
    p.squares = p.spectra + p.args.parts * size;
    p.apart = batch * size;
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    launch.block = dim3(GF_WIDE_THREADS);
    launch.grid = dim3(gf_blocks(p.side, GF_WIDE_THREADS));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_wide_turns, launch, p));
    launch.shared = GF_WIDE_NUMBERS * sizeof(gf_wide_number); /* 64 KB, all that a T4 has */
    for (p.part = 0; p.part < p.args.parts; p.part++) {
        launch.grid = dim3(unsigned(p.side / p.lines), 1);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_wide_take<true>), launch, p));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_wide_columns<true>), launch, p));
    }
    for (p.first = 0; p.first < units; p.first += batch) {
        const int64_t now = units - p.first < batch ? units - p.first : batch;
        launch.grid = dim3(unsigned(p.side / p.lines), unsigned(now));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_wide_take<false>), launch, p));
        for (p.part = 0; p.part < p.args.parts; p.part++) {
            GF_CUDA_TRY(error, GF_LAUNCH((gf_wide_columns<false>), launch, p));
        }
        launch.grid.x = gf_blocks(p.half, p.lines);
        GF_CUDA_TRY(error, p.args.parts == 1 ? GF_LAUNCH((gf_wide_give<true>), launch, p)
                                             : GF_LAUNCH((gf_wide_give<false>), launch, p));
    }
    return GF_OK;
}
