/* Differences on the CPU: loops that compilers make vectors of. */
#include "array/adjacent/adjacent_call.h"
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"

#define DIFFER(name, T, expression)                                                                          \
    static void differ_##name(const void *from, void *to, int64_t first, int64_t end)                        \
    {                                                                                                        \
        const T *in = from;                                                                                  \
        T *out = to;                                                                                         \
        for (int64_t i = first; i < end; i++) {                                                              \
            const T a = in[i], b = in[i - 1];                                                                \
            out[i] = expression;                                                                             \
        }                                                                                                    \
    }
DIFFER(8, uint8_t, (uint8_t)(a - b))
DIFFER(16, uint16_t, (uint16_t)(a - b))
DIFFER(32, uint32_t, a - b)
DIFFER(64, uint64_t, a - b)
DIFFER(f32, float, gf_canonical(a - b))
DIFFER(f64, double, gf_canonical_double(a - b))

typedef void differ_fn(const void *in, void *out, int64_t first, int64_t end);
static differ_fn *const differ_of[] = {
    [GF_U8] = differ_8,   [GF_U16] = differ_16,  [GF_S16] = differ_16,
    [GF_U32] = differ_32, [GF_S32] = differ_32,  [GF_U64] = differ_64,
    [GF_S64] = differ_64, [GF_F32] = differ_f32, [GF_F64] = differ_f64,
};

static void work(void *argument, int thread, int threads)
{
    const struct gf_array_call *call = argument;
    const int64_t first = gf_array_share(call->n, thread, threads);
    const int64_t end = gf_array_share(call->n, thread + 1, threads);
    gf_float_mode saved;
    gf_float_mode_set(&saved);
    differ_of[call->options.type](call->in, call->out, first + (first == 0 || GF_FAULT(adjacent_share)), end);
    gf_float_mode_restore(&saved);
}

gf_status gf_adjacent_cpu(const struct gf_array_call *call, gf_error *error)
{
    (void)error;
    if (call->n == 0) {
        return GF_OK;
    }
    switch (call->options.type) { /* the first, which has none before it */
    case GF_F32:
        *(float *)call->out = gf_canonical(*(const float *)call->in);
        break;
    case GF_F64:
        *(double *)call->out = gf_canonical_double(*(const double *)call->in);
        break;
    default:
        memcpy(call->out, call->in, gf_depth_size(call->options.type));
    }
    gf_team_run_once(gf_array_threads(call, GF_ARRAY_PAYS), work, (void *)(uintptr_t)call);
    return GF_OK;
}
