/* What the published scans have in common: elements one at a time, their sum or least key. */
#ifndef GF_ARRAY_SCAN_PLAIN_CUDA_CUH
#define GF_ARRAY_SCAN_PLAIN_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "array/scan/scan_call.h"
#include "base/device_scope_cuda.h"

enum { GF_SCAN_BLOCK = 128 }; /* default of the option `block`, as published */

/* The emulator counts what the published kernels add, which `bench` judges: gf_work_counted. */
#ifdef GF_EMU
extern "C" uint64_t gf_emu_joins;
#define GF_JOINED() (void)__atomic_fetch_add(&gf_emu_joins, 1, __ATOMIC_RELAXED)
#else
#define GF_JOINED() (void)0
#endif

/* How a scan joins two values, and carries from one block to the next, which is ours: gf_scan_plain for
 * integers, and for minima and maxima of floats; gf_scan_plain_float for sums of floats. B: unsigned integers
 * as wide as the elements. Minima and maxima as in scan_least_cuda.cu. */
template <class B> struct gf_scan_plain {
    using value = B;
    gf_scan_op op;
    bool inclusive, floats;
    B flip, first; /* what the scan begins with, as a value */

    explicit gf_scan_plain(const struct gf_scan_call *call)
        : op(call->op), inclusive(call->inclusive), floats(call->out == GF_F32 || call->out == GF_F64),
          flip(static_cast<B>(gf_scan_flip(call))), first(0)
    {
        if (op != GF_SCAN_SUM) {
            first = static_cast<B>(!floats          ? ~uint64_t(0)
                                   : sizeof(B) == 8 ? 0xfff0000000000000u
                                                    : 0xff800000u);
        }
    }

    __device__ B none() const { return first; }

    __device__ B join(B a, B b) const { return GF_JOINED(), carry(a, b); }
    __device__ B carry(B a, B b) const { return op == GF_SCAN_SUM ? static_cast<B>(a + b) : b < a ? b : a; }

    /* Turns an element into a value. */
    __device__ B of(B bits) const
    {
        if (op == GF_SCAN_SUM) {
            return bits;
        }
        B key = bits;
        if constexpr (sizeof(B) == 4) {
            key = floats ? gf_key_f32(gf_bits_float(bits)) : bits;
        } else if constexpr (sizeof(B) == 8) {
            key = floats ? gf_key_f64(gf_bits_double(bits)) : bits;
        }
        return floats && key == static_cast<B>(~B(0)) ? first
                                                      : static_cast<B>(key ^ flip); /* NaN is skipped */
    }

    __device__ B result(B v) const
    {
        if (op == GF_SCAN_SUM) {
            return v;
        }
        const B key = static_cast<B>(v ^ flip);
        if constexpr (sizeof(B) == 4) {
            return floats ? gf_float_bits(gf_unkey_f32(key)) : key;
        } else if constexpr (sizeof(B) == 8) {
            return floats ? gf_double_bits(gf_unkey_f64(key)) : key;
        }
        return key;
    }
};

/* Sums of floats in the type of the elements, in the order in which the variant comes to them. T: float or
 * double. */
template <class T> struct gf_scan_plain_float {
    using value = T;
    bool inclusive;

    explicit gf_scan_plain_float(const struct gf_scan_call *call) : inclusive(call->inclusive) {}

    __device__ T none() const { return 0; }
    __device__ T join(T a, T b) const { return GF_JOINED(), a + b; }
    __device__ T carry(T a, T b) const { return a + b; }
    __device__ T of(T v) const { return v; }
    __device__ T result(T v) const
    {
        if constexpr (sizeof(T) == 4) {
            return gf_canonical(v);
        } else {
            return gf_canonical_double(v);
        }
    }
};

/* A thread for each element, or any other work, in blocks as the caller wants them. */
static inline struct gf_launch gf_scan_launch_for(const struct gf_scan_call *call, int64_t threads)
{
    const gf_array_options *options = &call->array.options;
    const unsigned block =
        options->block > 0 ? static_cast<unsigned>(options->block) : unsigned(GF_SCAN_BLOCK);
    gf_launch launch = gf_launch_on(call->array.queue.stream, gf_blocks(threads, block), block);
    return launch;
}

/* Calls f with the way in which the call's elements are joined. */
template <class F> gf_status gf_scan_dispatch_plain(const struct gf_scan_call *call, F &&f)
{
    const size_t size = gf_depth_size(call->out);
    if (gf_scan_is_float_sum(call)) {
        return size == 4 ? f(gf_scan_plain_float<float>(call)) : f(gf_scan_plain_float<double>(call));
    }
    return size == 1   ? f(gf_scan_plain<uint8_t>(call))
           : size == 2 ? f(gf_scan_plain<uint16_t>(call))
           : size == 4 ? f(gf_scan_plain<uint32_t>(call))
                       : f(gf_scan_plain<uint64_t>(call));
}

#endif
