/* Sums of many taps, by transforms: overlap-save. Block b has frames [b step, (b + 1) step) of the output.
 * They are the last ones of the cyclic convolution of the taps and the `size` frames that they are made of,
 * which the inverse transform makes of the product of both transforms. So what a frame is depends on the
 * frames of its block, and not on how they came. */
#include "base/cpu_level.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "signal/frame_term.h"
#include "signal/signal_cuda.h"
#include "signal/stft.h"

#include <stdlib.h>
#include <string.h>

/* The first power of two that is at least eight times as many: the more, the less is made twice, and the
 * longer a live signal waits. */
static int32_t size_of(int32_t taps)
{
    int32_t size = 4;
    while (size < 8 * taps) {
        size *= 2;
    }
    return size;
}

struct gf_stft *gf_signal_overlap_make(const struct gf_signal_fir *fir, gf_error *error)
{
    const int32_t size = size_of(fir->taps);
    struct gf_stft *s = gf_stft_create(size, size - fir->taps + 1, 0, NULL);
    void *work = s ? calloc(1, gf_stft_work_bytes(s)) : NULL;
    float *padded = calloc((size_t)size, sizeof *padded), *spectrum;
    gf_status status = gf_need_memory(work && padded, error);
    if (status == GF_OK) {
        memcpy(padded, fir->tap, (size_t)fir->taps * sizeof *padded);
        status = gf_stft_run(s, padded, 1, 0, work, &spectrum, error);
    }
    if (status == GF_OK) {
        s->factors = malloc((size_t)s->bins * 2 * sizeof *s->factors);
        status = gf_need_memory(s->factors != NULL, error);
    }
    if (status == GF_OK) {
        memcpy(s->factors, spectrum, (size_t)s->bins * 2 * sizeof *s->factors);
    } else {
        gf_stft_destroy(s);
        s = NULL;
    }
    free(padded);
    free(work);
    return s;
}

static const struct gf_stft *stft_of(const void *args)
{
    return ((const struct gf_signal_overlap *)args)->stft;
}

/* Where the frames of block b begin in the input. */
static int64_t begin_of(const struct gf_signal_overlap *a, int64_t b)
{
    return b * a->stft->hop + a->fir.centre - (a->fir.taps - 1) + GF_FAULT(block_edge);
}

static int64_t ready(const void *args, int64_t frames)
{
    const struct gf_signal_overlap *a = args;
    return frames < a->fir.centre ? 0 : (frames - a->fir.centre) / a->stft->hop * a->stft->hop;
}

static int64_t needs(const void *args, int64_t frame)
{
    const int64_t first = begin_of(args, frame / stft_of(args)->hop);
    return first > 0 ? first : 0;
}

static void judge_product(float *x, const float *w, int32_t count)
{
    for (int32_t k = 0; k < count; k++, x += 2, w += 2) {
        const float re = x[0];
        x[0] = gf_fma(re, w[0], -(x[1] * w[1]));
        x[1] = gf_fma(re, w[1], x[1] * w[0]);
    }
}

/* Frames [first, first + count) of a channel, zeros outside of the signal: in its memory, or in `padded`. */
static const float *frames_of(const struct gf_track *in, int64_t first, int64_t count, float *padded)
{
    if (first >= in->first && first + count <= in->first + in->count) {
        return in->data + (first - in->first);
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = first + i - in->first;
        padded[i] = at >= 0 && at < in->count ? in->data[at] : 0.0F;
    }
    return padded;
}

/* Those frames of block b that the output has; h: the block's. */
static void put(const struct gf_signal_overlap *a, int64_t b, const float *h, const struct gf_track *in,
                const struct gf_track *out)
{
    const int64_t hop = a->stft->hop, last = out->first + out->count;
    const int64_t first = b * hop > out->first ? b * hop : out->first;
    const int64_t end = (b + 1) * hop < last ? (b + 1) * hop : last;
    float *const y = out->data + (first - out->first);
    memcpy(y, h + (a->fir.taps - 1 + first - b * hop), (size_t)(end - first) * sizeof *y);
    for (int64_t i = 0; a->envelope && i < end - first; i++) {
        y[i] = gf_envelope_frame(in->data[first + i - in->first], y[i]);
    }
}

/* One channel. */
static gf_status make(const struct gf_signal_overlap *a, int judged, const struct gf_track *in,
                      const struct gf_track *out, void *work, gf_error *error)
{
    const struct gf_stft *s = a->stft;
    float *const padded = (float *)(void *)((char *)work + gf_stft_work_bytes(s)), *spectra;
    const int64_t end = (out->first + out->count + s->hop - 1) / s->hop; /* of blocks */
    for (int64_t b = out->first / s->hop, some; b < end; b += some) {
        const float *y;
        some = end - b < s->batch ? end - b : s->batch;
        const float *x = frames_of(in, begin_of(a, b), (some - 1) * s->hop + s->size, padded);
        GF_TRY(gf_stft_run(s, x, (int32_t)some, judged, work, &spectra, error));
        for (int64_t i = 0; i < some; i++) {
            (judged ? judge_product : GF_LEVEL_BEST(gf_stft_rows).product)(spectra + i * 2 * s->bins,
                                                                           s->factors, s->bins);
        }
        GF_TRY(gf_stft_back(s, judged, work, &y, error));
        for (int64_t i = 0; i < some; i++) {
            put(a, b + i, y + i * s->size, in, out);
        }
    }
    return GF_OK;
}

static void *make_work(const struct gf_stft *s)
{
    return malloc(gf_stft_work_bytes(s) +
                  (size_t)((s->batch - 1) * (int64_t)s->hop + s->size) * sizeof(float));
}

static bool judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_track x = {(float *)(uintptr_t)in, 0, frames, frames}, y = {out, 0, frames, frames};
    void *work = make_work(stft_of(args));
    const bool good = work && make(args, 1, &x, &y, work, NULL) == GF_OK;
    free(work);
    return good;
}

static gf_status run(const void *args, void *state, const struct gf_track *in, int64_t frames,
                     const struct gf_track *out, int32_t channels, gf_error *error)
{
    void *work = make_work(stft_of(args));
    gf_status status = gf_need_memory(work != NULL, error);
    (void)state;
    (void)frames;
    for (int32_t c = 0; status == GF_OK && c < channels; c++) {
        const struct gf_track x = {in->data + c * in->pitch, in->first, in->count, in->pitch};
        const struct gf_track y = {out->data + c * out->pitch, out->first, out->count, out->pitch};
        status = make(args, 0, &x, &y, work, error);
    }
    free(work);
    return status;
}

/* ---- on CUDA --------------------------------------------------------------------------------------------- */

static size_t table_bytes(const void *args)
{
    return (size_t)stft_of(args)->bins * 2 * sizeof(float);
}

static size_t scratch_bytes(const void *args, int64_t most, int32_t channels)
{
    (void)channels;
    return gf_stft_device_bytes(stft_of(args), most / stft_of(args)->hop + 2);
}

static gf_status run_cuda(gf_queue queue, const void *args, void *state, void *scratch,
                          const struct gf_track *in, int64_t frames, const struct gf_track *out,
                          int32_t channels, gf_error *error)
{
    const struct gf_stft *s = stft_of(args);
    const int64_t b = out->first / s->hop, end = (out->first + out->count + s->hop - 1) / s->hop;
    struct gf_stft_cuda a = {.stft = s, .fir = args};
    GF_TRY(out->first > 0
               ? GF_OK
               : gf_memory_copy(queue, GF_COPY_UPLOAD, state, s->factors, table_bytes(args), error));
    for (int32_t c = 0; c < channels; c++) {
        const struct gf_track x = {in->data + c * in->pitch, in->first, in->count, in->pitch};
        const struct gf_track blocks = {NULL, b, end - b, 0};
        a.frames = (struct gf_track){out->data + c * out->pitch, out->first, out->count, out->pitch};
        GF_TRY(gf_stft_on_device(queue, &a, state, scratch, &x, frames, &blocks, error));
    }
    return GF_OK;
}

const struct gf_signal_kernel gf_signal_overlap = {.name = "fir",
                                                   .length = gf_signal_same,
                                                   .ready = ready,
                                                   .needs = needs,
                                                   .state_bytes = gf_signal_no_state,
                                                   .judge_whole = judge,
                                                   .try_cpu = run,
                                                   .scratch_bytes = scratch_bytes,
                                                   .run_cuda = run_cuda,
                                                   .table_bytes = table_bytes};
