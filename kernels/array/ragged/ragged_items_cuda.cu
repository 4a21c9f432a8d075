/* Bodies of ragged loops that take one item at a time, under any variant on CUDA. */
#include "array/common/grid_cuda.cuh"
#include "array/ragged/ragged_cuda.h"
#include "array/ragged/ragged_segment_cuda.cuh"
#include "gpufilter/ragged.cuh"

/* ---- Items that are written --------------------------------------------------------------------------------- */

/* W: a word as large as an element. */
template <class W> struct gf_ragged_fill {
    W *out, value;
    int64_t items;
    __device__ void operator()(int32_t, int32_t, int64_t k) const
    {
        if (k < items) {
            out[k] = value;
        }
    }
};

struct gf_ragged_expand {
    uint32_t *ix_out, *iy_out;
    int64_t items;
    __device__ void operator()(int32_t ix, int32_t iy, int64_t k) const
    {
        if (k < items) {
            ix_out[k] = static_cast<uint32_t>(ix);
            iy_out[k] = static_cast<uint32_t>(iy);
        }
    }
};

template <class W> struct gf_ragged_decode {
    const W *runs;
    W *out;
    int64_t items;
    __device__ void operator()(int32_t ix, int32_t, int64_t k) const
    {
        if (k < items) {
            out[k] = runs[ix];
        }
    }
};

static uint64_t gf_ragged_word(gf_depth type, int64_t value)
{
    return type == GF_F32   ? gf_float_bits(static_cast<float>(value))
           : type == GF_F64 ? gf_double_bits(static_cast<double>(value))
                            : static_cast<uint64_t>(value);
}

template <class W>
static gf_status gf_ragged_write(const struct gf_ragged_call *call, const gf_ragged_loop *loop,
                                 gf_error *error)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    W *const out = static_cast<W *>(call->array.out);
    if (call->options.body == GF_RAGGED_FILL) {
        const uint64_t word = gf_ragged_word(call->array.options.type, call->options.value);
        const gf_ragged_fill<W> body = {out, static_cast<W>(word), call->items};
        GF_CUDA_TRY(error, gf_ragged_run(*loop, body, stream));
    } else {
        const gf_ragged_decode<W> body = {static_cast<const W *>(call->values), out, call->items};
        GF_CUDA_TRY(error, gf_ragged_run(*loop, body, stream));
    }
    return GF_OK;
}

/* ---- Items that are added or compared ----------------------------------------------------------------------- */

/* Works as published: an atomic operation an item. */
struct gf_ragged_add_product {
    uint64_t *out, value;
    __device__ void operator()(int32_t ix, int32_t iy) const
    {
        gf_atomic_add(out + ix, static_cast<uint64_t>(iy) * value);
    }
};

template <class Segment> struct gf_ragged_join_item {
    Segment segment;
    int64_t items;
    __device__ void operator()(int32_t ix, int32_t iy, int64_t k) const
    {
        if (k < items) {
            segment.join_at(ix, segment.item(iy, k));
        }
    }
};

/* Turns ranks back into extremes. */
template <class Segment>
static __global__ void __launch_bounds__(256)
    gf_ragged_unrank(const Segment segment, const int64_t *offsets, int64_t nx, int64_t items)
{
    const int64_t ix = gf_thread_index();
    if (ix < nx) {
        const int64_t n = gf_ragged_there(items, offsets[ix], offsets[ix + 1] - offsets[ix]);
        segment.finish(ix, static_cast<typename Segment::number>(segment.ranks[ix]), n);
    }
}

template <class Segment>
static gf_status gf_ragged_join(const struct gf_ragged_call *call, const gf_ragged_loop *loop,
                                const struct gf_ragged_memory *m, Segment segment, gf_error *error)
{
    gf_launch c = gf_launch_on(call->array.queue.stream, gf_blocks(call->array.n, 256), 256);
    if constexpr (Segment::RANKS) {
        segment.ranks = m->slots;
        const size_t bytes = static_cast<size_t>(call->array.n) * sizeof *m->slots;
        GF_CUDA_TRY(error, cudaMemsetAsync(m->slots, 0xff, bytes, c.stream));
    }
    const gf_ragged_join_item<Segment> body = {segment, call->items};
    GF_CUDA_TRY(error, gf_ragged_run(*loop, body, c.stream));
    if constexpr (Segment::RANKS) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_ragged_unrank<Segment>), c, segment, loop->offsets, call->array.n,
                                     call->items));
    }
    return GF_OK;
}

gf_status gf_ragged_items_cuda(const struct gf_ragged_call *call, const gf_ragged_loop *loop,
                               const struct gf_ragged_memory *m, gf_error *error)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    switch (call->options.body) {
    case GF_RAGGED_SUM: {
        const gf_ragged_add_product body = {static_cast<uint64_t *>(call->array.out),
                                            static_cast<uint64_t>(call->options.value)};
        GF_CUDA_TRY(error, gf_ragged_run(*loop, body, stream));
        return GF_OK;
    }
    case GF_RAGGED_EXPAND: {
        const gf_ragged_expand body = {static_cast<uint32_t *>(call->array.out), call->iy_out, call->items};
        GF_CUDA_TRY(error, gf_ragged_run(*loop, body, stream));
        return GF_OK;
    }
    case GF_RAGGED_FILL:
    case GF_RAGGED_DECODE:
        return gf_depth_size(call->array.options.type) == 4 ? gf_ragged_write<uint32_t>(call, loop, error)
                                                            : gf_ragged_write<uint64_t>(call, loop, error);
    default:
        return gf_ragged_dispatch(
            call, error, [&](auto segment) { return gf_ragged_join(call, loop, m, segment, error); });
    }
}
