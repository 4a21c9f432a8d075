/* Tables of pairs on the CPU: a thread has a table of its own, as far as their memory goes, and finds the
 * slots of a block of pairs in vectors before it adds them; then the tables are added up. */
#include "array/histogram/histogram_lines.h"
#include "array/histogram_2d/histogram_2d_call.h"
#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "base/team.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 512, MOST_TABLES = 64 * 1024 * 1024 };

static int64_t cells_of(const struct gf_histogram_2d_call *call)
{
    return call->rows * call->columns;
}

static int32_t threads_of(const struct gf_histogram_2d_call *call)
{
    const int64_t most = MOST_TABLES / (cells_of(call) * (int64_t)sizeof(uint64_t)) + 1;
    return (int32_t)gf_least(gf_array_threads(&call->array, GF_ARRAY_PAYS), most);
}

/* The first thread has the caller's table. */
size_t gf_histogram_2d_cpu_scratch(const struct gf_array_call *array)
{
    const struct gf_histogram_2d_call *call = gf_histogram_2d_call_of(array);
    return (size_t)(threads_of(call) - 1) * (size_t)cells_of(call) * sizeof(uint64_t);
}

static uint64_t *table_of(const struct gf_histogram_2d_call *call, int thread)
{
    return thread == 0 ? (uint64_t *)call->array.out
                       : (uint64_t *)call->array.scratch + (int64_t)(thread - 1) * cells_of(call);
}

static void find_slots(const struct gf_histogram_2d_call *call, int axis, int64_t first, int64_t n,
                       uint32_t *slot)
{
    const char *in = axis ? call->y : call->array.in;
    const gf_depth type = call->type[axis];
    const struct gf_histogram_bins *bins = &call->bins[axis];
    if (type == GF_U8) { /* of which histogram has no lines, as it counts bytes by value */
        for (int64_t i = 0; i < n; i++) {
            slot[i] = gf_slot_u8((uint8_t)in[first + i], bins);
        }
        return;
    }
    GF_LEVEL_BEST(gf_histogram_lines)
    [type].slots[bins->kind](in + (size_t)first * gf_depth_size(type), n, bins, slot);
}

#define WEIGH(T)                                                                                             \
    for (int64_t i = 0; i < n; i++) {                                                                        \
        table[cell[i]] += (uint64_t)((const T *)call->weights)[first + i];                                   \
    }                                                                                                        \
    break

static void add_block(const struct gf_histogram_2d_call *call, const uint32_t *cell, int64_t first, int64_t n,
                      uint64_t *table)
{
    switch (call->weight) {
    case GF_U8:
        WEIGH(uint8_t);
    case GF_U16:
        WEIGH(uint16_t);
    case GF_U32:
        WEIGH(uint32_t);
    case GF_S16:
        WEIGH(int16_t);
    case GF_S32:
        WEIGH(int32_t);
    default:
        WEIGH(uint64_t); /* signed ones have the same bits */
    }
}

static void count_share(void *argument, int thread, int threads)
{
    const struct gf_histogram_2d_call *call = argument;
    uint64_t *table = table_of(call, thread);
    uint32_t cell[BLOCK], row[BLOCK];
    const int64_t end = gf_array_share(call->array.n, thread + 1, threads);
    memset(table, 0, (size_t)cells_of(call) * sizeof *table);
    for (int64_t at = gf_array_share(call->array.n, thread, threads); at < end; at += BLOCK) {
        const int64_t n = gf_least(end - at, BLOCK) - (GF_FAULT(histogram_2d_block) && end - at < BLOCK);
        find_slots(call, 0, at, n, cell);
        if (call->y) {
            find_slots(call, 1, at, n, row);
            for (int64_t i = 0; i < n; i++) {
                cell[i] += row[i] * (uint32_t)call->columns;
            }
        }
        for (int64_t i = 0; !call->weights && i < n; i++) {
            table[cell[i]]++;
        }
        if (call->weights) {
            add_block(call, cell, at, n, table);
        }
    }
}

gf_status gf_histogram_2d_cpu(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_histogram_2d_call *call = gf_histogram_2d_call_of(array);
    const int32_t threads = threads_of(call);
    uint64_t *table = array->out;
    (void)error;
    gf_team_run_once(threads, count_share, (void *)(uintptr_t)call);
    for (int32_t t = 1; t < threads; t++) {
        const uint64_t *other = table_of(call, t);
        for (int64_t c = 0; c < cells_of(call); c++) {
            table[c] += other[c];
        }
    }
    return GF_OK;
}
