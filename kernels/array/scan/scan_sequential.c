/* Scan as it is defined: short and literal, with nothing in common with the fast variants. */
#include "array/scan/scan_call.h"

#include "base/gf_order.h"

#include <string.h>

/* ---- Elements by type -------------------------------------------------------------------- */

/* Integers with their sign extended: sums modulo 2^64 are sums modulo 2^bits of every type. */
static uint64_t integer_at(const void *in, gf_depth type, int64_t i)
{
    switch (type) {
    case GF_U8:
        return ((const uint8_t *)in)[i];
    case GF_U16:
        return ((const uint16_t *)in)[i];
    case GF_U32:
        return ((const uint32_t *)in)[i];
    case GF_S16:
        return (uint64_t)(int64_t)((const int16_t *)in)[i];
    case GF_S32:
        return (uint64_t)(int64_t)((const int32_t *)in)[i];
    default:
        return ((const uint64_t *)in)[i];
    }
}

static void store_integer(void *out, gf_depth type, int64_t i, uint64_t value)
{
    size_t size = gf_depth_size(type);
    uint8_t v8 = (uint8_t)value;
    uint16_t v16 = (uint16_t)value;
    uint32_t v32 = (uint32_t)value;
    memcpy((char *)out + (size_t)i * size,
           size == 1   ? (const void *)&v8
           : size == 2 ? (const void *)&v16
           : size == 4 ? (const void *)&v32
                       : (const void *)&value,
           size);
}

static double number_at(const void *in, gf_depth type, int64_t i)
{
    return type == GF_F32 ? (double)((const float *)in)[i] : ((const double *)in)[i];
}

static void store_number(void *out, gf_depth type, int64_t i, double value)
{
    if (type == GF_F32) {
        ((float *)out)[i] = gf_canonical((float)value);
    } else {
        ((double *)out)[i] = value == value ? value : gf_bits_double(0x7ff8000000000000U);
    }
}

/* ---- Sums of integers, minima and maxima ----------------------------------------------------- */

/* A key whose unsigned order is that of the elements, as gf_order.h has it for each type. */
static uint64_t key_at(const void *in, gf_depth type, int64_t i)
{
    switch (type) {
    case GF_F32:
        return gf_key_f32(((const float *)in)[i]);
    case GF_F64:
        return gf_key_f64(((const double *)in)[i]);
    case GF_S16:
        return gf_key_s16(((const int16_t *)in)[i]);
    case GF_S32:
        return gf_key_s32(((const int32_t *)in)[i]);
    case GF_S64:
        return gf_key_s64(((const int64_t *)in)[i]);
    default:
        return integer_at(in, type, i);
    }
}

static void store_key(void *out, gf_depth type, int64_t i, uint64_t key)
{
    switch (type) {
    case GF_F32:
        ((float *)out)[i] = gf_unkey_f32((uint32_t)key);
        break;
    case GF_F64:
        ((double *)out)[i] = gf_unkey_f64(key);
        break;
    case GF_S16:
        ((int16_t *)out)[i] = gf_unkey_s16((uint16_t)key);
        break;
    case GF_S32:
        ((int32_t *)out)[i] = gf_unkey_s32((uint32_t)key);
        break;
    case GF_S64:
        ((int64_t *)out)[i] = gf_unkey_s64(key);
        break;
    default:
        store_integer(out, type, i, key);
    }
}

/* The key that a scan of minima or maxima begins with. */
static uint64_t first_key(gf_depth type, gf_scan_op op)
{
    uint64_t all = UINT64_MAX >> (64 - 8 * gf_depth_size(type));
    if (type == GF_F32) {
        return gf_key_f32(op == GF_SCAN_MIN ? gf_bits_float(0x7f800000U) : gf_bits_float(0xff800000U));
    }
    if (type == GF_F64) {
        return gf_key_f64(gf_bits_double(op == GF_SCAN_MIN ? 0x7ff0000000000000U : 0xfff0000000000000U));
    }
    return op == GF_SCAN_MIN ? all : 0;
}

static void scan_integers(const struct gf_scan_call *call, int64_t first, int64_t end)
{
    const struct gf_array_call *a = &call->array;
    uint64_t sum = 0;
    for (int64_t i = first; i < end; i++) {
        uint64_t next = sum + integer_at(a->in, a->options.type, i);
        store_integer(a->out, call->out, i, call->inclusive ? next : sum);
        sum = next;
    }
}

static void scan_extremes(const struct gf_scan_call *call, int64_t first, int64_t end)
{
    const struct gf_array_call *a = &call->array;
    gf_depth type = a->options.type;
    uint64_t most = first_key(type, call->op);
    for (int64_t i = first; i < end; i++) {
        uint64_t key = key_at(a->in, type, i);
        bool is_nan = (type == GF_F32 && key == UINT32_MAX) || (type == GF_F64 && key == UINT64_MAX);
        uint64_t next = !is_nan && (call->op == GF_SCAN_MIN ? key < most : key > most) ? key : most;
        store_key(a->out, type, i, call->inclusive ? next : most);
        most = next;
    }
}

/* ---- Sums of floats -------------------------------------------------------------------------- */

/* a + b in the output's type; its values are exact in double. */
static double add(double a, double b, gf_depth out)
{
    return out == GF_F32 ? (double)((float)a + (float)b) : a + b;
}

/* Kogge and Stone (1973): at distance 1, 2, 4, 8, 16, all at once, v[i - distance] + v[i]. */
static void kogge_stone(double v[32], gf_depth out)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        for (int i = 31; i >= distance; i--) {
            v[i] = add(v[i - distance], v[i], out);
        }
    }
}

/* v[i] + v[i + 16], then + 8, + 4, + 2, + 1. */
static double fold(const double v[32], gf_depth out)
{
    double w[32];
    memcpy(w, v, sizeof w);
    for (int half = 16; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            w[i] = add(w[i], w[i + half], out);
        }
    }
    return w[0];
}

struct tile {
    int first, end;      /* the rows that hold elements; all others are 0 */
    double x[8192];      /* of these rows; where there is no element 0 */
    double lane[64][32]; /* of each of these, sums of the lanes before this one */
    double row[64];      /* sums of the rows before this one */
    double total;
};

static void sum_tile(struct tile *tile, int lane_elements, gf_depth out)
{
    double totals[64] = {0}, pairs[32];
    for (int r = tile->first; r < tile->end; r++) {
        double sums[32];
        for (int l = 0; l < 32; l++) {
            const double *x = tile->x + (r * 32 + l) * lane_elements;
            sums[l] = x[0];
            for (int e = 1; e < lane_elements; e++) {
                sums[l] = add(sums[l], x[e], out);
            }
        }
        kogge_stone(sums, out);
        for (int l = 0; l < 32; l++) {
            tile->lane[r][l] = l > 0 ? sums[l - 1] : 0;
        }
        totals[r] = sums[31];
    }
    for (int j = 0; j < 32; j++) {
        pairs[j] = add(totals[2 * j], totals[2 * j + 1], out);
    }
    kogge_stone(pairs, out);
    for (int j = 0; j < 32; j++) {
        tile->row[2 * j] = j > 0 ? pairs[j - 1] : 0;
        tile->row[2 * j + 1] = add(tile->row[2 * j], totals[2 * j], out);
    }
    tile->total = pairs[31];
}

/* Elements [begin, end) of the tile that begins with element `first` of the array. */
static void read_tile(struct tile *tile, const struct gf_scan_call *call, int64_t first, int64_t begin,
                      int64_t end, int row)
{
    tile->first = (int)(begin / row);
    tile->end = (int)((end + row - 1) / row);
    for (int64_t i = tile->first * row; i < tile->end * row; i++) {
        tile->x[i] =
            i >= begin && i < end ? number_at(call->array.in, call->array.options.type, first + i) : 0;
    }
}

static void write_tile(const struct tile *tile, const struct gf_scan_call *call, int64_t first, int64_t begin,
                       int64_t end, double before)
{
    const gf_depth out = call->out;
    const int64_t lane_elements = GF_SCAN_LANE_BYTES / (int64_t)gf_depth_size(out);
    for (int64_t i = begin; i < end; i++) {
        int64_t lane = i / lane_elements;
        double base = add(add(before, tile->row[lane / 32], out), tile->lane[lane / 32][lane % 32], out);
        double run = tile->x[lane * lane_elements]; /* of the lane, up to here */
        int64_t last = call->inclusive ? i : i - 1;
        for (int64_t j = lane * lane_elements + 1; j <= last; j++) {
            run = add(run, tile->x[j], out);
        }
        store_number(call->array.out, out, first + i,
                     last < lane * lane_elements ? base : add(base, run, out));
    }
}

static void scan_floats(const struct gf_scan_call *call, int64_t begin, int64_t end)
{
    gf_depth out = call->out;
    int lane_elements = GF_SCAN_LANE_BYTES / (int)gf_depth_size(out);
    int64_t size = 64 * 32 * lane_elements;
    double supergroups = 0, groups[32] = {0}, tiles[32] = {0};
    struct tile tile;
    for (int64_t t = begin / size; t * size < end; t++) {
        int64_t first = t * size, from = begin > first ? begin - first : 0;
        int64_t to = end - first < size ? end - first : size;
        read_tile(&tile, call, first, from, to, 32 * lane_elements);
        sum_tile(&tile, lane_elements, out);
        double before = add(add(supergroups, fold(groups, out), out), fold(tiles, out), out);
        write_tile(&tile, call, first, from, to, before);
        tiles[t % 32] = tile.total;
        if (t % 32 == 31) {
            groups[t / 32 % 32] = fold(tiles, out);
            memset(tiles, 0, sizeof tiles);
        }
        if (t % 1024 == 1023) {
            supergroups = add(supergroups, fold(groups, out), out);
            memset(groups, 0, sizeof groups);
        }
    }
}

void gf_scan_sequential_part(const struct gf_scan_call *call, int64_t first, int64_t end)
{
    if (gf_scan_is_float_sum(call)) {
        scan_floats(call, first, end);
    } else if (call->op == GF_SCAN_SUM) {
        scan_integers(call, first, end);
    } else {
        scan_extremes(call, first, end);
    }
}

gf_status gf_scan_sequential(const struct gf_array_call *array, gf_error *error)
{
    (void)error;
    gf_scan_sequential_part(gf_scan_call_of(array), 0, array->n);
    return GF_OK;
}
