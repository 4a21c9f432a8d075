/* "move" on the GPU where rows go along rows: 16 bytes of the output a thread where the order of pixels stays
 * or where small pixels are mirrored, else words of 4. A thread keeps its place in the row and walks down, so
 * that places beside the input are found once for several rows. */
#include "base/device_scope_cuda.h"
#include "pixel/cuda/move_vector_cuda.cuh"

enum {
    GF_MOVE_THREADS = 128,
    GF_MOVE_VECTOR = 16,
    GF_MOVE_TALL = 4,
    GF_MOVE_MIRROR_TALL = 8,
    GF_MOVE_FLIP_TALL = 2,
    GF_MOVE_FLIP_BLOCKS = 10 /* of a processor, which stay; copies wait long for memory */
};

/* Bytes [x, x + n) of a row, to `to`, one by one: some lie beside the input, or in words that end there. */
GF_DEVICE_FN void gf_move_bytes(const struct gf_move_params &m, int32_t pixel, const char *line, char *to,
                                int64_t x, int64_t n)
{
    int64_t i = x / pixel;
    int32_t c = static_cast<int32_t>(x - i * pixel);
    int64_t from = gf_move_x(m, i);
    for (int64_t b = 0; b < n; b++) {
        to[b] = line && from >= 0 ? line[from * pixel + c] : static_cast<char>(m.args.fill[c]);
        if (++c == pixel) {
            c = 0;
            from = gf_move_x(m, ++i);
        }
    }
}

/* Do rows [y, y + n) of the output come from as many of the input? */
GF_DEVICE_FN bool gf_move_has_rows(const struct gf_move_params &m, int64_t y, int n)
{
    const int64_t top = m.args.y0 + m.args.step_y * y, bottom = top + m.args.step_y * (n - 1);
    return y + n <= m.first + m.count && top >= 0 && top < m.in_height && bottom >= 0 && bottom < m.in_height;
}

/* Pixels in their order. Rows of the input begin at multiples of 16 bytes, too, so that all rows are shifted
 * by the same. */
static __global__ void __launch_bounds__(GF_MOVE_THREADS)
    gf_move_copy_kernel(const struct gf_move_params m, int32_t pixel)
{
    const int64_t row = m.width * pixel, input = m.in_width * pixel, end = m.first + m.count;
    const int64_t x = (int64_t(blockIdx.x) * GF_MOVE_THREADS + threadIdx.x) * GF_MOVE_VECTOR;
    if (x >= row) {
        return;
    }
    const int64_t from = m.args.x0 * pixel + x;
    const uint32_t shift = static_cast<uint32_t>(from & 15) ^ GF_FAULT(cuda_move_shift);
    const int64_t first = from - (from & 15);
    const bool wide = first >= 0 && first + (shift ? 32 : 16) <= input && x + 16 <= row;
    for (int64_t y = m.first + int64_t(blockIdx.y) * GF_MOVE_TALL; y < end;
         y += int64_t(gridDim.y) * GF_MOVE_TALL) {
        char *to = m.out + (y - m.first) * m.out_pitch + x;
        if (wide && gf_move_has_rows(m, y, GF_MOVE_TALL)) {
            const char *line = m.in + (m.args.y0 + m.args.step_y * y - m.in_first) * m.in_pitch + first;
            uint4 low[GF_MOVE_TALL], high[GF_MOVE_TALL];
            GF_UNROLL
            for (int i = 0; i < GF_MOVE_TALL; i++, line += m.args.step_y * m.in_pitch) {
                low[i] = gf_load16(line);
                high[i] = shift ? gf_load16(line + 16) : low[i];
            }
            GF_UNROLL
            for (int i = 0; i < GF_MOVE_TALL; i++, to += m.out_pitch) {
                gf_store16(to, gf_move_shifted(low[i], high[i], shift));
            }
            continue;
        }
#pragma unroll 1
        for (int i = 0; i < GF_MOVE_TALL && y + i < end; i++, to += m.out_pitch) {
            const char *line = gf_move_line(m, y + i);
            if (wide && line) {
                const uint4 low = gf_load16(line + first), high = gf_load16(line + first + (shift ? 16 : 0));
                gf_store16(to, gf_move_shifted(low, high, shift));
            } else {
                gf_move_bytes(m, pixel, line, to, x, row - x < 16 ? row - x : 16);
            }
        }
    }
}

/* The same where rows begin anywhere: 16 bytes of the output at a multiple of 16, which are other bytes of
 * each row, and shifted by another number. The first thread of a row also has the bytes before them. */
static __global__ void __launch_bounds__(GF_MOVE_THREADS)
    gf_move_apart_kernel(const struct gf_move_params m, int32_t pixel)
{
    const int64_t row = m.width * pixel, input = m.in_width * pixel, end = m.first + m.count;
    const int64_t place = (int64_t(blockIdx.x) * GF_MOVE_THREADS + threadIdx.x) * GF_MOVE_VECTOR;
    for (int64_t y = m.first + int64_t(blockIdx.y) * GF_MOVE_TALL; y < end;
         y += int64_t(gridDim.y) * GF_MOVE_TALL) {
        char *out = m.out + (y - m.first) * m.out_pitch;
        const char *line[GF_MOVE_TALL];
        int64_t x[GF_MOVE_TALL];
        uint32_t shift[GF_MOVE_TALL];
        bool wide[GF_MOVE_TALL];
        uint4 low[GF_MOVE_TALL] = {}, high[GF_MOVE_TALL] = {};
        GF_UNROLL
        for (int i = 0; i < GF_MOVE_TALL; i++) {
            const uintptr_t to = reinterpret_cast<uintptr_t>(out + i * m.out_pitch);
            x[i] = place + static_cast<int64_t>((0 - to) & 15);
            line[i] = y + i < end ? gf_move_line(m, y + i) : nullptr;
            const uintptr_t begin = reinterpret_cast<uintptr_t>(line[i]);
            const uintptr_t from = begin + static_cast<uintptr_t>(m.args.x0 * pixel + x[i]);
            shift[i] = static_cast<uint32_t>(from & 15);
            const int64_t first = m.args.x0 * pixel + x[i] - shift[i];
            wide[i] = line[i] && x[i] + 16 <= row && first >= 0 && first + (shift[i] ? 32 : 16) <= input;
            if (wide[i]) {
                low[i] = gf_load16(line[i] + first);
                high[i] = shift[i] ? gf_load16(line[i] + first + 16) : low[i];
            }
        }
        GF_UNROLL
        for (int i = 0; i < GF_MOVE_TALL; i++) {
            char *to = out + i * m.out_pitch;
            if (wide[i]) {
                gf_store16(to + x[i], gf_move_shifted(low[i], high[i], shift[i] ^ GF_FAULT(cuda_move_apart)));
            } else if (y + i < end && x[i] < row) {
                gf_move_bytes(m, pixel, line[i], to + x[i], x[i], row - x[i] < 16 ? row - x[i] : 16);
            }
            if (place == 0 && y + i < end) {
                gf_move_bytes(m, pixel, line[i], to, 0, x[i] < row ? x[i] : row);
            }
        }
    }
}

/* Bytes of an input row that 16 bytes of a mirrored row are made of: those of the same width, and a word on
 * either side. */
struct gf_flip_window {
    uint4 centre;
    uint32_t before, behind;
};

/* The word at `at`, at any address; `aligned`: at a multiple of 4. */
GF_DEVICE_FN uint32_t gf_flip_word(const char *line, int64_t at, bool aligned)
{
    const char *from = line + (at & ~int64_t(3));
    const uint32_t low = gf_load4(from);
    return aligned ? low : gf_funnel_right(low, gf_load4(from + 4), static_cast<uint32_t>(at & 3) * 8);
}

/* The window whose centre begins at byte `from` of a row. */
template <int S>
GF_DEVICE_FN struct gf_flip_window gf_flip_load(const char *line, int64_t from, bool before, bool behind)
{
    const uint32_t shift = static_cast<uint32_t>(from & 15);
    const char *first = line + (from - shift);
    struct gf_flip_window w = {gf_load16(first), 0, 0};
    if (shift) {
        w.centre = gf_move_shifted(w.centre, gf_load16(first + 16), shift);
    }
    if (S == 3) {
        w.before = before ? gf_flip_word(line, from - 4, shift % 4 == 0) : 0;
        w.behind = behind ? gf_flip_word(line, from + 16, shift % 4 == 0) : 0;
    }
    return w;
}

/* The same of a whole warp, whose lanes have windows that follow each other, from the end of the row to its
 * beginning: words beside the centre are the neighbours', but for the outermost. */
template <int S>
GF_DEVICE_FN struct gf_flip_window gf_flip_together(const char *line, int64_t from, bool before, bool behind)
{
    struct gf_flip_window w = gf_flip_load < S == 3 ? 1 : S > (line, from, false, false);
    if constexpr (S == 3) {
        const uint32_t lane = gf_lane();
        const bool first = lane == 0, last = lane == GF_WARP - 1;
        uint32_t edge = 0;
        if ((first && behind) || (last && before)) {
            edge = gf_flip_word(line, first ? from + GF_MOVE_VECTOR : from - 4, from % 4 == 0);
        }
        w.before = gf_shfl(w.centre.w, (lane + 1) % GF_WARP);
        w.behind = gf_shfl(w.centre.x, (lane + GF_WARP - 1) % GF_WARP);
        w.before = last ? edge : w.before;
        w.behind = first ? edge : w.behind;
    }
    return w;
}

/* A word of pixels of S bytes in turned order, out of the word that mirrors it and its neighbours. Words of
 * three bytes a pixel begin with one of three bytes: `phase`. */
template <int S> GF_DEVICE_FN uint32_t gf_flip_turn(uint32_t before, uint32_t own, uint32_t behind, int phase)
{
    if (S == 1 || S == 2) {
        return gf_byte_perm(own, own, S == 1 ? 0x0123 : 0x1032);
    }
    if (S == 4) {
        return own;
    }
    const uint32_t low = gf_byte_perm(before, own, phase == 0 ? 0x2765 : phase == 1 ? 0x4307 : 0x6540);
    return gf_byte_perm(low, behind, phase == 0 ? 0x3210 : phase == 1 ? 0x3240 : 0x3215);
}

template <int S> GF_DEVICE_FN uint4 gf_flip_turned(const struct gf_flip_window &w, const int (&phase)[3])
{
    const uint4 c = w.centre;
    return make_uint4(gf_flip_turn<S>(c.z, c.w, w.behind, phase[0]), gf_flip_turn<S>(c.y, c.z, c.w, phase[1]),
                      gf_flip_turn<S>(c.x, c.y, c.z, phase[2]),
                      gf_flip_turn<S>(w.before, c.x, c.y, phase[0]));
}

/* Pixels of S bytes from right to left. As above all rows are shifted by the same. */
template <int S>
static __global__ void __launch_bounds__(GF_MOVE_THREADS, GF_MOVE_FLIP_BLOCKS)
    gf_move_flip_kernel(const struct gf_move_params m)
{
    const int64_t row = m.width * S, input = m.in_width * S, end = m.first + m.count;
    const int64_t x = (int64_t(blockIdx.x) * GF_MOVE_THREADS + threadIdx.x) * GF_MOVE_VECTOR;
    if (x - int64_t(gf_lane()) * GF_MOVE_VECTOR >= row) {
        return; /* the whole warp */
    }
    const int64_t from = (m.args.x0 + 1) * S - x - GF_MOVE_VECTOR, shift = from & 15;
    const int first = static_cast<int>(x / GF_MOVE_VECTOR % 3) ^ GF_FAULT(cuda_move_flip);
    const int phase[3] = {first, (first + 1) % 3, (first + 2) % 3};
    const bool before = S == 3 && from >= 4, behind = S == 3 && from + 24 <= input;
    const bool inside = m.args.x0 - x / S < m.in_width && m.args.x0 - (x + GF_MOVE_VECTOR - 1) / S >= 0;
    const bool wide = inside && x + GF_MOVE_VECTOR <= row && from - shift >= 0 &&
                      from - shift + (shift ? 32 : 16) <= input && (before || S != 3 || phase[0] == 2) &&
                      (behind || S != 3 || phase[0] != 1);
    const bool together = gf_all(wide);
    for (int64_t y = m.first + int64_t(blockIdx.y) * GF_MOVE_FLIP_TALL; y < end;
         y += int64_t(gridDim.y) * GF_MOVE_FLIP_TALL) {
        char *to = m.out + (y - m.first) * m.out_pitch + x;
        if (together && gf_move_has_rows(m, y, GF_MOVE_FLIP_TALL)) {
            const char *line = m.in + (m.args.y0 + m.args.step_y * y - m.in_first) * m.in_pitch;
            struct gf_flip_window w[GF_MOVE_FLIP_TALL];
            GF_UNROLL
            for (int i = 0; i < GF_MOVE_FLIP_TALL; i++, line += m.args.step_y * m.in_pitch) {
                w[i] = gf_flip_together<S>(line, from, before, behind);
            }
            GF_UNROLL
            for (int i = 0; i < GF_MOVE_FLIP_TALL; i++, to += m.out_pitch) {
                gf_store16(to, gf_flip_turned<S>(w[i], phase));
            }
            continue;
        }
#pragma unroll 1
        for (int i = 0; i < GF_MOVE_FLIP_TALL && y + i < end && x < row; i++, to += m.out_pitch) {
            const char *line = gf_move_line(m, y + i);
            if (wide && line) {
                gf_store16(to, gf_flip_turned<S>(gf_flip_load<S>(line, from, before, behind), phase));
            } else {
                gf_move_bytes(m, S, line, to, x,
                              row - x < GF_MOVE_VECTOR ? row - x : int64_t(GF_MOVE_VECTOR));
            }
        }
    }
}

/* A word of samples of T; `at` counts samples of the row from `line` on. */
template <class T> GF_DEVICE_FN uint32_t gf_move_word(const char *line, const int64_t (&at)[4 / sizeof(T)])
{
    const T *samples = reinterpret_cast<const T *>(line);
    if constexpr (sizeof(T) == 4) {
        return samples[at[0]];
    } else if constexpr (sizeof(T) == 2) {
        return samples[at[0]] | static_cast<uint32_t>(samples[at[1]]) << 16;
    } else {
        const uint32_t low = gf_byte_perm(samples[at[0]], samples[at[1]], 0x1140);
        const uint32_t high = gf_byte_perm(samples[at[2]], samples[at[3]], 0x1140);
        return gf_byte_perm(low, high, 0x5410);
    }
}

/* Pixels of C samples from right to left, each in its order. */
template <class T, int C>
static __global__ void __launch_bounds__(GF_MOVE_THREADS) gf_move_mirror_kernel(const struct gf_move_params m)
{
    const int samples = 4 / sizeof(T), size = sizeof(T) * C;
    const int64_t row = m.width * C, end = m.first + m.count;
    const int64_t x = (int64_t(blockIdx.x) * GF_MOVE_THREADS + threadIdx.x) * samples;
    if (x >= row) {
        return;
    }
    const int64_t pixel = x / C, last = (x + samples - 1) / C;
    int64_t at[4 / sizeof(T)], from = (m.args.x0 - pixel) * C;
    int32_t c = static_cast<int32_t>(x - pixel * C);
    GF_UNROLL
    for (int i = 0; i < samples; i++) {
        at[i] = from + (C > 1 ? c ^ GF_FAULT(cuda_move_mirror) : c);
        if (++c == C) {
            c = 0;
            from -= C;
        }
    }
    const bool wide = m.args.x0 - pixel < m.in_width && m.args.x0 - last >= 0 && x + samples <= row;
    for (int64_t y = m.first + int64_t(blockIdx.y) * GF_MOVE_MIRROR_TALL; y < end;
         y += int64_t(gridDim.y) * GF_MOVE_MIRROR_TALL) {
        char *to = m.out + (y - m.first) * m.out_pitch + x * int64_t(sizeof(T));
        if (wide && gf_move_has_rows(m, y, GF_MOVE_MIRROR_TALL)) {
            const char *line = m.in + (m.args.y0 + m.args.step_y * y - m.in_first) * m.in_pitch;
            uint32_t word[GF_MOVE_MIRROR_TALL];
            GF_UNROLL
            for (int i = 0; i < GF_MOVE_MIRROR_TALL; i++, line += m.args.step_y * m.in_pitch) {
                word[i] = gf_move_word<T>(line, at);
            }
            GF_UNROLL
            for (int i = 0; i < GF_MOVE_MIRROR_TALL; i++, to += m.out_pitch) {
                gf_store4(to, word[i]);
            }
            continue;
        }
#pragma unroll 1
        for (int i = 0; i < GF_MOVE_MIRROR_TALL && y + i < end; i++, to += m.out_pitch) {
            const char *line = gf_move_line(m, y + i);
            if (wide && line) {
                gf_store4(to, gf_move_word<T>(line, at));
            } else {
                const int64_t left = (row - x) * int64_t(sizeof(T));
                gf_move_bytes(m, size, line, to, x * int64_t(sizeof(T)), left < 4 ? left : 4);
            }
        }
    }
}

template <class T, int C> static cudaError_t gf_mirror(const struct gf_move_params &m, cudaStream_t stream)
{
    const int size = sizeof(T) * C;
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(GF_MOVE_THREADS);
    if (size <= 4 && gf_move_is_aligned(m.in, m.in_pitch, GF_MOVE_VECTOR) &&
        gf_move_is_aligned(m.out, m.out_pitch, GF_MOVE_VECTOR)) {
        const unsigned across = gf_blocks(m.width * size, GF_MOVE_THREADS * int64_t(GF_MOVE_VECTOR)),
                       down = gf_move_blocks(m.count, GF_MOVE_FLIP_TALL),
                       room = GF_MOVE_FLIP_BLOCKS * unsigned(m.processors) / across;
        launch.grid = dim3(across, down < room ? down : room > 0 ? room : 1);
        return GF_LAUNCH((gf_move_flip_kernel<(size <= 4 ? size : 4)>), launch, m);
    }
    launch.grid = dim3(gf_blocks(m.width * C, GF_MOVE_THREADS * int64_t(4 / sizeof(T))),
                       gf_move_blocks(m.count, GF_MOVE_MIRROR_TALL));
    return GF_LAUNCH((gf_move_mirror_kernel<T, C>), launch, m);
}

bool gf_move_rows_takes(const struct gf_move_params *m)
{
    return !m->args.swapped && (m->args.step_x > 0 || gf_move_is_aligned(m->out, m->out_pitch, 4));
}

cudaError_t gf_move_rows_launch(const struct gf_move_params *m, size_t sample, int32_t channels,
                                cudaStream_t stream)
{
    if (m->args.step_x < 0) {
        return gf_move_by_pixel(sample, channels, [&](auto pixel) {
            return gf_mirror<typename decltype(pixel)::word, decltype(pixel)::count>(*m, stream);
        });
    }
    const int32_t pixel = channels * static_cast<int32_t>(sample);
    gf_launch launch =
        gf_launch_on(stream,
                     dim3(gf_blocks(m->width * pixel, GF_MOVE_THREADS * int64_t(GF_MOVE_VECTOR)),
                          gf_move_blocks(m->count, GF_MOVE_TALL)),
                     GF_MOVE_THREADS);
    const bool alike = gf_move_is_aligned(m->out, m->out_pitch, GF_MOVE_VECTOR) &&
                       gf_move_is_aligned(m->in, m->in_pitch, GF_MOVE_VECTOR);
    return alike ? GF_LAUNCH(gf_move_copy_kernel, launch, *m, pixel)
                 : GF_LAUNCH(gf_move_apart_kernel, launch, *m, pixel);
}
