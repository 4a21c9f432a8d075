/* Marches (march_cuda.cuh) over pictures of up to 4 channels with programs before and after the window.
 *
 * Interleaved pixels arrive ahead of their turn as they lie in memory. In its turn a row goes through the
 * program in front, to a line for each channel, whose ends are made from the line; MATH takes the channels
 * one after the other. Where bytes go in and out and programs are tables, all of this is done on a lane's own
 * chunk (march_bytes_cuda.cuh). Else results wait in lines of their own for the program behind the window,
 * and lanes take units of 4 pixels before and after the window and chunks of P in it, so a warp waits for
 * itself in between. */
#ifndef GF_PIXEL_MARCH_PIXELS_CUDA_CUH
#define GF_PIXEL_MARCH_PIXELS_CUDA_CUH

#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/march_bytes_cuda.cuh"

/* ---- the ends ---------------------------------------------------------------------------------------------- */

/* Four pixels of row y, which lies in the picture, in front of the window; `apart` bytes from channel to
 * channel. */
template <class MATH, int C>
GF_DEVICE_FN void gf_march_take_unit(const struct gf_pass_args &a, const struct gf_march_pixels_params &p,
                                     const unsigned char *raw, int32_t x, int32_t y,
                                     typename MATH::sample *to, int32_t apart)
{
    struct gf_place place = {x, 1, y};
    if (!p.march.patch) { /* pixels from elsewhere, which no instruction here asks for */
        place.x = place.step = 0;
    }
    const int32_t channels = a.in.channels;
    float v[4][GF_UNIT] = {};
    if (channels == 1) {
        gf_unit_unpack_any<1>(a.in.depth, raw, v);
    } else if (channels == 2) {
        gf_unit_unpack_any<2>(a.in.depth, raw, v);
    } else if (channels == 3) {
        gf_unit_unpack_any<3>(a.in.depth, raw, v);
    } else {
        gf_unit_unpack_any<4>(a.in.depth, raw, v);
    }
    gf_program_run<4, GF_UNIT, false>(a, a.pre, place, v);
#pragma unroll
    for (int c = 0; c < C; c++) {
        gf_unit_put(to + c * (apart / static_cast<int32_t>(sizeof *to)), v[c]);
    }
}

/* Makes of row y of raw pixels the lines of its channels, `apart` bytes from each other. */
template <class MATH, int C>
GF_DEVICE_FN void gf_march_take(const struct gf_pass_args &a, const struct gf_march_pixels_params &p,
                                const unsigned char *raw, int32_t lane, int32_t first_x, int32_t y,
                                unsigned char *line, int32_t apart)
{
    using shape = gf_march_pixels_shape<MATH, C, false>;
    using T = typename MATH::sample;
    const struct gf_march_params &m = p.march;
    if (static_cast<uint32_t>(y) >= static_cast<uint32_t>(m.height)) {
        y = gf_strip_row(y, m.height, m.border);
    }
#pragma unroll 1
    for (int32_t at = lane * GF_UNIT; at < shape::pixels; at += GF_WARP * GF_UNIT) {
        const int32_t x = first_x + at;
        T *const to = reinterpret_cast<T *>(line) + at;
        if (y < 0) {
#pragma unroll
            for (int c = 0; c < C; c++) {
                const float v[GF_UNIT] = {p.fill[c], p.fill[c], p.fill[c], p.fill[c]};
                gf_unit_put(to + c * (apart / static_cast<int32_t>(sizeof(T))), v);
            }
        } else if (!m.patch || (x >= 0 && x < m.width)) {
            gf_march_take_unit<MATH, C>(a, p, raw + at * p.pixel, x, y, to, apart);
        }
    }
}

/* Four results of all values, through the program behind the window; `live` are in the picture. */
template <class MATH, int C>
GF_DEVICE_FN void gf_march_put_unit(const struct gf_pass_args &a, const struct gf_march_pixels_params &p,
                                    const unsigned char *results, int32_t at, int32_t live,
                                    const struct gf_place &place, unsigned char *to)
{
    using shape = gf_march_pixels_shape<MATH, C, false>;
    using M = typename MATH::made;
    constexpr int V = shape::values;
    const struct gf_march_params &m = p.march;
    float v[V][GF_UNIT];
#pragma unroll
    for (int c = 0; c < V; c++) {
        gf_unit_get(reinterpret_cast<const M *>(results + c * shape::results) + at, v[c]);
#pragma unroll
        for (int i = 0; i < GF_UNIT; i++) {
            v[c][i] = gf_quantise_to(v[c][i], p.depth_out);
        }
    }
    gf_program_run<V, GF_UNIT, false>(a, a.post, place, v);
    if (m.wide_out && live == GF_UNIT && m.out.channels == V) {
        gf_unit_store<V>(to, m.out.depth, v);
    } else if (V > 1 && m.wide_out && live == GF_UNIT && m.out.channels == 1) {
        const float one[1][GF_UNIT] = {{v[0][0], v[0][1], v[0][2], v[0][3]}};
        gf_unit_store<1>(to, m.out.depth, one);
    } else {
        gf_pixels_store<V, GF_UNIT>(m.out, m.width, place, v);
    }
}

/* Results of row y, and what they become. */
template <class MATH, int C>
GF_DEVICE_FN void gf_march_put(const struct gf_pass_args &a, const struct gf_march_pixels_params &p,
                               const unsigned char *results, int32_t lane, const struct gf_place &row)
{
    using shape = gf_march_pixels_shape<MATH, C, false>;
    constexpr int FIRST = shape::halo * MATH::P;
    const struct gf_march_params &m = p.march;
    const int32_t first_x = static_cast<int32_t>(row.x),
                  pixel = m.out.channels * gf_sample_bytes(m.out.depth);
#pragma unroll 1
    for (int32_t at = FIRST + lane * GF_UNIT; at < shape::pixels - FIRST; at += GF_WARP * GF_UNIT) {
        const int32_t x = first_x + at, live = m.width - x < GF_UNIT ? m.width - x : int32_t(GF_UNIT);
        if (live <= 0) {
            break;
        }
        unsigned char *const to = m.out.data + row.y * m.out.pitch + int64_t(x) * pixel;
        struct gf_place place = row;
        place.x = x;
        place.centre += at * static_cast<int32_t>(sizeof(typename MATH::sample));
        gf_march_put_unit<MATH, C>(a, p, results, at, live, place, to);
    }
}

/* ---- the march ---------------------------------------------------------------------------------------------- */

/* Samples of all channels beside the picture, from the lines themselves. */
template <class MATH, int C, bool BYTES>
GF_DEVICE_FN void gf_march_patch_all(const struct gf_march_pixels_params &p,
                                     const struct gf_march_patch &patch, unsigned char *line, int32_t apart)
{
    using T = typename MATH::sample;
#pragma unroll
    for (int c = 0; c < C; c++) {
        if (patch.to >= 0) {
            T *const to = reinterpret_cast<T *>(line + c * apart + patch.to);
            *to = patch.from >= 0 ? *reinterpret_cast<const T *>(line + c * apart + patch.from)
                                  : static_cast<T>(p.fill[c]);
        }
    }
}

/* Sends all channels of a row through MATH, and its results to lines of their own. */
template <class MATH, int C>
GF_DEVICE_FN void gf_march_window(const typename MATH::params &math, int32_t lane, const unsigned char *line,
                                  int32_t apart, int32_t slot, int32_t slots,
                                  typename MATH::state (&state)[C], unsigned char *results)
{
    using shape = gf_march_pixels_shape<MATH, C, false>;
    constexpr int WORDS = gf_march_shape<MATH>::words;
#pragma unroll
    for (int c = 0; c < C; c++) {
        uint32_t made[MATH::OUT * WORDS];
        MATH::row(math,
                  gf_march_lines<MATH>{line + c * apart + lane * gf_march_shape<MATH>::chunk, slot, slots},
                  state[c], made);
#pragma unroll
        for (int o = 0; o < MATH::OUT; o++) {
            uint32_t words[WORDS];
#pragma unroll
            for (int i = 0; i < WORDS; i++) {
                words[i] = made[o * WORDS + i];
            }
            gf_words_put(results + (o * C + c) * shape::results + lane * WORDS * 4, words, GF_CACHED);
        }
    }
}

/* A warp's strip and segment; room: its shared memory. */
template <class MATH, int C, bool BYTES>
GF_DEVICE_FN void gf_march_along(const struct gf_pass_args &a, const struct gf_march_pixels_params &p,
                                 const typename MATH::params &math, const struct gf_march_shared &shared,
                                 const struct gf_march_strip &at, unsigned char *room)
{
    using shape = gf_march_pixels_shape<MATH, C, BYTES>;
    constexpr int AHEAD = shape::ahead, RAW = shape::raw_slots, LINE = gf_march_shape<MATH>::line;
    constexpr int CHUNK = gf_march_shape<MATH>::chunk;
    const struct gf_march_params &m = p.march;
    const int32_t slots = BYTES ? int32_t(MATH::ROWS) : p.slots; /* tables do not look at the centre */
    const int32_t raw_line = shape::pixels * p.pixel, apart = slots * LINE;
    /* Kept in registers: asking for the lane, or where shared memory begins, again and again costs more than
     * a row. */
    const int32_t lane = static_cast<int32_t>(gf_forget(gf_lane()));
    const int32_t first_x = static_cast<int32_t>(gf_forget(static_cast<uint32_t>(at.first_x)));
    const int32_t zero = static_cast<int32_t>(gf_forget(0));
    int32_t *const columns = reinterpret_cast<int32_t *>(room + RAW * raw_line + C * apart +
                                                         (BYTES ? 0 : shape::values * shape::results));
    gf_march_columns<MATH>(m, first_x, columns);
    const struct gf_march_raw<MATH, C, BYTES> own = {
        columns, lane, first_x, gf_march_inside<MATH>(m, first_x + lane * MATH::P),
            m.wide_in &&first_x >= 0 && first_x + shape::pixels <= m.width
    };
    const struct gf_march_patch patch = gf_march_patch_make<MATH>(m, first_x, lane, MATH::R);
    const bool patched = gf_any(patch.to >= 0);
    const bool brings = own.whole || lane < GF_WARP - GF_FAULT(cuda_strip_seam);
    const bool inner = lane >= shape::halo && lane < GF_WARP - shape::halo && own.pixels > 0;
    const int32_t x = first_x + lane * MATH::P;
    unsigned char *to = m.out.data;
    if (BYTES && to && inner) {
        to += int64_t(at.y0) * m.out.pitch + int64_t(x) * C;
    }
    typename MATH::state state[C];
    int32_t highs[C] = {};
#pragma unroll
    for (int c = 0; c < C; c++) {
        MATH::start(math, state[c]);
    }
    int32_t put = 0, get = 0, slot = 0;
#pragma unroll 1
    for (int32_t y = at.first - AHEAD; y <= at.last; y++) {
        room += zero;
        unsigned char *const raw = room, *const lines = raw + RAW * raw_line;
        [[maybe_unused]] unsigned char *const results = lines + C * apart;
        if (brings && y + AHEAD <= at.last) {
            own.bring(p, raw + put, y + AHEAD);
        }
        gf_cp_async_commit();
        put = put == AHEAD * raw_line ? 0 : put + raw_line;
        if (y < at.first) {
            continue;
        }
        gf_cp_async_wait<AHEAD>();
        gf_syncwarp();
        unsigned char *const line = lines + slot * LINE;
        if constexpr (BYTES) {
            gf_bytes_take<MATH, C>(p, shared, raw + get + lane * MATH::P * p.pixel, x, y, line + lane * CHUNK,
                                   apart);
        } else {
            gf_march_take<MATH, C>(a, p, raw + get, lane, first_x, y, line, apart);
        }
        get = get == AHEAD * raw_line ? 0 : get + raw_line;
        gf_syncwarp();
        if (patched) {
            gf_march_patch_all<MATH, C, BYTES>(p, patch, line, apart);
            gf_syncwarp();
        }
        if constexpr (BYTES) {
            if (inner) {
                struct gf_bytes_chunk<MATH, C> done;
#pragma unroll
                for (int c = 0; c < C; c++) {
                    MATH::row(math, gf_march_lines<MATH>{line + c * apart + lane * CHUNK, slot, slots},
                              state[c], done.q[c]);
                }
                if (y >= at.y0 + MATH::RY) {
                    gf_bytes_put<MATH, C>(p, shared, own.pixels, to, done, highs);
                    to += m.out.data ? m.out.pitch : 0;
                }
            }
        } else {
            if (inner) {
                gf_march_window<MATH, C>(math, lane, line, apart, slot, slots, state, results);
            }
            if (y >= at.y0 + MATH::RY) {
                gf_syncwarp();
                const int32_t old = slot - MATH::RY + (GF_FAULT(cuda_march_centre) && MATH::RY > 0);
                const struct gf_place row = {first_x,      1,
                                             y - MATH::RY, lines + (old < 0 ? old + slots : old) * LINE,
                                             apart,        gf_depth_of(typename MATH::sample())};
                gf_march_put<MATH, C>(a, p, results, lane, row);
            }
        }
        slot = slot + 1 == slots ? 0 : slot + 1;
    }
    if (BYTES && p.tables.counts && p.tables.step.is && inner) {
        gf_step_count<C>(p.tables, shared.counts, own.pixels * (at.y1 - at.y0), highs);
    }
}

template <class MATH, int C, bool BYTES>
static __global__ void __launch_bounds__(GF_MARCH_THREADS, (gf_march_pixels_shape<MATH, C, BYTES>::blocks))
    gf_march_pixels(const struct gf_pass_args a, const struct gf_march_pixels_params p,
                    const typename MATH::params math)
{
    using shape = gf_march_pixels_shape<MATH, C, BYTES>;
    constexpr int TABLE = BYTES ? C * 256 : 4;
    GF_SHARED_DYN(unsigned char, rooms);
    GF_SHARED(uint8_t, table_in, TABLE);
    GF_SHARED(uint8_t, table_out, TABLE);
    GF_SHARED(uint32_t, counts, TABLE);
    const struct gf_march_shared shared = {table_in, table_out, counts};
    if constexpr (BYTES) {
        if (p.tables.in) {
            gf_table_make(a, a.pre, p.tables.gray, C, table_in);
        }
        if (p.tables.out && !p.tables.step.is) {
            gf_table_make(a, a.post, p.tables.behind, C, table_out);
        }
        for (int32_t i = static_cast<int32_t>(threadIdx.x); i < TABLE; i += GF_MARCH_THREADS) {
            counts[i] = 0;
        }
        __syncthreads();
    }
    const struct gf_march_strip at = gf_march_strip_make<MATH>(p.march);
    if (at.first_x < p.march.width) {
        gf_march_along<MATH, C, BYTES>(a, p, math, shared, at,
                                       rooms + static_cast<int32_t>(gf_warp()) * shape::room(p));
    }
    if (BYTES && p.tables.counts) {
        __syncthreads();
        gf_count_flush(counts, C, p.tables.counts_mask, p.tables.counts);
    }
}

/* ---- launch ------------------------------------------------------------------------------------------------- */

/* Does the program behind the window read the window's input? */
static inline bool gf_march_reads_centre(const struct gf_program *post)
{
    bool reads = false;
    for (int32_t i = 0; i < post->n; i++) {
        reads = reads || (gf_insn_is(post->insn[i].code, GF_INSN_READS_OPERAND) &&
                          post->insn[i].operand == GF_OPERAND_CENTRE);
    }
    return reads;
}

static inline int32_t gf_march_alignment(int32_t bytes)
{
    return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : 4;
}

template <class MATH, int C, bool BYTES>
static gf_status gf_march_pixels_run(const struct gf_pass_args *args, const struct gf_run *run,
                                     const typename MATH::params &math, gf_error *error)
{
    using shape = gf_march_pixels_shape<MATH, C, BYTES>;
    const struct gf_pass *pass = run->pass;
    struct gf_march_pixels_params p = {};
    struct gf_launch launch = {};
    gf_march_params_make<MATH>(args, run, 0, &p.march);
    p.pixel = args->in.channels * gf_sample_bytes(args->in.depth);
    p.grain = gf_march_alignment(MATH::P * p.pixel);
    p.march.wide_in = gf_is_aligned(&args->in, p.grain);
    p.march.wide_out =
        args->out.depth != GF_S16 &&
        gf_is_aligned(&args->out, gf_march_alignment((BYTES ? int(MATH::P) : int(GF_UNIT)) *
                                                     args->out.channels * gf_sample_bytes(args->out.depth)));
    p.march.patch = p.march.border != GF_BORDER_WRAP;
    p.depth_out = pass->window.depth_out;
    p.slots = MATH::ROWS;
    if (gf_march_reads_centre(&pass->post) && p.slots <= MATH::RY) {
        p.slots = MATH::RY + 1;
    }
    for (int32_t c = 0; c < C; c++) {
        p.fill[c] = gf_quantise_to(pass->window.fill[c], pass->window.depth_in);
    }
    if (BYTES) {
        gf_march_tables_make(run, &p.tables);
    }
    launch.block = dim3(GF_MARCH_THREADS);
    launch.stream = gf_run_stream(run);
    launch.shared = static_cast<size_t>(GF_MARCH_WARPS * shape::room(p));
    launch.grid.x = gf_blocks(args->width, gf_march_shape<MATH>::strip * GF_MARCH_WARPS);
    GF_TRY(gf_segments_make(run, gf_march_pixels<MATH, C, BYTES>, GF_MARCH_THREADS, launch.grid.x,
                            args->height, 8, 2 * MATH::RY, &launch, &p.march.segments, error));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_march_pixels<MATH, C, BYTES>), launch, *args, p, math));
    return GF_OK;
}

/* Queues the march of a pass of LEAST to MOST channels that gf_march_takes_bytes, or gf_march_takes_any. */
template <class MATH, int LEAST, int MOST, bool BYTES>
static gf_status gf_march_pixels_queue(const struct gf_pass_args *args, const struct gf_run *run,
                                       const typename MATH::params &math, gf_error *error)
{
    return gf_dispatch_number<LEAST, MOST>(run->pass->window.channels_in, [&](auto channels) {
        return gf_march_pixels_run<MATH, decltype(channels)::value, BYTES>(args, run, math, error);
    });
}

#endif
