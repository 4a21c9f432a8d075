/* ragged: a loop in a loop of any length, on a GPU, with a body of its own.
 *
 *     for (ix = 0; ix < nx; ix++)
 *         for (iy = 0; iy < ny[ix]; iy++)
 *             sum[ix] += iy * value;
 *
 *     ragged             in every way there is, and checked against the sums of the numbers below ny[ix]
 *
 * It is the example of the published text "CudaNestedLoop", with sums of 64 bits, which theirs outgrow. Built
 * by nvcc, with libgpufilter's public headers and the library alone. */
#include <gpufilter/gpufilter.h>
#include <gpufilter/ragged.cuh>

#include <stdio.h>
#include <stdlib.h>
#include <vector>

/* What is done with each (ix, iy). */
struct add_product {
    unsigned long long *sums;
    unsigned long long value;
    __device__ void operator()(int32_t ix, int32_t iy) const
    {
        atomicAdd(sums + ix, static_cast<unsigned long long>(iy) * value);
    }
};

/* Memory of a device, given back at the end. */
struct memory {
    gf_device device;
    void *at = nullptr;
    explicit memory(gf_device d) : device(d) {}
    memory(const memory &) = delete;
    ~memory() { gf_memory_release(device, at); }
    gf_status take(size_t bytes, gf_error *error) { return gf_memory_allocate(device, bytes, &at, error); }
};

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const gf_status status_of_call = (call);                                                             \
        if (status_of_call != GF_OK) {                                                                       \
            return status_of_call;                                                                           \
        }                                                                                                    \
    } while (0)

/* The loop in the way that `algo` names; *right: whether every sum is n (n - 1) / 2 * value. */
static gf_status run(gf_queue queue, const char *algo, const std::vector<int32_t> &ny, bool *right,
                     gf_error *error)
{
    const int64_t nx = static_cast<int64_t>(ny.size());
    const unsigned long long value = 2;
    std::vector<unsigned long long> sums(ny.size());
    const size_t bytes = sums.size() * sizeof sums[0];
    memory counts(queue.device), out(queue.device), scratch(queue.device);
    gf_ragged_options options = GF_RAGGED_OPTIONS_INIT;
    size_t scratch_bytes = 0;
    options.array.algo = algo;
    TRY(gf_ragged_for_scratch<add_product>(queue.device, &options, nx, &scratch_bytes, error));
    TRY(counts.take(ny.size() * sizeof ny[0], error));
    TRY(out.take(bytes, error));
    TRY(scratch.take(scratch_bytes, error));
    TRY(gf_memory_copy(queue, GF_COPY_UPLOAD, counts.at, ny.data(), ny.size() * sizeof ny[0], error));
    TRY(gf_memory_copy(queue, GF_COPY_UPLOAD, out.at, sums.data(), bytes, error));
    const add_product body = {static_cast<unsigned long long *>(out.at), value};
    TRY(gf_ragged_for(queue, &options, static_cast<const int32_t *>(counts.at), nx, body, scratch.at,
                      scratch_bytes, error));
    TRY(gf_memory_copy(queue, GF_COPY_DOWNLOAD, sums.data(), out.at, bytes, error));
    TRY(gf_queue_wait(queue, error));
    *right = true;
    for (size_t ix = 0; ix < sums.size(); ix++) {
        const unsigned long long n = static_cast<unsigned long long>(ny[ix]);
        *right = *right && sums[ix] == (n > 0 ? n * (n - 1) / 2 * value : 0);
    }
    return GF_OK;
}

/* A thousand loops, few of them long, some without an iteration. */
static std::vector<int32_t> make_counts()
{
    std::vector<int32_t> ny;
    for (int32_t ix = 0; ix < 1000; ix++) {
        ny.push_back(ix % 7 == 0 ? 0 : 2000 / (1 + ix * 37 % 1000));
    }
    return ny;
}

int main()
{
    static const char *const names[] = {"auto", "simple", "frame", "combined", "smart"};
    const std::vector<int32_t> ny = make_counts();
    gf_error error = GF_ERROR_INIT;
    gf_queue queue = {0, nullptr};
    gf_status status = gf_queue_create(0, &queue, &error);
    for (const char *name : names) {
        bool right = false;
        status = status == GF_OK ? run(queue, name, ny, &right, &error) : status;
        if (status == GF_OK) {
            printf("%s %s%s", name, right ? "right" : "WRONG", name == names[4] ? "\n" : ", ");
            status = right ? GF_OK : GF_ERROR_MISMATCH;
        }
    }
    if (status != GF_OK) {
        fprintf(stderr, "ragged: %s\n", error.message[0] ? error.message : "a sum is wrong");
    }
    gf_queue_destroy(&queue);
    return gf_status_exit_code(status);
}
