/* Windows with nothing before or after them, in one read and one write. Samples of several channels lie side
 * by side: a window's neighbours are then so many samples apart.
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
 *   R, RY        samples on each side, rows above and below
 *   P, sample    samples a lane; type of a sample
 *   C            channels, 1 where it is left out
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

#include "pixel/cuda/march_load_cuda.cuh"

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
    const struct gf_march_patches<MATH, (2 * MATH::R + GF_WARP - 1) / GF_WARP> patches(p, first_x, MATH::R);
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
        if (patches.any) {
            patches.put(line, p.fill);
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
    launch.grid.x = gf_blocks(p.width, shape::strip * GF_MARCH_WARPS);
    GF_TRY(gf_segments_make(run, gf_march<MATH>, GF_MARCH_THREADS, launch.grid.x, args->height, 8,
                            2 * MATH::RY, &launch, &p.segments, error));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_march<MATH>, launch, p, math));
    return GF_OK;
}

#endif
