/* Sets of vertices that all threads unite at once, as trees of labels: each vertex has that of a smaller one
 * of its set, or its own, and then is the set's root and smallest vertex. */
#ifndef GF_GRAPH_LABELS_CUDA_CUH
#define GF_GRAPH_LABELS_CUDA_CUH

#include "graph/graph_cuda.cuh"

GF_DEVICE_FN uint32_t gf_root_of(uint32_t *labels, uint32_t v)
{
    uint32_t up = gf_load_relaxed(labels + v);
    while (up != v) {
        const uint32_t over = gf_load_relaxed(labels + up);
        if (over != up) { /* the next one takes half the way; that of somebody else is as good */
            gf_store_relaxed(labels + v, over);
        }
        v = up;
        up = over;
    }
    return v;
}

GF_DEVICE_FN void gf_unite(uint32_t *labels, uint32_t u, uint32_t v)
{
    uint32_t a = gf_root_of(labels, u), b = gf_root_of(labels, v);
    while (a != b) {
        const uint32_t low = a < b ? a : b, high = a < b ? b : a;
        const uint32_t held = gf_atomic_cas(labels + high, high, low);
        if (held == high) {
            return;
        }
        a = gf_root_of(labels, held); /* which somebody else hooked it to */
        b = gf_root_of(labels, low);
    }
}

/* Every vertex gets the label of its root. */
static __global__ void gf_components_end(uint32_t *labels, int64_t n)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    for (int64_t v = gf_thread_index(); v < n; v += step) {
        uint32_t root = gf_load_relaxed(labels + v);
        for (uint32_t up; (up = gf_load_relaxed(labels + root)) != root;) {
            root = up;
        }
        gf_store_relaxed(labels + v, root);
    }
}

#endif
