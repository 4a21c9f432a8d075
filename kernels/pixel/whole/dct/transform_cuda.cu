/* What "transform" does beside its products on the GPU: rows of interleaved channels to planes, and back. A
 * block takes pieces of rows through shared memory, so that both sides are read and written along rows. */
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "pixel/whole/dct/transform.h"

enum { GF_PLANAR_THREADS = 256, GF_PLANAR_MOST = 4, GF_PLANAR_MOST_BLOCKS = 32768 };

/* A piece of `GF_PLANAR_THREADS` pixels of each row whose turn it is. */
static __global__ void __launch_bounds__(GF_PLANAR_THREADS)
    gf_planar_copy(const struct gf_planar p, const int split)
{
    GF_SHARED(float, piece, GF_PLANAR_THREADS *GF_PLANAR_MOST);
    const int64_t x0 = int64_t(blockIdx.x) * GF_PLANAR_THREADS;
    const int n = p.channels, own = static_cast<int>(threadIdx.x);
    const int pixels = p.width - x0 < GF_PLANAR_THREADS ? static_cast<int>(p.width - x0) : GF_PLANAR_THREADS;
    for (int64_t y = blockIdx.y; y < p.height; y += gridDim.y) {
        float *row = reinterpret_cast<float *>(reinterpret_cast<char *>(p.rows) + y * p.pitch) + x0 * n;
        for (int i = own; split && i < pixels * n; i += GF_PLANAR_THREADS) {
            piece[i] = row[i];
        }
        for (int c = 0; !split && c < n; c++) {
            if (own < pixels) {
                piece[own * n + c] = p.planes[(c * p.height + y) * p.width + x0 + own];
            }
        }
        __syncthreads();
        for (int c = 0; split && c < n; c++) {
            if (own < pixels - GF_FAULT(cuda_planar_edge)) {
                p.planes[(c * p.height + y) * p.width + x0 + own] = piece[own * n + c];
            }
        }
        for (int i = own; !split && i < pixels * n; i += GF_PLANAR_THREADS) {
            row[i] = piece[i];
        }
        __syncthreads(); /* before the next row is laid down */
    }
}

gf_status gf_transform_planes_cuda(gf_queue queue, const struct gf_planar *p, bool split, gf_error *error)
{
    GF_ON_DEVICE(queue.device, error)
    gf_launch launch =
        gf_launch_on(queue.stream, dim3(gf_blocks(p->width, GF_PLANAR_THREADS), gf_blocks(p->height, 1)),
                     GF_PLANAR_THREADS);
    launch.grid.y = launch.grid.y < GF_PLANAR_MOST_BLOCKS ? launch.grid.y : unsigned(GF_PLANAR_MOST_BLOCKS);
    const struct gf_planar planar = *p;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_planar_copy, launch, planar, static_cast<int>(split)));
    return GF_OK;
}
