/* Numbers of a Fourier transform on CUDA: products, butterflies, and how lines lie in memory. By the
 * definition, so the bits are those of every other device (docs/exactness.md). */
#ifndef GF_FOURIER_FFT_CUDA_CUH
#define GF_FOURIER_FFT_CUDA_CUH

#include "array/common/grid_cuda.cuh"
#include "base/device_scope_cuda.h"
#include "base/planted_fault.h"
#include "fourier/fft_call.h"

struct alignas(8) gf_fft_complex { /* one access, of 8 bytes */
    float re, im;
};

enum gf_fft_kind {
    GF_FFT_NUMBERS,
    GF_FFT_REAL,  /* read, numbers without imaginary parts; written, the real parts */
    GF_FFT_HALF,  /* read: `limit` numbers of which the spectrum has half, the others being conjugates */
    GF_FFT_PAIRS, /* read: the spectrum of pairs, merged. Written: the same, split */
};

/* Lines of numbers in memory. Strides are in floats. */
struct gf_fft_ends {
    float *memory;
    int64_t apart, next;          /* from a number to the next, from a line to the next */
    int64_t limit;                /* numbers of a line: others are 0, and are not written */
    const gf_fft_complex *table;  /* of factors, by number; NULL: none */
    const gf_fft_complex *joined; /* v, of pairs */
    int32_t kind;
    int32_t swap;   /* read: re and im change places before the product; written: before (1), after (2) it */
    int32_t passed; /* written: another pass reads it, so any NaN will do; the scale is 1 */
    int32_t wide;   /* numbers lie at multiples of 8 bytes; 0: not known */
    float scale;    /* of numbers that are written */
};

GF_DEVICE_FN gf_fft_complex gf_fft_product(gf_fft_complex a, gf_fft_complex w)
{
    return {gf_fma(a.re, w.re, -(a.im * w.im)), gf_fma(a.re, w.im, a.im * w.re)};
}

GF_DEVICE_FN gf_fft_complex gf_fft_swapped(gf_fft_complex a)
{
    return {a.im, a.re};
}

/* (a + conj(b)) + (a - conj(b)) v */
GF_DEVICE_FN gf_fft_complex gf_fft_join(gf_fft_complex a, gf_fft_complex b, gf_fft_complex v)
{
    const gf_fft_complex t = gf_fft_product({a.re - b.re, a.im + b.im}, v);
    return {(a.re + b.re) + t.re, (a.im - b.im) + t.im};
}

/* ---- Butterflies ------------------------------------------------------------------------------------- */

template <int R> struct gf_fft_butterfly {
    GF_DEVICE_FN void run(gf_fft_complex (&u)[R])
    {
        constexpr float c[3][GF_FFT_RADIX] = GF_FFT_COSINES, s[3][GF_FFT_RADIX] = GF_FFT_SINES;
        constexpr int H = (R - 1) / 2, AT = (R - 3) / 2;
        gf_fft_complex a[H + 1], b[H + 1], first = u[0];
        GF_UNROLL
        for (int j = 1; j <= H; j++) {
            a[j] = {u[j].re + u[R - j].re, u[j].im + u[R - j].im};
            b[j] = {u[j].re - u[R - j].re, u[j].im - u[R - j].im};
            first = {first.re + a[j].re, first.im + a[j].im};
        }
        GF_UNROLL
        for (int k = 1; k <= H; k++) {
            gf_fft_complex m = u[0], t = {s[AT][k] * b[1].re, s[AT][k] * b[1].im};
            GF_UNROLL
            for (int j = 1; j <= H; j++) {
                m = {gf_fma(c[AT][j * k % R], a[j].re, m.re), gf_fma(c[AT][j * k % R], a[j].im, m.im)};
                if (j > 1) {
                    t = {gf_fma(s[AT][j * k % R], b[j].re, t.re), gf_fma(s[AT][j * k % R], b[j].im, t.im)};
                }
            }
            u[k] = {m.re + t.im, m.im - t.re};
            u[R - k] = {m.re - t.im, m.im + t.re};
        }
        u[0] = first;
    }
};
template <> struct gf_fft_butterfly<1> {
    GF_DEVICE_FN void run(gf_fft_complex (&)[1]) {}
};
template <> struct gf_fft_butterfly<2> {
    GF_DEVICE_FN void run(gf_fft_complex (&u)[2])
    {
        const gf_fft_complex a = u[0], b = u[1];
        u[0] = {a.re + b.re, a.im + b.im};
        u[1] = {a.re - b.re, a.im - b.im};
    }
};
template <> struct gf_fft_butterfly<4> {
    GF_DEVICE_FN void run(gf_fft_complex (&u)[4])
    {
        const gf_fft_complex a = {u[0].re + u[2].re, u[0].im + u[2].im};
        const gf_fft_complex b = {u[0].re - u[2].re, u[0].im - u[2].im};
        const gf_fft_complex c = {u[1].re + u[3].re, u[1].im + u[3].im};
        const gf_fft_complex d = {u[1].re - u[3].re, u[1].im - u[3].im};
        u[0] = {a.re + c.re, a.im + c.im};
        u[1] = {b.re + d.im, b.im - d.re};
        u[2] = {a.re - c.re, a.im - c.im};
        u[3] = {b.re - d.im, b.im + d.re};
    }
};

/* ---- Memory ------------------------------------------------------------------------------------------ */

GF_DEVICE_FN gf_fft_complex gf_fft_pair_of(uint2 bits)
{
    return {gf_bits_float(bits.x), gf_bits_float(bits.y)};
}

GF_DEVICE_FN gf_fft_complex gf_fft_factor(const gf_fft_complex *table, uint32_t at)
{
    return gf_fft_pair_of(gf_load8(table + at, GF_READ_ONLY));
}

GF_DEVICE_FN gf_fft_complex gf_fft_read(const float *from, int32_t wide)
{
    return wide ? gf_fft_pair_of(gf_load8(from)) : gf_fft_complex{from[0], from[1]};
}

/* Of numbers at multiples of 8 bytes. */
GF_DEVICE_FN gf_fft_complex gf_fft_read(const gf_fft_complex *from)
{
    return gf_fft_pair_of(gf_load8(from));
}

GF_DEVICE_FN void gf_fft_write(float *to, gf_fft_complex v, int32_t wide)
{
    if (wide) {
        gf_store8(to, make_uint2(gf_float_bits(v.re), gf_float_bits(v.im)));
    } else {
        to[0] = v.re;
        to[1] = v.im;
    }
}

/* Number k of the n that a line's spectrum stands for, of an odd number of samples, or of pairs up to k = n.
 */
GF_DEVICE_FN gf_fft_complex gf_fft_spectrum(const gf_fft_ends &e, const float *line, int64_t k)
{
    const int64_t n = e.limit;
    if (k == 0 || (e.kind == GF_FFT_PAIRS && k == n)) {
        return {line[k * e.apart], 0};
    }
    if (e.kind == GF_FFT_HALF && 2 * k > n) {
        const gf_fft_complex mirrored = gf_fft_read(line + (n - k) * e.apart, e.wide);
        return {mirrored.re, -mirrored.im};
    }
    return gf_fft_read(line + k * e.apart, e.wide);
}

/* Number k of the transform back, whose re and im change places, from numbers k and n - k of the spectrum of
 * pairs. */
GF_DEVICE_FN gf_fft_complex gf_fft_merged(const gf_fft_ends &e, int64_t k, gf_fft_complex a, gf_fft_complex b)
{
    const gf_fft_complex v = gf_fft_factor(e.joined, static_cast<uint32_t>(k));
    return gf_fft_swapped(gf_fft_join(a, b, {v.re, -v.im}));
}

/* What the transform has as number k of the line. */
GF_DEVICE_FN gf_fft_complex gf_fft_take(const gf_fft_ends &e, const float *line, int64_t k)
{
    gf_fft_complex v = {0, 0};
    if (k >= e.limit) {
        return v;
    }
    if (e.kind == GF_FFT_PAIRS) {
        v = gf_fft_merged(e, k, gf_fft_spectrum(e, line, k), gf_fft_spectrum(e, line, e.limit - k));
    } else {
        if (e.kind == GF_FFT_HALF) {
            v = gf_fft_spectrum(e, line, k);
        } else if (e.kind == GF_FFT_REAL) {
            v.re = line[k * e.apart];
        } else {
            const float *const from = line + k * e.apart;
            v = gf_fft_read(from, e.wide);
        }
        v = e.swap ? gf_fft_swapped(v) : v;
    }
    return e.table ? gf_fft_product(v, gf_fft_factor(e.table, static_cast<uint32_t>(k))) : v;
}

GF_DEVICE_FN gf_fft_complex gf_fft_finished(const gf_fft_ends &e, gf_fft_complex v)
{
    v = (e.swap & 2) != 0 ? gf_fft_swapped(v) : v;
    return {gf_canonical(v.re * e.scale), gf_canonical(v.im * e.scale)};
}

/* Puts number k of the transform into the line. */
GF_DEVICE_FN void gf_fft_put(const gf_fft_ends &e, float *line, int64_t k, gf_fft_complex v)
{
    if (k >= e.limit) {
        return;
    }
    v = (e.swap & 1) != 0 ? gf_fft_swapped(v) : v;
    v = gf_fft_finished(e, e.table ? gf_fft_product(v, gf_fft_factor(e.table, static_cast<uint32_t>(k))) : v);
    if (e.kind == GF_FFT_REAL) {
        line[k * e.apart] = v.re;
    } else {
        gf_fft_write(line + k * e.apart, v, e.wide);
    }
}

/* Puts number k of the spectrum of pairs, of whose transform a is number k and b number h - k; v is that of
 * k. LAST: no pass reads it. */
template <bool LAST>
GF_DEVICE_FN void gf_fft_put_split(float *to, gf_fft_complex a, gf_fft_complex b, gf_fft_complex v,
                                   int32_t wide)
{
    const gf_fft_complex x = gf_fft_join(a, b, v);
    const float re = 0.5F * x.re, im = 0.5F * x.im;
    gf_fft_write(to, {LAST ? gf_canonical(re) : re, LAST ? gf_canonical(im) : im}, wide);
}

/* ---- Rows and columns of a call ---------------------------------------------------------------------- */

/* Lines as a variant transforms them: count of n numbers each. */
struct gf_fft_lines_job {
    const struct gf_fft_line *line; /* the plan's; its n is that of pairs where there are pairs */
    int64_t n, count;
    int32_t columns; /* the lines are neighbours: number k of all of them lies side by side */
    gf_fft_ends from, to;
};

/* What rows and columns have in common. Strides are in floats. */
static inline gf_fft_lines_job gf_fft_job(const struct gf_fft_call *call, const struct gf_fft_line *line,
                                          int64_t n, int64_t count, const float *in, float *out)
{
    gf_fft_lines_job job = {};
    job.line = line;
    job.n = job.from.limit = job.to.limit = n;
    job.count = count;
    job.from.memory = const_cast<float *>(in);
    job.to.memory = out;
    job.from.swap = call->inverse ? 1 : 0;
    job.to.swap = call->inverse ? 2 : 0;
    job.to.scale = 1;
    return job;
}

/* `pairs`: an even number of real samples as half as many numbers. */
static inline gf_fft_lines_job gf_fft_rows_job(const struct gf_fft_call *call, bool pairs, const float *in,
                                               int64_t row_in, float *out, int64_t row_out)
{
    const struct gf_fft_plan *plan = call->plan;
    const bool back = call->inverse != 0;
    const int64_t columns = plan->shape.columns;
    pairs = pairs && gf_fft_pairs(plan);
    gf_fft_lines_job job =
        gf_fft_job(call, &plan->row, pairs ? columns / 2 : columns, plan->shape.rows, in, out);
    gf_fft_ends &spectrum = back ? job.from : job.to, &samples = back ? job.to : job.from;
    job.from.apart = job.to.apart = 2;
    job.from.next = row_in;
    job.to.next = row_out;
    job.to.scale = call->scale;
    if (pairs) {
        spectrum.kind = GF_FFT_PAIRS;
        spectrum.joined = reinterpret_cast<const gf_fft_complex *>(call->factors) + plan->joined_at;
    } else if (plan->shape.real) {
        samples.apart = 1;
        samples.kind = GF_FFT_REAL;
        spectrum.kind = back ? GF_FFT_HALF : GF_FFT_NUMBERS;
        spectrum.limit = back ? job.n : plan->half;
    }
    return job;
}

static inline gf_fft_lines_job gf_fft_columns_job(const struct gf_fft_call *call, const float *in,
                                                  int64_t row_in, float *out, int64_t row_out)
{
    const struct gf_fft_plan *plan = call->plan;
    gf_fft_lines_job job = gf_fft_job(call, &plan->column, plan->shape.rows, plan->half, in, out);
    job.columns = 1;
    job.from.next = job.to.next = 2;
    job.from.apart = row_in;
    job.to.apart = row_out;
    return job;
}

static inline gf_launch gf_fft_launch(const struct gf_fft_call *call, int64_t n, unsigned block)
{
    gf_launch launch = {};
    launch.grid = dim3(gf_blocks(n, block));
    launch.block = dim3(block);
    launch.stream = static_cast<cudaStream_t>(call->array.queue.stream);
    return launch;
}

/* Room for n numbers in the call's scratch memory, and for the copy of gf_fft_copies, if there is one. */
static inline gf_fft_complex *gf_fft_room(const struct gf_fft_call *call, size_t *used, int64_t n)
{
    return static_cast<gf_fft_complex *>(
        gf_scratch_take(call->array.scratch, used, static_cast<size_t>(n) * sizeof(gf_fft_complex)));
}
static inline float *gf_fft_copy_room(const struct gf_fft_call *call, size_t *used)
{
    const int64_t n = gf_fft_copies(call) ? call->plan->half * call->plan->shape.rows : 0;
    return reinterpret_cast<float *>(gf_fft_room(call, used, n));
}

/* Calls run(job) for the call's rows, and columns; `spectrum` is the copy of gf_fft_copies, if there is one.
 */
template <class F>
static gf_status gf_fft_jobs(const struct gf_fft_call *call, bool pairs, float *spectrum, F &&run)
{
    const float *in = static_cast<const float *>(call->array.in);
    float *const out = static_cast<float *>(call->array.out);
    int64_t row_in = gf_fft_row_in(call);
    const int64_t row_out = gf_fft_row_out(call);
    const bool both = call->plan->shape.dimensions == 2;
    if (both && call->inverse) {
        float *const to = gf_fft_copies(call) ? spectrum : out;
        const int64_t row = gf_fft_copies(call) ? 2 * call->plan->half : row_out;
        gf_fft_lines_job columns = gf_fft_columns_job(call, in, row_in, to, row);
        columns.to.passed = 1;
        GF_TRY(run(columns));
        in = to;
        row_in = row;
    }
    gf_fft_lines_job rows = gf_fft_rows_job(call, pairs, in, row_in, out, row_out);
    rows.to.passed = both && !call->inverse;
    GF_TRY(run(rows));
    return both && !call->inverse ? run(gf_fft_columns_job(call, out, row_out, out, row_out)) : GF_OK;
}

#endif
