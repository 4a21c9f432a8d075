/* TAP, SOLVE and CALL builders, and results. */
#include "lower/lowering_private.h"

#include "pixel/solve/percentile.h"

#include <stdlib.h>
#include <string.h>

/* ---- TAP: picture to block ---- */

/* A tap of the stage's channels, or of all. */
static struct gf_op *tap_of(gf_lowering *l, gf_value_id v, const struct gf_kernel *kernel, int32_t bins,
                            bool all)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return NULL;
    }
    int32_t channels = picture->channels;
    int32_t block = gf_lowering_block(l, kernel->tap.block_depth, channels, bins + kernel->tap.block_row);
    if (block == GF_NONE) {
        return NULL;
    }
    uint8_t mask = all ? (uint8_t)((1u << channels) - 1) : gf_lowering_mask(l, channels);
    struct gf_op *op = gf_lowering_op(l, GF_OP_TAP, v - 1, block);
    if (op) {
        op->u.tap = (struct gf_tap){.kernel = kernel,
                                    .mask = mask,
                                    .range = GF_NONE,
                                    .roi = op->roi.w ? 0 : GF_NONE,
                                    .bins = bins,
                                    .out = block};
    }
    return op;
}

static struct gf_op *tap_op(gf_lowering *l, gf_value_id v, const struct gf_kernel *kernel, int32_t bins)
{
    return tap_of(l, v, kernel, bins, false);
}

gf_value_id gf_lower_histogram(gf_lowering *l, gf_value_id v, int32_t bins, double lo, double hi,
                               gf_value_id range)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture || (range && !gf_lowering_value(l, range, true))) {
        return 0;
    }
    if (picture->depth != GF_F32) {
        bins = picture->depth == GF_U8 ? 256 : 65536;
    }
    struct gf_op *op = tap_op(l, v, &gf_kernel_hist, bins);
    if (!op) {
        return 0;
    }
    op->u.tap.lo = (float)lo;
    op->u.tap.hi = (float)hi;
    if (range) {
        op->blocks[0] = range - 1;
        op->u.tap.range = 0;
    }
    return gf_to_id(op->out);
}

/* Returns what percentile (percentile.h) makes of counts, those of a digit of f32 where shift is not below 0,
 * at the percentiles of a constant block; more: its third operand, or 0. */
static gf_value_id ranks(gf_lowering *l, gf_value_id counts, int32_t percents, gf_value_id more,
                         struct gf_percentile_args args)
{
    const struct gf_value *block = gf_lowering_value(l, counts, true);
    if (!block || percents == GF_NONE) {
        return 0;
    }
    const int32_t channels = block->channels, n = (int32_t)l->out->list.values[percents].width;
    args.bins = args.shift < 0 ? (int32_t)(block->width - 3) : GF_DIGIT_BINS;
    args.mask = gf_lowering_mask(l, channels);
    const int32_t made = args.makes == GF_PERCENTILE_PICK ? gf_lowering_block(l, GF_U64, channels, 2 * n)
                                                          : gf_lowering_block(l, GF_F32, channels, n);
    const struct gf_lowering_operands in = {{counts - 1, percents, more - 1}, more ? 3 : 2};
    const struct gf_lowering_operands out = {{made}, 1};
    return gf_lowering_apply(l, &gf_kernel_percentile, in, out, &args, sizeof args) ? gf_to_id(made) : 0;
}

/* Counts of v, f32, by the digit at `shift`; picks: what is known of so many ranks, but of the first digit.
 */
static gf_value_id digits(gf_lowering *l, gf_value_id v, int32_t shift, gf_value_id picks, int32_t n)
{
    return gf_lower_histogram(l, v, GF_DIGIT_BINS * (shift == GF_DIGIT_FIRST ? 1 : n), shift, -1, picks);
}

static int32_t constant_percents(gf_lowering *l, const double *percents, int32_t n)
{
    int32_t value;
    double *content = gf_lowering_constant(l, GF_F64, 1, n, &value);
    if (content) {
        memcpy(content, percents, (size_t)n * sizeof *content);
    }
    return value;
}

gf_value_id gf_lowering_percentiles(gf_lowering *l, gf_value_id v, const double *percents, int32_t n,
                                    bool finite)
{
    static const int32_t shifts[] = {GF_DIGIT_FIRST, GF_DIGIT_SECOND, GF_DIGIT_LAST};
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const bool by_digit = picture->depth == GF_F32;
    const int32_t at = constant_percents(l, percents, n);
    struct gf_percentile_args args = {.makes = GF_PERCENTILE_LEVEL, .shift = -1, .finite = finite};
    if (!by_digit) {
        return ranks(l, gf_lower_histogram(l, v, 0, 0, 1, 0), at, 0, args);
    }
    gf_value_id found = 0;
    for (int32_t i = 0; i < 3 && l->status == GF_OK; i++) {
        args.shift = shifts[i];
        args.makes = i < 2 ? GF_PERCENTILE_PICK : GF_PERCENTILE_LEVEL;
        found = ranks(l, digits(l, v, args.shift, found, n), at, found, args);
    }
    return found;
}

gf_value_id gf_lower_range(gf_lowering *l, gf_value_id v)
{
    static const double ends[] = {1, 99};
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture || picture->depth != GF_F32) {
        return 0; /* u8 and u16 count every value: no range to find */
    }
    const struct gf_percentile_args args = {
        .makes = GF_PERCENTILE_RANGE, .shift = GF_DIGIT_FIRST, .finite = true};
    const struct gf_op *op = tap_op(l, v, &gf_kernel_range, 0);
    const gf_value_id extremes = op ? gf_to_id(op->out) : 0;
    const int32_t percents = constant_percents(l, ends, 2);
    return ranks(l, digits(l, v, args.shift, 0, 1), percents, extremes, args);
}

gf_value_id gf_lowering_extremes(gf_lowering *l, gf_value_id v)
{
    const struct gf_op *op = gf_lowering_samples(l, v) ? tap_op(l, v, &gf_kernel_range, 0) : NULL;
    return op ? gf_to_id(op->out) : 0;
}

gf_value_id gf_lowering_range_of_all(gf_lowering *l, gf_value_id v)
{
    struct gf_op *op = gf_lowering_samples(l, v) ? tap_of(l, v, &gf_kernel_range, 0, true) : NULL;
    if (!op) {
        return 0;
    }
    op->roi = (gf_rect){0};
    op->u.tap.roi = GF_NONE;
    return gf_to_id(op->out);
}

gf_value_id gf_lower_stats(gf_lowering *l, gf_value_id v)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    if (picture->depth == GF_U16 && picture->width > ((int64_t)1 << 32) / picture->height) {
        gf_lower_fail(l, GF_ERROR_LIMIT,
                      "the sum of squares of u16 is exact up to 2^32 pixels; convert:f32 first");
        return 0;
    }
    const struct gf_op *op = tap_op(l, v, &gf_kernel_stats, 0);
    return op ? gf_to_id(op->out) : 0;
}

static gf_value_id sums_of(gf_lowering *l, gf_value_id v, bool of_rows, bool all)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    int64_t sums = of_rows ? picture->height : picture->width;
    sums *= picture->depth == GF_F32 ? 2 : 1;
    if (sums > INT32_MAX) {
        gf_lower_fail(l, GF_ERROR_LIMIT, "it adds up at most 2^30 %s of f32, and the picture has %lld",
                      of_rows ? "rows" : "columns", (long long)(sums / 2));
        return 0;
    }
    struct gf_op *op = tap_of(l, v, &gf_kernel_profile, (int32_t)sums, all);
    if (!op) {
        return 0;
    }
    op->u.tap.of_rows = of_rows;
    return gf_to_id(op->out);
}

gf_value_id gf_lower_sums(gf_lowering *l, gf_value_id v, int of_rows)
{
    return sums_of(l, v, of_rows != 0, false);
}

gf_value_id gf_lowering_sums_of_all(gf_lowering *l, gf_value_id v, bool of_rows)
{
    return sums_of(l, v, of_rows, true);
}

/* ---- SOLVE: block to block ---- */

static gf_value_id solve(gf_lowering *l, const struct gf_kernel *kernel, gf_value_id counts,
                         gf_value_id range, int32_t out, int64_t bins)
{
    const struct gf_solve_args args = {
        .bins = (int32_t)bins,
        .white = (float)gf_lower_white(l, gf_lower_input(l)),
        .mask = gf_lowering_mask(l, l->out->list.values[counts - 1].channels),
    };
    const struct gf_lowering_operands in = {{counts - 1, range - 1}, range ? 2 : 1};
    const struct gf_lowering_operands made = {{out}, 1};
    return gf_lowering_apply(l, kernel, in, made, &args, sizeof args) ? gf_to_id(out) : 0;
}

gf_value_id gf_lower_otsu(gf_lowering *l, gf_value_id counts, gf_value_id range)
{
    const struct gf_value *block = gf_lowering_value(l, counts, true);
    if (!block) {
        return 0;
    }
    int64_t bins = block->width - 3;
    return solve(l, &gf_kernel_otsu, counts, range, gf_lowering_block(l, GF_F32, block->channels, 1), bins);
}

gf_value_id gf_lower_equalize(gf_lowering *l, gf_value_id counts, gf_value_id range)
{
    const struct gf_value *block = gf_lowering_value(l, counts, true);
    if (!block) {
        return 0;
    }
    int64_t bins = block->width - 3;
    gf_depth depth = gf_lower_shape(l, gf_lower_input(l)).depth;
    return solve(l, &gf_kernel_equalize, counts, range, gf_lowering_block(l, depth, block->channels, bins),
                 bins);
}

/* ---- CALL ---- */

gf_value_id gf_lower_call(gf_lowering *l, gf_value_id v, const gf_shape *out, gf_call_host host,
                          gf_call_device device, const void *args)
{
    if (!gf_lowering_value(l, v, false)) {
        return 0;
    }
    if (!host || !out || out->width < 1 || out->height < 1 || out->channels < 1 || out->channels > 4 ||
        out->depth < GF_U8 || out->depth > GF_F64) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "a call needs a host function and a shape of 1 to 4 channels of u8, u16, f32, u32, u64 or "
            "f64");
        return 0;
    }
    int32_t value = gf_lowering_picture(l, out->width, out->height, out->channels, out->depth);
    struct gf_op *op = value == GF_NONE ? NULL : gf_lowering_op(l, GF_OP_CALL, v - 1, value);
    if (!op) {
        return 0;
    }
    op->roi = (gf_rect){0};
    l->moved = true;
    op->u.call = (struct gf_call){.host = host, .device = device, .args = args, .in = v - 1, .out = value};
    return gf_to_id(value);
}

/* ---- results ---- */

void gf_lower_result(gf_lowering *l, gf_value_id of, const gf_value_id *blocks, int32_t n_blocks,
                     gf_finish finish)
{
    if (!gf_lowering_value(l, of, false)) {
        return;
    }
    if ((!blocks && n_blocks > 0) || n_blocks < 0 || n_blocks > GF_MAX_RESULT_BLOCKS || !finish) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "a result takes at most %d blocks, and a finish function",
                      (int)GF_MAX_RESULT_BLOCKS);
        return;
    }
    struct gf_lowered_result result = {.stage = l->stage,
                                       .shape = gf_lower_shape(l, of),
                                       .n_blocks = n_blocks,
                                       .finish = finish,
                                       .rows = -1};
    const gf_rect roi = l->node->common.roi.rect;
    result.roi = roi.w ? roi : (gf_rect){0, 0, result.shape.width, result.shape.height};
    result.channels = gf_lowering_mask(l, result.shape.channels);
    for (int32_t i = 0; i < n_blocks; i++) {
        if (!gf_lowering_value(l, blocks[i], true)) {
            return;
        }
        result.blocks[i] = blocks[i] - 1;
    }
    struct gf_lowered *out = l->out;
    struct gf_lowered_result *results = realloc(out->results, sizeof *results * (size_t)(out->n_results + 1));
    if (!results) {
        gf_lower_fail(l, GF_ERROR_MEMORY, "out of memory");
        return;
    }
    out->results = results;
    results[out->n_results++] = result;
}

void gf_lowering_result_rows(gf_lowering *l, int64_t rows)
{
    if (l->status == GF_OK) {
        l->out->results[l->out->n_results - 1].rows = rows;
    }
}

void gf_lowering_gathered_bytes(gf_lowering *l, uint64_t bytes)
{
    const uint64_t before = l->out->field_bytes;
    gf_lower_result_bytes(l, bytes);
    l->out->gathered_bytes += l->out->field_bytes - before;
}

void gf_lower_result_bytes(gf_lowering *l, uint64_t bytes)
{
    const uint64_t most = UINT64_C(1) << 62; /* of a sum that still fits beside buffers */
    if (l->status == GF_OK) {
        l->out->field_bytes = bytes < most - l->out->field_bytes ? l->out->field_bytes + bytes : most;
    }
}
