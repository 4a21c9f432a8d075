#include "pixel/cpu/cpu_program.h"

#include "base/planted_fault.h"
#include "pixel/cpu/cpu_kept.h"

#include <string.h>

/* Room for a chunk of pixels each. */
struct work {
    float *v, *next, *saved, *alpha, *operand[GF_OPERANDS];
};

/* AFFINE instructions with one mask and region from number i on, which run as one; else 1. */
static int32_t affine_run(const struct gf_cpu_program *p, int32_t i)
{
    const struct gf_insn *first = &p->insn[i];
    int32_t n = 1;
    while (i + n < p->n && first->code == GF_INSN_AFFINE && first[n].code == GF_INSN_AFFINE &&
           first[n].mask == first->mask && first[n].roi == first->roi) {
        n++;
    }
    return n;
}

static void run_affine(const struct gf_cpu_rows *rows, const struct gf_insn *insn, int32_t count, float *v,
                       int64_t n)
{
    float k[GF_MAX_PROGRAM][2];
    for (int32_t i = 0; i < count; i++) {
        memcpy(k[i], insn[i].k, sizeof k[i]);
    }
    rows->affine(v, n, (const float(*)[2])k, count);
}

static void run_samples(const struct gf_cpu_rows *rows, const struct gf_insn *insn, int32_t count, float *v,
                        int64_t n)
{
    switch (insn->code) {
    case GF_INSN_AFFINE:
        run_affine(rows, insn, count, v, n);
        break;
    case GF_INSN_DIVIDE:
        rows->divide(v, n, insn->k[0]);
        break;
    case GF_INSN_POWER:
        rows->power(v, n, insn->k[0]);
        break;
    case GF_INSN_LINEAR:
    case GF_INSN_SRGB:
        rows->transfer(v, n, insn->code == GF_INSN_SRGB);
        break;
    case GF_INSN_GREATER:
        rows->greater(v, n, insn->k[0], insn->k[1]);
        break;
    case GF_INSN_QUANTISE:
        rows->quantise(v, n, (gf_depth)insn->depth);
        break;
    default:
        for (int64_t i = 0; i < n; i++) {
            v[i] = gf_insn_sample(insn, v[i], 0, NULL, NULL);
        }
        break;
    }
}

/* Instructions that read a block differ by channel. */
static void run_with_block(const struct gf_cpu_program *p, const struct gf_insn *insn, float *v,
                           int64_t pixels, int32_t channels)
{
    const struct gf_block_view *block = &p->blocks[insn->block];
    const struct gf_block_view *block2 = insn->block2 == GF_NONE ? NULL : &p->blocks[insn->block2];
    for (int32_t c = 0; c < channels; c++) {
        if (!(insn->mask >> c & 1)) {
            continue;
        }
        if (insn->code == GF_INSN_FORMULA_SAMPLE) {
            p->rows->formula((const float *)block->data + c * block->width, block->width, v, v, pixels,
                             channels, c);
            continue;
        }
        for (int64_t i = c; i < pixels * channels; i += channels) {
            v[i] = gf_insn_sample(insn, v[i], c, block, block2);
        }
    }
}

/* Where an operand has other channels than the pixels, what each sample reads lies as the samples do. */
static void run_combine(const struct gf_cpu_program *p, const struct gf_insn *insn, struct work *w,
                        int64_t from, int64_t to, int32_t channels)
{
    const int32_t apart = p->operand_channels[insn->operand];
    const float *o = w->operand[insn->operand] + from * apart;
    const bool weighs = (insn->arg & GF_OPERAND_ALPHA) != 0;
    for (int64_t i = 0; (apart != channels || weighs) && i < to - from; i++) {
        for (int32_t c = 0; c < channels; c++) {
            int32_t read = gf_operand_channel(insn, c);
            w->next[i * channels + c] =
                o[i * apart + (read < apart ? read : 0)]; /* the mask leaves others out */
            w->alpha[i * channels + c] = o[i * apart + apart - 1];
        }
    }
    p->rows->combine(insn, w->v + from * channels, apart != channels || weighs ? w->next : o,
                     weighs ? w->alpha : NULL, (to - from) * channels);
}

/* n pixels fade into the operand's; channels outside the mask are all there. */
static void run_fade(const struct gf_cpu_program *p, uint8_t mask, float *v, const float *o,
                     const float *weights, float *spread, int64_t n, int32_t channels)
{
    for (int64_t i = 0; channels > 1 && i < n; i++) {
        for (int32_t c = 0; c < channels; c++) {
            spread[i * channels + c] = mask >> c & 1 ? weights[i] : 1.0F;
        }
    }
    p->rows->fade(v, o, channels > 1 ? spread : weights, n * channels);
}

/* Pixels [from, to) of the chunk, all in the roi: in runs of those that are the operand's, that stay, and
 * that fade. */
static void run_region(const struct gf_cpu_program *p, const struct gf_insn *insn,
                       const struct gf_cpu_span *chunk, const struct work *w, int64_t from, int64_t to,
                       int32_t channels)
{
    float *v = w->v + from * channels, *weights = w->saved;
    const float *o = w->operand[insn->operand] + from * channels;
    const int64_t n = to - from;
    p->rows->region(insn, p->rois[insn->roi], chunk->x + from, chunk->y, weights, n);
    for (int64_t i = 0, end; i < n; i = end) {
        const float first = weights[i];
        const bool fades = first > 0.0F && first < 1.0F;
        end = i + 1;
        while (end < n && (fades ? weights[end] > 0.0F && weights[end] < 1.0F : weights[end] == first)) {
            end++;
        }
        if (fades) {
            run_fade(p, insn->mask, v + i * channels, o + i * channels, weights + i, w->next, end - i,
                     channels);
        } else if (first == 0.0F) {
            gf_cpu_copy_unnamed(v + i * channels, o + i * channels, sizeof *v, end - i, channels,
                                (uint8_t)~insn->mask);
        }
    }
}

/* Pixels [from, to) of w->v, all in the roi. Channels outside the mask are computed too and put back. */
static void run_masked(const struct gf_cpu_program *p, const struct gf_insn *insn, int32_t count,
                       struct work *w, int64_t from, int64_t to, int32_t channels)
{
    float *v = w->v + from * channels, *saved = w->saved;
    int64_t pixels = to - from;
    uint32_t all = (1U << channels) - 1U;
    bool partial = (insn->mask & all) != all;

    if (insn->block != GF_NONE) {
        run_with_block(p, insn, v, pixels, channels);
        return;
    }
    if (partial) {
        memcpy(saved, v, (size_t)(pixels * channels) * sizeof *v);
    }
    if (gf_insn_is(insn->code, GF_INSN_READS_OPERAND)) {
        run_combine(p, insn, w, from, to, channels);
    } else {
        run_samples(p->rows, insn, count, v, pixels * channels);
    }
    if (partial) {
        gf_cpu_copy_unnamed(v, saved, sizeof *v, pixels, channels, insn->mask);
    }
}

static void matrix_of(const struct gf_cpu_program *p, const struct gf_insn *insn, int32_t channels,
                      float (*m)[5])
{
    for (int32_t r = 0; r < insn->arg; r++) {
        for (int32_t c = 0; c <= channels; c++) {
            m[r][c] = gf_block_element(&p->blocks[insn->block], r, c);
        }
    }
}

static void run_matrix(const struct gf_cpu_program *p, const struct gf_insn *insn, struct work *w,
                       int64_t pixels, int32_t channels)
{
    float m[4][5];
    matrix_of(p, insn, channels, m);
    p->rows->matrix(w->v, w->next, pixels, channels, insn->arg, (const float(*)[5])m);
}

static void run_formulas(const struct gf_cpu_program *p, const struct gf_insn *insn, const struct work *w,
                         int64_t pixels, int32_t channels)
{
    const struct gf_block_view *block = &p->blocks[insn->block];
    for (int32_t c = 0; c < channels; c++) {
        p->rows->formula((const float *)block->data + c * block->width, block->width, w->v, w->next, pixels,
                         channels, c);
    }
}

/* FORMULA_PLACE on pixels [from, to) of the chunk: their places lie behind their channels. */
static void run_placed(const struct gf_cpu_program *p, const struct gf_insn *insn,
                       const struct gf_cpu_span *chunk, const struct work *w, int64_t from, int64_t to,
                       int32_t channels)
{
    const struct gf_block_view *block = &p->blocks[insn->block];
    const struct gf_rect whole = p->rois[insn->roi];
    const int32_t wide = channels + 2;
    float *v = w->v + from * channels;
    for (int64_t i = 0; i < to - from; i++) {
        memcpy(w->saved + i * wide, v + i * channels, (size_t)channels * sizeof *v);
        w->saved[i * wide + channels] = (float)(chunk->x + from + i - whole.x);
        w->saved[i * wide + channels + 1] = (float)(chunk->y - whole.y + GF_FAULT(formula_row));
    }
    for (int32_t c = 0; c < channels; c++) {
        p->rows->formula((const float *)block->data + c * block->width, block->width, w->saved, w->next,
                         to - from, wide, c);
    }
    for (int64_t i = 0; i < to - from; i++) {
        memcpy(v + i * channels, w->next + i * wide, (size_t)channels * sizeof *v);
    }
}

/* An instruction BY_PIXEL: w->v to w->next, and their names change places. */
static void run_pixels(const struct gf_cpu_program *p, const struct gf_insn *insn, struct work *w,
                       int64_t pixels, int32_t channels)
{
    if (insn->code == GF_INSN_GRAY_INT) {
        p->rows->gray_int(w->v, w->next, pixels, channels);
    } else if (insn->code == GF_INSN_GRAY_F32) {
        p->rows->gray_f32(w->v, w->next, pixels, channels);
    } else if (insn->code == GF_INSN_MAGNITUDE) {
        p->rows->magnitude(w->v, w->next, pixels, channels, insn->k[0]);
    } else if (insn->code == GF_INSN_SLOPE) {
        p->rows->slope(w->v, w->next, pixels, channels, insn->arg != 0);
    } else if (insn->code == GF_INSN_ANGLE) {
        p->rows->angle(w->v, w->next, pixels, channels, insn->k[0]);
    } else if (insn->code == GF_INSN_MATRIX) {
        run_matrix(p, insn, w, pixels, channels);
    } else if (insn->code == GF_INSN_LAB || insn->code == GF_INSN_FROM_LAB) {
        p->rows->lab(w->v, w->next, pixels, channels, insn->code == GF_INSN_FROM_LAB,
                     p->lab == GF_NONE ? NULL : &p->lab_tables);
    } else if (insn->code == GF_INSN_LUMA) {
        p->rows->luma(w->v, w->next, pixels, channels, w->operand[insn->operand],
                      p->operand_channels[insn->operand], (gf_depth)insn->depth);
    } else if (insn->code == GF_INSN_FORMULA) {
        run_formulas(p, insn, w, pixels, channels);
    } else if (GF_FAULT(premul_skipped) && insn->code == GF_INSN_PREMULTIPLY) {
        return;
    } else if (insn->code == GF_INSN_PREMULTIPLY || insn->code == GF_INSN_UNPREMULTIPLY) {
        p->rows->alpha(insn, w->v, w->next, pixels, channels);
    } else {
        const struct gf_pixel_reads reads = {insn->block == GF_NONE ? NULL : &p->blocks[insn->block],
                                             w->operand[insn->operand], p->operand_channels[insn->operand]};
        p->rows->pixels(insn, w->v, w->next, pixels, channels, &reads);
    }
    float *v = w->v;
    w->v = w->next;
    w->next = v;
}

/* The chunk is in w->v. */
static void run_chunk(const struct gf_cpu_program *p, const struct gf_cpu_span *chunk, struct work *w)
{
    int32_t channels = p->channels_in;
    for (int32_t i = 0, count; i < p->n; i += count) {
        const struct gf_insn *insn = &p->insn[i];
        count = affine_run(p, i);
        if (gf_insn_is(insn->code, GF_INSN_BY_PIXEL)) {
            run_pixels(p, insn, w, chunk->n, channels);
            channels = gf_insn_channels(insn, channels);
            continue;
        }
        int64_t from, to;
        gf_cpu_clip(p, insn, chunk, &from, &to);
        if (insn->code == GF_INSN_KEEP) {
            gf_cpu_keep(w->v, w->operand[insn->operand], sizeof(float), chunk->n, channels, insn->mask, from,
                        to);
        } else if (insn->code == GF_INSN_FORMULA_PLACE) {
            run_placed(p, insn, chunk, w, from, to, channels);
        } else if (insn->code == GF_INSN_REGION && to > from) {
            run_region(p, insn, chunk, w, from, to, channels);
        } else if (to > from) {
            run_masked(p, insn, count, w, from, to, channels);
        }
    }
}

/* Loads what the program reads beside the span, for the chunk that begins `at` pixels into it. */
static void load_operands(const struct gf_cpu_program *p, const struct gf_cpu_span *span, int64_t at,
                          int64_t pixels, struct work *w)
{
    for (int i = 0; i < GF_OPERANDS; i++) {
        if (p->reads[i]) {
            size_t pixel = gf_depth_size(span->operand[i].depth) * (size_t)p->operand_channels[i];
            p->rows->to_f32((const char *)span->operand[i].data + (size_t)at * pixel, span->operand[i].depth,
                            w->operand[i], pixels * p->operand_channels[i]);
        }
    }
}

/* Asks for what lies at p + [from, to), which may be outside the picture. */
static void prefetch(const void *p, size_t from, size_t to)
{
    for (size_t i = from; i < to; i += 64) {
        __builtin_prefetch((const void *)((uintptr_t)p + i));
    }
}

static void run_general(const struct gf_cpu_program *p, const struct gf_cpu_span *span, const void *in,
                        void *out, gf_depth depth)
{
    const int64_t buffer = GF_CPU_CHUNK * GF_MAX_CHANNELS;
    size_t size_in = gf_depth_size(p->depth_in) * (size_t)p->channels_in;
    size_t size_out = gf_depth_size(depth) * (size_t)p->channels_out;

    for (int64_t at = 0; at < span->n; at += GF_CPU_CHUNK) {
        struct work w = {span->work,
                         span->work + buffer,
                         span->work + 2 * buffer,
                         span->work + 3 * buffer,
                         {span->work + 4 * buffer, span->work + 5 * buffer}};
        struct gf_cpu_span chunk = *span;
        chunk.x = span->x + at;
        chunk.n = span->n - at < GF_CPU_CHUNK ? span->n - at : GF_CPU_CHUNK;
        load_operands(p, span, at, chunk.n, &w);
        prefetch(in, (size_t)(at + 4 * GF_CPU_CHUNK) * size_in, (size_t)(at + 5 * GF_CPU_CHUNK) * size_in);
        p->rows->to_f32((const char *)in + (size_t)at * size_in, p->depth_in, w.v, chunk.n * p->channels_in);
        run_chunk(p, &chunk, &w);
        void *to = (char *)out + (size_t)at * size_out;
        void *made = span->streams ? w.next : to;
        p->rows->from_f32(w.v, made, depth, chunk.n * p->channels_out);
        if (span->streams) {
            p->rows->stream(to, made, (size_t)chunk.n * size_out);
        }
    }
}

/* Bytes of two pictures; or of RGB mixed, by way of a few lines of the cache where they go past it. */
static void run_bytes(const struct gf_cpu_program *p, const struct gf_cpu_span *span, const uint8_t *in,
                      uint8_t *out)
{
    const int64_t n = span->n * p->channels_in, most = span->streams ? GF_CPU_CHUNK * 48 : n;
    float m[4][5];
    if (!p->mixes) {
        p->rows->u8_blend(p->blend, in, span->operand[GF_OPERAND_SECOND].data, out, n, span->streams);
        return;
    }
    matrix_of(p, &p->insn[0], 3, m);
    for (int64_t i = 0; i < n; i += most) {
        const int64_t count = n - i < most ? n - i : most;
        uint8_t *to = span->streams ? (uint8_t *)span->work : out + i;
        p->rows->u8_mix(in + i, to, count / 3, (const float(*)[5])m);
        if (span->streams) {
            p->rows->stream(out + i, to, (size_t)count);
        }
    }
}

void gf_cpu_program_run(const struct gf_cpu_program *p, const struct gf_cpu_span *span, const void *in,
                        void *out, gf_depth depth)
{
    bool canonical = depth != GF_F32; /* or whatever integers are */
    bool same = true;
    for (int i = 0; i < GF_OPERANDS; i++) {
        same = same && (!p->reads[i] || span->operand[i].depth == p->depth_in);
    }
    if (p->native && depth == p->depth_out && canonical && same) {
        if (p->n_native == 0) {
            size_t samples = (size_t)(span->n * p->channels_in);
            memcpy(out, in, samples * gf_depth_size(depth));
        } else {
            gf_cpu_program_run_native(p, span, in, out);
        }
        return;
    }
    if ((p->mixes || p->blend != GF_NONE) && depth == GF_U8 && out != in) {
        run_bytes(p, span, in, out);
        return;
    }
    run_general(p, span, in, out, depth);
}
