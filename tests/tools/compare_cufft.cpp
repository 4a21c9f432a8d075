// compare_cufft: time of Fourier transforms on a GPU beside cuFFT's and a copy, in one run, turn by turn.
// Random numbers in the device's memory; times are those of events around the work on one stream, the plans
// being made before. Back, cuFFT divides by nothing. script/compare-cufft builds it.
//
//   compare_cufft [--runs N] [--tile N] [--csv] [--size ROWS COLUMNS REAL DIMENSIONS INVERSE]   without --size: those of a table
#include "gpufilter/device.h"
#include "gpufilter/fft.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <cufft.h>
#include <vector>

namespace
{

struct row {
    long long rows, columns;
    int real, dimensions, inverse;
};

const row table[] = {
    {4320, 7680, 1, 2, 0}, {4320, 7680, 1, 2, 1},  {8192, 8192, 1, 2, 0},  {8192, 8192, 1, 2, 1},
    {4320, 7680, 0, 2, 0}, {1, 1 << 26, 0, 1, 0},  {1, 1 << 20, 0, 1, 0},  {65536, 1024, 0, 1, 0},
    {8192, 8192, 0, 1, 0}, {65536, 2048, 1, 1, 0}, {65536, 1009, 0, 1, 0},
};

void must(bool ok, const char *what, const char *why)
{
    if (!ok) {
        std::fprintf(stderr, "compare_cufft: %s: %s\n", what, why);
        std::exit(1);
    }
}

struct memory { // of the device
    void *data = nullptr;
    explicit memory(size_t bytes)
    {
        must(cudaMalloc(&data, bytes ? bytes : 1) == cudaSuccess, "cudaMalloc", "no memory");
    }
    ~memory() { (void)cudaFree(data); }
    memory(const memory &) = delete;
    memory &operator=(const memory &) = delete;
};

template <class F> double time_of(cudaStream_t stream, F &&work)
{
    cudaEvent_t marks[2];
    float milliseconds = 0;
    for (cudaEvent_t &mark : marks) {
        must(cudaEventCreate(&mark) == cudaSuccess, "cudaEventCreate", "failed");
    }
    (void)cudaEventRecord(marks[0], stream);
    work();
    (void)cudaEventRecord(marks[1], stream);
    const cudaError_t status = cudaStreamSynchronize(stream);
    must(status == cudaSuccess, "the work", cudaGetErrorString(status));
    (void)cudaEventElapsedTime(&milliseconds, marks[0], marks[1]);
    for (cudaEvent_t mark : marks) {
        (void)cudaEventDestroy(mark);
    }
    return milliseconds * 1e3;
}

double median(std::vector<double> &v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

cufftHandle plan_of(const row &r, cudaStream_t stream)
{
    cufftHandle handle;
    size_t bytes = 0;
    long long n[] = {r.dimensions == 2 ? r.rows : r.columns, r.columns};
    const cufftType type = !r.real ? CUFFT_C2C : r.inverse ? CUFFT_C2R : CUFFT_R2C;
    must(cufftCreate(&handle) == CUFFT_SUCCESS &&
             cufftMakePlanMany64(handle, r.dimensions, n, nullptr, 1, 0, nullptr, 1, 0, type,
                                 r.dimensions == 2 ? 1 : r.rows, &bytes) == CUFFT_SUCCESS &&
             cufftSetStream(handle, stream) == CUFFT_SUCCESS,
         "cuFFT", "no plan");
    return handle;
}

bool run_theirs(const row &r, cufftHandle handle, void *in, void *out)
{
    auto *const x = static_cast<cufftComplex *>(in), *const y = static_cast<cufftComplex *>(out);
    return (!r.real     ? cufftExecC2C(handle, x, y, r.inverse ? CUFFT_INVERSE : CUFFT_FORWARD)
            : r.inverse ? cufftExecC2R(handle, x, static_cast<cufftReal *>(out))
                        : cufftExecR2C(handle, static_cast<cufftReal *>(in), y)) == CUFFT_SUCCESS;
}

void compare(const row &r, int runs, int tile, bool csv)
{
    const size_t spectrum = static_cast<size_t>(r.rows * (r.real ? r.columns / 2 + 1 : r.columns)) * 8;
    const size_t samples = static_cast<size_t>(r.rows * r.columns) * (r.real ? 4 : 8);
    const size_t reads = r.inverse ? spectrum : samples, writes = r.inverse ? samples : spectrum;
    gf_fft_shape shape = GF_FFT_SHAPE_INIT;
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_fft_plan *plan = nullptr;
    gf_queue queue;
    size_t bytes = 0;
    shape.rows = r.rows;
    shape.columns = r.columns;
    shape.real = r.real;
    shape.dimensions = r.dimensions;
    options.inverse = r.inverse;
    options.array.tile = tile;
    must(gf_queue_create(0, &queue, &error) == GF_OK && gf_fft_plan_create(&shape, &plan, &error) == GF_OK &&
             gf_fft_prepare(0, plan, &error) == GF_OK &&
             gf_fft_scratch(0, &options, plan, &bytes, &error) == GF_OK,
         "ours", error.message);
    cudaStream_t stream = static_cast<cudaStream_t>(queue.stream);
    memory in(reads), theirs(reads), out(std::max(reads, writes)), scratch(bytes);
    std::vector<float> noise(reads / 4);
    for (float &v : noise) {
        v = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) - 0.5F;
    }
    (void)cudaMemcpy(in.data, noise.data(), reads, cudaMemcpyHostToDevice);
    (void)cudaMemcpy(theirs.data, noise.data(), reads, cudaMemcpyHostToDevice);
    const cufftHandle handle = plan_of(r, stream);
    std::vector<double> times[3];
    for (int i = -3; i < runs; i++) {
        const double t[] = {
            time_of(
                stream,
                [&] { (void)cudaMemcpyAsync(out.data, in.data, reads, cudaMemcpyDeviceToDevice, stream); }),
            time_of(stream,
                    [&] {
                        must(gf_fft(queue, &options, plan, static_cast<float *>(in.data),
                                    static_cast<float *>(out.data), scratch.data, bytes, &error) == GF_OK,
                             "ours", error.message);
                    }),
            time_of(stream, [&] { must(run_theirs(r, handle, theirs.data, out.data), "cuFFT", "failed"); }),
        };
        for (int k = 0; k < 3 && i >= 0; k++) {
            times[k].push_back(t[k]);
        }
    }
    const double copy = median(times[0]), ours = median(times[1]), cufft = median(times[2]);
    if (csv) {
        std::printf("cuFFT,\"%lld x %lld, %s, dimensions %d, %s\",,%.2f,%.2f\n", r.rows, r.columns,
                    r.real ? "real" : "complex", r.dimensions, r.inverse ? "back" : "there", ours, cufft);
    } else {
        std::printf(
            "%lld x %lld, %s, dimensions %d, %s: ours %.1f us, cuFFT %.1f us, a copy %.1f us: %.2f times "
            "as fast, "
            "%.2f copies\n",
            r.rows, r.columns, r.real ? "real" : "complex", r.dimensions, r.inverse ? "back" : "there", ours,
            cufft, copy, cufft / ours, ours / copy);
    }
    (void)cufftDestroy(handle);
    gf_fft_plan_destroy(plan);
    gf_queue_destroy(&queue);
}

} // namespace

int main(int argc, char **argv)
{
    int runs = 25, tile = 0;
    bool csv = false;
    row one = {};
    for (int i = 1; i < argc; i++) {
        if (!std::strcmp(argv[i], "--runs") && i + 1 < argc) {
            runs = std::max(1, std::atoi(argv[++i]));
        } else if (!std::strcmp(argv[i], "--tile") && i + 1 < argc) {
            tile = std::atoi(argv[++i]);
        } else if (!std::strcmp(argv[i], "--csv")) {
            csv = true;
        } else if (!std::strcmp(argv[i], "--size") && i + 5 < argc) {
            one = {std::atoll(argv[i + 1]), std::atoll(argv[i + 2]), std::atoi(argv[i + 3]),
                   std::atoi(argv[i + 4]), std::atoi(argv[i + 5])};
            i += 5;
        } else {
            must(false, argv[i],
                 "must be --runs N, --tile N, --csv or --size ROWS COLUMNS REAL DIMENSIONS INVERSE");
        }
    }
    if (one.rows > 0) {
        compare(one, runs, tile, csv);
        return 0;
    }
    if (csv) {
        std::printf("peer,row,threads,ours_us,theirs_us\n");
    }
    for (const row &r : table) {
        compare(r, runs, tile, csv);
    }
}
