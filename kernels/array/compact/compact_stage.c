#include "array/compact/compact_stage.h"

#include "base/cpu_level.h"
#include "base/cpu_stream.h"

#include <string.h>

enum { STREAM_BYTES = 16 << 20 }; /* of input: results of a larger one are written past the caches */

static const char *input_at(const struct gf_compact_call *call, int64_t i)
{
    return (const char *)call->array.in + (size_t)i * gf_depth_size(call->array.options.type);
}

int32_t gf_compact_test_block(const struct gf_compact_work *work, int64_t first, int32_t n, uint8_t *bits)
{
    uint8_t flags[GF_COMPACT_BLOCK];
    const struct gf_compact_call *call = work->call;
    int32_t count =
        call->flags ? work->rows->flag_flags(call->flags + first, n, flags)
                    : work->rows->flag(input_at(call, first), call->array.options.type, n, call->test, flags);
    memset(flags + n, 0, (size_t)(GF_COMPACT_BLOCK - n));
    work->rows->bits(flags, bits);
    return count;
}

void gf_compact_flush(const struct gf_compact_work *work, struct gf_compact_stage *stage, size_t bytes)
{
    if (work->stream && bytes >= 256) {
        work->stream(stage->out, stage->results, bytes);
    } else if (bytes > 0) {
        memcpy(stage->out, stage->results, bytes);
    }
    stage->out += bytes;
    stage->room -= bytes;
    stage->bytes -= bytes;
    memmove(stage->results, stage->results + bytes, stage->bytes);
}

void gf_compact_pack_block(const struct gf_compact_work *work, int64_t first, int32_t n, const uint8_t *bits,
                           struct gf_compact_stage *stage)
{
    const struct gf_compact_call *call = work->call;
    const char *in = input_at(call, first);
    char *to = stage->results + stage->bytes;
    size_t size = work->result_size;
    int32_t whole = n / GF_COMPACT_STEP * GF_COMPACT_STEP,
            up = (n + GF_COMPACT_STEP - 1) / GF_COMPACT_STEP * GF_COMPACT_STEP, kept = 0;
    if (call->indices && call->out == GF_U32) {
        kept = work->rows->pack_u32((uint32_t)first, bits, up, (uint32_t *)(void *)to);
    } else if (call->indices) {
        kept = work->rows->pack_u64((uint64_t)first, bits, up, (uint64_t *)(void *)to);
    } else {
        kept = work->rows->pack[work->width](in, bits, whole, to);
        if (whole < n) { /* the input ends here */
            char tail[GF_COMPACT_STEP * sizeof(uint64_t)] = {0};
            memcpy(tail, in + (size_t)whole * size, (size_t)(n - whole) * size);
            kept += work->rows->pack[work->width](tail, bits + whole / 8, GF_COMPACT_STEP,
                                                  to + (size_t)kept * size);
        }
    }
    stage->bytes += (size_t)kept * size;
    stage->bytes = stage->bytes < stage->room ? stage->bytes : stage->room;
    if (stage->bytes >= GF_COMPACT_STAGE_BYTES) {
        gf_compact_flush(work, stage, stage->bytes - (size_t)((uintptr_t)(stage->out + stage->bytes) % 64));
    }
}

struct gf_compact_work gf_compact_work_of(const struct gf_compact_call *call)
{
    struct gf_compact_work work = {.call = call, .rows = gf_compact_rows_best()};
    for (size_t size = gf_depth_size(call->array.options.type); size > 1; size /= 2) {
        work.width++;
    }
    work.result_size = call->indices ? gf_depth_size(call->out) : (size_t)1 << work.width;
    work.stream = call->array.n > STREAM_BYTES >> work.width ? gf_cpu_stream : NULL;
    return work;
}

const struct gf_compact_rows *gf_compact_rows_best(void)
{
    const struct gf_compact_rows *best = GF_LEVEL_BEST(&gf_compact_rows);
#ifndef GF_ROWS_BASELINE_ONLY
    if (best == &gf_compact_rows_avx512 && __builtin_cpu_supports("avx512vbmi2")) {
        return &gf_compact_rows_vbmi2;
    }
#endif
    return best;
}
