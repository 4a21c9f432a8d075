/* Separable windows of radius up to 8 over pictures of one channel with nothing before or after them, in one
 * read and one write.
 *
 * A warp owns a strip of columns, P neighbouring pixels a lane, and marches down a segment of rows. Rows
 * arrive by asynchronous copies AHEAD of their turn, in lines of the warp's own that hold the pixels beside
 * the strip too; so a row costs each lane one copy and a few loads from shared memory, and warps never wait
 * for each other. The vertical half needs no ring: row y goes into the 2 R sums that wait for it.
 *
 * MATH is the arithmetic of a depth:
 *   R, P, SAMPLE                 radius, pixels a lane, bytes of a sample
 *   params, sum                  weights; a waiting sum
 *   start(params)                what a sum waits with
 *   row(params, from, sums, to)  a row of the lane's pixels and as many as `beside` on each side, from
 *                                shared memory, into the sums; the P samples that are complete, packed */
#ifndef GF_PIXEL_MARCH_CUDA_CUH
#define GF_PIXEL_MARCH_CUDA_CUH

#include "pixel/program_cuda.cuh"
#include "pixel/strip_grid_cuda.h"

enum { GF_MARCH_WARPS = 4, GF_MARCH_THREADS = GF_MARCH_WARPS * GF_WARP };

struct gf_march_params {
    struct gf_surface in, out;
    int32_t width, height, border;
    int32_t segment;        /* rows */
    uint32_t fill;          /* a sample's bits */
    bool wide_in, wide_out; /* addresses fit a lane's pixels at once */
};

/* A row in shared memory, in chunks of a lane's pixels: HALO of them, the strip, HALO more. */
template <class MATH> struct gf_march_shape {
    static const int halo = (MATH::R + MATH::P - 1) / MATH::P;
    static const int chunk = MATH::P * MATH::SAMPLE; /* bytes */
    static const int chunks = GF_WARP + 2 * halo;
    static const int strip = GF_WARP * MATH::P; /* pixels */
    static const int columns = chunks * MATH::P;
    static const int line = (chunks * chunk + 15) / 16 * 16;
    static const int ahead = chunk >= 16 ? 4 : 6;
    static const int slots = ahead + 2; /* one is read, and one may still be by slower lanes */
};

/* A sample, from memory of any alignment that a sample has. */
template <int SAMPLE> GF_DEVICE_FN void gf_march_sample(unsigned char *to, const unsigned char *from)
{
    if constexpr (SAMPLE == 4) {
        gf_cp_async<4>(to, from);
    } else {
        for (int b = 0; b < SAMPLE; b++) {
            to[b] = from[b];
        }
    }
}

/* A chunk that a lane brings, row after row. Addresses move along with the march: worked out anew for each row
 * they would cost more than the window. */
template <class MATH> struct gf_march_chunk {
    const unsigned char *from; /* in the next row, where that is one of the picture's */
    unsigned char *to;
    const int32_t *columns;
    bool inside; /* one copy brings it */

    /* Chunk `at` of the lines, whose first column is x; y: the first row. */
    __device__ __forceinline__ gf_march_chunk(const struct gf_march_params &p, unsigned char *lines,
                                              const int32_t *all_columns, int32_t at, int32_t x, int32_t y)
        : from(p.in.data + int64_t(y) * p.in.pitch + int64_t(x) * MATH::SAMPLE),
          to(lines + at * gf_march_shape<MATH>::chunk), columns(all_columns + at * MATH::P),
          inside(p.wide_in && x >= 0 && x + MATH::P <= p.width)
    {
    }

    __device__ __forceinline__ void bring() const
    {
        gf_cp_async<gf_march_shape<MATH>::chunk>(to, from);
    }

    __device__ __forceinline__ void step(int64_t pitch, int32_t line)
    {
        from += pitch;
        to += line;
    }
};

/* What lies beside, above or below the picture, or is not aligned. */
template <class MATH>
static __device__ __noinline__ void gf_march_beyond(const struct gf_march_params &p, unsigned char *to,
                                                    const int32_t *columns, int32_t y)
{
    const int64_t row = gf_border_index(y, p.height, p.border);
    const unsigned char *from = row < 0 ? nullptr : p.in.data + row * p.in.pitch;
    for (int i = 0; i < MATH::P; i++) {
        const int32_t column = from ? columns[i] : -1;
        if (column >= 0) {
            gf_march_sample<MATH::SAMPLE>(to + i * MATH::SAMPLE, from + int64_t(column) * MATH::SAMPLE);
        } else {
            memcpy(to + i * MATH::SAMPLE, &p.fill, MATH::SAMPLE);
        }
    }
}

/* Brings a lane's chunk of row y on its way, where it is wanted. */
template <class MATH>
GF_DEVICE_FN void gf_march_bring(const struct gf_march_params &p, const struct gf_march_chunk<MATH> &chunk,
                                 int32_t y, bool wanted)
{
    if (wanted && chunk.inside && static_cast<uint32_t>(y) < static_cast<uint32_t>(p.height)) {
        chunk.bring();
    } else if (wanted) {
        gf_march_beyond<MATH>(p, chunk.to, chunk.columns, y);
    }
}

/* Stores the first `live` of P packed samples. */
template <class MATH>
GF_DEVICE_FN void gf_march_store(unsigned char *to, int32_t live, bool wide,
                                 const uint32_t (&words)[gf_march_shape<MATH>::chunk / 4])
{
    constexpr int CHUNK = gf_march_shape<MATH>::chunk;
    if (wide) {
        if constexpr (CHUNK == 16) {
            gf_store16(to, make_uint4(words[0], words[1], words[2], words[3]), GF_STREAM);
        } else if constexpr (CHUNK == 8) {
            gf_store8(to, make_uint2(words[0], words[1]), GF_STREAM);
        } else {
            gf_store4(to, words[0], GF_STREAM);
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        if (i < live * MATH::SAMPLE) {
            to[i] = static_cast<unsigned char>(words[i / 4] >> (i % 4 * 8));
        }
    }
}

template <class MATH>
static __global__ void __launch_bounds__(GF_MARCH_THREADS)
    gf_march(const struct gf_march_params p, const typename MATH::params math)
{
    using shape = gf_march_shape<MATH>;
    constexpr int R = MATH::R, P = MATH::P, AHEAD = shape::ahead;
    GF_SHARED(unsigned char, all_lines, GF_MARCH_WARPS * shape::slots * shape::line);
    GF_SHARED(int32_t, all_columns, GF_MARCH_WARPS * shape::columns);
    const int32_t lane = static_cast<int32_t>(gf_lane()), warp = static_cast<int32_t>(gf_warp());
    const int64_t strip = (int64_t(blockIdx.x) * GF_MARCH_WARPS + warp) * shape::strip;
    if (strip >= p.width) {
        return;
    }
    const int32_t x0 = static_cast<int32_t>(strip) - shape::halo * P; /* of the line */
    const int32_t x = x0 + (shape::halo + lane) * P;
    const int32_t side = lane < shape::halo ? lane : GF_WARP + lane; /* of lanes below 2 halo: one more chunk */
    const int32_t y0 = static_cast<int32_t>(blockIdx.y) * p.segment;
    const int32_t y1 = p.height - y0 < p.segment ? p.height : y0 + p.segment;
    unsigned char *const lines = all_lines + warp * (shape::slots * shape::line);
    int32_t *const columns = all_columns + warp * shape::columns;
    for (int32_t i = lane; i < shape::columns; i += GF_WARP) {
        columns[i] = static_cast<int32_t>(gf_border_index(x0 + i, p.width, p.border));
    }
    gf_syncwarp();
    typename MATH::sum sums[P][2 * R];
#pragma unroll
    for (int i = 0; i < P; i++) {
#pragma unroll
        for (int j = 0; j < 2 * R; j++) {
            sums[i][j] = MATH::start(math);
        }
    }
    const bool has_side = lane < 2 * shape::halo - GF_FAULT(cuda_strip_seam);
    const int32_t live = x >= p.width ? 0 : p.width - x < P ? p.width - x : P;
    const bool wide = p.wide_out && live == P;
    const int32_t first = y0 - R + (GF_FAULT(cuda_segment_seam) && y0 > 0), last = y1 - 1 + R;
    struct gf_march_chunk<MATH> own(p, lines, columns, shape::halo + lane, x, first);
    struct gf_march_chunk<MATH> beside(p, lines, columns, side, x0 + side * P, first);
    const unsigned char *from = lines + lane * shape::chunk;
    unsigned char *to = p.out.data + int64_t(y0) * p.out.pitch + int64_t(x) * MATH::SAMPLE;
    int32_t put = 0, get = 0; /* in the ring */
#pragma unroll 1
    for (int32_t y = first - AHEAD; y <= last; y++) {
        gf_march_bring(p, own, y + AHEAD, y + AHEAD <= last);
        gf_march_bring(p, beside, y + AHEAD, has_side && y + AHEAD <= last);
        gf_cp_async_commit();
        const int32_t step = put == shape::slots - 1 ? -put * shape::line : shape::line;
        own.step(p.in.pitch, step);
        beside.step(p.in.pitch, step);
        put = put == shape::slots - 1 ? 0 : put + 1;
        if (y < first) {
            continue;
        }
        gf_cp_async_wait<AHEAD>();
        gf_syncwarp();
        uint32_t done[shape::chunk / 4];
        MATH::row(math, from, sums, done);
        from += get == shape::slots - 1 ? -get * shape::line : shape::line;
        get = get == shape::slots - 1 ? 0 : get + 1;
        if (y >= y0 + R) {
            gf_march_store<MATH>(to, live, wide, done);
            to += p.out.pitch;
        }
    }
}

/* ---- launch ---------------------------------------------------------------------------------------- */

template <class MATH>
static void gf_march_params_make(const struct gf_pass_args *args, const struct gf_run *run, uint32_t fill,
                                 struct gf_march_params *p)
{
    *p = gf_march_params();
    p->in = args->in;
    p->out = args->out;
    p->width = static_cast<int32_t>(args->width);
    p->height = static_cast<int32_t>(args->height);
    p->border = run->pass->window.border;
    p->fill = fill;
    p->wide_in = gf_is_aligned(&args->in, MATH::P * MATH::SAMPLE);
    p->wide_out = gf_is_aligned(&args->out, MATH::P * MATH::SAMPLE);
}

/* Queues the march with as many segments as fill the device once. */
template <class MATH>
static gf_status gf_march_queue(const struct gf_pass_args *args, const struct gf_run *run,
                                 const typename MATH::params &math, uint32_t fill, gf_error *error)
{
    using shape = gf_march_shape<MATH>;
    struct gf_march_params p;
    struct gf_launch launch = {};
    gf_march_params_make<MATH>(args, run, fill, &p);
    launch.block = dim3(GF_MARCH_THREADS);
    launch.stream = gf_run_stream(run);
    const unsigned across = gf_blocks(args->width, shape::strip * GF_MARCH_WARPS);
    GF_TRY(gf_strip_segment(gf_march<MATH>, GF_MARCH_THREADS, across, args->height, &launch, &p.segment, error));
    launch.grid = dim3(across, gf_blocks(args->height, p.segment));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_march<MATH>, launch, p, math));
    return GF_OK;
}

#endif
