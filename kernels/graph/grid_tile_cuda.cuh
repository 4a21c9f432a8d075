/* Levels and distances of pictures on CUDA, without lists of pixels: a picture is cut into tiles, and each
 * block lets the distances of a tile fall in shared memory until none falls any more. Where that lets one of
 * the next tile fall, this is looked at in the next round. What comes out does not depend on who came first:
 * a distance is the least that a way gives. So a wave runs through 32 pixels a round, not one. */
#ifndef GF_GRAPH_GRID_TILE_CUDA_CUH
#define GF_GRAPH_GRID_TILE_CUDA_CUH

#include "graph/grid.h"
#include "graph/sssp_cuda.cuh"

constexpr int GF_GRID_SIDE = 32, GF_GRID_STRIP = 4; /* of a tile; pixels of a thread, one below the other */
constexpr int GF_GRID_THREADS = GF_GRID_SIDE * GF_GRID_SIDE / GF_GRID_STRIP;
constexpr int GF_GRID_WIDE = GF_GRID_SIDE + 2, GF_GRID_ROOM = GF_GRID_WIDE * GF_GRID_WIDE; /* with a rim */

/* ---- Steps --------------------------------------------------------------------------------------------------- */

/* Levels are unsigned integers, the greatest of which, -1, is no level. */
struct gf_level_steps {
    using number = uint32_t;
    using cost = uint8_t;
    static constexpr bool HAS_COSTS = false, DIFFER = false;
    static __device__ __forceinline__ number infinite() { return UINT32_MAX; }
    static __device__ __forceinline__ number add(number d, cost, cost) { return d + (d != UINT32_MAX); }
    static __device__ __forceinline__ bool is_bad(cost) { return false; }
};

GF_DEVICE_FN int64_t gf_cost_apart(int64_t a, int64_t b)
{
    const uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b),
                   apart = a < b ? ub - ua : ua - ub;
    return apart > static_cast<uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<int64_t>(apart);
}
GF_DEVICE_FN float gf_cost_apart(float a, float b)
{
    return fabsf(a - b);
}
GF_DEVICE_FN double gf_cost_apart(double a, double b)
{
    return fabs(a - b);
}

/* Distances, of steps that cost what they enter, or what costs differ by. */
template <class W, bool DIFFERENCE> struct gf_cost_steps : gf_path<W> {
    using number = typename gf_path<W>::number;
    using cost = W;
    using step = typename std::conditional<std::is_floating_point<W>::value, W, int64_t>::type;
    static constexpr bool HAS_COSTS = true, DIFFER = DIFFERENCE;
    static __device__ __forceinline__ number add(number d, W from, W to)
    {
        if constexpr (!DIFFERENCE) {
            return gf_path<W>::add(d, to);
        } else if constexpr (std::is_floating_point<W>::value) {
            return gf_path<W>::add(d, gf_cost_apart(from, to));
        } else {
            return gf_path_add(d, gf_cost_apart(static_cast<step>(from), static_cast<step>(to)));
        }
    }
    static __device__ __forceinline__ bool is_bad(W cost)
    {
        if constexpr (!DIFFERENCE) {
            return gf_path<W>::is_bad(cost);
        } else if constexpr (std::is_floating_point<W>::value) {
            return !(fabs(cost) < static_cast<W>(__builtin_huge_val()));
        } else {
            return false;
        }
    }
};

/* Blocks of a multiprocessor: as many as have the registers. */
template <class Steps> constexpr int gf_grid_blocks()
{
    return sizeof(typename Steps::number) == 8 ? 3 : 4;
}

/* ---- What blocks share --------------------------------------------------------------------------------------- */

/* Zeroed before the launch. */
struct gf_grid_state {
    uint64_t bad;        /* ~ of the first pixel of a bad cost */
    uint32_t waiting[3]; /* tiles of a round; by turns, so that one is cleared while two are in use */
    uint32_t barrier;
};

template <class Steps> struct gf_grid_args {
    gf_grid grid;
    int64_t source;
    int64_t across, down; /* tiles */
    typename Steps::number *distances;
    const typename Steps::cost *costs; /* NULL: all are 1 */
    int64_t *bad;                      /* NULL: no costs */
    gf_grid_state *state;
    uint32_t *tiles[2];
    uint32_t *rounds; /* of each tile: the last for which it was put down */
};

/* ---- A tile -------------------------------------------------------------------------------------------------- */

/* A tile with the pixels around it, in shared memory. Outside the picture keys are 0. */
template <class Steps> struct gf_grid_tile {
    typename Steps::number distances[GF_GRID_ROOM];
    uint32_t keys[GF_GRID_ROOM];
    typename Steps::cost costs[Steps::HAS_COSTS ? GF_GRID_ROOM : 1];
    uint32_t leaves; /* a bit for each way in which a neighbour comes nearer */
};

/* A thread's pixels: the first one's place in the tile, distances, and of each the ways that its edges take,
 * a byte each. */
template <class Steps> struct gf_grid_strip {
    int at;
    uint32_t ways;
    typename Steps::number now[GF_GRID_STRIP], before[GF_GRID_STRIP];
};

GF_DEVICE_FN int gf_grid_offset(int way)
{
    return gf_grid_dy(way) * GF_GRID_WIDE + gf_grid_dx(way);
}

template <class Steps>
GF_DEVICE_FN void gf_grid_load(const gf_grid_args<Steps> &a, uint32_t number, gf_grid_tile<Steps> *tile)
{
    const int64_t left = number % a.across * GF_GRID_SIDE - 1, top = number / a.across * GF_GRID_SIDE - 1;
    for (int i = static_cast<int>(gf_thread()); i < GF_GRID_ROOM; i += GF_GRID_THREADS) {
        const int64_t x = left + i % GF_GRID_WIDE, y = top + i / GF_GRID_WIDE, v = y * a.grid.width + x;
        const bool is_in = x >= 0 && x < a.grid.width && y >= 0 && y < a.grid.height;
        tile->keys[i] = is_in ? gf_grid_key(&a.grid, v) : 0;
        tile->distances[i] = is_in ? gf_load_relaxed(a.distances + v) : Steps::infinite();
        if constexpr (Steps::HAS_COSTS) {
            tile->costs[i] = is_in && a.costs ? a.costs[v] : 1;
        }
    }
    if (gf_thread() == 0) {
        tile->leaves = 0;
    }
}

template <class Steps>
GF_DEVICE_FN gf_grid_strip<Steps> gf_grid_begin_strip(const gf_grid_args<Steps> &a,
                                                      const gf_grid_tile<Steps> &tile)
{
    gf_grid_strip<Steps> s;
    s.at = static_cast<int>((gf_warp() * GF_GRID_STRIP + 1) * GF_GRID_WIDE + gf_lane() + 1);
    s.ways = 0;
    GF_UNROLL
    for (int k = 0; k < GF_GRID_STRIP; k++) {
        const int at = s.at + k * GF_GRID_WIDE;
        s.now[k] = s.before[k] = tile.distances[at];
        GF_UNROLL
        for (int way = 0; way < 8; way++) {
            const bool is_edge = way < a.grid.connect && tile.keys[at] != 0 &&
                                 tile.keys[at + gf_grid_offset(way)] == tile.keys[at];
            s.ways |= uint32_t(is_edge) << (8 * k + way);
        }
    }
    return s;
}

/* Lowers pixel k of the strip to what it is by way of a neighbour, whose distance is given. */
template <class Steps>
GF_DEVICE_FN void gf_grid_lower(const gf_grid_tile<Steps> &tile, gf_grid_strip<Steps> *s, int k, int way,
                                typename Steps::number around)
{
    const int at = s->at + k * GF_GRID_WIDE;
    typename Steps::cost from = 1, to = 1;
    if constexpr (Steps::HAS_COSTS) {
        to = tile.costs[at];
        from = Steps::DIFFER ? tile.costs[at + gf_grid_offset(way)] : from;
    }
    const auto by = Steps::add(around, from, to);
    if ((s->ways >> (8 * k + way) & 1) != 0 && by < s->now[k]) {
        s->now[k] = by;
    }
}

/* One look at all neighbours; those in the strip itself are as new as they can be. */
template <class Steps>
GF_DEVICE_FN void gf_grid_look(const gf_grid_tile<Steps> &tile, gf_grid_strip<Steps> *s, int ways)
{
    enum { UP = 2, DOWN = 3 };
    GF_UNROLL
    for (int k = 0; k < GF_GRID_STRIP; k++) {
        const int at = s->at + k * GF_GRID_WIDE;
        GF_UNROLL
        for (int way = 0; way < 8; way++) {
            const bool is_own = (way == UP && k > 0) || (way == DOWN && k < GF_GRID_STRIP - 1);
            if (way < ways && !is_own) {
                gf_grid_lower(tile, s, k, way, tile.distances[at + gf_grid_offset(way)]);
            }
        }
        if (k > 0) {
            gf_grid_lower(tile, s, k, UP, s->now[k - 1]);
        }
    }
    GF_UNROLL
    for (int k = GF_GRID_STRIP - 2; k >= 0; k--) {
        gf_grid_lower(tile, s, k, DOWN, s->now[k + 1]);
    }
}

/* Until nothing falls any more. */
template <class Steps>
GF_DEVICE_FN void gf_grid_settle(gf_grid_tile<Steps> *tile, gf_grid_strip<Steps> *s, int ways)
{
    bool falls = true;
    while (falls) {
        bool fell = false;
        gf_grid_look(*tile, s, ways);
        __syncthreads(); /* all have read */
        GF_UNROLL
        for (int k = 0; k < GF_GRID_STRIP; k++) {
            const int at = s->at + k * GF_GRID_WIDE;
            if (s->now[k] < tile->distances[at]) {
                tile->distances[at] = s->now[k];
                fell = true;
            }
        }
        falls = __syncthreads_or(fell) != 0;
    }
}

/* The ways in which a pixel of the strip leaves the tile and lets one outside come nearer. */
template <class Steps>
GF_DEVICE_FN uint32_t gf_grid_leaves(const gf_grid_tile<Steps> &tile, const gf_grid_strip<Steps> &s, int ways)
{
    uint32_t leaves = 0;
    GF_UNROLL
    for (int k = 0; k < GF_GRID_STRIP; k++) {
        const int x = static_cast<int>(gf_lane()), y = static_cast<int>(gf_warp()) * GF_GRID_STRIP + k;
        for (int way = 0; way < ways && s.now[k] < s.before[k]; way++) {
            const int at = s.at + k * GF_GRID_WIDE, to = at + gf_grid_offset(way), tx = x + gf_grid_dx(way),
                      ty = y + gf_grid_dy(way);
            const int across = tx < 0 ? -1 : tx == GF_GRID_SIDE, down = ty < 0 ? -1 : ty == GF_GRID_SIDE;
            typename Steps::cost here = 1, there = 1;
            if constexpr (Steps::HAS_COSTS) {
                here = tile.costs[at];
                there = tile.costs[to];
            }
            if ((across != 0 || down != 0) && (s.ways >> (8 * k + way) & 1) != 0 &&
                Steps::add(s.now[k], here, there) < tile.distances[to]) {
                leaves |= 1u << ((down + 1) * 3 + across + 1);
            }
        }
    }
    return leaves;
}

/* Writes what fell, and puts the tiles down that it concerns. */
template <class Steps>
GF_DEVICE_FN void gf_grid_end_tile(const gf_grid_args<Steps> &a, uint32_t number, uint32_t next,
                                   gf_grid_tile<Steps> *tile, const gf_grid_strip<Steps> &s)
{
    const int64_t x = number % a.across * GF_GRID_SIDE + gf_lane(),
                  y = number / a.across * GF_GRID_SIDE + gf_warp() * GF_GRID_STRIP;
    GF_UNROLL
    for (int k = 0; k < GF_GRID_STRIP; k++) {
        if (s.now[k] < s.before[k]) { /* so it lies in the picture */
            gf_store_relaxed(a.distances + (y + k) * a.grid.width + x, s.now[k]);
        }
    }
    const uint32_t leaves = gf_grid_leaves(*tile, s, a.grid.connect);
    if (leaves != 0) {
        gf_atomic_or(&tile->leaves, leaves);
    }
    __syncthreads();
    const int place = static_cast<int>(gf_thread());
    if (place < 9 && (tile->leaves >> place & 1) != 0 && !(GF_FAULT(cuda_grid_leaves) && place == 8)) {
        const uint32_t to = static_cast<uint32_t>(number + (place / 3 - 1) * a.across + place % 3 - 1);
        if (gf_atomic_exchange(a.rounds + to, next) != next) {
            a.tiles[next % 2][gf_atomic_add(a.state->waiting + next % 3, 1u)] = to;
        }
    }
    __syncthreads(); /* before the tile is overwritten */
}

/* ---- The search ---------------------------------------------------------------------------------------------- */

template <class Steps> GF_DEVICE_FN void gf_grid_begin(const gf_grid_args<Steps> &a)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x, n = a.grid.width * a.grid.height;
    bool is_good = true;
    for (int64_t v = gf_thread_index(); v < n; v += step) {
        a.distances[v] = v == a.source ? 0 : Steps::infinite();
        if constexpr (Steps::HAS_COSTS) {
            if (is_good && a.costs && Steps::is_bad(a.costs[v]) && gf_grid_key(&a.grid, v) != 0) {
                gf_atomic_max(&a.state->bad, ~static_cast<uint64_t>(v));
                is_good = false; /* the thread's others lie behind */
            }
        }
    }
    for (int64_t t = gf_thread_index(); t < a.across * a.down; t += step) {
        a.rounds[t] = 0;
    }
    if (gf_thread_index() == 0) {
        const int64_t x = a.source % a.grid.width, y = a.source / a.grid.width;
        a.tiles[1][0] = static_cast<uint32_t>(y / GF_GRID_SIDE * a.across + x / GF_GRID_SIDE);
        a.state->waiting[1] = 1;
    }
}

template <class Steps>
GF_DEVICE_FN void gf_grid_take(const gf_grid_args<Steps> &a, uint32_t number, uint32_t round, bool is_first,
                               gf_grid_tile<Steps> *tile)
{
    gf_grid_load(a, number, tile);
    __syncthreads();
    gf_grid_strip<Steps> s = gf_grid_begin_strip(a, *tile);
    gf_grid_settle(tile, &s, a.grid.connect);
    if (is_first) { /* the source did not fall, but what is beside it may lie in the next tile */
        GF_UNROLL
        for (int k = 0; k < GF_GRID_STRIP; k++) {
            s.before[k] = s.now[k] == 0 ? Steps::infinite() : s.before[k];
        }
    }
    gf_grid_end_tile(a, number, round + 1, tile, s);
}

template <class Steps>
static __global__ void __launch_bounds__(GF_GRID_THREADS, gf_grid_blocks<Steps>())
    gf_grid_search(const gf_grid_args<Steps> a)
{
    GF_SHARED(gf_grid_tile<Steps>, tile, 1);
    gf_grid_begin(a);
    gf_grid_barrier(&a.state->barrier);
    const uint64_t bad = gf_load_relaxed(&a.state->bad);
    if (a.bad && gf_thread_index() == 0) {
        *a.bad = bad == 0 ? -1 : static_cast<int64_t>(~bad);
    }
    for (uint32_t round = 1; bad == 0; round++) {
        const uint32_t count = gf_load_relaxed(a.state->waiting + round % 3);
        if (count == 0) {
            return;
        }
        if (gf_thread_index() == 0) {
            gf_store_relaxed(a.state->waiting + (round + 2) % 3, 0u);
        }
        for (uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
            gf_grid_take(a, a.tiles[round % 2][i], round, round == 1, tile);
        }
        gf_grid_barrier(&a.state->barrier);
    }
}

/* ---- The call ------------------------------------------------------------------------------------------------ */

template <class Steps>
static size_t gf_grid_lay_out(const struct gf_array_call *array, gf_grid_args<Steps> *a)
{
    const gf_grid &g = gf_graph_call_of(array)->grid;
    size_t used = 0;
    a->grid = g;
    a->source = gf_graph_call_of(array)->source;
    a->across = (g.width + GF_GRID_SIDE - 1) / GF_GRID_SIDE;
    a->down = (g.height + GF_GRID_SIDE - 1) / GF_GRID_SIDE;
    const int64_t tiles = a->across * a->down;
    a->state = gf_scratch_array<gf_grid_state>(array->scratch, &used, 1);
    a->tiles[0] = gf_scratch_array<uint32_t>(array->scratch, &used, tiles);
    a->tiles[1] = gf_scratch_array<uint32_t>(array->scratch, &used, tiles);
    a->rounds = gf_scratch_array<uint32_t>(array->scratch, &used, tiles);
    return used;
}

/* Searches a picture that has pixels; a has all but what is in the scratch memory. */
template <class Steps>
static gf_status gf_grid_run(const struct gf_array_call *array, gf_grid_args<Steps> *a, gf_error *error)
{
    gf_launch c = {};
    GF_TRY(gf_search_launch(array, &c, error));
    gf_grid_lay_out(array, a);
    c.block = dim3(GF_GRID_THREADS);
    c.grid.x *= gf_grid_blocks<Steps>();
    GF_CUDA_TRY(error, cudaMemsetAsync(a->state, 0, sizeof *a->state, c.stream));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_grid_search<Steps>), c, *a));
    return GF_OK;
}

#endif
