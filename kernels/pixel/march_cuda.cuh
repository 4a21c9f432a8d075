/* Windows over pictures of one channel with nothing before or after them, in one read and one write:
 * separable ones of radius up to 8 here, boxes in march_box_cuda.cu.
 *
 * A warp owns a strip of columns, a chunk of P neighbouring pixels a lane, and marches down a segment of
 * rows. The outer lanes hold the halo and store nothing. Rows arrive by asynchronous copies AHEAD of their
 * turn, in lines of the warp's own, so a row costs a lane one copy and a few loads from shared memory, and
 * warps never wait for each other. The vertical half needs no ring: row y goes into the 2 R sums that wait
 * for it. What lies beside the picture is made from the line where that is possible, so that the strips at
 * its edges are as fast as the others.
 *
 * MATH is the arithmetic of a neighbourhood: a struct of constants, types and static functions, which sees
 * the samples of one channel side by side and knows nothing of borders, channels, programs and stores.
 *   R, RY        columns on each side, rows above and below
 *   P, sample    pixels a lane; type of a sample
 *   ROWS         rows that row() looks at: 1 where its state has what it needs of the rows above
 *   OUT, made    values that a sample makes, and their type
 *   params       weights and the like, by value
 *   state        what a lane keeps from row to row, in registers;   start(params, state) begins it
 *   row(params, lines, state, made)
 *                takes a row: lines.at(0)[0] to [P - 1] are the lane's newest samples, [-R] to [P + R - 1] may be
 *                read (a lane's line is aligned to its P samples), at(k) is k < ROWS rows older. made: OUT times
 *                P values of row y - RY, packed as they lie in memory */
#ifndef GF_PIXEL_MARCH_CUDA_CUH
#define GF_PIXEL_MARCH_CUDA_CUH

#include "pixel/march_grid_cuda.h"
#include "pixel/program_cuda.cuh"

enum { GF_MARCH_WARPS = 4, GF_MARCH_THREADS = GF_MARCH_WARPS * GF_WARP };

/* Words that P values of a type take. */
template <class T, int P> struct gf_march_words {
    static const int n = P * static_cast<int>(sizeof(T)) / 4;
};

struct gf_march_params {
    struct gf_surface in, out;
    int32_t width, height, border;
    int32_t segment;        /* rows */
    uint32_t fill;          /* a sample's bits */
    bool wide_in, wide_out; /* addresses fit a lane's pixels at once */
    bool patch;             /* what lies beside the picture is made from the line, not loaded */
};

template <class MATH> struct gf_march_shape {
    static const int halo = (MATH::R + MATH::P - 1) / MATH::P; /* lanes on each side */
    static const int bytes = sizeof(typename MATH::sample);
    static const int chunk = MATH::P * bytes;
    static const int line = GF_WARP * chunk;
    static const int strip = (GF_WARP - 2 * halo) * MATH::P; /* pixels that are stored */
    static const int ahead = chunk >= 16 ? 4 : 6;
    static const int slots = ahead + 1 + MATH::ROWS; /* one may still be read by slower lanes */
    static const int words = gf_march_words<typename MATH::made, MATH::P>::n; /* of a value of all pixels */
};

/* The rows of one channel at a lane's pixels, in a ring. */
template <class MATH> struct gf_march_lines {
    const unsigned char *newest;
    int32_t slot, slots; /* its place in the ring */

    __device__ __forceinline__ const typename MATH::sample *at(int32_t k) const
    {
        using shape = gf_march_shape<MATH>;
        const unsigned char *line = newest;
        if constexpr (MATH::ROWS > 1) {
            line += (k > slot ? slots - k : -k) * shape::line;
        }
        return reinterpret_cast<const typename MATH::sample *>(line);
    }
};

/* ---- loading ------------------------------------------------------------------------------------------ */

/* Some bytes, word by word where both addresses are aligned to words. Out of line, as the next two: few lanes
 * do this, or in few rows, and the march stays short. */
static __device__ __noinline__ __attribute__((unused)) void
gf_march_part(unsigned char *to, const unsigned char *from, int32_t bytes, bool words)
{
    const int32_t whole = words ? bytes / 4 * 4 : 0;
    for (int32_t i = 0; i < whole; i += 4) {
        gf_cp_async<4>(to + i, from + i);
    }
    for (int32_t i = whole; i < bytes; i++) {
        to[i] = from[i];
    }
}

/* Some pixels of a size one by one from where the border finds their columns. */
static __device__ __noinline__ __attribute__((unused)) void
gf_march_gather(unsigned char *to, const unsigned char *row, const int32_t *columns, int32_t pixels,
                int32_t size, uint32_t fill)
{
    for (int32_t i = 0; i < pixels * size; i++) {
        const int32_t column = columns[i / size];
        to[i] = column >= 0 ? row[int64_t(column) * size + i % size]
                            : static_cast<unsigned char>(fill >> (i % size * 8));
    }
}

template <class MATH> static __device__ __noinline__ void gf_march_fill(unsigned char *to, uint32_t fill)
{
    for (int32_t i = 0; i < MATH::P; i++) {
        memcpy(to + i * gf_march_shape<MATH>::bytes, &fill, gf_march_shape<MATH>::bytes);
    }
}

/* What a warp does: pixels from first_x on, the halo's included; rows y0 to y1 - 1, for which it takes those
 * from `first` to `last`. */
struct gf_march_strip {
    int32_t first_x, y0, y1, first, last;
};

template <class MATH> GF_DEVICE_FN struct gf_march_strip gf_march_strip_make(const struct gf_march_params &p)
{
    using shape = gf_march_shape<MATH>;
    const int64_t x =
        (int64_t(blockIdx.x) * GF_MARCH_WARPS + gf_warp()) * shape::strip - shape::halo * MATH::P;
    struct gf_march_strip at;
    at.first_x =
        x + shape::halo * MATH::P < p.width ? static_cast<int32_t>(x) : INT32_MAX; /* nothing is left */
    at.y0 = static_cast<int32_t>(blockIdx.y) * p.segment;
    at.y1 = p.height - at.y0 < p.segment ? p.height : at.y0 + p.segment;
    at.first = at.y0 - MATH::RY + (GF_FAULT(cuda_segment_seam) && at.y0 > 0);
    at.last = at.y1 - 1 + MATH::RY;
    return at;
}

/* Of P pixels from x on: how many lie inside. */
template <class MATH> GF_DEVICE_FN int32_t gf_march_inside(const struct gf_march_params &p, int32_t x)
{
    return x < 0 || x >= p.width ? 0 : p.width - x < MATH::P ? p.width - x : int32_t(MATH::P);
}

/* A lane's chunk, row after row. Addresses move along with the march: worked out anew for each row they would
 * cost more than the window. */
template <class MATH> struct gf_march_chunk {
    const unsigned char *from; /* in the next row, where that is one of the picture's */
    unsigned char *to;
    const int32_t *columns; /* of all its pixels, where the line is not patched */
    int32_t x, pixels;      /* pixels of it that lie inside */

    __device__ __forceinline__ gf_march_chunk(const struct gf_march_params &p, unsigned char *line,
                                              const int32_t *line_columns, int32_t first_x, int32_t y)
        : to(line + gf_lane() * gf_march_shape<MATH>::chunk), columns(line_columns + gf_lane() * MATH::P),
          x(first_x + static_cast<int32_t>(gf_lane()) * MATH::P), pixels(gf_march_inside<MATH>(p, x))
    {
        from = p.in.data + int64_t(y) * p.in.pitch + int64_t(x) * gf_march_shape<MATH>::bytes;
    }

    /* Brings it on its way from row y. */
    __device__ __forceinline__ void bring(const struct gf_march_params &p, int32_t y) const
    {
        const unsigned char *source = from;
        if (static_cast<uint32_t>(y) >= static_cast<uint32_t>(p.height)) {
            y = gf_strip_row(y, p.height, p.border);
            if (y < 0) {
                gf_march_fill<MATH>(to, p.fill);
                return;
            }
            source = p.in.data + int64_t(y) * p.in.pitch + int64_t(x) * gf_march_shape<MATH>::bytes;
        }
        if (p.wide_in && pixels == MATH::P) {
            constexpr int CHUNK = gf_march_shape<MATH>::chunk, AT_ONCE = CHUNK < 16 ? CHUNK : 16;
#pragma unroll
            for (int b = 0; b < CHUNK; b += AT_ONCE) {
                gf_cp_async<AT_ONCE>(to + b, source + b);
            }
        } else if (p.patch) {
            gf_march_part(to, source, pixels * gf_march_shape<MATH>::bytes, true);
        } else {
            gf_march_gather(to, source - int64_t(x) * gf_march_shape<MATH>::bytes, columns, MATH::P,
                            gf_march_shape<MATH>::bytes, p.fill);
        }
    }

    __device__ __forceinline__ void step(int64_t pitch, int32_t line)
    {
        from += pitch;
        to += line;
    }
};

/* A sample of the line beside the picture, and the one that the border puts there: their places in bytes. */
struct gf_march_patch {
    int32_t to, from; /* to -1: none; from -1: the fill */
};

/* The n-th of the `reach` columns to the left of the picture, then of those to its right. */
template <class MATH>
GF_DEVICE_FN struct gf_march_patch gf_march_patch_make(const struct gf_march_params &p, int32_t first_x,
                                                       int32_t n, int32_t reach)
{
    const int64_t column = n < reach ? int64_t(-1) - n : int64_t(p.width) + n - reach;
    if (!p.patch || n >= 2 * reach || column < first_x || column >= int64_t(first_x) + GF_WARP * MATH::P) {
        return {-1, -1};
    }
    const int64_t source = gf_border_index(column, p.width, p.border);
    return {static_cast<int32_t>(column - first_x) * gf_march_shape<MATH>::bytes,
            source < 0 ? -1 : static_cast<int32_t>(source - first_x) * gf_march_shape<MATH>::bytes};
}

template <class MATH>
GF_DEVICE_FN void gf_march_patch_put(const struct gf_march_patch &patch, unsigned char *line, uint32_t fill)
{
    if (patch.to >= 0) {
        if (patch.from >= 0) {
            memcpy(line + patch.to, line + patch.from, gf_march_shape<MATH>::bytes);
        } else {
            memcpy(line + patch.to, &fill, gf_march_shape<MATH>::bytes);
        }
    }
}

/* Where the border finds the columns of a line, for lines that are not patched. */
template <class MATH>
GF_DEVICE_FN void gf_march_columns(const struct gf_march_params &p, int32_t first_x, int32_t *columns)
{
    for (int32_t i = static_cast<int32_t>(gf_lane()); i < GF_WARP * MATH::P && !p.patch; i += GF_WARP) {
        columns[i] = static_cast<int32_t>(gf_border_index(first_x + i, p.width, p.border));
    }
    gf_syncwarp();
}

/* ---- the march ---------------------------------------------------------------------------------------- */

/* Stores the first `live` bytes of packed values. */
template <int WORDS>
GF_DEVICE_FN void gf_march_store(unsigned char *to, int32_t live, bool wide, const uint32_t (&words)[WORDS])
{
    constexpr int CHUNK = 4 * WORDS;
    if (wide) {
        if constexpr (CHUNK >= 16) {
#pragma unroll
            for (int i = 0; i < CHUNK / 4; i += 4) {
                gf_store16(to + 4 * i, make_uint4(words[i], words[i + 1], words[i + 2], words[i + 3]),
                           GF_STREAM);
            }
        } else if constexpr (CHUNK == 8) {
            gf_store8(to, make_uint2(words[0], words[1]), GF_STREAM);
        } else {
            gf_store4(to, words[0], GF_STREAM);
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        if (i < live) {
            to[i] = static_cast<unsigned char>(words[i / 4] >> (i % 4 * 8));
        }
    }
}

/* A state that must know where its lane is has an overload: of its first pixel, and the first row. */
template <class STATE>
GF_DEVICE_FN void gf_march_place(STATE &, const struct gf_march_params &, int32_t, int32_t)
{
}

template <class MATH>
static __global__ void __launch_bounds__(GF_MARCH_THREADS)
    gf_march(const struct gf_march_params p, const typename MATH::params math)
{
    using shape = gf_march_shape<MATH>;
    constexpr int RY = MATH::RY, P = MATH::P, AHEAD = shape::ahead;
    GF_SHARED(unsigned char, all_lines, GF_MARCH_WARPS *shape::slots *shape::line);
    GF_SHARED(int32_t, all_columns, GF_MARCH_WARPS * GF_WARP * P);
    const int32_t lane = static_cast<int32_t>(gf_lane()), warp = static_cast<int32_t>(gf_warp());
    const struct gf_march_strip at = gf_march_strip_make<MATH>(p);
    if (at.first_x >= p.width) {
        return;
    }
    const int32_t first_x = at.first_x, y0 = at.y0, first = at.first, last = at.last;
    unsigned char *line = all_lines + warp * (shape::slots * shape::line);
    int32_t *const columns = all_columns + warp * GF_WARP * P;
    gf_march_columns<MATH>(p, first_x, columns);
    struct gf_march_chunk<MATH> own(p, line, columns, first_x, first);
    const struct gf_march_patch patch = gf_march_patch_make<MATH>(p, first_x, lane, MATH::R);
    const bool patched = gf_any(patch.to >= 0);
    const bool brings = lane < GF_WARP - GF_FAULT(cuda_strip_seam);
    const bool inner = lane >= shape::halo && lane < GF_WARP - shape::halo;
    const int32_t live = static_cast<int32_t>(gf_forget(inner ? static_cast<uint32_t>(own.pixels) : 0));
    const bool wide = p.wide_out && live == P;
    unsigned char *to = p.out.data + int64_t(y0) * p.out.pitch + int64_t(own.x) * gf_march_shape<MATH>::bytes;
    typename MATH::state state;
    MATH::start(math, state);
    gf_march_place(state, p, own.x, first);
    int32_t put = 0, get = 0; /* of `own.to` and `line` in the ring */
#pragma unroll 1
    for (int32_t y = first - AHEAD; y <= last; y++) {
        if (brings && y + AHEAD <= last) {
            own.bring(p, y + AHEAD);
        }
        gf_cp_async_commit();
        own.step(p.in.pitch, put == shape::slots - 1 ? -put * shape::line : shape::line);
        put = put == shape::slots - 1 ? 0 : put + 1;
        if (y < first) {
            continue;
        }
        gf_cp_async_wait<AHEAD>();
        gf_syncwarp();
        if (patched) {
            gf_march_patch_put<MATH>(patch, line, p.fill);
            gf_syncwarp();
        }
        if (live > 0) {
            uint32_t made[MATH::OUT * shape::words];
            MATH::row(math, gf_march_lines<MATH>{line + lane * shape::chunk, get, shape::slots}, state, made);
            if (y >= y0 + RY) {
                gf_march_store(to, live * shape::bytes, wide, made);
                to += p.out.pitch;
            }
        }
        line += get == shape::slots - 1 ? -get * shape::line : shape::line;
        get = get == shape::slots - 1 ? 0 : get + 1;
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
    const int64_t chunk = gf_march_shape<MATH>::chunk < 16 ? gf_march_shape<MATH>::chunk : 16;
    p->wide_in = gf_is_aligned(&args->in, chunk);
    p->wide_out = gf_is_aligned(&args->out, chunk);
    p->patch = p->wide_in && p->border != GF_BORDER_WRAP;
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
    GF_TRY(gf_strip_segment(run, gf_march<MATH>, GF_MARCH_THREADS, across, args->height, &launch, &p.segment,
                            error));
    launch.grid = dim3(across, gf_blocks(args->height, p.segment));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_march<MATH>, launch, p, math));
    return GF_OK;
}

#endif
