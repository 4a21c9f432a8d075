/* What an instruction leaves as it is, on the CPU: samples beside its region, and of channels that it does
 * not name. Private to cpu_program.c. */
#pragma once

#include "base/planted_fault.h"
#include "pixel/cpu/cpu_program.h"

#include <string.h>

/* The part [*from, *to) of a span inside the instruction's roi; empty: *from = *to = 0. */
static inline void gf_cpu_clip(const struct gf_cpu_program *p, const struct gf_insn *insn,
                               const struct gf_cpu_span *span, int64_t *from, int64_t *to)
{
    *from = 0;
    *to = span->n;
    if (insn->roi == GF_NONE || p->rois[insn->roi].w == 0) {
        return;
    }
    struct gf_rect roi = p->rois[insn->roi];
    int64_t left = roi.x - span->x;
    int64_t right = roi.x + roi.w - span->x - GF_FAULT(roi_off_by_one);
    *from = left > 0 ? left : 0;
    *to = right < span->n ? right : span->n;
    if (span->y < roi.y || span->y >= roi.y + roi.h || *from >= *to) {
        *from = *to = 0;
    }
}

/* Copies the samples of every channel that is not in the mask. */
static inline void gf_cpu_copy_unnamed(void *out, const void *from, size_t size, int64_t pixels,
                                       int32_t channels, uint8_t mask)
{
    if (size == 1 && channels == 4) { /* a picture with alpha: whole pixels, so that it vectorises */
        uint8_t keep[4];
        uint32_t bits = 0;
        for (int32_t c = 0; c < 4; c++) {
            keep[c] = mask >> c & 1 ? 0 : 255;
        }
        memcpy(&bits, keep, sizeof bits);
        for (int64_t i = 0; i < pixels; i++) {
            uint32_t a, b;
            memcpy(&a, (const char *)out + 4 * i, sizeof a);
            memcpy(&b, (const char *)from + 4 * i, sizeof b);
            a = (a & ~bits) | (b & bits);
            memcpy((char *)out + 4 * i, &a, sizeof a);
        }
        return;
    }
    for (int32_t c = 0; c < channels; c++) {
        if (mask >> c & 1) {
            continue;
        }
        if (size == 1) {
            for (int64_t i = c; i < pixels * channels; i += channels) {
                ((uint8_t *)out)[i] = ((const uint8_t *)from)[i];
            }
        } else if (size == 2) {
            for (int64_t i = c; i < pixels * channels; i += channels) {
                ((uint16_t *)out)[i] = ((const uint16_t *)from)[i];
            }
        } else {
            for (int64_t i = c; i < pixels * channels; i += channels) {
                ((float *)out)[i] = ((const float *)from)[i];
            }
        }
    }
}

/* Does what KEEP does to pixels [0, n) of which [from, to) are in its roi. */
static inline void gf_cpu_keep(void *out, const void *operand, size_t size, int64_t n, int32_t channels,
                               uint8_t mask, int64_t from, int64_t to)
{
    size_t pixel = size * (size_t)channels;
    char *o = out;
    const char *c = operand;
    memcpy(o, c, (size_t)from * pixel);
    gf_cpu_copy_unnamed(o + (size_t)from * pixel, c + (size_t)from * pixel, size, to - from, channels, mask);
    memcpy(o + (size_t)to * pixel, c + (size_t)to * pixel, (size_t)(n - to) * pixel);
}
