/* label on CUDA, by tiles. A block unites the runs of its tile in shared memory; what is one there, a part,
 * gets the next number of the tile, its slot, and is a node of what the tiles unite where they meet. A region
 * is known by its first pixel, a bit of the picture, so that the bits before it are its number. The last
 * kernel adds up the measures of each part in shared memory, and writes what the pixels have become. Private
 * to label_*_cuda.cu. */
#ifndef GF_PIXEL_LABEL_CUDA_CUH
#define GF_PIXEL_LABEL_CUDA_CUH

#include "base/cuda_status.h"
#include "base/gf_cuda.h"
#include "base/planted_fault.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/whole/label/label.h"

#define GF_LABEL_NO_SLOT 0xFFFFu

enum {
    GF_LABEL_WORDS = 4, /* of 32 pixels, in a row of a tile; a thread has one */
    GF_LABEL_SIDE = GF_LABEL_WORDS * GF_WARP,
    GF_LABEL_NODES = 4096,   /* runs that a tile may have */
    GF_LABEL_THREADS = 128,  /* of kernels that have no tile of pixels */
    GF_LABEL_NUMBERED = 4096 /* words that a block numbers */
};

/* Where pixels of equal value belong together, a word may have twice as many runs. */
template <bool EQUAL> struct gf_label_shape {
    static const int ROWS = EQUAL ? 32 : 64;
    static const int THREADS = ROWS * GF_LABEL_WORDS;
    static const int WARPS = THREADS / GF_WARP;
    static const int RUNS = GF_LABEL_NODES / THREADS; /* of a word */
};

/* The choice of the largest regions, digit by digit: a histogram counts the regions that are left by each. */
struct gf_label_choice {
    uint64_t rank; /* GF_LABEL_RANK of the last one */
    uint64_t gone; /* regions before those that are left */
    uint32_t counts[256];
    uint32_t arrived; /* blocks */
};

struct gf_label_params {
    const char *in;
    char *out;
    int64_t in_pitch, out_pitch, width, height;
    int32_t channels;
    float white;
    struct gf_label_args args;
    int64_t rows, across, down, tiles; /* rows of a tile; tiles */
    uint32_t *parent;                  /* of nodes */
    uint32_t *area;  /* of nodes, then of regions at their roots; in the end their numbers */
    uint32_t *first; /* the first pixel of a node, then of a region */
    uint32_t *parts; /* [tiles]: how many a tile has */
    uint16_t *slots; /* of the runs of a word, from its first pixel on */
    uint16_t *row_ends,
        *column_ends; /* slots of the pixels where tiles end: [down][2][width], [across][2][height] */
    uint32_t *roots;  /* a bit a pixel: the first one of a region that is kept */
    uint32_t *before; /* of each word of these, the bits before it */
    struct gf_label_choice *choice;
    uint32_t *ticket;
    uint64_t *totals; /* a look-back's */
    uint64_t *counts;
    struct gf_region *regions;
};

/* A tile; the part with slot 0 is its node `base`. Nodes are fewer than 2^32: no two neighbours are parts
 * unless pixels of equal value belong together. */
struct gf_label_tile {
    int64_t x, y;
    uint32_t base;

    __device__ __forceinline__ gf_label_tile(const struct gf_label_params &p, int64_t column, int64_t row)
        : x(column * GF_LABEL_SIDE), y(row * p.rows)
    {
        const int64_t rows = p.height - y < p.rows ? p.height - y : p.rows, pixels = y * p.width + x * rows;
        base = static_cast<uint32_t>(p.args.equal ? pixels : pixels / 2 + row * p.across + column);
    }
};

template <class T> GF_DEVICE_FN T gf_label_sample(const struct gf_label_params &p, int64_t x, int64_t y)
{
    return reinterpret_cast<const T *>(p.in + y * p.in_pitch)[x * p.channels];
}

/* A warp loads its 32 words of the tile, a lane a pixel of each: in: bits of pixels that belong to regions;
 * begins: of those with which a run of the word begins. */
template <class T, bool EQUAL>
GF_DEVICE_FN void gf_label_load(const struct gf_label_params &p, const struct gf_label_tile &tile,
                                uint32_t *in, uint32_t *begins)
{
    *in = *begins = 0;
    for (int row = 0; row < GF_WARP / GF_LABEL_WORDS; row++) {
        const int64_t y = tile.y + gf_warp() * (GF_WARP / GF_LABEL_WORDS) + row;
        float v[GF_LABEL_WORDS];
        GF_UNROLL
        for (int word = 0; word < GF_LABEL_WORDS; word++) {
            const int64_t x = tile.x + word * GF_WARP + gf_lane();
            v[word] = x < p.width && y < p.height ? static_cast<float>(gf_label_sample<T>(p, x, y)) : 0;
        }
        GF_UNROLL
        for (int word = 0; word < GF_LABEL_WORDS; word++) {
            const bool is_in = v[word] < 0 || v[word] > 0;
            const uint32_t bits = gf_ballot(is_in);
            uint32_t first = bits & ~(bits << 1);
            if constexpr (EQUAL) {
                const float last = gf_shfl_up(v[word], 1);
                first =
                    gf_ballot(is_in && (gf_lane() == 0 || v[word] < last || v[word] > last || last != last));
            }
            if (gf_lane() == static_cast<unsigned>(row * GF_LABEL_WORDS + word)) {
                *in = bits;
                *begins = first;
            }
        }
    }
}

/* The run of a word that has this pixel: its bits, where it begins, and how many begin before it. */
struct gf_label_stretch {
    uint32_t bits;
    int first, rank;

    __device__ __forceinline__ gf_label_stretch(uint32_t in, uint32_t begins, int pixel)
    {
        first = GF_WARP - 1 - __clz(static_cast<int>(begins & ((2u << pixel) - 1)));
        const uint32_t below = (1u << first) - 1, ends = (begins | ~in) & ~(below | 1u << first);
        bits = (ends ? (ends & (0u - ends)) - 1 : 0xFFFFFFFFu) & ~below;
        rank = __popc(begins & below);
    }
};

/* Is it the root of a region of a good size? */
GF_DEVICE_FN bool gf_label_counts(const struct gf_label_params &p, uint32_t node)
{
    const uint32_t area = p.area[node];
    return p.parent[node] == node && area >= p.args.min_area && area <= p.args.max_area;
}

GF_DEVICE_FN int gf_label_lowest(uint32_t bits)
{
    return GF_WARP - 1 - __clz(static_cast<int>(bits & (0u - bits)));
}

/* Slots of a tile's word. */
GF_DEVICE_FN uint16_t *gf_label_slots(const struct gf_label_params &p, int64_t x, int64_t y)
{
    return p.slots + y * p.width + x;
}

/* These queue the kernels of the other files. */
gf_status gf_label_queue_tiles(const struct gf_label_params *p, gf_depth depth, cudaStream_t stream,
                               gf_error *error);
gf_status gf_label_queue_join(const struct gf_label_params *p, gf_depth depth, cudaStream_t stream,
                              gf_error *error);
gf_status gf_label_queue_choice(const struct gf_label_params *p, cudaStream_t stream, gf_error *error);
gf_status gf_label_queue_numbers(const struct gf_label_params *p, cudaStream_t stream, gf_error *error);
gf_status gf_label_queue_finish(const struct gf_label_params *p, gf_depth depth, cudaStream_t stream,
                                gf_error *error);

/* Calls f with the tag of the depth, whether equal values belong together, as a constant, and a launch that
 * has a CUDA block for each tile. */
template <class F>
static gf_status gf_label_dispatch(const struct gf_label_params *p, gf_depth depth, cudaStream_t stream,
                                   gf_error *error, F &&f)
{
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.grid = dim3(gf_blocks(p->tiles, 1));
    return gf_dispatch_sample(depth, error, [&](auto tag) {
        return gf_dispatch_number<0, 1>(p->args.equal, [&](auto equal) {
            launch.block = dim3(gf_label_shape<decltype(equal)::value != 0>::THREADS);
            return f(tag, equal, launch);
        });
    });
}

#endif
