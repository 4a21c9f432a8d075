/* Formulas over channels on CUDA: a thread makes a frame of a channel at a time. */
#include "base/cuda_status.h"
#include "base/device_scope_cuda.h"
#include "pixel/along/formula_along.h"
#include "pixel/ir/program.h"
#include "signal/track_cuda.cuh"

enum { THREADS = 256, BLOCKS = 4096 };

static __global__ void __launch_bounds__(THREADS)
    gf_signal_formula_frames(const struct gf_signal_formula a, const float *table, const struct gf_track in,
                             const struct gf_track out)
{
    const int32_t c = static_cast<int32_t>(blockIdx.y);
    const struct gf_block_view steps = {table + GF_FORMULA_READS, GF_FORMULA_WIDTH, GF_F32};
    const int32_t row = a.rows == 1 ? 0 : c;
    const int64_t stride = int64_t(gridDim.x) * THREADS;
    for (int64_t i = int64_t(blockIdx.x) * THREADS + threadIdx.x; i < out.count; i += stride) {
        const float *x = in.data + (out.first - in.first) + i;
        float v[GF_FORMULA_READS + 1];
        v[0] = x[c * in.pitch];
        for (int32_t k = 0; k < a.reads; k++) {
            v[k + 1] = x[static_cast<int64_t>(table[k]) * in.pitch];
        }
        out.data[c * out.pitch + i] = gf_canonical(gf_formula_run(&steps, row, v, 0));
    }
}

extern "C" size_t gf_signal_formula_cuda_scratch(const void *, int64_t, int32_t)
{
    return 0;
}

extern "C" gf_status gf_signal_formula_cuda(gf_queue queue, const void *args, void *state, void *,
                                            const struct gf_track *in, int64_t, const struct gf_track *out,
                                            int32_t channels, gf_error *error)
{
    const struct gf_signal_formula *a = static_cast<const struct gf_signal_formula *>(args);
    const size_t bytes = (GF_FORMULA_READS + size_t(a->rows) * GF_FORMULA_WIDTH) * sizeof *a->table;
    GF_ON_DEVICE(queue.device, error)
    GF_TRY(gf_upload_table(queue, state, a->table, bytes, out, error));
    const unsigned blocks = gf_blocks(out->count, THREADS);
    gf_launch launch = gf_launch_on(
        queue.stream, dim3(blocks < BLOCKS ? blocks : unsigned(BLOCKS), static_cast<unsigned>(channels)),
        THREADS);
    GF_CUDA_TRY(
        error, GF_LAUNCH(gf_signal_formula_frames, launch, *a, static_cast<const float *>(state), *in, *out));
    return GF_OK;
}
