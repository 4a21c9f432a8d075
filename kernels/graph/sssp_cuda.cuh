/* Numbers of shortest ways on CUDA. */
#ifndef GF_GRAPH_SSSP_CUDA_CUH
#define GF_GRAPH_SSSP_CUDA_CUH

#include "graph/graph_cuda.cuh"

#include <math.h>

#define GF_PATH_TYPES (GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_S64) | GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64))

GF_DEVICE_FN int64_t gf_path_add(int64_t d, int64_t weight)
{
    const int64_t sum = static_cast<int64_t>(static_cast<uint64_t>(d) + static_cast<uint64_t>(weight));
    if (d == INT64_MAX || (weight > 0 && sum < d)) {
        return INT64_MAX;
    }
    return weight < 0 && sum > d ? INT64_MIN : sum;
}

/* Distances by the type W of weights: whole numbers in the order of what they stand for, which for floats
 * that are not negative are their bits. */
template <class W> struct gf_path {
    using number = int64_t;
    static __device__ __forceinline__ number infinite() { return INT64_MAX; }
    static __device__ __forceinline__ number add(number d, W weight) { return gf_path_add(d, weight); }
    static __device__ __forceinline__ bool is_bad(W weight) { return weight < 0; }
    static __device__ __forceinline__ double value_of(number d) { return static_cast<double>(d); }
    static __device__ __forceinline__ number number_of(double value)
    {
        return value >= 9e18 ? INT64_MAX : static_cast<number>(ceil(value));
    }
};

template <> struct gf_path<float> {
    using number = int32_t;
    static __device__ __forceinline__ float held(number d)
    {
        float value;
        memcpy(&value, &d, sizeof value);
        return value;
    }
    static __device__ __forceinline__ number bits(float value)
    {
        number d;
        memcpy(&d, &value, sizeof d);
        return d;
    }
    static __device__ __forceinline__ number infinite() { return 0x7f800000; }
    static __device__ __forceinline__ number add(number d, float weight) { return bits(held(d) + weight); }
    static __device__ __forceinline__ bool is_bad(float weight) { return !(weight >= 0); }
    static __device__ __forceinline__ double value_of(number d) { return static_cast<double>(held(d)); }
    static __device__ __forceinline__ number number_of(double value)
    {
        return bits(static_cast<float>(value));
    }
};

template <> struct gf_path<double> {
    using number = int64_t;
    static __device__ __forceinline__ double value_of(number d)
    {
        double value;
        memcpy(&value, &d, sizeof value);
        return value;
    }
    static __device__ __forceinline__ number number_of(double value)
    {
        number d;
        memcpy(&d, &value, sizeof d);
        return d;
    }
    static __device__ __forceinline__ number infinite() { return 0x7ff0000000000000; }
    static __device__ __forceinline__ number add(number d, double weight)
    {
        return number_of(value_of(d) + weight);
    }
    static __device__ __forceinline__ bool is_bad(double weight) { return !(weight >= 0); }
};

#endif
