/* Separable windows of equal radius 1 to 4 (2, with several channels) over u16 and f32, in one read and
 * write.
 *
 * The same march as strip_u8_cuda.cu: a thread has 4 neighbouring pixels, which arrive by asynchronous
 * copies in memory of its own; programs are interpreted on them in registers; one line in shared memory and
 * one barrier a row. Row y extends the 2 R chains that wait for it, each by its next fma: the order of
 * docs/exactness.md is the order of the march. */
#include "pixel/chain_cuda.cuh"
#include "pixel/program_cuda.cuh"
#include "pixel/strip_f32_cuda.h"
#include "pixel/strip_grid_cuda.h"

enum { GF_PIXELS = 4 };

/* Rows on their way. Two channels may come from four, and fewer then keep shared memory below 32 KB a block.
 */
template <int C> struct gf_chain_depth {
    static const int ahead = C % 2 == 0 ? 2 : 3, slots = ahead + 1;
};

template <int R> struct gf_chain_params : gf_chain_weights<R> {
    float fill[4];
    int32_t border, strip, segment; /* strip: threads that store; segment: rows */
    int32_t slot;                   /* bytes of a thread's pixels in shared memory, with padding */
    gf_depth depth_out;             /* of the window */
    bool wide_in, wide_out;
};

/* N words, 16 bytes at a time where that fits; both sides aligned to it. */
template <int N> GF_DEVICE_FN void gf_words_take(const unsigned char *from, uint32_t (&w)[N])
{
    if constexpr (N % 4 == 0) {
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            const uint4 v = gf_load16(from + 4 * i);
            w[i] = v.x;
            w[i + 1] = v.y;
            w[i + 2] = v.z;
            w[i + 3] = v.w;
        }
    } else {
#pragma unroll
        for (int i = 0; i < N; i++) {
            w[i] = gf_load4(from + 4 * i);
        }
    }
}

template <int N> GF_DEVICE_FN void gf_words_put(unsigned char *to, const uint32_t (&w)[N])
{
    if constexpr (N % 4 == 0) {
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            gf_store16(to + 4 * i, make_uint4(w[i], w[i + 1], w[i + 2], w[i + 3]), GF_STREAM);
        }
    } else {
#pragma unroll
        for (int i = 0; i < N; i++) {
            gf_store4(to + 4 * i, w[i], GF_STREAM);
        }
    }
}

/* Four interleaved pixels of CI channels and SIZE bytes a sample to f32. */
template <int CI, int SIZE, int CM>
GF_DEVICE_FN void gf_chain_unpack(const unsigned char *slot, float (&v)[CM][GF_PIXELS])
{
    if constexpr (CI <= CM) {
        uint32_t w[CI * SIZE];
        gf_words_take(slot, w);
#pragma unroll
        for (int i = 0; i < CI * GF_PIXELS; i++) {
            const uint32_t word = w[i * SIZE / 4];
            v[i % CI][i / CI] = SIZE == 4   ? gf_bits_float(word)
                                : SIZE == 2 ? static_cast<float>(word >> (i % 2 * 16) & 0xffffU)
                                            : static_cast<float>(word >> (i % 4 * 8) & 0xffU);
        }
    }
}

template <int CI, int CM>
GF_DEVICE_FN void gf_chain_unpack_any(gf_depth depth, const unsigned char *slot, float (&v)[CM][GF_PIXELS])
{
    if (depth == GF_F32) {
        gf_chain_unpack<CI, 4, CM>(slot, v);
    } else if (depth == GF_U16) {
        gf_chain_unpack<CI, 2, CM>(slot, v);
    } else {
        gf_chain_unpack<CI, 1, CM>(slot, v);
    }
}

/* f32 or u16 values of C channels to memory in one go. */
template <int C>
GF_DEVICE_FN void gf_chain_pack(unsigned char *to, gf_depth depth, const float (&v)[C][GF_PIXELS])
{
    if (depth == GF_F32) {
        uint32_t w[4 * C];
#pragma unroll
        for (int i = 0; i < 4 * C; i++) {
            w[i] = gf_float_bits(gf_canonical(v[i % C][i / C]));
        }
        gf_words_put(to, w);
    } else {
        uint32_t w[2 * C];
#pragma unroll
        for (int i = 0; i < 2 * C; i++) {
            w[i] = gf_quantise_u16(v[2 * i % C][2 * i / C]) |
                   static_cast<uint32_t>(gf_quantise_u16(v[(2 * i + 1) % C][(2 * i + 1) / C])) << 16;
        }
        gf_words_put(to, w);
    }
}

/* Brings pixels that do not all lie inside to their slot; zeros where columns has none. */
GF_DEVICE_FN void gf_chain_gather(const struct gf_pass_args &a, const unsigned char *row,
                                  const int32_t *columns, unsigned char *slot)
{
    const int32_t pixel = a.in.channels * gf_sample_bytes(a.in.depth);
    const bool words = a.in.depth == GF_F32;
    for (int32_t i = 0; i < GF_PIXELS; i++) {
        const int64_t from = columns[i];
        for (int32_t b = 0; b < pixel; b += words ? 4 : 1) {
            if (from < 0) {
                slot[i * pixel + b] = 0;
            } else if (words) {
                gf_cp_async<4>(slot + i * pixel + b, row + from * pixel + b);
            } else {
                slot[i * pixel + b] = row[from * pixel + b];
            }
        }
    }
}

GF_DEVICE_FN void gf_chain_fetch(unsigned char *slot, const unsigned char *from, int32_t bytes)
{
    if (bytes % 16 == 0) {
        for (int32_t i = 0; i < bytes; i += 16) {
            gf_cp_async<16>(slot + i, from + i);
        }
    } else {
        for (int32_t i = 0; i < bytes; i += 4) {
            gf_cp_async<4>(slot + i, from + i);
        }
    }
}

/* The window's input at the thread's pixels in row y, from its slot. */
template <int C, int R>
GF_DEVICE_FN void gf_chain_samples(const struct gf_pass_args &a, const struct gf_chain_params<R> &p,
                                   const unsigned char *slot, int64_t x, int64_t y, float (&v)[4][GF_PIXELS])
{
    const struct gf_place anywhere = {0, 0, 0}; /* no instruction here looks at its place */
    const bool constant = p.border == GF_BORDER_CONSTANT;
    if (!constant || (y >= 0 && y < a.height)) {
        if (a.in.channels == C) {
            gf_chain_unpack_any<C, 4>(a.in.depth, slot, v);
        } else {
            gf_chain_unpack_any<C + 2, 4>(a.in.depth, slot, v);
        }
        gf_program_run<4, GF_PIXELS, false>(a, a.pre, anywhere, v);
    }
#pragma unroll
    for (int i = 0; i < GF_PIXELS; i++) {
        const bool outside = constant && (y < 0 || y >= a.height || x + i < 0 || x + i >= a.width);
#pragma unroll
        for (int c = 0; c < C; c++) {
            v[c][i] = outside ? p.fill[c] : v[c][i];
        }
    }
}

template <int C, int R>
static __global__ void __launch_bounds__(GF_STRIP_THREADS)
    gf_strip_f32(const struct gf_pass_args a, const struct gf_chain_params<R> p)
{
    constexpr int LINE = GF_STRIP_THREADS * GF_PIXELS;
    constexpr int AHEAD = gf_chain_depth<C>::ahead, SLOTS = gf_chain_depth<C>::slots;
    GF_SHARED_DYN(unsigned char, all_slots);
    GF_SHARED(float, lines, 2 * C * LINE);
    GF_SHARED(int32_t, all_columns, GF_STRIP_THREADS * GF_PIXELS);
    const struct gf_place anywhere = {0, 0, 0};
    const int32_t t = static_cast<int32_t>(threadIdx.x);
    const int64_t x =
        (int64_t(blockIdx.x) * p.strip + t - 1) * GF_PIXELS; /* thread 0 and the last hold the halo */
    const int64_t y0 = int64_t(blockIdx.y) * p.segment;
    const int64_t y1 = y0 + p.segment < a.height ? y0 + p.segment : a.height;
    const int32_t pixel = a.in.channels * gf_sample_bytes(a.in.depth);
    const bool loads = t < p.strip + 2 - GF_FAULT(cuda_strip_seam) && x < a.width + GF_PIXELS;
    const bool copies = x >= 0 && x + GF_PIXELS <= a.width && p.wide_in;
    const bool stores = loads && t > 0 && t <= p.strip && x < a.width;
    unsigned char *const slots = all_slots + t * p.slot;
    int32_t *const columns = all_columns + t * GF_PIXELS;
    if (loads && !copies) {
        gf_strip_columns(columns, GF_PIXELS, x, a.width, p.border);
    }
    float sum[C][GF_PIXELS][2 * R];
#pragma unroll
    for (int c = 0; c < C; c++) {
#pragma unroll
        for (int i = 0; i < GF_PIXELS; i++) {
#pragma unroll
            for (int j = 0; j < 2 * R; j++) {
                sum[c][i][j] = 0.0F;
            }
        }
    }
    const int64_t first = y0 - R + (GF_FAULT(cuda_segment_seam) && y0 > 0), last = y1 - 1 + R;
    int32_t put = 0, get = 0, line = 0;
    for (int64_t y = first - AHEAD; y <= last; y++) {
        const int64_t row = loads && y + AHEAD <= last ? gf_border_index(y + AHEAD, a.height, p.border) : -1;
        if (row >= 0) {
            const unsigned char *from = a.in.data + row * a.in.pitch;
            unsigned char *slot = slots + put * (GF_STRIP_THREADS * p.slot);
            if (copies) {
                gf_chain_fetch(slot, from + x * pixel, GF_PIXELS * pixel);
            } else {
                gf_chain_gather(a, from, columns, slot);
            }
        }
        put = put + 1 < SLOTS ? put + 1 : 0;
        gf_cp_async_commit();
        if (y < first) {
            continue;
        }
        float *const now = lines + line * (C * LINE) + t * GF_PIXELS;
        line ^= 1;
        gf_cp_async_wait<AHEAD>();
        if (loads) {
            float v[4][GF_PIXELS];
            gf_chain_samples<C, R>(a, p, slots + get * (GF_STRIP_THREADS * p.slot), x, y, v);
#pragma unroll
            for (int c = 0; c < C; c++) {
                gf_store16(now + c * LINE, make_uint4(gf_float_bits(v[c][0]), gf_float_bits(v[c][1]),
                                                      gf_float_bits(v[c][2]), gf_float_bits(v[c][3])));
            }
        }
        get = get + 1 < SLOTS ? get + 1 : 0;
        __syncthreads(); /* the next row goes to the other line, so one barrier a row is enough */
        if (!stores) {
            continue;
        }
        float done[C][GF_PIXELS];
#pragma unroll
        for (int c = 0; c < C; c++) {
            float near[3 * GF_PIXELS];
#pragma unroll
            for (int k = 0; k < 3; k++) {
                const uint4 bits = gf_load16(now + c * LINE + (k - 1) * GF_PIXELS);
                near[4 * k] = gf_bits_float(bits.x);
                near[4 * k + 1] = gf_bits_float(bits.y);
                near[4 * k + 2] = gf_bits_float(bits.z);
                near[4 * k + 3] = gf_bits_float(bits.w);
            }
            gf_chain_across<R>(p, near, done[c]);
#pragma unroll
            for (int i = 0; i < GF_PIXELS; i++) {
                done[c][i] = gf_quantise_to(gf_chain_down<R>(p, sum[c][i], done[c][i]), p.depth_out);
            }
        }
        if (y >= y0 + R) {
            gf_program_run<C, GF_PIXELS, false>(a, a.post, anywhere, done);
            unsigned char *to = a.out.data + (y - R) * a.out.pitch;
            if (p.wide_out && x + GF_PIXELS <= a.width) {
                gf_chain_pack<C>(to + x * C * gf_sample_bytes(a.out.depth), a.out.depth, done);
            } else {
                const struct gf_place at = {x, 1, y - R};
                gf_pixels_store<C, GF_PIXELS>(a.out, a.width, at, done);
            }
        }
    }
}

/* ---- launch -------------------------------------------------------------------------------- */

static bool gf_fits(const struct gf_program *program)
{
    for (int32_t i = 0; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        if (!gf_insn_is(insn->code, GF_INSN_IN_REGISTERS) || gf_insn_is(insn->code, GF_INSN_READS_OPERAND) ||
            insn->roi != GF_NONE) {
            return false;
        }
    }
    return program->channels_in <= 4 && program->depth_in != GF_S16 && program->depth_out != GF_S16;
}

bool gf_strip_f32_takes(const struct gf_pass *pass)
{
    const struct gf_separable_args *s = &pass->window.args.separable;
    const int32_t channels = pass->window.channels_in;
    return pass->window.depth_in != GF_U8 &&
           (pass->pre.channels_in == channels || pass->pre.channels_in == channels + 2) &&
           s->radius_x == s->radius_y && s->radius_x >= 1 && s->radius_x <= 4 &&
           (channels == 1 || s->radius_x <= 2) && gf_fits(&pass->pre) && gf_fits(&pass->post) &&
           pass->post.channels_out == channels; /* gray after the window: by way of scratch */
}

template <int R>
static gf_status gf_chain_params_make(const struct gf_pass_args *args, const struct gf_run *run,
                                      struct gf_chain_params<R> *p, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    *p = gf_chain_params<R>();
    GF_TRY(gf_chain_weights_make<R>(run, p, error));
    for (int32_t c = 0; c < 4; c++) {
        p->fill[c] = gf_quantise_to(window->fill[c], window->depth_in);
    }
    p->border = window->border;
    p->depth_out = window->depth_out;
    const int32_t bytes = GF_PIXELS * args->in.channels * gf_sample_bytes(args->in.depth);
    const int32_t out_bytes = GF_PIXELS * args->out.channels * gf_sample_bytes(args->out.depth);
    p->slot =
        bytes % 32 == 0 ? bytes + 16 : bytes; /* so that a warp's 16-byte accesses spread over the banks */
    p->wide_in = gf_is_aligned(&args->in, bytes % 16 == 0 ? 16 : 4);
    p->wide_out = args->out.channels == window->channels_in && args->out.depth != GF_U8 &&
                  args->out.depth != GF_S16 && gf_is_aligned(&args->out, out_bytes % 16 == 0 ? 16 : 4);
    return GF_OK;
}

template <int C, int R>
static gf_status gf_chain_run(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error)
{
    gf_chain_params<R> p = {};
    struct gf_launch launch = {};
    GF_TRY(gf_chain_params_make<R>(args, run, &p, error));
    launch.shared = static_cast<size_t>(gf_chain_depth<C>::slots * GF_STRIP_THREADS * p.slot);
    GF_TRY(gf_strip_grid(run, gf_strip_f32<C, R>, args, GF_PIXELS, &launch, &p.strip, &p.segment, error));
    launch.stream = gf_run_stream(run);
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_strip_f32<C, R>), launch, *args, p));
    return GF_OK;
}

template <int C>
static gf_status gf_chain_radius(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error)
{
    switch (run->pass->window.args.separable.radius_x) {
    case 1:
        return gf_chain_run<C, 1>(args, run, error);
    case 2:
        return gf_chain_run<C, 2>(args, run, error);
    case 3:
        if constexpr (C == 1) {
            return gf_chain_run<C, 3>(args, run, error);
        }
        break;
    default:
        if constexpr (C == 1) {
            return gf_chain_run<C, 4>(args, run, error);
        }
    }
    return gf_fail(error, GF_ERROR_INTERNAL, "separable: no strip kernel for this radius");
}

static gf_status gf_strip_f32_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                     const struct gf_scratch_layout *, gf_error *error)
{
    switch (run->pass->window.channels_in) {
    case 1:
        return gf_chain_radius<1>(args, run, error);
    case 2:
        return gf_chain_radius<2>(args, run, error);
    case 3:
        return gf_chain_radius<3>(args, run, error);
    default:
        return gf_chain_radius<4>(args, run, error);
    }
}

const struct gf_cuda_way gf_way_strip_f32 = {gf_strip_f32_launch, nullptr, false, false, true};
