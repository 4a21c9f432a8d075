/* Hysteresis on CUDA, in words of 32 pixels. A warp takes a tile of 32 x 32, a row a lane: first it follows
 * strong edges inside the tile until nothing changes. In what is left, runs within a word are united where
 * they touch, in the whole picture, and with the strong edges, all of which are one thing, number 0. Then the
 * runs whose root is 0 are edges, too. So there are three kernels, whatever the picture, and a set of runs
 * that winds through all of it costs what many small ones cost. */
#include "array/common/union_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/window/edges/edges.h"

enum {
    GF_HYSTERESIS_THREADS = 128,
    GF_HYSTERESIS_RUNS = 16 /* the most of a word: number i begins at bit 2 i or 2 i + 1 */
};

struct gf_hysteresis_params {
    const unsigned char *in;
    unsigned char *out;
    int64_t in_pitch, out_pitch, width, height, columns, tiles; /* columns: of words */
    bool wide_in, wide_out;                                     /* rows begin at multiples of 16 bytes */
    float white;
    uint32_t *reached, *weak; /* bits, a tile after the other: edges that are reached, and the others */
    uint32_t *parent;         /* of runs, and of strong edges at 0 */
};

/* A lane's word: its place in the picture, and among the words. There are fewer than 2^32 of tiles. */
struct gf_hysteresis_place {
    uint32_t tile;
    int64_t x, y, at; /* x: of the word, y: of the row */

    __device__ __forceinline__ gf_hysteresis_place(const struct gf_hysteresis_params &p)
        : tile(blockIdx.x * (GF_HYSTERESIS_THREADS / GF_WARP) + gf_warp())
    {
        const uint32_t columns = static_cast<uint32_t>(p.columns), down = tile / columns;
        x = tile - down * columns;
        y = int64_t(down) * GF_WARP + gf_lane();
        at = int64_t(tile) * GF_WARP + gf_lane();
    }
};

/* The word at (x, y) of a plane; 0 outside the picture. */
GF_DEVICE_FN uint32_t gf_hysteresis_word(const struct gf_hysteresis_params &p, const uint32_t *plane,
                                         int64_t x, int64_t y)
{
    if (x < 0 || x >= p.columns || y < 0 || y >= p.height) {
        return 0;
    }
    return plane[(y / GF_WARP * p.columns + x) * GF_WARP + y % GF_WARP];
}

/* Bits of the bytes of a word, each of which has it lowest. */
GF_DEVICE_FN uint32_t gf_hysteresis_pack(uint32_t bytes)
{
    return ((bytes & 0x01010101u) * 0x10204080u) >> 28;
}

/* Returns all of the runs of `any` that `from`, which is part of them, touches. */
GF_DEVICE_FN uint32_t gf_hysteresis_fill(uint32_t any, uint32_t from)
{
    from |= any & ~(any + from); /* a carry runs up to the end of its run */
    GF_UNROLL
    for (int step = 1; step < GF_WARP; step *= 2) {
        from |= any & (from >> step);
        any &= any >> step;
    }
    return from;
}

/* Returns what lies beside a word's pixels in joined rows: the word's own, its left and its right one. */
GF_DEVICE_FN uint32_t gf_hysteresis_beside(uint32_t here, uint32_t left, uint32_t right)
{
    return here | here << 1 | here >> 1 | left >> 31 | right << 31;
}

/* The run that has a bit of the word: its pixels, and where it begins. */
struct gf_hysteresis_run {
    uint32_t bits;
    int32_t first;

    __device__ __forceinline__ gf_hysteresis_run(uint32_t word, uint32_t bit)
    {
        const uint32_t gaps = ~word & (bit - 1);
        first = gaps ? GF_WARP - __clz(static_cast<int>(gaps)) : 0;
        bits = word & ~(word + (1u << first)); /* where a carry ran */
    }
};

GF_DEVICE_FN uint32_t gf_hysteresis_number(int64_t word, int32_t first)
{
    return static_cast<uint32_t>(1 + word * GF_HYSTERESIS_RUNS + first / 2);
}

/* ---- tiles ---------------------------------------------------------------------------------------------- */

GF_DEVICE_FN void gf_hysteresis_load(const struct gf_hysteresis_params &p,
                                     const struct gf_hysteresis_place &own, uint32_t *any, uint32_t *strong)
{
    const unsigned char *from = p.in + own.y * p.in_pitch + own.x * GF_WARP;
    *any = *strong = 0;
    if (p.wide_in && (own.x + 1) * GF_WARP <= p.width) {
        uint32_t words[GF_WARP / 4];
        const uint4 first = gf_load16(from, GF_STREAM), second = gf_load16(from + 16, GF_STREAM);
        memcpy(words, &first, sizeof first);
        memcpy(words + 4, &second, sizeof second);
        GF_UNROLL
        for (int i = 0; i < GF_WARP / 4; i++) {
            *any |= gf_hysteresis_pack(words[i]) << (4 * i);
            *strong |= gf_hysteresis_pack(words[i] >> 7) << (4 * i);
        }
        return;
    }
    for (int64_t i = 0; i < GF_WARP && own.x * GF_WARP + i < p.width; i++) {
        *any |= (from[i] & 1u) << i;
        *strong |= (from[i] >> 7 & 1u) << i;
    }
}

static __global__ void __launch_bounds__(GF_HYSTERESIS_THREADS)
    gf_hysteresis_tile(const struct gf_hysteresis_params p)
{
    const struct gf_hysteresis_place own(p);
    if (own.tile >= p.tiles) {
        return;
    }
    uint32_t any = 0, reached = 0;
    if (own.y < p.height) {
        gf_hysteresis_load(p, own, &any, &reached);
    }
    bool changes = true;
    while (gf_any(changes)) {
        const uint32_t up = gf_shfl_up(reached, 1), down = gf_shfl_down(reached, 1);
        const uint32_t rows = reached | (gf_lane() > 0 ? up : 0) | (gf_lane() < GF_WARP - 1 ? down : 0);
        const uint32_t more = gf_hysteresis_fill(any, reached | (gf_hysteresis_beside(rows, 0, 0) & any));
        changes = more != reached;
        reached = more;
    }
    const uint32_t weak = any & ~reached;
    p.reached[own.at] = reached;
    p.weak[own.at] = weak;
    for (uint32_t left = weak; left;) {
        const struct gf_hysteresis_run run(weak, left & -left);
        p.parent[gf_hysteresis_number(own.at, run.first)] = gf_hysteresis_number(own.at, run.first);
        left &= ~run.bits;
    }
    if (own.at == 0) {
        p.parent[0] = 0;
    }
}

/* ---- what winds through them ---------------------------------------------------------------------------- */

/* Unites a run with all runs of the word at (x, y) that have one of these bits. */
GF_DEVICE_FN void gf_hysteresis_meet(const struct gf_hysteresis_params &p, uint32_t number, uint32_t touched,
                                     uint32_t word, int64_t x, int64_t y)
{
    const int64_t at = (y / GF_WARP * p.columns + x) * GF_WARP + y % GF_WARP;
    for (touched &= word; touched;) {
        const struct gf_hysteresis_run run(word, touched & -touched);
        gf_union_unite<true>(p.parent, number, gf_hysteresis_number(at, run.first));
        touched &= ~run.bits;
    }
}

static __global__ void __launch_bounds__(GF_HYSTERESIS_THREADS)
    gf_hysteresis_unite(const struct gf_hysteresis_params p)
{
    const struct gf_hysteresis_place own(p);
    const uint32_t weak = own.tile < p.tiles ? p.weak[own.at] : 0;
    if (!weak) {
        return;
    }
    const int64_t x = own.x, y = own.y;
    uint32_t sides[3]; /* what is reached in three rows: of the words to the left, here and to the right */
    GF_UNROLL
    for (int i = 0; i < 3; i++) {
        sides[i] = gf_hysteresis_word(p, p.reached, x + i - 1, y - 1) |
                   gf_hysteresis_word(p, p.reached, x + i - 1, y) |
                   gf_hysteresis_word(p, p.reached, x + i - 1, y + 1);
    }
    const uint32_t reached =
        GF_FAULT(hysteresis_tiles) ? 0 : gf_hysteresis_beside(sides[1], sides[0], sides[2]);
    const uint32_t left = gf_hysteresis_word(p, p.weak, x - 1, y);
    const uint32_t above_left = gf_hysteresis_word(p, p.weak, x - 1, y - 1);
    const uint32_t above = gf_hysteresis_word(p, p.weak, x, y - 1);
    const uint32_t above_right = gf_hysteresis_word(p, p.weak, x + 1, y - 1);
    for (uint32_t todo = weak; todo;) {
        const struct gf_hysteresis_run run(weak, todo & -todo);
        const uint32_t number = gf_hysteresis_number(own.at, run.first);
        if (run.bits & reached) {
            gf_union_unite<true>(p.parent, number, 0);
        }
        gf_hysteresis_meet(p, number, run.bits << 31, left, x - 1, y);
        gf_hysteresis_meet(p, number, run.bits << 31, above_left, x - 1, y - 1);
        gf_hysteresis_meet(p, number, run.bits | run.bits << 1 | run.bits >> 1, above, x, y - 1);
        gf_hysteresis_meet(p, number, run.bits >> 31, above_right, x + 1, y - 1);
        todo &= ~run.bits;
    }
}

/* ---- the picture ---------------------------------------------------------------------------------------- */

template <class T>
GF_DEVICE_FN void gf_hysteresis_store(const struct gf_hysteresis_params &p,
                                      const struct gf_hysteresis_place &own, uint32_t bits)
{
    unsigned char *to = p.out + own.y * p.out_pitch + own.x * int64_t(GF_WARP * sizeof(T));
    if (p.wide_out && (own.x + 1) * GF_WARP <= p.width) {
        constexpr int EACH = 16 / sizeof(T); /* samples of a store */
        GF_UNROLL
        for (int i = 0; i < GF_WARP; i += EACH) {
            uint32_t words[4];
            GF_UNROLL
            for (int k = 0; k < 4; k++) {
                const uint32_t here = bits >> (i + k * EACH / 4);
                if constexpr (sizeof(T) == 1) {
                    words[k] = ((here & 15) * 0x00204081u & 0x01010101u) * 255;
                } else if constexpr (sizeof(T) == 2) {
                    words[k] = ((here & 1) | (here & 2) << 15) * 65535;
                } else {
                    words[k] = here & 1 ? gf_float_bits(p.white) : 0;
                }
            }
            gf_store16(to + i * static_cast<int>(sizeof(T)),
                       make_uint4(words[0], words[1], words[2], words[3]), GF_STREAM);
        }
        return;
    }
    for (int64_t i = 0; i < GF_WARP && own.x * GF_WARP + i < p.width; i++) {
        reinterpret_cast<T *>(to)[i] = static_cast<T>(bits >> i & 1 ? p.white : 0);
    }
}

template <class T>
static __global__ void __launch_bounds__(GF_HYSTERESIS_THREADS)
    gf_hysteresis_finish(const struct gf_hysteresis_params p)
{
    const struct gf_hysteresis_place own(p);
    if (own.tile >= p.tiles || own.y >= p.height) {
        return;
    }
    uint32_t reached = p.reached[own.at];
    const uint32_t weak = p.weak[own.at];
    for (uint32_t todo = weak; todo;) {
        const struct gf_hysteresis_run run(weak, todo & -todo);
        if (gf_union_find<true>(p.parent, gf_hysteresis_number(own.at, run.first)) == 0) {
            reached |= run.bits;
        }
        todo &= ~run.bits;
    }
    gf_hysteresis_store<T>(p, own, reached);
}

/* ---- launch ---------------------------------------------------------------------------------------------- */

static struct gf_hysteresis_params gf_hysteresis_layout(const struct gf_apply_run *run)
{
    struct gf_hysteresis_params p = {};
    p.width = run->in_values[0].width;
    p.height = run->in_values[0].height;
    p.columns = (p.width + GF_WARP - 1) / GF_WARP;
    p.tiles = p.columns * ((p.height + GF_WARP - 1) / GF_WARP);
    return p;
}

size_t gf_hysteresis_cuda_scratch(const struct gf_apply_run *run)
{
    const struct gf_hysteresis_params p = gf_hysteresis_layout(run);
    const int64_t words = p.tiles * GF_WARP;
    return static_cast<size_t>(words * (2 + GF_HYSTERESIS_RUNS) + 1) * sizeof(uint32_t);
}

template <class T> static gf_status gf_hysteresis_run_as(const struct gf_apply_run *run, gf_error *error)
{
    struct gf_hysteresis_params p = gf_hysteresis_layout(run);
    p.in = static_cast<const unsigned char *>(run->in[0].data);
    p.out = static_cast<unsigned char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.wide_in = reinterpret_cast<uintptr_t>(p.in) % 16 == 0 && p.in_pitch % 16 == 0;
    p.wide_out = reinterpret_cast<uintptr_t>(p.out) % 16 == 0 && p.out_pitch % 16 == 0;
    p.white = static_cast<float>(gf_depth_white(run->out_values[0].depth));
    p.reached = static_cast<uint32_t *>(run->scratch);
    p.weak = p.reached + p.tiles * GF_WARP;
    p.parent = p.weak + p.tiles * GF_WARP;

    gf_launch launch = gf_launch_on(run->queue.stream, gf_blocks(p.tiles * GF_WARP, GF_HYSTERESIS_THREADS),
                                    GF_HYSTERESIS_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_hysteresis_tile, launch, p));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_hysteresis_unite, launch, p));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_hysteresis_finish<T>, launch, p));
    return GF_OK;
}

gf_status gf_hysteresis_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    return gf_dispatch_sample(run->out_values[0].depth, error, [&](auto tag) {
        return gf_hysteresis_run_as<typename decltype(tag)::type>(run, error);
    });
}
