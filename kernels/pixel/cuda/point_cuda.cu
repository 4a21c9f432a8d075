/* Passes without a window: load, programs, store. */
#include "pixel/cuda/chunk_cuda.cuh"
#include "pixel/cuda/point_alpha_cuda.h"
#include "pixel/cuda/point_lab_cuda.h"
#include "pixel/cuda/point_matrix_cuda.h"
#include "pixel/cuda/point_moved_cuda.h"
#include "pixel/cuda/point_pair_cuda.h"
#include "pixel/cuda/point_shuffle_cuda.h"
#include "pixel/cuda/u8_cuda.h"
#include "pixel/cuda/unit_cuda.cuh"

enum { GF_POINT_THREADS = 256, GF_POINT_BLOCKS = 4096 };

/* ---- every sample alike ----------------------------------------------------------------------------- */

/* G neighbouring samples, 4 or 8, from and to addresses aligned to them, or to 16 bytes. */
template <int G> GF_DEVICE_FN void gf_flat_load(const unsigned char *from, gf_depth depth, float *v)
{
    if (depth == GF_F32) {
#pragma unroll
        for (int i = 0; i < G; i += 4) {
            const uint4 bits = gf_load16(from + 4 * i, GF_STREAM);
            memcpy(v + i, &bits, sizeof bits);
        }
    } else if (depth == GF_U16) {
        uint32_t words[G / 2];
        if constexpr (G == 8) {
            const uint4 pairs = gf_load16(from, GF_STREAM);
            memcpy(words, &pairs, sizeof words);
        } else {
            const uint2 pairs = gf_load8(from, GF_STREAM);
            memcpy(words, &pairs, sizeof words);
        }
#pragma unroll
        for (int k = 0; k < G; k++) {
            v[k] = static_cast<float>(words[k / 2] >> (k % 2 * 16) & 0xffffU);
        }
    } else {
#pragma unroll
        for (int i = 0; i < G; i += 4) {
            const uint32_t word = gf_load4(from + i, GF_STREAM);
#pragma unroll
            for (uint32_t k = 0; k < 4; k++) {
                v[i + k] = gf_byte_float(word, k);
            }
        }
    }
}

template <int G> GF_DEVICE_FN void gf_flat_store(unsigned char *to, gf_depth depth, const float *v)
{
    if constexpr (G == 8) {
        if (depth == GF_U16) {
            gf_store16(to,
                       make_uint4(gf_u16_word(v), gf_u16_word(v + 2), gf_u16_word(v + 4), gf_u16_word(v + 6)),
                       GF_STREAM);
            return;
        }
    }
#pragma unroll
    for (int i = 0; i < G; i += 4) {
        gf_four_store(to + i * gf_sample_bytes(depth), depth, v + i);
    }
}

/* LINEAR: affine instructions and comparisons alone, which leave registers for twice the samples. */
template <bool LINEAR, int P>
GF_DEVICE_FN void gf_flat_run(const struct gf_pass_args &a, const struct gf_program &program, float (&v)[P])
{
    bool everywhere[P];
#pragma unroll
    for (int i = 0; i < P; i++) {
        everywhere[i] = true;
    }
    for (int32_t n = 0; n < program.n; n++) {
        const struct gf_insn &insn = program.insn[n];
        const float k0 = insn.k[0], k1 = insn.k[1];
        if (insn.code == GF_INSN_AFFINE) { /* the most frequent one, without the long way around */
#pragma unroll
            for (int i = 0; i < P; i++) {
                v[i] = gf_fma(v[i], k0, k1);
            }
        } else if (LINEAR) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                v[i] = v[i] > k0 ? k1 : 0.0F;
            }
        } else {
            gf_lanes_channel<P>(a, insn, 0, everywhere, v);
        }
    }
}

/* Rows as samples: where no instruction asks for channel or place, a thread takes groups of G neighbours, 16
 * bytes of the wider rows (of bytes to bytes 8), a block's width apart: so a warp's accesses lie side by
 * side. G is 4 where a picture is f32. */
template <bool LINEAR, int G, int P>
static __global__ void __launch_bounds__(GF_POINT_THREADS) gf_point_flat(const struct gf_pass_args a)
{
    const int64_t samples = a.width * a.in.channels;
    const int64_t first = int64_t(blockIdx.x) * GF_POINT_THREADS * P + threadIdx.x * G;
    for (int64_t y = blockIdx.y; y < a.height; y += gridDim.y) {
        const unsigned char *from = a.in.data + y * a.in.pitch;
        unsigned char *to = a.out.data + y * a.out.pitch;
        float v[P];
#pragma unroll
        for (int g = 0; g < P; g += G) {
            const int64_t x = first + g * GF_POINT_THREADS;
            if (x + G <= samples) {
                gf_flat_load<G>(from + x * gf_sample_bytes(a.in.depth), a.in.depth, v + g);
            } else {
#pragma unroll
                for (int i = 0; i < G; i++) {
                    v[g + i] = x + i < samples ? gf_sample_load(from, a.in.depth, x + i) : 0.0F;
                }
            }
        }
        gf_flat_run<LINEAR>(a, a.pre, v);
        gf_flat_run<LINEAR>(a, a.post, v);
#pragma unroll
        for (int g = 0; g < P; g += G) {
            const int64_t x = first + g * GF_POINT_THREADS;
            if (x + G <= samples) {
                gf_flat_store<G>(to + x * gf_sample_bytes(a.out.depth), a.out.depth, v + g);
                continue;
            }
#pragma unroll
            for (int i = 0; i < G; i++) {
                if (x + i < samples) {
                    gf_sample_store(to, a.out.depth, x + i, v[g + i]);
                }
            }
        }
    }
}

static bool gf_is_linear(const struct gf_program *program)
{
    for (int32_t i = 0; i < program->n; i++) {
        if (program->insn[i].code != GF_INSN_AFFINE && program->insn[i].code != GF_INSN_GREATER) {
            return false;
        }
    }
    return true;
}

static bool gf_is_flat(const struct gf_program *program)
{
    const int32_t all = (1 << program->channels_in) - 1;
    for (int32_t i = 0; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        const bool alike = gf_insn_is(insn->code, GF_INSN_BY_SAMPLE) &&
                           gf_insn_is(insn->code, GF_INSN_IN_REGISTERS) &&
                           !gf_insn_is(insn->code, GF_INSN_READS_BLOCK);
        if (!alike || insn->roi != GF_NONE || (insn->mask & all) != all) {
            return false;
        }
    }
    return true;
}

static bool gf_is_wide(const struct gf_surface *s, int64_t g)
{
    return (s->depth == GF_F32 || s->depth == GF_U16 || s->depth == GF_U8) &&
           gf_is_aligned(s, g * gf_sample_bytes(s->depth));
}

template <bool LINEAR, int G, int P>
static gf_status gf_point_flat_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    gf_launch launch = gf_launch_on(stream,
                                    dim3(gf_blocks(args->width * args->in.channels, GF_POINT_THREADS * P),
                                         static_cast<unsigned>(args->height < 65535 ? args->height : 65535)),
                                    GF_POINT_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_point_flat<LINEAR, G, P>), launch, *args));
    return GF_OK;
}

/* ---- anything ------------------------------------------------------------------------------------------ */

/* Any depth, channel count, program, alignment and pitch: a thread has P pixels of a row, a
 * block's width apart. The grid strides over (row, piece of a row). */
template <int CM, int P, bool EVERY>
static __global__ void __launch_bounds__(GF_POINT_THREADS, EVERY     ? 2
                                                           : CM == 1 ? 4
                                                                     : 3)
    gf_point_any(const struct gf_pass_args a)
{
    const int64_t span = int64_t(blockDim.x) * P;
    const int64_t pieces = (a.width + span - 1) / span;
    for (int64_t i = blockIdx.x; i < pieces * a.height; i += gridDim.x) {
        const int64_t y = i / pieces;
        const struct gf_place at = {(i - y * pieces) * span + threadIdx.x, blockDim.x, y};
        float v[CM][P];
        gf_pixels_load<CM, P>(a.in, a.width, at, v);
        gf_programs_run<CM, P, EVERY>(a, at, v);
        gf_pixels_store<CM, P>(a.out, a.width, at, v);
    }
}

/* For two to four channels: a thread has four neighbouring pixels, by words where all of them are inside. */
template <bool EVERY>
static __global__ void __launch_bounds__(GF_POINT_THREADS, EVERY ? 2 : 3)
    gf_point_units(const struct gf_pass_args a)
{
    const int64_t span = int64_t(GF_POINT_THREADS) * GF_UNIT, pieces = (a.width + span - 1) / span;
    for (int64_t i = blockIdx.x; i < pieces * a.height; i += gridDim.x) {
        const int64_t y = i / pieces;
        const struct gf_place at = {(i - y * pieces) * span + threadIdx.x * GF_UNIT, 1, y};
        const bool whole = at.x + GF_UNIT <= a.width;
        const unsigned char *from =
            a.in.data + y * a.in.pitch + at.x * a.in.channels * gf_sample_bytes(a.in.depth);
        unsigned char *to =
            a.out.data + y * a.out.pitch + at.x * a.out.channels * gf_sample_bytes(a.out.depth);
        float v[4][GF_UNIT] = {};
        if (!whole) {
            gf_pixels_load<4, GF_UNIT>(a.in, a.width, at, v);
        } else if (a.in.channels == 3) {
            gf_unit_unpack_any<3>(a.in.depth, from, v);
        } else if (a.in.channels == 4) {
            gf_unit_unpack_any<4>(a.in.depth, from, v);
        } else if (a.in.channels == 2) {
            gf_unit_unpack_any<2>(a.in.depth, from, v);
        } else {
            gf_unit_unpack_any<1>(a.in.depth, from, v);
        }
        gf_programs_run<4, GF_UNIT, EVERY>(a, at, v);
        if (!whole) {
            gf_pixels_store<4, GF_UNIT>(a.out, a.width - GF_FAULT(cuda_unit_tail), at, v);
        } else {
            gf_unit_store_any(a.out, to, v);
        }
    }
}

/* Blocks of threads that have P pixels each, until there are enough to keep a device busy. */
static struct gf_launch gf_point_grid(const struct gf_pass_args *args, int64_t p, cudaStream_t stream)
{
    const int64_t pieces = (args->width + GF_POINT_THREADS * p - 1) / (GF_POINT_THREADS * p);
    gf_launch launch = gf_launch_on(
        stream,
        gf_blocks(pieces * args->height < GF_POINT_BLOCKS ? pieces * args->height : int64_t(GF_POINT_BLOCKS),
                  1),
        GF_POINT_THREADS);
    return launch;
}

template <int CM, int P, bool EVERY>
static gf_status gf_point_any_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    GF_CUDA_TRY(error, GF_LAUNCH((gf_point_any<CM, P, EVERY>), gf_point_grid(args, P, stream), *args));
    return GF_OK;
}

template <bool EVERY>
static gf_status gf_point_channels(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    const int32_t before = gf_program_most(&args->pre), after = gf_program_most(&args->post);
    const int32_t channels = before > after ? before : after;
    if (channels == 1) {
        return gf_point_any_launch<1, 8, EVERY>(args, stream, error);
    }
    if (channels <= 4 && gf_is_in_units(&args->in) && gf_is_in_units(&args->out)) {
        GF_CUDA_TRY(error, GF_LAUNCH((gf_point_units<EVERY>), gf_point_grid(args, GF_UNIT, stream), *args));
        return GF_OK;
    }
    return channels <= 4 ? gf_point_any_launch<4, 4, EVERY>(args, stream, error)
                         : gf_point_any_launch<8, 2, EVERY>(args, stream, error);
}

gf_status gf_point_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error)
{
    const bool f32 = args->in.depth == GF_F32 || args->out.depth == GF_F32;
    if (gf_is_wide(&args->in, f32 ? 4 : 8) && gf_is_wide(&args->out, f32 ? 4 : 8) && gf_is_flat(&args->pre) &&
        gf_is_flat(&args->post)) {
        if (gf_is_linear(&args->pre) && gf_is_linear(&args->post)) {
            return f32 ? gf_point_flat_launch<true, 4, 16>(args, stream, error)
                       : gf_point_flat_launch<true, 8, 16>(args, stream, error);
        }
        return f32 ? gf_point_flat_launch<false, 4, 8>(args, stream, error)
                   : gf_point_flat_launch<false, 8, 8>(args, stream, error);
    }
    if (gf_point_pair_takes(args)) {
        return gf_point_pair_launch(args, stream, error);
    }
    if (gf_point_blend_takes(args)) {
        return gf_point_blend_launch(args, stream, error);
    }
    if (gf_point_shuffle_takes(args)) {
        return gf_point_shuffle_launch(args, stream, error);
    }
    if (gf_point_alpha_takes(args)) {
        return gf_point_alpha_launch(args, stream, error);
    }
    if (gf_point_lab_takes(args)) {
        return gf_point_lab_launch(args, stream, error);
    }
    if (gf_point_matrix_takes(args)) {
        return gf_point_matrix_launch(args, stream, error);
    }
    return gf_program_is_common(&args->pre) && gf_program_is_common(&args->post)
               ? gf_point_channels<false>(args, stream, error)
               : gf_point_channels<true>(args, stream, error);
}

static gf_status gf_point_pass(const struct gf_pass_args *args, const struct gf_run *run,
                               const struct gf_scratch_layout *, gf_error *error)
{
    return gf_pass_is_moved(run) ? gf_point_moved_launch(args, run, error)
                                 : gf_point_launch(args, gf_run_stream(run), error);
}

const struct gf_path gf_paths_cuda_point[] = {
    GF_PATH_CUDA("bytes", gf_u8_takes, gf_point_u8_launch, nullptr, GF_PATH_COUNTS | GF_PATH_PREPARES),
    GF_PATH_CUDA("samples", nullptr, gf_point_pass, nullptr, 0), GF_PATHS_END};
