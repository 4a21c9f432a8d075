/* "auto" of sssp on CUDA: vertices nearer than a threshold are looked at until none of them comes nearer,
 * then the threshold rises (near and far of A. Davidson, S. Baxter, M. Garland and J. Owens, "Work-Efficient
 * Parallel GPU Methods for Single-Source Shortest Paths", 2014): all in one launch, whose blocks wait for
 * each other between two rounds. */
#include "array/common/dispatch_cuda.cuh"
#include "graph/sssp_cuda.cuh"
#include "graph/vertex_list_cuda.cuh"

constexpr int64_t GF_SSSP_SAMPLE = 4 * GF_GRAPH_THREADS; /* weights that delta is chosen from */
constexpr double GF_SSSP_STEP = GF_WARP;                 /* delta, in mean weights of a vertex's edges */

/* What blocks share; zeroed before the launch. */
struct gf_sssp_state {
    uint64_t near[3];  /* vertices of a round and their edges; by turns */
    uint64_t far[2];   /* how many the list in use and the next one have */
    uint64_t least[2]; /* ~ of the least far distance: the greatest */
    uint64_t bad;      /* ~ of the first edge of a bad weight */
    double delta;
    uint32_t barrier;
};

template <class W> struct gf_sssp_args {
    using number = typename gf_path<W>::number;
    gf_graph_args g;
    const W *weights;
    number *distances;
    int64_t *bad;
    double delta; /* 0: to be chosen */
    gf_sssp_state *state;
    gf_vertex_queue queue[2];
    uint32_t *far[2];
    uint32_t *rounds;   /* in which a vertex was put last among the near ones */
    uint32_t *far_bits; /* which stand among the far ones */
};

/* The state of a round; the same in all threads. */
template <class W> struct gf_sssp_round {
    typename gf_path<W>::number threshold;
    double delta;
    uint32_t round;  /* from 1 on */
    uint32_t far;    /* which list is in use */
    uint32_t raised; /* how often */
    uint32_t calm;   /* rounds in a row with few edges */
};

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

/* The first block calls it. */
template <class W> GF_DEVICE_FN void gf_sssp_choose(const gf_sssp_args<W> &a, double *sums)
{
    const int64_t step = a.g.edges / GF_SSSP_SAMPLE + 1, count = (a.g.edges + step - 1) / step;
    double sum = 0;
    for (int64_t e = gf_thread() * step; e < a.g.edges; e += GF_GRAPH_THREADS * step) {
        const double weight = static_cast<double>(a.weights[e]);
        sum += weight < __builtin_huge_val() ? weight / static_cast<double>(count)
                                             : 0; /* so that no sum is infinite */
    }
    sum = gf_reduce_add(sum);
    if (gf_lane() == 0) {
        sums[gf_warp()] = sum;
    }
    __syncthreads();
    if (gf_thread() == 0) {
        double all = 0;
        for (int i = 0; i < GF_GRAPH_THREADS / GF_WARP; i++) {
            all += sums[i];
        }
        const double degree = static_cast<double>(a.g.edges) / static_cast<double>(a.g.n);
        const double delta = GF_SSSP_STEP * all / (degree > 1 ? degree : 1);
        a.state->delta = a.delta > 0 ? a.delta : delta;
    }
}

template <class W> GF_DEVICE_FN void gf_sssp_begin(const gf_sssp_args<W> &a)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v < a.g.n; v += step) {
        a.distances[v] = v == a.g.source ? 0 : gf_path<W>::infinite();
        a.rounds[v] = 0;
        if (v % 32 == 0) {
            a.far_bits[v / 32] = 0;
        }
    }
    for (int64_t e = gf_thread_index(); e < a.g.edges; e += step) {
        if (gf_path<W>::is_bad(a.weights[e])) {
            gf_atomic_max(&a.state->bad, ~static_cast<uint64_t>(e));
            break;
        }
    }
    if (gf_thread_index() == 0) {
        a.queue[1].vertices[0] = static_cast<uint32_t>(a.g.source);
        a.queue[1].bases[0] = 0;
        a.state->near[1] = gf_queue_word(gf_degree(a.g, a.g.source));
    }
}

/* ---- Near ones ---------------------------------------------------------------------------------------------- */

/* The edges of near vertices, which know how far these are. */
template <class W> struct gf_near_edges : gf_queued_edges {
    const typename gf_path<W>::number *distances;
    struct payload {
        int64_t first; /* edge */
        typename gf_path<W>::number distance;
    };
    __device__ __forceinline__ payload load(int64_t i) const
    {
        const uint32_t v = queue.vertices[i];
        return {offsets[v], gf_load_relaxed(distances + v)};
    }
};

template <class W> using gf_near_window = gf_expand_window<gf_near_edges<W>, GF_GRAPH_WINDOW>;

/* Puts the far vertices of a warp's lanes into the list, once each. All lanes. */
template <class W>
GF_DEVICE_FN void gf_sssp_put_far(const gf_sssp_args<W> &a, uint32_t list, bool is_far, uint32_t v)
{
    const uint32_t bit = uint32_t(1) << v % 32;
    const bool is_new = is_far && (gf_atomic_or(a.far_bits + v / 32, bit) & bit) == 0;
    if (gf_any(is_new)) {
        const uint64_t at = gf_warp_take(a.state->far + list, is_new);
        if (is_new) {
            a.far[list][at] = v;
        }
    }
}

/* Lowers the distance of where an edge leads. A near vertex then waits for the next round, or in the block's
 * list if it may: step 0 has none. All lanes. */
template <class W>
GF_DEVICE_FN void gf_sssp_lower(const gf_sssp_args<W> &a, const gf_sssp_round<W> &r, gf_vertex_list *list,
                                uint32_t step, bool is_item, typename gf_path<W>::number distance, int64_t e)
{
    const uint32_t next = r.round + 1, v = is_item ? a.g.targets[e] : 0;
    const auto by = is_item ? gf_path<W>::add(distance, a.weights[e]) : gf_path<W>::infinite();
    const bool is_nearer = gf_load_relaxed(a.distances + v) > by && gf_atomic_min(a.distances + v, by) > by;
    const bool is_near = is_nearer && by < r.threshold;
    const bool is_kept = is_near && step > 0 && gf_list_put(a.g, list, step, v);
    const bool is_put = is_near && !is_kept && gf_atomic_exchange(a.rounds + v, next) != next;
    gf_queue_put(a.g, a.queue[next % 2], a.state->near + next % 3, is_put, v);
    gf_sssp_put_far(a, r.far, is_nearer && !is_near, v);
}

/* The near ones' edges; where they are few each block goes on by itself for some steps. */
template <class W>
GF_DEVICE_FN void gf_sssp_relax(const gf_sssp_args<W> &a, const gf_sssp_round<W> &r, uint64_t near,
                                gf_near_window<W> *window, gf_vertex_list *list)
{
    const uint32_t steps = gf_list_steps(r.calm);
    gf_near_edges<W> edges = {};
    static_cast<gf_queued_edges &>(edges) = gf_edges_of(a.g, a.queue[r.round % 2], near);
    edges.distances = a.distances;
    gf_list_clear(list);
    __syncthreads();
    gf_expand(edges, GF_GRAPH_LEAST, window,
              [&](bool is_item, const typename gf_near_edges<W>::payload &u, int64_t rank) {
                  gf_sssp_lower(a, r, list, steps > 1, is_item, u.distance, u.first + rank);
              });
    for (uint32_t step = 1; step < steps; step++) {
        __syncthreads();
        const int count = gf_list_begin(list, step);
        if (count == 0) {
            return;
        }
        const uint32_t next = step + 1 < steps ? step + 1 : 0;
        gf_list_walk(*list, step, count, [&](bool is_item, uint32_t u, int64_t e) {
            gf_sssp_lower(a, r, list, next, is_item, gf_load_relaxed(a.distances + u), e);
        });
    }
}

/* ---- Far ones ----------------------------------------------------------------------------------------------- */

/* The least distance of those far ones that have not been near already. */
template <class W> GF_DEVICE_FN void gf_sssp_find_least(const gf_sssp_args<W> &a, const gf_sssp_round<W> &r)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x, count = static_cast<int64_t>(a.state->far[r.far]);
    uint64_t greatest = 0;
    for (int64_t i = gf_thread_index(); i < count; i += step) {
        const auto d = a.distances[a.far[r.far][i]];
        if (d >= r.threshold && ~static_cast<uint64_t>(d) > greatest) {
            greatest = ~static_cast<uint64_t>(d);
        }
    }
    greatest = gf_reduce_max(greatest);
    if (gf_lane() == 0 && greatest != 0) {
        gf_atomic_max(a.state->least + r.raised % 2, greatest);
    }
}

/* Moves those that the threshold has passed, which was `before`, and keeps the others. */
template <class W>
GF_DEVICE_FN void gf_sssp_split(const gf_sssp_args<W> &a, const gf_sssp_round<W> &r,
                                typename gf_path<W>::number before)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x, count = static_cast<int64_t>(a.state->far[r.far]);
    const uint32_t next = r.round + 1;
    for (int64_t i = gf_thread_index(); i - gf_lane() < count; i += step) {
        const bool is_in = i < count;
        const uint32_t v = is_in ? a.far[r.far][i] : 0;
        const auto d = a.distances[v];
        if (is_in) {
            gf_atomic_and(a.far_bits + v / 32, ~(uint32_t(1) << v % 32));
        }
        const bool is_near =
            is_in && d >= before && d < r.threshold && !(GF_FAULT(cuda_sssp_far) && i == count - 1);
        gf_queue_put(a.g, a.queue[next % 2], a.state->near + next % 3, is_near, v);
        gf_sssp_put_far(a, r.far ^ 1, is_in && d >= r.threshold, v);
    }
}

/* Raises the threshold. False: nobody is left. */
template <class W> GF_DEVICE_FN bool gf_sssp_raise(const gf_sssp_args<W> &a, gf_sssp_round<W> *r)
{
    using number = typename gf_path<W>::number;
    if (gf_thread_index() == 0) {
        gf_store_relaxed(a.state->far + (r->far ^ 1), uint64_t(0));
    }
    gf_sssp_find_least(a, *r);
    gf_grid_barrier(&a.state->barrier);
    const uint64_t greatest = gf_load_relaxed(a.state->least + r->raised % 2);
    if (greatest == 0) {
        return false;
    }
    const number least = static_cast<number>(~greatest), before = r->threshold;
    const number next = gf_path<W>::number_of(gf_path<W>::value_of(least) + r->delta);
    r->threshold = next > least ? next : least + 1; /* a delta that rounding swallows */
    if (gf_thread_index() == 0) {
        gf_store_relaxed(a.state->least + (r->raised + 1) % 2, uint64_t(0));
    }
    gf_sssp_split(a, *r, before);
    r->far ^= 1;
    r->raised++;
    return true;
}

/* ---- The search --------------------------------------------------------------------------------------------- */

template <class W>
static __global__ void __launch_bounds__(GF_GRAPH_THREADS, 1) gf_sssp_rounds(const gf_sssp_args<W> a)
{
    GF_SHARED(gf_near_window<W>, window, 1);
    GF_SHARED(gf_vertex_list, list, 1);
    GF_SHARED(double, sums, GF_GRAPH_THREADS / GF_WARP);
    gf_sssp_begin(a);
    if (blockIdx.x == 0) {
        gf_sssp_choose(a, sums);
    }
    gf_grid_barrier(&a.state->barrier);
    const uint64_t bad = gf_load_relaxed(&a.state->bad);
    if (gf_thread_index() == 0) {
        *a.bad = bad == 0 ? -1 : static_cast<int64_t>(~bad);
    }
    gf_sssp_round<W> r = {};
    r.delta = a.state->delta;
    r.threshold = gf_path<W>::number_of(r.delta);
    r.threshold = r.threshold > 0 ? r.threshold : 1;
    for (r.round = 1; bad == 0; r.round++) {
        const uint64_t near = gf_load_relaxed(a.state->near + r.round % 3);
        if (gf_thread_index() == 0) {
            gf_store_relaxed(a.state->near + (r.round + 2) % 3, uint64_t(0));
        }
        if (near != 0) {
            r.calm = gf_list_calm(r.calm, near);
            gf_sssp_relax(a, r, near, window, list);
        } else if (!gf_sssp_raise(a, &r)) {
            return;
        }
        gf_grid_barrier(&a.state->barrier);
    }
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

template <class W> static size_t lay_out(const struct gf_array_call *array, gf_sssp_args<W> *a)
{
    void *const memory = array->scratch;
    size_t used = 0;
    a->state = gf_scratch_array<gf_sssp_state>(memory, &used, 1);
    a->queue[0] = gf_queue_lay_out(memory, &used, array->n);
    a->queue[1] = gf_queue_lay_out(memory, &used, array->n);
    a->far[0] = gf_scratch_array<uint32_t>(memory, &used, array->n);
    a->far[1] = gf_scratch_array<uint32_t>(memory, &used, array->n);
    a->rounds = gf_scratch_array<uint32_t>(memory, &used, array->n);
    a->far_bits = gf_scratch_array<uint32_t>(memory, &used, array->n / 32 + 1);
    return used;
}

size_t gf_sssp_cuda_scratch(const struct gf_array_call *array)
{
    gf_sssp_args<float> a = {};
    return array->n > 0 ? lay_out(array, &a) : 0;
}

gf_status gf_sssp_cuda(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    gf_launch c = {};
    GF_ON_DEVICE(array->queue.device, error)
    GF_TRY(gf_search_launch(array, &c, error));
    if (array->n == 0) {
        GF_CUDA_TRY(error, cudaMemsetAsync(call->bad, 0xff, sizeof *call->bad, c.stream)); /* -1 */
        return GF_OK;
    }
    return gf_dispatch_type<GF_PATH_TYPES>(array->options.type, error, [&](auto tag) {
        using W = typename decltype(tag)::type;
        gf_sssp_args<W> a = {};
        a.g = gf_graph_args_of(array);
        a.weights = static_cast<const W *>(call->graph.values);
        a.distances = static_cast<typename gf_path<W>::number *>(array->out);
        a.bad = call->bad;
        a.delta = call->delta;
        lay_out(array, &a);
        GF_CUDA_TRY(error, cudaMemsetAsync(a.state, 0, sizeof *a.state, c.stream));
        GF_CUDA_TRY(error, GF_LAUNCH((gf_sssp_rounds<W>), c, a));
        return GF_OK;
    });
}
