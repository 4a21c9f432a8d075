/* Differences on CUDA. A difference needs two elements, of which the neighbour has read one: a thread takes
 * 16 bytes, and asks for one more element, which lies in a line that is on its way already. "naive" reads
 * both for each. */
#include "array/adjacent/adjacent_call.h"
#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"

enum { ADJACENT_THREADS = 256, ADJACENT_BLOCKS = 8 };

struct gf_adjacent_params {
    const void *in;
    void *out;
    int64_t n;
};

GF_DEVICE_FN float gf_adjacent_of(float a, float b)
{
    return gf_canonical(a - b);
}
GF_DEVICE_FN double gf_adjacent_of(double a, double b)
{
    return gf_canonical_double(a - b);
}
template <class T> GF_DEVICE_FN T gf_adjacent_of(T a, T b)
{
    return static_cast<T>(a - b);
}

/* Element i, which may be the first. */
template <class T> GF_DEVICE_FN void gf_adjacent_one(const gf_adjacent_params &p, int64_t i)
{
    const T *in = static_cast<const T *>(p.in);
    static_cast<T *>(p.out)[i] = gf_adjacent_of(in[i], i > 0 ? in[i - 1] : T(0));
}

/* The first block also takes what lies before and behind the whole 16 bytes. */
template <class T>
static __global__ void __launch_bounds__(ADJACENT_THREADS) gf_adjacent_wide(const gf_adjacent_params p)
{
    constexpr int PER = 16 / sizeof(T);
    const T *in = static_cast<const T *>(p.in);
    const int64_t head = gf_head_of(in, p.n, sizeof(T)), wholes = (p.n - head) / PER;
    const int64_t step = int64_t(gridDim.x) * ADJACENT_THREADS, me = gf_thread_index();
    const bool alike = (reinterpret_cast<uintptr_t>(static_cast<T *>(p.out) + head) % 16) == 0;
    if (me < head) {
        gf_adjacent_one<T>(p, me);
    }
    if (me < p.n - head - wholes * PER - (GF_FAULT(cuda_adjacent_tail) ? 1 : 0)) {
        gf_adjacent_one<T>(p, head + wholes * PER + me);
    }
    for (int64_t v = me; v < wholes; v += step) {
        const int64_t at = head + v * PER;
        const uint4 word = gf_load16(in + at, GF_CACHED);
        T mine[PER], made[PER];
        memcpy(mine, &word, sizeof mine);
        T before = at > 0 ? in[at - 1] : T(0);
        GF_UNROLL
        for (int k = 0; k < PER; k++) {
            made[k] = gf_adjacent_of(mine[k], before);
            before = mine[k];
        }
        if (alike) {
            uint4 all;
            memcpy(&all, made, sizeof all);
            gf_store16(static_cast<T *>(p.out) + at, all, GF_STREAM);
        } else {
            GF_UNROLL
            for (int k = 0; k < PER; k++) {
                static_cast<T *>(p.out)[at + k] = made[k];
            }
        }
    }
}

template <class T> static __global__ void gf_adjacent_plain(const gf_adjacent_params p)
{
    const int64_t i = gf_thread_index();
    if (i < p.n) {
        gf_adjacent_one<T>(p, i);
    }
}

static gf_status run_adjacent(const struct gf_array_call *call, bool naive, gf_error *error)
{
    const gf_depth type = call->options.type;
    const gf_adjacent_params p = {call->in, call->out, call->n};
    int processors = 0;
    if (call->n == 0) {
        return GF_OK;
    }
    GF_ON_DEVICE(call->queue.device, error)
    GF_TRY(gf_multiprocessors(&processors, error));
    const unsigned block = naive && call->options.block > 0 ? static_cast<unsigned>(call->options.block)
                                                            : static_cast<unsigned>(ADJACENT_THREADS);
    const int64_t per = naive ? 1 : 16 / static_cast<int64_t>(gf_depth_size(type));
    const unsigned blocks = gf_blocks(call->n, block * per);
    const unsigned most = static_cast<unsigned>(processors * ADJACENT_BLOCKS);
    const gf_launch launch = gf_launch_on(call->queue.stream, naive || blocks < most ? blocks : most, block);
    return gf_dispatch_key(type, error, [&](auto tag) -> gf_status {
        using T = typename decltype(tag)::type;
        GF_CUDA_TRY(error, naive ? GF_LAUNCH((gf_adjacent_plain<T>), launch, p)
                                 : GF_LAUNCH((gf_adjacent_wide<T>), launch, p));
        return GF_OK;
    });
}

extern "C" gf_status gf_adjacent_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_adjacent(call, false, error);
}

extern "C" gf_status gf_adjacent_naive_cuda(const struct gf_array_call *call, gf_error *error)
{
    return run_adjacent(call, true, error);
}
