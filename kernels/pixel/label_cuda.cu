/* label on CUDA: union-find by atomic minima, whose roots are the first pixels of their regions, so that it
 * gives the same numbers however threads are scheduled (union_cuda.cuh). Measures are integers, added by
 * atomics. */
#include "base/device_scope_cuda.h"
#include "base/gf_order.h"
#include "pixel/label.h"
#include "pixel/rank_cuda.cuh"
#include "pixel/union_cuda.cuh"

#define GF_LABEL_OUTSIDE 0xFFFFFFFFu

enum { GF_LABEL_THREADS = 256, GF_LABEL_RUN = 16 /* pixels of a row that a thread measures */ };

struct gf_label_params {
    const char *in;
    char *out;
    int64_t in_pitch, out_pitch, width, height;
    int32_t channels;
    struct gf_label_args args;
    float white;
    uint32_t *parent; /* of each pixel one before it or itself, or GF_LABEL_OUTSIDE */
    uint32_t *area;   /* at roots; later their regions' numbers, 0 of those too small */
    struct gf_region *regions;
};

GF_DEVICE_FN int64_t gf_label_index()
{
    return int64_t(blockIdx.x) * GF_LABEL_THREADS + threadIdx.x;
}

template <class T> GF_DEVICE_FN T gf_label_sample(const struct gf_label_params &p, int64_t x, int64_t y)
{
    return reinterpret_cast<const T *>(p.in + y * p.in_pitch)[x * p.channels];
}

template <class T>
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_begin(const struct gf_label_params p)
{
    const int64_t i = gf_label_index();
    if (i < p.width * p.height) {
        const int64_t y = i / p.width;
        const float v = static_cast<float>(gf_label_sample<T>(p, i - y * p.width, y));
        p.parent[i] = v < 0 || v > 0 ? static_cast<uint32_t>(i) : GF_LABEL_OUTSIDE;
        p.area[i] = 0;
    }
}

/* With the neighbour at dx, dy, if there is one that belongs to the same region: whether there is. */
template <class T>
GF_DEVICE_FN bool gf_label_meet(const struct gf_label_params &p, int64_t x, int64_t y, int dx, int dy)
{
    if (x + dx < 0 || x + dx >= p.width || y + dy < 0) {
        return false;
    }
    const int64_t other = (y + dy) * p.width + x + dx;
    if (gf_load_relaxed(p.parent + other) == GF_LABEL_OUTSIDE ||
        (p.args.equal && gf_label_sample<T>(p, x, y) != gf_label_sample<T>(p, x + dx, y + dy))) {
        return false;
    }
    gf_union_unite<false>(p.parent, static_cast<uint32_t>(y * p.width + x), static_cast<uint32_t>(other));
    return true;
}

template <class T>
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_meet_all(const struct gf_label_params p)
{
    const int64_t i = gf_label_index(), y = i / p.width, x = i - y * p.width;
    if (i < p.width * p.height && gf_load_relaxed(p.parent + i) != GF_LABEL_OUTSIDE) {
        gf_label_meet<T>(p, x, y, -1, 0);
        /* what is right above has the corners beside it in its own region, where they belong to this one */
        if (!gf_label_meet<T>(p, x, y, 0, -1) && p.args.connectivity == 8) {
            gf_label_meet<T>(p, x, y, -1, -1);
            gf_label_meet<T>(p, x, y, 1, -1);
        }
    }
}

/* Every pixel to its root, which counts it. */
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_flatten(const struct gf_label_params p)
{
    const int64_t i = gf_label_index();
    if (i < p.width * p.height && gf_load_relaxed(p.parent + i) != GF_LABEL_OUTSIDE) {
        const uint32_t root = gf_union_find<false>(p.parent, static_cast<uint32_t>(i));
        gf_store_relaxed(p.parent + i, root);
        gf_atomic_add(p.area + root, 1u);
    }
}

/* Regions at the edge of the picture have no area any more. */
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_drop(const struct gf_label_params p)
{
    const int64_t i = gf_label_index(), along = i < 2 * p.width ? i : i - 2 * p.width;
    if (i >= 2 * (p.width + p.height)) {
        return;
    }
    const int64_t x = i < 2 * p.width ? along % p.width : along < p.height ? 0 : p.width - 1;
    const int64_t y = i >= 2 * p.width ? along % p.height : along < p.width ? 0 : p.height - 1;
    const uint32_t root = p.parent[y * p.width + x];
    if (root != GF_LABEL_OUTSIDE) {
        gf_store_relaxed(p.area + root, 0u);
    }
}

struct gf_label_keep {
    const uint32_t *parent, *area;
    int64_t min_area, max_area;

    __device__ __forceinline__ bool operator()(int64_t i) const
    {
        return parent[i] == static_cast<uint32_t>(i) && area[i] >= min_area && area[i] <= max_area;
    }
};

struct gf_label_each {
    uint32_t *area;
    struct gf_region *regions;

    __device__ __forceinline__ void operator()(int64_t i, bool is_kept, uint64_t number) const
    {
        if (is_kept) {
            struct gf_region region = {};
            region.area = area[i];
            region.left = region.top = region.least = 0xFFFFFFFFu;
            regions[number] = region;
        }
        area[i] = is_kept ? static_cast<uint32_t>(number + 1) : 0;
    }
};

GF_DEVICE_FN uint32_t gf_label_key(float v)
{
    return gf_key_f32(v);
}
GF_DEVICE_FN uint32_t gf_label_key(uint16_t v)
{
    return v;
}
GF_DEVICE_FN uint32_t gf_label_key(uint8_t v)
{
    return v;
}

GF_DEVICE_FN void gf_label_add(struct gf_region *to, const struct gf_region &part)
{
    gf_atomic_add(&to->sum_x, part.sum_x);
    gf_atomic_add(&to->sum_y, part.sum_y);
    gf_atomic_add(&to->sum_v, part.sum_v);
    gf_atomic_min(&to->left, part.left);
    gf_atomic_max(&to->right, part.right);
    gf_atomic_min(&to->top, part.top);
    gf_atomic_max(&to->bottom, part.bottom);
    gf_atomic_min(&to->least, part.least);
    gf_atomic_max(&to->greatest, part.greatest);
}

template <class T>
GF_DEVICE_FN void gf_label_store(const struct gf_label_params &p, int64_t x, int64_t y, uint32_t number, T v)
{
    char *row = p.out + y * p.out_pitch;
    if (p.args.output == GF_LABEL_NUMBERS) {
        reinterpret_cast<uint32_t *>(row)[x] = number;
    } else {
        const T made = p.args.output == GF_LABEL_MASK ? static_cast<T>(p.white) : v;
        reinterpret_cast<T *>(row)[x] = number ? made : T(0);
    }
}

/* A thread a run of pixels of a row: what of it is of one region is added up first. */
template <class T>
static __global__ void __launch_bounds__(GF_LABEL_THREADS) gf_label_measure(const struct gf_label_params p)
{
    const int64_t runs = (p.width + GF_LABEL_RUN - 1) / GF_LABEL_RUN;
    const int64_t y = gf_label_index() / runs, first = (gf_label_index() - y * runs) * GF_LABEL_RUN;
    const int64_t end = first + GF_LABEL_RUN < p.width ? first + GF_LABEL_RUN : p.width;
    struct gf_region part = {};
    uint32_t under_way = 0;
    if (y >= p.height) {
        return;
    }
    for (int64_t x = first; x < end; x++) {
        const uint32_t root = p.parent[y * p.width + x];
        const uint32_t number = root == GF_LABEL_OUTSIDE ? 0 : p.area[root];
        const T v = gf_label_sample<T>(p, x, y);
        gf_label_store<T>(p, x, y, number, v);
        if (number != under_way) {
            if (under_way) {
                gf_label_add(p.regions + under_way - 1, part);
            }
            under_way = number;
            part = gf_region();
            part.left = static_cast<uint32_t>(x);
            part.top = part.bottom = static_cast<uint32_t>(y);
            part.least = 0xFFFFFFFFu;
        }
        const uint32_t key = gf_label_key(v);
        part.least = key < part.least ? key : part.least;
        part.greatest = key > part.greatest ? key : part.greatest;
        part.right = static_cast<uint32_t>(x);
        part.sum_x += static_cast<uint64_t>(x);
        part.sum_y += static_cast<uint64_t>(y);
        part.sum_v += std::is_integral<T>::value ? static_cast<uint64_t>(v) : 0;
    }
    if (under_way) {
        gf_label_add(p.regions + under_way - 1, part);
    }
}

static int64_t gf_label_pixels(const struct gf_apply_run *run)
{
    return run->in_values[0].width * run->in_values[0].height;
}

/* Bytes of one of the two arrays in the scratch, whole words of 64 bits. */
static size_t gf_label_array(const struct gf_apply_run *run)
{
    return static_cast<size_t>((gf_label_pixels(run) + 1) / 2) * sizeof(uint64_t);
}

size_t gf_label_cuda_scratch(const struct gf_apply_run *run)
{
    return 2 * gf_label_array(run) + gf_rank_scratch(gf_label_pixels(run));
}

template <class T> static gf_status gf_label_run(const struct gf_apply_run *run, gf_error *error)
{
    const int64_t n = gf_label_pixels(run);
    char *scratch = static_cast<char *>(run->scratch);
    uint64_t *counts = static_cast<uint64_t *>(run->out[1].data);
    struct gf_label_params p = {};
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.width = run->in_values[0].width;
    p.height = run->in_values[0].height;
    p.channels = run->in_values[0].channels;
    gf_args_get(&run->apply->args, &p.args, sizeof p.args);
    p.white = static_cast<float>(gf_depth_white(run->in_values[0].depth));
    p.parent = reinterpret_cast<uint32_t *>(scratch);
    p.area = reinterpret_cast<uint32_t *>(scratch + gf_label_array(run));
    p.regions = static_cast<struct gf_region *>(run->out[2].data);

    struct gf_launch launch = {};
    launch.block = dim3(GF_LABEL_THREADS);
    launch.grid = dim3(gf_blocks(n, GF_LABEL_THREADS));
    launch.stream = static_cast<cudaStream_t>(run->queue.stream);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_label_begin<T>), launch, p));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_label_meet_all<T>), launch, p));
    GF_CUDA_TRY(error, GF_LAUNCH(gf_label_flatten, launch, p));
    if (p.args.drops_border) {
        launch.grid = dim3(gf_blocks(2 * (p.width + p.height), GF_LABEL_THREADS));
        GF_CUDA_TRY(error, GF_LAUNCH(gf_label_drop, launch, p));
    }
    const struct gf_label_keep keep = {p.parent, p.area, p.args.min_area, p.args.max_area};
    const struct gf_label_each each = {p.area, p.regions};
    GF_CUDA_TRY(error, gf_rank(keep, each, n, reinterpret_cast<uint64_t *>(scratch + 2 * gf_label_array(run)),
                               counts, counts + 1, static_cast<uint64_t>(n), launch.stream));
    launch.grid = dim3(gf_blocks((p.width + GF_LABEL_RUN - 1) / GF_LABEL_RUN * p.height, GF_LABEL_THREADS));
    GF_CUDA_TRY(error, GF_LAUNCH((gf_label_measure<T>), launch, p));
    return GF_OK;
}

gf_status gf_label_cuda(const struct gf_apply_run *run, gf_error *error)
{
    GF_ON_DEVICE(run->queue.device, error)
    switch (run->in_values[0].depth) {
    case GF_U8:
        return gf_label_run<uint8_t>(run, error);
    case GF_U16:
        return gf_label_run<uint16_t>(run, error);
    default:
        return gf_label_run<float>(run, error);
    }
}
