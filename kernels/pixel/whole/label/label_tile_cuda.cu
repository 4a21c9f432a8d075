/* label on CUDA: the parts of each tile (label_cuda.cuh). */
#include "array/common/union_cuda.cuh"
#include "pixel/whole/label/label_cuda.cuh"

/* What a block shares of its tile: the bits of each word, and what each run is united with. Run r of the word
 * of thread t is number t * RUNS + r, so that the lowest of a part has its first pixel. */
struct gf_label_block {
    uint32_t *parent, *in, *begins;
};

/* Unites a run with those of another word of the tile that have one of these pixels. */
template <class T, bool EQUAL>
GF_DEVICE_FN void gf_label_meet(const struct gf_label_params &p, const struct gf_label_tile &tile,
                                const struct gf_label_block &block, const struct gf_label_stretch &own,
                                int word, uint32_t touched)
{
    const int self = static_cast<int>(threadIdx.x);
    const uint32_t in = block.in[word], begins = block.begins[word];
    for (touched &= in; touched;) {
        const struct gf_label_stretch other(in, begins, gf_label_lowest(touched));
        touched &= ~other.bits;
        if constexpr (EQUAL) {
            const int64_t x = tile.x + self % GF_LABEL_WORDS * GF_WARP + own.first;
            const int64_t other_x = tile.x + word % GF_LABEL_WORDS * GF_WARP + other.first;
            if (gf_label_sample<T>(p, x, tile.y + self / GF_LABEL_WORDS) !=
                gf_label_sample<T>(p, other_x, tile.y + word / GF_LABEL_WORDS)) {
                continue;
            }
        }
        gf_union_unite<true>(block.parent,
                             static_cast<uint32_t>(self * gf_label_shape<EQUAL>::RUNS + own.rank),
                             static_cast<uint32_t>(word * gf_label_shape<EQUAL>::RUNS + other.rank));
    }
}

/* The runs of a word with those to the left and above. */
template <class T, bool EQUAL>
GF_DEVICE_FN void gf_label_unite(const struct gf_label_params &p, const struct gf_label_tile &tile,
                                 const struct gf_label_block &block)
{
    const int self = static_cast<int>(threadIdx.x), column = self % GF_LABEL_WORDS;
    const uint32_t in = block.in[self], begins = block.begins[self];
    const bool corners = p.args.connectivity == 8 && !GF_FAULT(cuda_label_corner);
    for (uint32_t left = in; left;) {
        const struct gf_label_stretch own(in, begins, gf_label_lowest(left));
        left &= ~own.bits;
        if (column > 0) {
            gf_label_meet<T, EQUAL>(p, tile, block, own, self - 1, own.bits << (GF_WARP - 1));
        }
        if (self < GF_LABEL_WORDS) {
            continue; /* the first row */
        }
        const uint32_t sides = p.args.connectivity == 8 ? own.bits << 1 | own.bits >> 1 : 0;
        gf_label_meet<T, EQUAL>(p, tile, block, own, self - GF_LABEL_WORDS, own.bits | sides);
        if (corners && column > 0) {
            gf_label_meet<T, EQUAL>(p, tile, block, own, self - GF_LABEL_WORDS - 1,
                                    own.bits << (GF_WARP - 1));
        }
        if (corners && column < GF_LABEL_WORDS - 1) {
            gf_label_meet<T, EQUAL>(p, tile, block, own, self - GF_LABEL_WORDS + 1,
                                    own.bits >> (GF_WARP - 1));
        }
    }
}

/* Each root gets its pixels, and each other run the number of its root, in `area` too: parents stay as they
 * are, since other threads are still on their way through them. Returns how many roots are of this word. */
template <bool EQUAL>
GF_DEVICE_FN uint32_t gf_label_flatten_word(const struct gf_label_block &block, uint32_t *area)
{
    const uint32_t in = block.in[threadIdx.x], begins = block.begins[threadIdx.x];
    uint32_t node = threadIdx.x * gf_label_shape<EQUAL>::RUNS, roots = 0, under_way = 0, pixels = 0;
    for (uint32_t left = in; left; node++) {
        const struct gf_label_stretch own(in, begins, gf_label_lowest(left));
        const uint32_t root = gf_union_find<false>(block.parent, node);
        left &= ~own.bits;
        if (root == node) {
            roots++;
        } else {
            area[node] = root;
        }
        if (pixels && root != under_way) {
            gf_atomic_add(area + under_way, pixels);
            pixels = 0;
        }
        under_way = root;
        pixels += static_cast<uint32_t>(__popc(own.bits));
    }
    if (pixels) {
        gf_atomic_add(area + under_way, pixels);
    }
    return roots;
}

/* Returns how many of what the threads of the block count lie before this thread; *all of them. */
template <int WARPS> GF_DEVICE_FN uint32_t gf_label_before(uint32_t own, uint32_t *sums, uint32_t *all)
{
    uint32_t upto = own, before = 0, total = 0;
    for (unsigned distance = 1; distance < GF_WARP; distance *= 2) {
        const uint32_t left = gf_shfl_up(upto, distance);
        upto += gf_lane() >= distance ? left : 0;
    }
    if (gf_lane() == GF_WARP - 1) {
        sums[gf_warp()] = upto;
    }
    __syncthreads();
    for (unsigned i = 0; i < WARPS; i++) {
        before += i < gf_warp() ? sums[i] : 0;
        total += sums[i];
    }
    *all = total;
    return before + upto - own;
}

/* The slot of a run, when `area` of a root has become its slot. */
GF_DEVICE_FN uint16_t gf_label_run_slot(const struct gf_label_block &block, const uint32_t *area,
                                        uint32_t node)
{
    return static_cast<uint16_t>(area[block.parent[node] == node ? node : area[node]]);
}

/* The slot of a pixel of this thread's word. */
template <bool EQUAL>
GF_DEVICE_FN uint16_t gf_label_slot(const struct gf_label_block &block, const uint32_t *area, int pixel)
{
    const uint32_t in = block.in[threadIdx.x], begins = block.begins[threadIdx.x];
    if (!(in >> pixel & 1)) {
        return GF_LABEL_NO_SLOT;
    }
    const int rank = __popc(begins & ((2u << pixel) - 1)) - 1;
    return gf_label_run_slot(block, area,
                             threadIdx.x * gf_label_shape<EQUAL>::RUNS + static_cast<uint32_t>(rank));
}

/* Slots of a word: of its runs, and of its pixels where the tile ends. */
template <bool EQUAL>
GF_DEVICE_FN void gf_label_write_slots(const struct gf_label_params &p, const struct gf_label_tile &tile,
                                       const struct gf_label_block &block, const uint32_t *area)
{
    const int column = static_cast<int>(threadIdx.x) % GF_LABEL_WORDS;
    const int64_t row = threadIdx.x / GF_LABEL_WORDS, x = tile.x + column * GF_WARP, y = tile.y + row;
    if (x >= p.width || y >= p.height) {
        return;
    }
    const uint32_t first = threadIdx.x * gf_label_shape<EQUAL>::RUNS;
    const int runs = __popc(block.begins[threadIdx.x]);
    const int pixels = p.width - x < GF_WARP ? static_cast<int>(p.width - x) : GF_WARP;
    for (int i = 0; i < runs; i++) {
        gf_label_slots(p, x, y)[i] = gf_label_run_slot(block, area, first + static_cast<uint32_t>(i));
    }
    for (int64_t end = 0; end < 2; end++) {
        if (row == (end ? p.rows - 1 : 0) || (end && y == p.height - 1)) {
            uint16_t *const to = p.row_ends + (tile.y / p.rows * 2 + end) * p.width + x;
            for (int i = 0; i < pixels; i++) {
                to[i] = gf_label_slot<EQUAL>(block, area, i);
            }
        }
    }
    uint16_t *const to = p.column_ends + tile.x / GF_LABEL_SIDE * 2 * p.height + y;
    if (column == 0) {
        to[0] = gf_label_slot<EQUAL>(block, area, 0);
    }
    if (column == GF_LABEL_WORDS - 1 || x + GF_WARP >= p.width) {
        to[p.height] = gf_label_slot<EQUAL>(block, area, pixels - 1);
    }
}

template <class T, bool EQUAL>
static __global__ void __launch_bounds__(gf_label_shape<EQUAL>::THREADS)
    gf_label_tile_parts(const struct gf_label_params p)
{
    constexpr int RUNS = gf_label_shape<EQUAL>::RUNS, WARPS = gf_label_shape<EQUAL>::WARPS;
    GF_SHARED(uint32_t, parent, GF_LABEL_NODES);
    GF_SHARED(uint32_t, area, GF_LABEL_NODES);
    GF_SHARED(uint32_t, in, gf_label_shape<EQUAL>::THREADS);
    GF_SHARED(uint32_t, begins, gf_label_shape<EQUAL>::THREADS);
    GF_SHARED(uint32_t, sums, WARPS);
    const int64_t row = int64_t(blockIdx.x) / p.across;
    const struct gf_label_tile tile(p, int64_t(blockIdx.x) - row * p.across, row);
    const struct gf_label_block block = {parent, in, begins};
    uint32_t own_in, own_begins, parts;
    gf_label_load<T, EQUAL>(p, tile, &own_in, &own_begins);
    in[threadIdx.x] = own_in;
    begins[threadIdx.x] = own_begins;
    for (uint32_t node = threadIdx.x * RUNS; node < threadIdx.x * RUNS + __popc(own_begins); node++) {
        parent[node] = node;
        area[node] = 0;
    }
    __syncthreads();
    gf_label_unite<T, EQUAL>(p, tile, block);
    __syncthreads();
    const uint32_t roots = gf_label_flatten_word<EQUAL>(block, area);
    uint32_t slot = gf_label_before<WARPS>(roots, sums, &parts); /* waits for all */
    int rank = 0;
    for (uint32_t left = own_begins; left; left &= left - 1, rank++) {
        const uint32_t node = threadIdx.x * RUNS + static_cast<uint32_t>(rank);
        if (parent[node] == node) {
            const int64_t x = tile.x + threadIdx.x % GF_LABEL_WORDS * GF_WARP + gf_label_lowest(left);
            const int64_t y = tile.y + threadIdx.x / GF_LABEL_WORDS;
            p.parent[tile.base + slot] = tile.base + slot;
            p.area[tile.base + slot] = area[node];
            p.first[tile.base + slot] = static_cast<uint32_t>(y * p.width + x);
            area[node] = slot++;
        }
    }
    if (threadIdx.x == 0) {
        p.parts[blockIdx.x] = parts;
    }
    __syncthreads();
    gf_label_write_slots<EQUAL>(p, tile, block, area);
}

gf_status gf_label_queue_tiles(const struct gf_label_params *p, gf_depth depth, cudaStream_t stream,
                               gf_error *error)
{
    return gf_label_dispatch(p, depth, stream, error,
                             [&](auto tag, auto equal, const struct gf_launch &launch) -> gf_status {
                                 using T = typename decltype(tag)::type;
                                 constexpr bool EQUAL = decltype(equal)::value != 0;
                                 GF_CUDA_TRY(error, GF_LAUNCH((gf_label_tile_parts<T, EQUAL>), launch, *p));
                                 return GF_OK;
                             });
}
