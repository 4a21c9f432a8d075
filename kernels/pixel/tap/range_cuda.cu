/* The tap that finds the least and the greatest finite value. */
#include "pixel/tap/tap_cuda.cuh"

/* The range block while it is made: keys, least inverted so that zero bytes are the start of both. */
static __global__ void __launch_bounds__(GF_TAP_THREADS)
    gf_range_keys(const struct gf_surface picture, int64_t width, int64_t height, int32_t mask,
                  struct gf_rect roi, uint32_t *keys)
{
    const int64_t pieces = (width + blockDim.x - 1) / blockDim.x;
    for (int32_t c = 0; c < picture.channels; c++) {
        uint32_t least = 0, greatest = 0; /* of ~key and key */
        for (int64_t i = blockIdx.x; (mask >> c & 1) && i < pieces * height; i += gridDim.x) {
            const int64_t y = i / pieces, x = (i - y * pieces) * blockDim.x + threadIdx.x;
            if (x < width && gf_rect_has(roi, x, y)) {
                const float v =
                    gf_sample_load(picture.data + y * picture.pitch, picture.depth, x * picture.channels + c);
                const uint32_t key = gf_float_key(v);
                const bool finite = (gf_float_bits(v) & 0x7f800000U) != 0x7f800000U;
                least = finite && ~key > least ? ~key : least;
                greatest = finite && key > greatest ? key : greatest;
            }
        }
        least = gf_reduce_max(least);
        greatest = gf_reduce_max(greatest);
        if (gf_lane() == 0 && greatest != 0) {
            gf_atomic_max(&keys[2 * c], least);
            gf_atomic_max(&keys[2 * c + 1], greatest);
        }
    }
}

static __global__ void gf_range_finish(uint32_t *keys, int32_t channels)
{
    const int32_t i = static_cast<int32_t>(threadIdx.x);
    if (i < 2 * channels) {
        const uint32_t key = keys[i];
        const float v = key == 0 ? 0.0F : gf_key_float(i % 2 == 0 ? ~key : key);
        keys[i] = gf_float_bits(v);
    }
}

static gf_status gf_range_launch(const struct gf_run *run, int32_t tap, const struct gf_surface &picture,
                                 void *, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_tap *t = &pass->taps[tap];
    uint32_t *keys = static_cast<uint32_t *>(run->taps[tap]);
    struct gf_launch launch = gf_tap_grid(run), one = {};
    one.stream = launch.stream;
    one.block = dim3(GF_WARP);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_range_keys, launch, picture, pass->width, pass->height, int32_t(t->mask),
                                 gf_tap_roi(pass, t), keys));
    if (!pass->part.goes_on) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_range_finish, one, keys, picture.channels));
    }
    return GF_OK;
}

const struct gf_cuda_measure gf_measure_cuda_range = {gf_range_launch, nullptr, false};
