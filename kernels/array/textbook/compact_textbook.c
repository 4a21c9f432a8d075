/* The published one-thread compactions of the CPU, corrected (docs/primitives/compact.md): element by
 * element, and by flags, scan and scatter. */
#include "array/compact/compact_rows.h"

#include <string.h>

/* Stores `element`, or its index, as result `at` where there is room. */
static void store(const struct gf_compact_call *call, int64_t i, uint64_t at)
{
    size_t size = gf_depth_size(call->out);
    uint32_t narrow = (uint32_t)i;
    const void *from = !call->indices        ? (const void *)((const char *)call->array.in + (size_t)i * size)
                       : call->out == GF_U32 ? (const void *)&narrow
                                             : (const void *)&i;
    if (at < (uint64_t)call->capacity) {
        switch (size) { /* a constant size is a plain store */
        case 1:
            memcpy((char *)call->array.out + at, from, 1);
            break;
        case 2:
            memcpy((char *)call->array.out + at * 2, from, 2);
            break;
        case 4:
            memcpy((char *)call->array.out + at * 4, from, 4);
            break;
        default:
            memcpy((char *)call->array.out + at * 8, from, 8);
        }
    }
}

static void flag(const struct gf_compact_call *call, int64_t first, int32_t n, uint8_t *flags)
{
    const struct gf_compact_rows *rows = gf_compact_rows_best();
    if (call->flags) {
        (void)rows->flag_flags(call->flags + first, n, flags);
    } else {
        gf_depth type = call->array.options.type;
        (void)rows->flag((const char *)call->array.in + (size_t)first * gf_depth_size(type), type, n,
                         call->test, flags);
    }
}

/* A counter that steps where the element stays. The condition is tested a block ahead, as it is in every
 * variant. */
gf_status gf_compact_cpu_direct(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    uint8_t flags[GF_COMPACT_BLOCK];
    uint64_t counter = 0;
    (void)error;
    for (int64_t first = 0; first < array->n; first += GF_COMPACT_BLOCK) {
        int32_t n = array->n - first < GF_COMPACT_BLOCK ? (int32_t)(array->n - first) : GF_COMPACT_BLOCK;
        flag(call, first, n, flags);
        for (int32_t i = 0; i < n; i++) {
            if (flags[i]) {
                store(call, first + i, counter);
                counter++;
            }
        }
    }
    *call->count = counter;
    return GF_OK;
}

/* Scratch: the scanned array, u64 an element, and the flags, u8. */
size_t gf_compact_cpu_scan_scratch(const struct gf_array_call *array)
{
    size_t used = 0;
    (void)gf_scratch_take(NULL, &used, (size_t)array->n * sizeof(uint64_t));
    (void)gf_scratch_take(NULL, &used, (size_t)array->n);
    return used;
}

gf_status gf_compact_cpu_scan(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_compact_call *call = gf_compact_call_of(array);
    size_t used = 0;
    uint64_t *scanned = gf_scratch_take(array->scratch, &used, (size_t)array->n * sizeof *scanned);
    uint8_t *flags = gf_scratch_take(array->scratch, &used, (size_t)array->n);
    int64_t n = array->n;
    (void)error;
    for (int64_t i = 0; i < n; i += GF_COMPACT_BLOCK) {
        flag(call, i, n - i < GF_COMPACT_BLOCK ? (int32_t)(n - i) : GF_COMPACT_BLOCK, flags + i);
    }
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        scanned[i] = sum;
        sum += flags[i];
    }
    for (int64_t i = 0; i < n; i++) {
        if (flags[i]) {
            store(call, i, scanned[i]);
        }
    }
    *call->count = n > 0 ? scanned[n - 1] + flags[n - 1] : 0;
    return GF_OK;
}
