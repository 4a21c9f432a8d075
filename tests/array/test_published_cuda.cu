/* The variants that stand for published kernels, beside these kernels written again as the text has them: on
 * a GPU they take the same time. What the text leaves open is nothing that these sizes ask for. */
#include "check.h"

#ifdef GF_EMU
static void as_long()
{
    SKIP("an emulated device has no times");
}
#else
#include "gpufilter/device.h"
#include "gpufilter/graph.h"
#include "gpufilter/histogram.h"
#include "gpufilter/matmul.h"
#include "gpufilter/spmv.h"
#include "gpufilter/stencil.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace
{

/* ---- As the text has them --------------------------------------------------------------------------------- */

constexpr int SIDE = 16; /* of a tile */

__global__ void text_stencil(const float *in, float *out, int width, int height)
{
    __shared__ float tile[SIDE + 2][SIDE + 2];
    const int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    const int i = threadIdx.x + 1, j = threadIdx.y + 1;
    const bool inside = x < width && y < height;
    tile[j][i] = inside ? in[y * width + x] : 0.0f;
    if (threadIdx.x == 0 && x > 0) {
        tile[j][0] = in[y * width + x - 1];
    }
    if (threadIdx.x == SIDE - 1 && x < width - 1) {
        tile[j][i + 1] = in[y * width + x + 1];
    }
    if (threadIdx.y == 0 && y > 0) {
        tile[0][i] = in[(y - 1) * width + x];
    }
    if (threadIdx.y == SIDE - 1 && y < height - 1) {
        tile[j + 1][i] = in[(y + 1) * width + x];
    }
    __syncthreads();
    if (inside) {
        float sum = 0.2f * tile[j][i];
        sum = fmaf(0.2f, tile[j - 1][i], sum);
        sum = fmaf(0.2f, tile[j + 1][i], sum);
        sum = fmaf(0.2f, tile[j][i - 1], sum);
        out[y * width + x] = fmaf(0.2f, tile[j][i + 1], sum);
    }
}

__global__ void text_histogram(const unsigned char *in, int *counts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(counts + in[i], 1);
    }
}

__global__ void text_histogram_shared(const unsigned char *in, int *counts, int n)
{
    __shared__ int own[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, bin = threadIdx.x;
    if (bin < 256) {
        own[bin] = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(own + in[i], 1);
    }
    __syncthreads();
    if (bin < 256) {
        atomicAdd(counts + bin, own[bin]);
    }
}

__global__ void text_product(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
    const int i = threadIdx.x, j = threadIdx.y, row = blockIdx.y * SIDE + j, column = blockIdx.x * SIDE + i;
    float sum = 0;
    for (int t = 0; t < (k + SIDE - 1) / SIDE; t++) {
        left[j][i] = row < m && t * SIDE + i < k ? a[row * k + t * SIDE + i] : 0.0f;
        right[j][i] = t * SIDE + j < k && column < n ? b[(t * SIDE + j) * n + column] : 0.0f;
        __syncthreads();
        for (int l = 0; l < SIDE; l++) {
            sum = fmaf(left[j][l], right[l][i], sum);
        }
        __syncthreads();
    }
    if (row < m && column < n) {
        c[row * n + column] = sum;
    }
}

__global__ void text_rows(const int *offsets, const int *columns, const float *values, const float *x,
                          float *y, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int e = offsets[row]; e < offsets[row + 1]; e++) {
            sum = fmaf(values[e], x[columns[e]], sum);
        }
        y[row] = sum;
    }
}

__global__ void text_relax(const int *targets, const int *offsets, const int *weights, int *distances,
                           bool *changed, int n)
{
    const int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) {
        return;
    }
    const int end = offsets[u + 1];
    for (int e = offsets[u]; e < end; e++) {
        const int v = targets[e], by = distances[u] + weights[e];
        if (by < distances[v]) {
            atomicMin(distances + v, by);
            *changed = true;
        }
    }
}

__global__ void text_labels(const int *targets, const int *offsets, int *labels, bool *changed, int n)
{
    const int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n) {
        return;
    }
    const int end = offsets[u + 1];
    int least = labels[u];
    for (int e = offsets[u]; e < end; e++) {
        const int around = labels[targets[e]];
        if (around < least) {
            least = around;
            *changed = true;
        }
    }
    if (least < labels[u]) {
        labels[u] = least;
    }
}

/* ---- Turns ------------------------------------------------------------------------------------------------ */

enum { TURNS = 15, WARM = 2 };

void must(cudaError_t status)
{
    CHECK_MSG(status == cudaSuccess, "%s", cudaGetErrorString(status));
}

struct turns {
    gf_queue queue = {0, nullptr};
    gf_error error = GF_ERROR_INIT;
    std::vector<void *> blocks;
    cudaStream_t stream;

    turns()
    {
        CHECK(gf_queue_create(0, &queue, &error) == GF_OK);
        stream = static_cast<cudaStream_t>(queue.stream);
    }
    turns(const turns &) = delete;
    ~turns()
    {
        for (void *block : blocks) {
            cudaFree(block);
        }
        gf_queue_destroy(&queue);
    }
    template <class T> T *take(size_t n)
    {
        void *block = nullptr;
        must(cudaMalloc(&block, n * sizeof(T) + 256));
        must(cudaMemset(block, 0, n * sizeof(T)));
        blocks.push_back(block);
        return static_cast<T *>(block);
    }
    template <class T> T *take(const std::vector<T> &from)
    {
        T *const block = take<T>(from.size());
        must(cudaMemcpy(block, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
        return block;
    }
    double once(const std::function<void()> &run)
    {
        cudaEvent_t from, to;
        float ms = 0;
        must(cudaEventCreate(&from));
        must(cudaEventCreate(&to));
        must(cudaEventRecord(from, stream));
        run();
        must(cudaEventRecord(to, stream));
        must(cudaEventSynchronize(to));
        must(cudaEventElapsedTime(&ms, from, to));
        cudaEventDestroy(from);
        cudaEventDestroy(to);
        return 1000.0 * ms;
    }
    /* Medians of both, one after the other in turns: at most `most` apart, as a share. */
    void compare(const char *name, double most, const std::function<void()> &text,
                 const std::function<gf_status()> &ours)
    {
        std::vector<double> times[2];
        for (int turn = 0; turn < WARM + TURNS; turn++) {
            const double a = once(text), b = once([&] {
                                             const gf_status status = ours();
                                             CHECK_MSG(status == GF_OK, "%s: %s", name, error.message);
                                         });
            if (turn >= WARM) {
                times[0].push_back(a);
                times[1].push_back(b);
            }
        }
        must(cudaGetLastError());
        for (auto &t : times) {
            std::sort(t.begin(), t.end());
        }
        const double a = times[0][TURNS / 2], b = times[1][TURNS / 2];
        printf("# %s: as the text has it %.1f us, the variant %.1f us, %.3f times\n", name, a, b, b / a);
        CHECK_MSG(b <= (1 + most) * a && a <= (1 + most) * b, "%s: %.1f us, the text's %.1f us", name, b, a);
    }
};

/* ---- Each of them ----------------------------------------------------------------------------------------- */

void stencil(turns &t)
{
    constexpr int N = 16384;
    static const double weights[] = {0, .2, 0, .2, .2, .2, 0, .2, 0};
    const gf_stencil_window window = {sizeof window, 3, 3, weights};
    float *const in = t.take<float>(size_t(N) * N), *const out = t.take<float>(size_t(N) * N);
    gf_stencil_options o = GF_STENCIL_OPTIONS_INIT;
    o.array.algo = "shared";
    t.compare(
        "stencil, shared", 0.05,
        [&] { text_stencil<<<dim3(N / SIDE, N / SIDE), dim3(SIDE, SIDE), 0, t.stream>>>(in, out, N, N); },
        [&] { return gf_stencil(t.queue, &o, &window, in, N, N, out, nullptr, 0, &t.error); });
}

void histogram(turns &t, bool constant)
{
    constexpr int N = 1 << 26;
    std::vector<unsigned char> bytes(N, 100);
    for (unsigned i = 0; !constant && i < N; i++) {
        bytes[i] = static_cast<unsigned char>((i * 2654435761u) >> 13);
    }
    const unsigned char *const in = t.take(bytes);
    int *const counts = t.take<int>(256);
    uint64_t *const wide = t.take<uint64_t>(256 + GF_HISTOGRAM_EXTRA);
    void *const scratch = t.take<char>(1 << 16);
    gf_histogram_options o = GF_HISTOGRAM_OPTIONS_INIT;
    o.array.type = GF_U8;
    const auto ours = [&](const char *algo) {
        o.array.algo = algo;
        return gf_histogram(t.queue, &o, in, N, wide, scratch, 1 << 16, &t.error);
    };
    t.compare(
        constant ? "histogram, naive, all alike" : "histogram, naive, uniform", 0.05,
        [&] { text_histogram<<<N / 256, 256, 0, t.stream>>>(in, counts, N); }, [&] { return ours("naive"); });
    t.compare(
        constant ? "histogram, shared, all alike" : "histogram, shared, uniform", 0.05,
        [&] { text_histogram_shared<<<N / 256, 256, 0, t.stream>>>(in, counts, N); },
        [&] { return ours("shared"); });
}

void product(turns &t)
{
    constexpr int N = 2048;
    float *const a = t.take<float>(N * N), *const b = t.take<float>(N * N), *const c = t.take<float>(N * N);
    gf_matmul_options o = GF_MATMUL_OPTIONS_INIT;
    o.array.algo = "tiled";
    t.compare(
        "matmul, tiled", 0.05,
        [&] { text_product<<<dim3(N / SIDE, N / SIDE), dim3(SIDE, SIDE), 0, t.stream>>>(a, b, c, N, N, N); },
        [&] { return gf_matmul(t.queue, &o, a, b, N, N, N, c, nullptr, 0, &t.error); });
}

/* A graph, or matrix, of rows of `each` entries anywhere; turned: with each edge the other way, too. */
struct rows {
    std::vector<int64_t> offsets;
    std::vector<int> narrow;
    std::vector<uint32_t> targets;

    rows(int n, int each, bool turned)
    {
        std::vector<std::pair<uint32_t, uint32_t>> edges;
        uint64_t state = 5;
        for (int u = 0; u < n; u++) {
            for (int e = 0; e < each; e++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                const uint32_t v = static_cast<uint32_t>((state >> 33) % static_cast<uint64_t>(n));
                edges.push_back({u, v});
                if (turned) {
                    edges.push_back({v, u});
                }
            }
        }
        std::sort(edges.begin(), edges.end());
        offsets.resize(static_cast<size_t>(n) + 1);
        for (const auto &edge : edges) {
            offsets[edge.first + 1]++;
            targets.push_back(edge.second);
        }
        for (int u = 0; u < n; u++) {
            offsets[u + 1] += offsets[u];
        }
        narrow.assign(offsets.begin(), offsets.end());
    }
};

void sparse(turns &t)
{
    constexpr int N = 1 << 20;
    const rows matrix(N, 32, false);
    const int64_t entries = static_cast<int64_t>(matrix.targets.size());
    const int64_t *const offsets = t.take(matrix.offsets);
    const int *const narrow = t.take(matrix.narrow);
    const uint32_t *const columns = t.take(matrix.targets);
    const float *const values = t.take<float>(static_cast<size_t>(entries));
    float *const x = t.take<float>(N), *const y = t.take<float>(N);
    const gf_csr csr = {sizeof csr, N, N, entries, offsets, columns, values};
    gf_spmv_options o = GF_SPMV_OPTIONS_INIT;
    o.array.algo = "scalar-row";
    t.compare(
        "spmv, scalar-row", 0.05,
        [&] {
            text_rows<<<N / 256, 256, 0, t.stream>>>(narrow, reinterpret_cast<const int *>(columns), values,
                                                     x, y, N);
        },
        [&] { return gf_spmv(t.queue, &o, &csr, x, y, nullptr, 0, &t.error); });
}

/* Both searches have the loop around them that the text does not print: a flag, a launch, a look at the flag.
 */
void graphs(turns &t)
{
    constexpr int N = 1 << 20, BLOCKS = N / 256;
    const rows graph(N, 8, true);
    const int64_t edges = static_cast<int64_t>(graph.targets.size());
    const int64_t *const offsets = t.take(graph.offsets);
    const int *const narrow = t.take(graph.narrow);
    const uint32_t *const targets = t.take(graph.targets);
    const int *const to = reinterpret_cast<const int *>(targets);
    std::vector<int> weights(graph.targets.size()), far(N, 1 << 30), own(N);
    for (size_t e = 0; e < weights.size(); e++) {
        weights[e] = static_cast<int>(e * 2654435761u % 255u) + 1;
    }
    far[0] = 0;
    for (int v = 0; v < N; v++) {
        own[v] = v;
    }
    const int *const w = t.take(weights), *const first = t.take(far), *const numbers = t.take(own);
    int *const found = t.take<int>(N);
    int64_t *const distances = t.take<int64_t>(N), *const bad = t.take<int64_t>(1);
    bool *const flag = t.take<bool>(1);
    void *const scratch = t.take<char>(64 << 20);
    const gf_csr csr = {sizeof csr, N, N, edges, offsets, targets, w};
    const auto rounds = [&](const int *begin, const std::function<void()> &launch) {
        bool changed = true;
        must(cudaMemcpyAsync(found, begin, N * sizeof *found, cudaMemcpyDeviceToDevice, t.stream));
        while (changed) {
            must(cudaMemsetAsync(flag, 0, sizeof *flag, t.stream));
            launch();
            must(cudaMemcpyAsync(&changed, flag, sizeof changed, cudaMemcpyDeviceToHost, t.stream));
            must(cudaStreamSynchronize(t.stream));
        }
    };
    gf_sssp_options s = GF_SSSP_OPTIONS_INIT;
    s.array.algo = "bellman-ford";
    s.array.type = GF_S32;
    t.compare(
        "sssp, bellman-ford", 0.1,
        [&] {
            rounds(first, [&] { text_relax<<<BLOCKS, 256, 0, t.stream>>>(to, narrow, w, found, flag, N); });
        },
        [&] { return gf_sssp(t.queue, &s, &csr, distances, bad, scratch, 64 << 20, &t.error); });
    gf_components_options o = GF_COMPONENTS_OPTIONS_INIT;
    o.array.algo = "label-propagation";
    t.compare(/* how many rounds there are is a matter of which thread comes first */
              "components, label-propagation", 0.3,
              [&] {
                  rounds(numbers,
                         [&] { text_labels<<<BLOCKS, 256, 0, t.stream>>>(to, narrow, found, flag, N); });
              },
              [&] {
                  return gf_components(t.queue, &o, &csr, reinterpret_cast<uint32_t *>(found), scratch,
                                       64 << 20, &t.error);
              });
}

void as_long()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        SKIP("no CUDA device");
    }
    for (int part = 0; part < 6; part++) {
        turns t; /* whose memory is given back */
        part == 0   ? stencil(t)
        : part == 1 ? histogram(t, false)
        : part == 2 ? histogram(t, true)
        : part == 3 ? product(t)
        : part == 4 ? sparse(t)
                    : graphs(t);
    }
}

} // namespace
#endif

static const struct check_case cases[] = {{"published kernels take as long as the text's", as_long}};
CHECK_MAIN(cases)
