/* The frame of a rank in a window along time. */
#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "signal/signal_args.h"
#include "signal/signal_cuda.h"
#include "signal/signal_rows.h"

#include <stdbool.h>
#include <string.h>

static int64_t length(const void *args, int64_t frames)
{
    (void)args;
    return frames;
}

static int64_t ready(const void *args, int64_t frames)
{
    const struct gf_signal_rank *a = args;
    return frames > a->size / 2 ? frames - a->size / 2 : 0;
}

/* One frame before the window: it leaves the window of the frame before. */
static int64_t needs(const void *args, int64_t frame)
{
    const struct gf_signal_rank *a = args;
    return frame > a->size / 2 ? frame - a->size / 2 - 1 : 0;
}

static bool is_extreme(const struct gf_signal_rank *a)
{
    return a->rank == 0 || a->rank == a->size - 1;
}

/* Outputs that are made together of extremes. */
static int64_t together(const struct gf_signal_rank *a)
{
    return a->size > 4096 ? a->size : 4096;
}

/* The window in order, on the CPU, where it is large; of extremes, keys. */
static size_t state_bytes(const void *args)
{
    const struct gf_signal_rank *a = args;
    const size_t keys = is_extreme(a)             ? (size_t)(together(a) + a->size)
                        : a->size > GF_RANK_SMALL ? (size_t)a->size
                                                  : 0;
    return (keys * sizeof(uint32_t) + 15) / 16 * 16;
}

static int64_t inside(int64_t i, int64_t frames)
{
    return i < 0 ? 0 : i < frames ? i : frames - 1;
}

/* The frame below which there are at most `rank` others, and with its equals more. */
static void judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_rank *a = args;
    for (int64_t n = 0; n < frames; n++) {
        bool found = false;
        for (int64_t i = n - a->size / 2; i <= n + a->size / 2 && !found; i++) {
            const uint32_t key = gf_float_key(in[inside(i, frames)]);
            int32_t less = 0, equal = 0;
            for (int64_t j = n - a->size / 2; j <= n + a->size / 2; j++) {
                const uint32_t other = gf_float_key(in[inside(j, frames)]);
                less += other < key;
                equal += other == key;
            }
            found = less <= a->rank && a->rank < less + equal;
            out[n] = gf_key_float(key);
        }
    }
}

/* A channel of a call. */
struct channel {
    const struct gf_track *in;
    const float *x; /* frame in->first */
    int64_t frames; /* of the whole, or INT64_MAX */
};

static uint32_t key_at(const struct channel *c, int64_t i)
{
    return gf_float_key(c->x[inside(i, c->frames) - c->in->first]);
}

/* Small windows: the keys of TOGETHER outputs' windows, then a choice. */
static void run_small(const struct gf_signal_rank *a, const struct channel *c, int64_t first, int64_t count,
                      float *y)
{
    for (int64_t i = 0; i < count; i += GF_RANK_TOGETHER) {
        const int some = (int)(count - i < GF_RANK_TOGETHER ? count - i : GF_RANK_TOGETHER);
        uint32_t key[GF_RANK_TOGETHER + GF_RANK_SMALL - 1] = {0}, out[GF_RANK_TOGETHER];
        for (int j = 0; j < some + a->size - 1; j++) {
            key[j] = key_at(c, first + i + j - a->size / 2);
        }
        GF_LEVEL_BEST(gf_signal_rows).select(key, a->size, a->rank, out);
        for (int j = 0; j < some; j++) {
            y[i + j] = gf_key_float(out[j]);
        }
    }
}

/* The least or greatest: greatest are the least of keys that are turned. */
static void run_extreme(const struct gf_signal_rank *a, const struct channel *c, uint32_t *key, int64_t first,
                        int64_t count, float *y)
{
    const uint32_t flip = a->rank == 0 ? 0 : UINT32_MAX;
    for (int64_t i = 0; i < count; i += together(a)) {
        const int64_t some = count - i < together(a) ? count - i : together(a);
        for (int64_t j = 0; j < some + a->size - 1; j++) {
            key[j] = key_at(c, first + i + j - a->size / 2) ^ flip;
        }
        GF_LEVEL_BEST(gf_signal_rows).least(key, some, a->size);
        for (int64_t j = 0; j < some; j++) {
            y[i + j] = gf_key_float(key[j] ^ flip);
        }
    }
}

/* The first place in order whose key is not below. */
static int32_t place(const uint32_t *order, int32_t size, uint32_t key)
{
    int32_t low = 0;
    for (int32_t high = size; low < high;) {
        const int32_t middle = low + (high - low) / 2;
        if (order[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The window of frame n from that of frame n - 1. */
static void move_on(const struct channel *c, int64_t n, int32_t size, uint32_t *order)
{
    const uint32_t old = key_at(c, n - size / 2 - 1), young = key_at(c, n + size / 2);
    const int32_t from = place(order, size, old);
    int32_t to = place(order, size, young);
    if (to > from) { /* behind those that move down */
        to--;
        memmove(order + from, order + from + 1, (size_t)(to - from) * sizeof *order);
    } else {
        memmove(order + to + 1, order + to, (size_t)(from - to) * sizeof *order);
    }
    order[to] = young;
}

/* The window of frame 0: all that lies before it is frame 0 again. */
static void begin(const struct channel *c, int32_t size, uint32_t *order)
{
    for (int32_t i = 0; i < size; i++) {
        order[i] = key_at(c, 0);
    }
    for (int32_t i = -size / 2 + 1; i <= 0; i++) { /* that of frame i - 1 has only frame 0 */
        move_on(c, i, size, order);
    }
}

static void run_cpu(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    const struct gf_signal_rank *a = args;
    for (int32_t i = 0; i < channels; i++) {
        const struct channel c = {in, in->data + i * in->pitch, frames < 0 ? INT64_MAX : frames};
        float *y = out->data + i * out->pitch;
        uint32_t *order = (uint32_t *)(void *)((char *)state + (size_t)i * state_bytes(args));
        if (is_extreme(a)) {
            run_extreme(a, &c, order, out->first, out->count, y);
            continue;
        }
        if (a->size <= GF_RANK_SMALL) {
            run_small(a, &c, out->first, out->count, y);
            continue;
        }
        for (int64_t n = out->first; n < out->first + out->count; n++) {
            if (n == 0) {
                begin(&c, a->size, order);
            } else {
                move_on(&c, n, a->size, order);
            }
            y[n - out->first] = gf_key_float(order[a->rank]);
        }
    }
}

const struct gf_signal_kernel gf_signal_rank = {
    .name = "rank",
    .length = length,
    .ready = ready,
    .needs = needs,
    .state_bytes = state_bytes,
    .judge = judge,
    .run_cpu = run_cpu,
    .scratch_bytes = gf_signal_rank_cuda_scratch,
    .run_cuda = gf_signal_rank_cuda,
};
