/* A pass that takes bytes to L*a*b* or back and nothing else (lab_bytes.h): what a byte stands for is looked
 * up in shared memory, and a thread has four neighbouring pixels. */
#include "pixel/cuda/point_lab_cuda.h"

#include "pixel/cuda/unit_cuda.cuh"
#include "pixel/ir/lab_bytes.h"

enum { GF_LAB_THREADS = 256, GF_LAB_MOST_BLOCKS = 132 * 8 };

static __device__ const uint32_t gf_lab_thresholds[256] = GF_LAB_LIGHT_OF_BYTE;

template <bool BACK> GF_DEVICE_FN void gf_lab_tables_make(struct gf_lab_tables &t)
{
    const int32_t i = static_cast<int32_t>(threadIdx.x);
    if constexpr (BACK) {
        for (int c = 0; c < 3; c++) {
            t.of_byte[c][i] = gf_lab_byte_root(c, i);
        }
        t.thresholds[i] = gf_bits_float(gf_lab_thresholds[i]);
        if (i == 0) {
            t.thresholds[256] = gf_bits_float(0x7f800000U);
        }
        __syncthreads();
        for (int32_t place = i; place < GF_LIGHT_PLACES; place += GF_LAB_THREADS) {
            t.first[place] = gf_light_first(t.thresholds, place);
        }
    } else {
        t.of_byte[0][i] = gf_srgb_to_light(gf_div(static_cast<float>(i), 255.0F));
    }
    __syncthreads();
}

static __device__ __noinline__ struct gf_colour gf_lab_exactly(struct gf_colour c)
{
    gf_lab_bytes_exactly(c.v);
    return c;
}

/* Three bytes, as numbers, in place. */
template <bool BACK>
GF_DEVICE_FN void gf_lab_pixel(const struct gf_lab_tables &t, float &a, float &b, float &c)
{
    const int32_t i = static_cast<int32_t>(a), j = static_cast<int32_t>(b), k = static_cast<int32_t>(c);
    if constexpr (!BACK) {
        const float m[3][3] = GF_XYZ_OF_LIGHT;
        const float red = t.of_byte[0][i], green = t.of_byte[0][j], blue = t.of_byte[0][k];
        float root[3], v[3];
#pragma unroll
        for (int r = 0; r < 3; r++) {
            root[r] = gf_lab_root_of_light(gf_fma(m[r][2], blue, gf_fma(m[r][1], green, m[r][0] * red)));
        }
        if (gf_lab_bytes_of(root[0], root[1], root[2], &v[0], &v[1], &v[2])) {
            a = v[0];
            b = v[1];
            c = v[2];
        } else {
            const struct gf_colour made = gf_lab_exactly({{a, b, c}});
            a = made.v[0];
            b = made.v[1];
            c = made.v[2];
        }
    } else {
        const float m[3][3] = GF_LIGHT_OF_XYZ;
        const float root = t.of_byte[0][i], y = gf_lab_cube(root);
        const float x = gf_lab_cube(root + t.of_byte[1][j]), z = gf_lab_cube(root - t.of_byte[2][k]);
        float made[3];
#pragma unroll
        for (int r = 0; r < 3; r++) {
            const float light = gf_fma(m[r][2], z, gf_fma(m[r][1], y, m[r][0] * x));
            made[r] = static_cast<float>(gf_light_byte(light, t.first[gf_light_place(light)], t.thresholds));
        }
        a = made[0];
        b = made[1];
        c = made[2];
    }
}

template <int C, bool BACK>
static __global__ void __launch_bounds__(GF_LAB_THREADS) gf_point_lab(const struct gf_pass_args a)
{
    GF_SHARED(struct gf_lab_tables, tables, 1);
    gf_lab_tables_make<BACK>(tables[0]);
    const int64_t span = int64_t(GF_LAB_THREADS) * GF_UNIT, pieces = (a.width + span - 1) / span;
    for (int64_t n = blockIdx.x; n < pieces * a.height; n += gridDim.x) {
        const int64_t y = n / pieces;
        const struct gf_place at = {(n - y * pieces) * span + threadIdx.x * GF_UNIT, 1, y};
        const bool whole = at.x + GF_UNIT <= a.width;
        float v[4][GF_UNIT] = {};
        if (whole) {
            gf_unit_unpack<C, 1>(a.in.data + y * a.in.pitch + at.x * C, v);
        } else {
            gf_pixels_load<4, GF_UNIT>(a.in, a.width, at, v);
        }
#pragma unroll
        for (int i = 0; i < GF_UNIT; i++) {
            gf_lab_pixel<BACK>(tables[0], v[0][i], v[1][i], v[2][i]);
        }
        if (whole) {
            gf_unit_store<C>(a.out.data + y * a.out.pitch + at.x * C, GF_U8, v);
        } else {
            gf_pixels_store<4, GF_UNIT>(a.out, a.width - GF_FAULT(cuda_lab_tail), at, v);
        }
    }
}

bool gf_point_lab_takes(const struct gf_pass_args *args)
{
    const struct gf_program *program = args->pre.n > 0 ? &args->pre : &args->post;
    return args->pre.n + args->post.n == program->n && gf_is_lab_of_bytes(program) &&
           args->in.depth == GF_U8 && args->out.depth == GF_U8 && gf_is_in_units(&args->in) &&
           gf_is_in_units(&args->out);
}

gf_status gf_point_lab_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    const bool back = (args->pre.n > 0 ? args->pre : args->post).insn[1].code == GF_INSN_FROM_LAB;
    const int64_t span = int64_t(GF_LAB_THREADS) * GF_UNIT,
                  pieces = (args->width + span - 1) / span * args->height;
    gf_launch launch =
        gf_launch_on(stream, gf_blocks(pieces < GF_LAB_MOST_BLOCKS ? pieces : int64_t(GF_LAB_MOST_BLOCKS), 1),
                     GF_LAB_THREADS);
    if (args->in.channels == 3) {
        GF_CUDA_TRY(error, back ? GF_LAUNCH((gf_point_lab<3, true>), launch, *args)
                                : GF_LAUNCH((gf_point_lab<3, false>), launch, *args));
    } else {
        GF_CUDA_TRY(error, back ? GF_LAUNCH((gf_point_lab<4, true>), launch, *args)
                                : GF_LAUNCH((gf_point_lab<4, false>), launch, *args));
    }
    return GF_OK;
}
