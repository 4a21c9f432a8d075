/* POINT programs on the GPU: one accumulator a sample, operands from the kernel's parameters.
 *
 * A thread holds P pixels as v[channel][pixel], all indices known to the compiler; the loop over
 * instructions branches the same way in every thread, and one decision serves P samples. */
#ifndef GF_PIXEL_PROGRAM_CUDA_CUH
#define GF_PIXEL_PROGRAM_CUDA_CUH

#include "pixel/cuda/program_pixel_cuda.cuh"

static __device__ __noinline__ __attribute__((unused)) float gf_power_call(float v, float exponent)
{
    return gf_power_signed(v, exponent);
}

static __device__ __noinline__ __attribute__((unused)) float gf_table_call(struct gf_block_view table,
                                                                           struct gf_block_view range,
                                                                           bool over_range, int32_t channel,
                                                                           float v)
{
    return over_range ? gf_table_range_sample(&table, &range, channel, v)
                      : gf_block_element(&table, channel, static_cast<int64_t>(v));
}

/* An instruction BY_SAMPLE on one channel of P pixels; on[i]: pixel i lies inside its roi. */
template <int P>
GF_DEVICE_FN void gf_lanes_channel(const struct gf_pass_args &a, const struct gf_insn &insn, int32_t c,
                                   const bool (&on)[P], float (&v)[P])
{
    const struct gf_block_view *block = insn.block >= 0 ? &a.blocks[insn.block] : a.blocks;
    const float k0 = insn.k[0], k1 = insn.k[1];
    float limit = k0;
    switch (insn.code) {
    case GF_INSN_AFFINE:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_fma(v[i], k0, k1) : v[i];
        }
        break;
    case GF_INSN_ABSOLUTE:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_bits_float(gf_float_bits(v[i]) & 0x7fffffffU) : v[i];
        }
        break;
    case GF_INSN_GREATER_BLOCK:
        limit = gf_block_element(block, c, 0);
        /* fall through */
    case GF_INSN_GREATER:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? (v[i] > limit ? k1 : 0.0F) : v[i];
        }
        break;
    case GF_INSN_QUANTISE:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_quantise_to(v[i], insn.depth) : v[i];
        }
        break;
    case GF_INSN_DIVIDE:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_div_call(v[i], k0) : v[i];
        }
        break;
    case GF_INSN_POWER:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_power_call(v[i], k0) : v[i];
        }
        break;
    case GF_INSN_TABLE:
    case GF_INSN_TABLE_RANGE:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_table_call(*block, a.blocks[insn.block2 >= 0 ? insn.block2 : 0],
                                         insn.code == GF_INSN_TABLE_RANGE, c, v[i])
                         : v[i];
        }
        break;
    default:
        break;
    }
}

/* KEEP, SHARPEN and EXCEEDS, on channel c of P pixels. */
template <int P>
GF_DEVICE_FN void gf_lanes_operand(const struct gf_pass_args &a, const struct gf_insn &insn, int32_t c,
                                   const struct gf_place &at, const bool (&on)[P], float (&v)[P])
{
    const struct gf_surface &operand = a.operand[insn.operand];
    const bool near = at.centre && insn.operand == GF_OPERAND_CENTRE;
    const bool named = (insn.mask >> c & 1) != 0, keep = insn.code == GF_INSN_KEEP;
    const int32_t channel = gf_operand_channel(&insn, c);
    bool takes[P];
    float o[P] = {};
#pragma unroll
    for (int i = 0; i < P; i++) {
        const bool acts = (named || (keep && GF_FAULT(cuda_alpha_mixed))) && on[i];
        takes[i] = at.x + i * at.step < a.width && acts != keep;
    }
    if (near) {
        gf_samples_take<P>(at.centre + channel * at.apart, at.centre_depth, 1, takes, o);
    } else {
        const int64_t first = at.x * operand.channels + channel;
        gf_samples_take<P>(operand.data + at.y * operand.pitch + first * gf_sample_bytes(operand.depth),
                           operand.depth, at.step * operand.channels, takes, o);
    }
    if (keep) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = takes[i] ? o[i] : v[i];
        }
    } else {
#pragma unroll
        for (int i = 0; i < P; i++) {
            const float made = insn.code == GF_INSN_SHARPEN ? gf_sharpen(v[i], o[i], insn.k[0], insn.k[1])
                                                            : gf_exceeds(v[i], o[i], insn.k[0], insn.k[1]);
            v[i] = takes[i] ? made : v[i];
        }
    }
}

/* Are all instructions among those that every kernel has? */
static inline bool gf_program_is_common(const struct gf_program *program)
{
    for (int32_t i = 0; i < program->n; i++) {
        if (!gf_insn_is(program->insn[i].code, GF_INSN_IN_REGISTERS)) {
            return false;
        }
    }
    return true;
}

/* An instruction on P pixels of as many channels, which it counts. */
template <int CM, int P, bool EVERY>
GF_DEVICE_FN void gf_lanes_run(const struct gf_pass_args &a, const struct gf_insn &insn,
                               const struct gf_place &at, int32_t &channels, float (&v)[CM][P])
{
    if (gf_lanes_pixel<CM, P>(insn, channels, v)) {
        return;
    }
    if (EVERY && !gf_insn_is(insn.code, GF_INSN_IN_REGISTERS)) {
        gf_lanes_any<CM, P>(a, insn, at, channels, v);
        return;
    }
    bool on[P];
#pragma unroll
    for (int i = 0; i < P; i++) {
        const int64_t x = at.x + i * at.step;
        on[i] = x < a.width && (insn.roi < 0 || gf_rect_has(a.rois[insn.roi], x, at.y));
    }
    const bool reads = gf_insn_is(insn.code, GF_INSN_READS_OPERAND);
#pragma unroll
    for (int c = 0; c < CM; c++) {
        if (c >= channels) {
            continue;
        }
        if (reads) {
            gf_lanes_operand<P>(a, insn, c, at, on, v[c]);
        } else if ((insn.mask >> c & 1) != 0) {
            gf_lanes_channel<P>(a, insn, c, on, v[c]);
        }
    }
}

/* Runs a program on P pixels; channels beyond the count hold anything. Pixels at or past the picture's
 * width may be passed: they are computed and mean nothing (and read no table: see `live`). EVERY: also
 * instructions that are not IN_REGISTERS. */
template <int CM, int P, bool EVERY = true>
GF_DEVICE_FN void gf_program_run(const struct gf_pass_args &a, const struct gf_program &program,
                                 const struct gf_place &at, float (&v)[CM][P])
{
    int32_t channels = program.channels_in;
    for (int32_t n = 0; n < program.n; n++) {
        const struct gf_insn insn = program.insn[n];
        gf_lanes_run<CM, P, EVERY>(a, insn, at, channels, v);
    }
}

/* Both programs of a pass without a window, in a loop of one body. */
template <int CM, int P, bool EVERY>
GF_DEVICE_FN void gf_programs_run(const struct gf_pass_args &a, const struct gf_place &at, float (&v)[CM][P])
{
    int32_t channels = a.pre.channels_in;
    for (int32_t n = 0; n < a.pre.n + a.post.n; n++) {
        const struct gf_insn insn = n < a.pre.n ? a.pre.insn[n] : a.post.insn[n - a.pre.n];
        gf_lanes_run<CM, P, EVERY>(a, insn, at, channels, v);
    }
}

#endif
