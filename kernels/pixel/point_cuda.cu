/* Passes without a window: load, programs, store. */
#include "pixel/program_cuda.cuh"

enum { GF_POINT_THREADS = 256, GF_POINT_BLOCKS = 4096 };

/* Any depth, channel count, program, alignment and pitch: a thread has P pixels of a row, a
 * block's width apart. The grid strides over (row, piece of a row). */
template <int CM, int P>
static __global__ void __launch_bounds__(GF_POINT_THREADS) gf_point_any(const struct gf_pass_args a)
{
    const struct gf_planes no_centre = {};
    const int64_t span = int64_t(blockDim.x) * P;
    const int64_t pieces = (a.width + span - 1) / span;
    for (int64_t i = blockIdx.x; i < pieces * a.height; i += gridDim.x) {
        const int64_t y = i / pieces;
        const struct gf_place at = {(i - y * pieces) * span + threadIdx.x, blockDim.x, y};
        float v[CM][P];
        gf_pixels_load<CM, P>(a.in, a.width, at, v);
        gf_program_run<CM, P>(a, a.pre, no_centre, at, v);
        gf_program_run<CM, P>(a, a.post, no_centre, at, v);
        gf_pixels_store<CM, P>(a.out, a.width, at, v);
    }
}

template <int CM, int P>
static gf_status gf_point_any_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    const int64_t pieces = (args->width + GF_POINT_THREADS * P - 1) / (GF_POINT_THREADS * P);
    struct gf_launch launch = {};
    launch.block = dim3(GF_POINT_THREADS);
    launch.grid = dim3(gf_blocks(
        pieces * args->height < GF_POINT_BLOCKS ? pieces * args->height : int64_t(GF_POINT_BLOCKS), 1));
    launch.stream = stream;
    GF_CUDA_TRY(error, GF_LAUNCH((gf_point_any<CM, P>), launch, *args));
    return GF_OK;
}

gf_status gf_point_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    int32_t channels = args->in.channels; /* never grows on the way */
    if (channels == 1) {
        return gf_point_any_launch<1, 8>(args, stream, error);
    }
    return channels <= 4 ? gf_point_any_launch<4, 4>(args, stream, error)
                         : gf_point_any_launch<8, 2>(args, stream, error);
}
