/* Scan as a C programmer writes it for one thread: a loop for each type, nothing decided within it. What a
 * GPU is compared with where a text speaks of the CPU. */
#include "array/scan/scan_call.h"
#include "base/float_mode.h"
#include "base/gf_num.h"
#include "base/gf_order.h"

#include <math.h>

/* Sums in U, modulo 2^bits where it is an integer; in may be out. RESULT(sum) is what is stored. */
#define SUMS(NAME, IN, OUT, U, RESULT)                                                                       \
    static void sum_##NAME(const struct gf_array_call *a, bool inclusive)                                    \
    {                                                                                                        \
        const IN *in = a->in;                                                                                \
        OUT *out = a->out;                                                                                   \
        U sum = 0;                                                                                           \
        for (int64_t i = 0; inclusive && i < a->n; i++) {                                                    \
            sum = (U)(sum + (U)in[i]);                                                                       \
            out[i] = (OUT)RESULT(sum);                                                                       \
        }                                                                                                    \
        for (int64_t i = 0; !inclusive && i < a->n; i++) {                                                   \
            const U x = (U)in[i];                                                                            \
            out[i] = (OUT)RESULT(sum);                                                                       \
            sum = (U)(sum + x);                                                                              \
        }                                                                                                    \
    }
#define SAME(sum) (sum)
static double canonical(double sum)
{
    return isnan(sum) ? gf_bits_double(0x7ff8000000000000U) : sum;
}

SUMS(u8, uint8_t, uint8_t, uint8_t, SAME)
SUMS(u8_u32, uint8_t, uint32_t, uint32_t, SAME)
SUMS(u8_u64, uint8_t, uint64_t, uint64_t, SAME)
SUMS(u16, uint16_t, uint16_t, uint16_t, SAME)
SUMS(u16_u32, uint16_t, uint32_t, uint32_t, SAME)
SUMS(u16_u64, uint16_t, uint64_t, uint64_t, SAME)
SUMS(u32, uint32_t, uint32_t, uint32_t, SAME)
SUMS(u32_u64, uint32_t, uint64_t, uint64_t, SAME)
SUMS(u64, uint64_t, uint64_t, uint64_t, SAME)
SUMS(s16_s32, int16_t, int32_t, uint32_t, SAME)
SUMS(s16_s64, int16_t, int64_t, uint64_t, SAME)
SUMS(s32_s64, int32_t, int64_t, uint64_t, SAME)
SUMS(f32, float, float, float, gf_canonical)
SUMS(f32_f64, float, double, double, canonical)
SUMS(f64, double, double, double, canonical)

/* Modulo 2^bits a sum of signed integers is that of unsigned ones, where the result is as wide. */
static void sum(const struct gf_scan_call *call)
{
    const struct gf_array_call *a = &call->array;
    const bool inclusive = call->inclusive, widest = gf_depth_size(call->out) == 8;
    const bool same = call->out == a->options.type;
    switch (a->options.type) {
    case GF_U8:
        (same ? sum_u8 : widest ? sum_u8_u64 : sum_u8_u32)(a, inclusive);
        break;
    case GF_U16:
        (same ? sum_u16 : widest ? sum_u16_u64 : sum_u16_u32)(a, inclusive);
        break;
    case GF_S16:
        (same ? sum_u16 : widest ? sum_s16_s64 : sum_s16_s32)(a, inclusive);
        break;
    case GF_U32:
        (same ? sum_u32 : sum_u32_u64)(a, inclusive);
        break;
    case GF_S32:
        (same ? sum_u32 : sum_s32_s64)(a, inclusive);
        break;
    case GF_F32:
        (same ? sum_f32 : sum_f32_f64)(a, inclusive);
        break;
    case GF_F64:
        sum_f64(a, inclusive);
        break;
    default:
        sum_u64(a, inclusive);
    }
}

/* The least so far by BEFORE, which is false for NaN; it begins with what every number goes before. */
#define LEAST(NAME, T, BEFORE, FIRST)                                                                        \
    static void NAME(const struct gf_array_call *a, bool inclusive)                                          \
    {                                                                                                        \
        const T *in = a->in;                                                                                 \
        T *out = a->out, least = FIRST;                                                                      \
        for (int64_t i = 0; inclusive && i < a->n; i++) {                                                    \
            least = BEFORE(in[i], least) ? in[i] : least;                                                    \
            out[i] = least;                                                                                  \
        }                                                                                                    \
        for (int64_t i = 0; !inclusive && i < a->n; i++) {                                                   \
            const T x = in[i];                                                                               \
            out[i] = least;                                                                                  \
            least = BEFORE(x, least) ? x : least;                                                            \
        }                                                                                                    \
    }
#define LESS(a, b)       ((a) < (b))
#define MORE(a, b)       ((a) > (b))
#define LESS_FLOAT(a, b) ((a) < (b) || ((a) == (b) && signbit(a) && !signbit(b)))
#define MORE_FLOAT(a, b) ((a) > (b) || ((a) == (b) && !signbit(a) && signbit(b)))

LEAST(min_u8, uint8_t, LESS, UINT8_MAX)
LEAST(min_u16, uint16_t, LESS, UINT16_MAX)
LEAST(min_u32, uint32_t, LESS, UINT32_MAX)
LEAST(min_u64, uint64_t, LESS, UINT64_MAX)
LEAST(min_s16, int16_t, LESS, INT16_MAX)
LEAST(min_s32, int32_t, LESS, INT32_MAX)
LEAST(min_s64, int64_t, LESS, INT64_MAX)
LEAST(min_f32, float, LESS_FLOAT, INFINITY)
LEAST(min_f64, double, LESS_FLOAT, (double)INFINITY)
LEAST(max_u8, uint8_t, MORE, 0)
LEAST(max_u16, uint16_t, MORE, 0)
LEAST(max_u32, uint32_t, MORE, 0)
LEAST(max_u64, uint64_t, MORE, 0)
LEAST(max_s16, int16_t, MORE, INT16_MIN)
LEAST(max_s32, int32_t, MORE, INT32_MIN)
LEAST(max_s64, int64_t, MORE, INT64_MIN)
LEAST(max_f32, float, MORE_FLOAT, -INFINITY)
LEAST(max_f64, double, MORE_FLOAT, (double)-INFINITY)

static void extreme(const struct gf_scan_call *call)
{
    static void (*const loops[][2])(const struct gf_array_call *, bool) = {
        [GF_U8] = {min_u8, max_u8},    [GF_U16] = {min_u16, max_u16}, [GF_U32] = {min_u32, max_u32},
        [GF_U64] = {min_u64, max_u64}, [GF_S16] = {min_s16, max_s16}, [GF_S32] = {min_s32, max_s32},
        [GF_S64] = {min_s64, max_s64}, [GF_F32] = {min_f32, max_f32}, [GF_F64] = {min_f64, max_f64},
    };
    loops[call->array.options.type][call->op == GF_SCAN_MAX](&call->array, call->inclusive);
}

gf_status gf_scan_cpu_loop(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_scan_call *call = gf_scan_call_of(array);
    gf_float_mode saved;
    (void)error;
    gf_float_mode_set(&saved);
    if (call->op == GF_SCAN_SUM) {
        sum(call);
    } else {
        extreme(call);
    }
    gf_float_mode_restore(&saved);
    return GF_OK;
}
