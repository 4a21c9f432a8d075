/* POINT programs on the GPU: one accumulator a sample, operands from the kernel's parameters.
 *
 * A thread holds P pixels as v[channel][pixel], all indices known to the compiler; the loop over
 * instructions branches the same way in every thread, and one decision serves P samples. */
#ifndef GF_PIXEL_PROGRAM_CUDA_CUH
#define GF_PIXEL_PROGRAM_CUDA_CUH

#include "pixel/cuda/program_pixel_cuda.cuh"

/* The long instructions, out of line: inlining them for every channel and pixel buys nothing. */
static __device__ __noinline__ __attribute__((unused)) float gf_power_call(float v, float exponent)
{
    return gf_power_signed(v, exponent);
}

static __device__ __noinline__ __attribute__((unused)) float
gf_table_range_call(struct gf_block_view table, struct gf_block_view range, int32_t channel, float v)
{
    return gf_table_range_sample(&table, &range, channel, v);
}

static __device__ __noinline__ __attribute__((unused)) float gf_table_call(struct gf_block_view table,
                                                                           int32_t channel, float v)
{
    return gf_block_element(&table, channel, static_cast<int64_t>(v));
}

/* Runs what has no case of its own below. */
static __device__ __noinline__ __attribute__((unused)) float gf_sample_call(struct gf_insn insn, float v,
                                                                            int32_t channel,
                                                                            struct gf_block_view block,
                                                                            struct gf_block_view block2)
{
    return gf_insn_sample(&insn, v, channel, &block, &block2);
}

static __device__ __noinline__ __attribute__((unused)) float gf_combine_call(struct gf_insn insn, float v,
                                                                             float o, float alpha)
{
    return gf_insn_combine(&insn, v, o, alpha);
}

/* An instruction BY_SAMPLE on one channel of P pixels; on[i]: pixel i lies inside its roi. EVERY: also those
 * that are not IN_REGISTERS. */
template <int P, bool EVERY = false>
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
    case GF_INSN_TABLE:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_table_call(*block, c, v[i]) : v[i];
        }
        break;
    case GF_INSN_TABLE_RANGE:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_table_range_call(*block, a.blocks[insn.block2], c, v[i]) : v[i];
        }
        break;
    case GF_INSN_QUANTISE:
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = on[i] ? gf_quantise_to(v[i], insn.depth) : v[i];
        }
        break;
    default:
        if constexpr (EVERY) {
            const struct gf_block_view block2 = a.blocks[insn.block2 >= 0 ? insn.block2 : 0];
#pragma unroll
            for (int i = 0; i < P; i++) {
                v[i] = on[i] ? gf_sample_call(insn, v[i], c, *block, block2) : v[i];
            }
        }
        break;
    }
}

/* An instruction that reads an operand, on channel c of P pixels; without EVERY it is KEEP. */
template <int P, bool EVERY>
GF_DEVICE_FN void gf_lanes_operand(const struct gf_pass_args &a, const struct gf_insn &insn, int32_t c,
                                   const struct gf_place &at, const bool (&on)[P], float (&v)[P])
{
    const struct gf_surface &operand = a.operand[insn.operand];
    const unsigned char *const row = operand.data + at.y * operand.pitch;
    const bool near = at.centre && insn.operand == GF_OPERAND_CENTRE;
    const bool named = (insn.mask >> c & 1) != 0, keep = insn.code == GF_INSN_KEEP;
#pragma unroll
    for (int i = 0; i < P; i++) {
        const int64_t x = at.x + i * at.step;
        const bool acts = (named || (keep && GF_FAULT(cuda_alpha_mixed))) && on[i];
        if (x < a.width && acts != keep) {
            const int64_t pixel = x * operand.channels;
            const int32_t channel = gf_operand_channel(&insn, c);
            const float o = near ? gf_sample_load(at.centre + channel * at.apart, at.centre_depth, i)
                                 : gf_sample_load(row, operand.depth, pixel + channel);
            if (insn.code == GF_INSN_SHARPEN) {
                v[i] = gf_sharpen(v[i], o, insn.k[0], insn.k[1]);
            } else if (insn.code == GF_INSN_EXCEEDS) {
                v[i] = gf_exceeds(v[i], o, insn.k[0], insn.k[1]);
            } else if constexpr (EVERY) {
                const float alpha = insn.arg & GF_OPERAND_ALPHA
                                        ? gf_sample_load(row, operand.depth, pixel + operand.channels - 1)
                                        : 0.0F;
                v[i] = keep ? o : gf_combine_call(insn, v[i], o, alpha);
            } else {
                v[i] = o;
            }
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
        if (gf_lanes_pixel<CM, P>(insn, channels, v)) {
            continue;
        }
        if (EVERY && (insn.code == GF_INSN_REGION || gf_insn_is(insn.code, GF_INSN_BY_PIXEL))) {
            gf_lanes_any<CM, P>(a, insn, at, channels, v);
            continue;
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
                gf_lanes_operand<P, EVERY>(a, insn, c, at, on, v[c]);
            } else if ((insn.mask >> c & 1) != 0) {
                gf_lanes_channel<P, EVERY>(a, insn, c, on, v[c]);
            }
        }
    }
}

#endif
