#include "array/scan/scan_parts.h"

#include "base/cpu_level.h"

#include <string.h>

/* Sets where minima and maxima begin, as scan_rows.h wants it. */
static void begin_extremes(struct gf_scan_parts *parts)
{
    gf_depth type = parts->call->out;
    bool least = parts->call->op == GF_SCAN_MIN;
    uint64_t sign = UINT64_C(1) << (8 * gf_depth_size(type) - 1);
    if (type == GF_F32 || type == GF_F64) {
        uint64_t infinity = type == GF_F32 ? 0x7f800000U : 0x7ff0000000000000U;
        parts->flip = least ? 0 : UINT64_MAX;
        parts->none = infinity;
        parts->nan = least ? infinity : ~infinity; /* the keys of +inf and -inf */
        return;
    }
    bool is_signed = type == GF_S16 || type == GF_S32 || type == GF_S64;
    parts->none = sign - 1;
    parts->flip = is_signed ? (least ? 0 : UINT64_MAX) : (least ? sign : sign - 1);
}

struct gf_scan_parts gf_scan_parts_of(const struct gf_scan_call *call)
{
    struct gf_scan_parts parts = {.call = call, .rows = gf_scan_rows_best()};
    for (size_t size = gf_depth_size(call->out); size > 1; size /= 2) {
        parts.width++;
    }
    if (call->op != GF_SCAN_SUM) {
        begin_extremes(&parts);
    }
    return parts;
}

const void *gf_scan_prepared(const struct gf_scan_parts *parts, int64_t first, int64_t n, void *block)
{
    const struct gf_scan_call *call = parts->call;
    gf_depth type = call->array.options.type;
    const void *in = gf_scan_input_at(parts, first);
    if (call->op != GF_SCAN_SUM && (type == GF_F32 || type == GF_F64)) {
        parts->rows->key(in, type, n, parts->nan, block);
        return block;
    }
    if (gf_depth_size(type) != gf_depth_size(call->out)) {
        parts->rows->widen(in, type, call->out, n, block);
        return block;
    }
    return in;
}

uint64_t gf_scan_total(const struct gf_scan_parts *parts, int64_t first, int64_t end)
{
    _Alignas(64) char block[GF_SCAN_BLOCK_BYTES];
    bool sums = parts->call->op == GF_SCAN_SUM;
    uint64_t total = sums ? 0 : (uint64_t)INT64_MAX;
    for (int64_t step = GF_SCAN_BLOCK_BYTES >> parts->width; first < end; first += step) {
        int64_t n = end - first < step ? end - first : step;
        const void *in = gf_scan_prepared(parts, first, n, block);
        total = gf_scan_combined(parts, total,
                                 sums ? parts->rows->sum_total[parts->width](in, n)
                                      : parts->rows->least_total[parts->width](in, n, parts->flip));
    }
    return total;
}

static double add(double a, double b, gf_depth out)
{
    return out == GF_F32 ? (double)((float)a + (float)b) : a + b;
}

static double fold(const double v[GF_SCAN_FAN], gf_depth out)
{
    double w[GF_SCAN_FAN];
    memcpy(w, v, sizeof w);
    for (int half = GF_SCAN_FAN / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            w[i] = add(w[i], w[i + half], out);
        }
    }
    return w[0];
}

double gf_scan_chain_next(struct gf_scan_chain *chain, double total, bool begins, gf_depth out)
{
    double before = add(chain->before_group, fold(chain->tiles, out), out);
    int64_t tile = chain->tile % GF_SCAN_FAN, group = chain->tile / GF_SCAN_FAN % GF_SCAN_FAN;
    if (begins) {
        *chain = (struct gf_scan_chain){.tile = chain->tile};
    }
    chain->tile++;
    chain->tiles[tile] = total;
    if (tile == GF_SCAN_FAN - 1) {
        chain->groups[group] = fold(chain->tiles, out);
        memset(chain->tiles, 0, sizeof chain->tiles);
        if (group == GF_SCAN_FAN - 1) {
            chain->supergroups = add(chain->supergroups, fold(chain->groups, out), out);
            memset(chain->groups, 0, sizeof chain->groups);
        }
        chain->before_group = add(chain->supergroups, fold(chain->groups, out), out);
    }
    return before;
}

const struct gf_scan_rows *gf_scan_rows_best(void)
{
    return GF_LEVEL_BEST(&gf_scan_rows);
}
