/* Boxes of radius up to 32 over u8 pictures of one channel, with nothing before them, and after them nothing
 * or the comparison of each sample with its mean, in one read and one write, at a cost that does not grow
 * with the radius.
 *
 * A warp owns 32 chunks of 8 columns, a lane each, and marches down a segment of rows, which arrive by
 * asynchronous copies ahead of their turn and stay until they leave the window. A lane adds the row that
 * enters to the sums of its columns and subtracts the one that leaves, two sums a word; the warp adds the
 * columns up from left to right, and a window is the difference of two of these sums. The outer lanes hold
 * the halo and store nothing. Integers, so the order does not show.
 *
 * A sample is above floor(sum / area) - offset where (sample + offset) area is above the sum; the sample is
 * still among the rows that are kept. */
#include "base/gf_divider.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/march_cuda.cuh"
#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/u8_cuda.cuh"

struct gf_box_math {
    static const int R = 8, P = 8, ROWS = 1;
    using sample = uint8_t;
    using made = uint8_t;
};

struct gf_box_params {
    struct gf_march_params march;
    struct gf_divider32 divider;
    int32_t rx, ry, halo; /* halo: lanes on each side */
    int32_t slots;        /* rows of the ring */
    bool compares;        /* white where a sample is above its mean - offset */
    int32_t area, offset; /* offset: times the area */
};

enum {
    AHEAD = 6,
    P = gf_box_math::P,
    LINE = GF_WARP * P,
    PATCHES = (2 * (GF_MARCH_BOX_RADIUS + 1) + GF_WARP - 1) / GF_WARP /* of a lane */
};

/* Bytes 0, 2 and 1, 3 of both words, as pairs of 16 bits. */
GF_DEVICE_FN void gf_box_pairs(const unsigned char *from, uint32_t (&pairs)[P / 2])
{
    const uint2 bytes = gf_load8(from);
    pairs[0] = bytes.x & 0x00ff00ffU;
    pairs[1] = bytes.x >> 8 & 0x00ff00ffU;
    pairs[2] = bytes.y & 0x00ff00ffU;
    pairs[3] = bytes.y >> 8 & 0x00ff00ffU;
}

/* Turns sums of columns into sums from the strip's left edge on: pixel i of a lane at place i of the lanes,
 * so that neighbouring lanes use neighbouring banks however far they look. */
GF_DEVICE_FN void gf_box_prefix(const uint32_t (&columns)[P / 2], uint32_t *sums)
{
    uint32_t upto[P];
#pragma unroll
    for (int i = 0; i < P; i++) {
        const uint32_t pair = columns[i / 4 * 2 + i % 2];
        const uint32_t column = i % 4 < 2 ? pair & 0xffffU : pair >> 16;
        upto[i] = i == 0 ? column : upto[i - 1] + column;
    }
    uint32_t lanes = upto[P - 1];
#pragma unroll
    for (unsigned distance = 1; distance < GF_WARP; distance *= 2) {
        const uint32_t lower = gf_shfl_up(lanes, distance);
        lanes += gf_lane() >= distance ? lower : 0;
    }
    const uint32_t before = lanes - upto[P - 1];
#pragma unroll
    for (int i = 0; i < P; i++) {
        sums[i * GF_WARP + gf_lane()] = upto[i] + before;
    }
}

/* The sums around a lane's pixels; rx is 8 * chunks + REST. The lane is not one of the halo. */
template <int REST> GF_DEVICE_FN void gf_box_around(const uint32_t *sums, int32_t chunks, uint32_t (&v)[P])
{
    const uint32_t *const right = sums + gf_lane() + chunks, *const left = sums + gf_lane() - chunks;
#pragma unroll
    for (int i = 0; i < P; i++) {
        const int to = i + REST, from = i - REST - 1; /* pixels from those of `right` and `left` on */
        const uint32_t upto = right[to % P * GF_WARP + to / P];
        const uint32_t before = from < 0 ? left[(from + P) * GF_WARP - 1] : left[from * GF_WARP];
        v[i] = upto - before;
    }
}

/* A lane's results of the sums around its pixels, packed; centre: the pixels. */
template <bool COMPARES>
GF_DEVICE_FN void gf_box_finish(const struct gf_box_params &p, const unsigned char *centre, uint32_t (&v)[P],
                                uint32_t (&words)[P / 4])
{
    if constexpr (COMPARES) {
        const uint2 bytes = gf_load8(centre);
#pragma unroll
        for (int i = 0; i < P; i++) {
            const uint32_t sample = (i < 4 ? bytes.x : bytes.y) >> (i % 4 * 8) & 0xffU;
            const int32_t above =
                static_cast<int32_t>(sample) * p.area + p.offset - static_cast<int32_t>(v[i]);
            v[i] = above > 0 ? 0xffU : 0U;
        }
    } else {
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = gf_divide_round_half_up32(v[i], p.divider);
        }
    }
    words[0] = gf_pack4(v[0], v[1], v[2], v[3]);
    words[1] = gf_pack4(v[4], v[5], v[6], v[7]);
}

template <int REST, bool COMPARES>
static __global__ void __launch_bounds__(GF_MARCH_THREADS) gf_march_box(const struct gf_box_params p)
{
    GF_SHARED_DYN(unsigned char, rings);
    GF_SHARED(uint32_t, all_sums,
              GF_MARCH_WARPS * 2 * LINE); /* two in turn: slower lanes may still read one */
    GF_SHARED(int32_t, all_columns, GF_MARCH_WARPS * LINE);
    const struct gf_march_params &m = p.march;
    const int32_t lane = static_cast<int32_t>(gf_lane()), warp = static_cast<int32_t>(gf_warp());
    const int64_t strip = (int64_t(blockIdx.x) * GF_MARCH_WARPS + warp) * (GF_WARP - 2 * p.halo) * P;
    if (strip >= m.width) {
        return;
    }
    const int32_t first_x = static_cast<int32_t>(strip) - p.halo * P;
    const int32_t y0 = gf_segment_first(m.segments, static_cast<int32_t>(blockIdx.y));
    const int32_t y1 = gf_segment_end(m.segments, static_cast<int32_t>(blockIdx.y), y0, m.height);
    const int32_t first = y0 - p.ry, last = y1 - 1 + p.ry, last_slot = p.slots - 1;
    unsigned char *const ring = rings + warp * (p.slots * LINE);
    unsigned char *enter = ring, *leave = ring;
    int32_t *const columns = all_columns + warp * LINE;
    gf_march_columns<gf_box_math>(m, first_x, columns);
    struct gf_march_chunk<gf_box_math> own(m, enter, columns, first_x, first);
    const struct gf_march_patches<gf_box_math, PATCHES> patches(m, first_x, p.rx + 1);
    const int32_t live = lane >= p.halo && lane < GF_WARP - p.halo ? own.pixels : 0;
    const bool wide = m.wide_out && live == P;
    uint32_t *sums = all_sums + warp * (2 * LINE);
    int32_t other = LINE; /* from one line of sums to the other */
    unsigned char *to = m.out.data + int64_t(y0) * m.out.pitch + own.x;
    int32_t put = 0, get = 0, gone = 0;
    int32_t middle = p.ry + GF_FAULT(cuda_box_middle); /* the row in the middle of the window */
    uint32_t column[P / 2] = {};
#pragma unroll 1
    for (int32_t y = first - AHEAD; y <= last; y++) {
        if (y + AHEAD <= last) {
            own.bring(m, y + AHEAD);
        }
        gf_cp_async_commit();
        own.step(m.in.pitch, put == last_slot ? -put * LINE : int32_t(LINE));
        put = put == last_slot ? 0 : put + 1;
        if (y < first) {
            continue;
        }
        gf_cp_async_wait<AHEAD>();
        if (patches.any) {
            gf_syncwarp();
            patches.put(enter, m.fill);
            gf_syncwarp();
        }
        uint32_t pairs[P / 2];
        gf_box_pairs(enter + lane * P, pairs);
#pragma unroll
        for (int i = 0; i < P / 2; i++) {
            column[i] += pairs[i];
        }
        enter += get == last_slot ? -get * LINE : int32_t(LINE);
        get = get == last_slot ? 0 : get + 1;
        if (y > y0 + p.ry) {
            gf_box_pairs(leave + lane * P, pairs);
#pragma unroll
            for (int i = 0; i < P / 2; i++) {
                column[i] -= pairs[i];
            }
            leave += gone == last_slot ? -gone * LINE : int32_t(LINE);
            gone = gone == last_slot ? 0 : gone + 1;
        }
        if (y >= y0 + p.ry) {
            gf_box_prefix(column, sums);
            gf_syncwarp();
            if (live > 0) {
                uint32_t around[P], words[P / 4];
                gf_box_around<REST>(sums, p.rx / P, around);
                gf_box_finish<COMPARES>(p, ring + middle * LINE + lane * P, around, words);
                gf_march_store(to, live, wide, words);
            }
            middle = !COMPARES ? 0 : middle == last_slot ? 0 : middle + 1;
            to += m.out.pitch;
            sums += other;
            other = -other;
        }
    }
}

template <int REST, bool COMPARES>
static gf_status gf_march_box_queue_way(const struct gf_box_params &made, const struct gf_pass_args *args,
                                        const struct gf_run *run, struct gf_launch launch, gf_error *error)
{
    struct gf_box_params p = made;
    launch.grid.x = gf_blocks(args->width, (GF_WARP - 2 * p.halo) * P * GF_MARCH_WARPS);
    GF_TRY(gf_segments_make(run, gf_march_box<REST, COMPARES>, GF_MARCH_THREADS, launch.grid.x, args->height,
                            8, 2 * p.ry, &launch, &p.march.segments, error));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_march_box<REST, COMPARES>, launch, p));
    return GF_OK;
}

template <int REST>
static gf_status gf_march_box_queue(const struct gf_box_params &made, const struct gf_pass_args *args,
                                    const struct gf_run *run, const struct gf_launch &launch, gf_error *error)
{
    return made.compares ? gf_march_box_queue_way<REST, true>(made, args, run, launch, error)
                         : gf_march_box_queue_way<REST, false>(made, args, run, launch, error);
}

gf_status gf_march_box_launch(const struct gf_pass_args *args, const struct gf_run *run,
                              const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    struct gf_box_params p = {};
    struct gf_launch launch = {};
    gf_march_params_make<gf_box_math>(args, run, gf_quantise_u8(window->fill[0]), &p.march);
    p.rx = window->args.box.radius_x;
    p.ry = window->args.box.radius_y;
    p.halo = (p.rx + P) / P; /* the sum before the window's first column is looked at too */
    p.slots = 2 * p.ry + 2 + AHEAD;
    const uint32_t area = static_cast<uint32_t>((2 * p.rx + 1) * (2 * p.ry + 1));
    if (!gf_divider32_make(area, 255 * area, &p.divider)) {
        return gf_fail(error, GF_ERROR_INTERNAL, "box: no divider for an area of %u", area);
    }
    if (window->args.box.floors && !GF_FAULT(cuda_local_mean)) {
        p.divider.half = 0;
    }
    p.compares = run->pass->post.n > 0;
    p.area = static_cast<int32_t>(area);
    p.offset = p.compares ? p.area * static_cast<int32_t>(run->pass->post.insn[0].k[0]) : 0;
    launch.block = dim3(GF_MARCH_THREADS);
    launch.stream = gf_run_stream(run);
    launch.shared = static_cast<size_t>(GF_MARCH_WARPS * p.slots * LINE);
    return gf_dispatch_number<0, P - 1>(p.rx % P, [&](auto rest) {
        return gf_march_box_queue<decltype(rest)::value>(p, args, run, launch, error);
    });
}
