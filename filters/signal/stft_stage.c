#include "signal/stft_stage.h"
#include "signal/signal_lowering_private.h"

#include <math.h>
#include <stdlib.h>

/* Segments of `size` frames; NULL where that failed. */
static struct gf_stft *make_segments(const struct gf_stft_stage *stage, int32_t size, int32_t centred,
                                     gf_error *why)
{
    static const enum gf_taper tapers[] = {GF_HANN, GF_HAMMING, GF_BLACKMAN, GF_KAISER, GF_BOXCAR};
    const int32_t hop =
        stage->hop == GF_AUTO ? size - (int32_t)floor(size * stage->overlap + 1e-9) : (int32_t)stage->hop;
    double *taper = malloc((size_t)size * sizeof *taper);
    struct gf_stft *stft = NULL;
    if (gf_need_memory(taper != NULL, why) == GF_OK &&
        gf_make_taper(tapers[stage->window], stage->beta, true, size, taper, why) == GF_OK) {
        stft = gf_stft_create(size, hop, centred, taper);
        gf_need_memory(stft != NULL, why);
    }
    free(taper);
    return stft;
}

/* A node that has the segments, which are freed where that failed. */
static struct gf_lowered_node *add_node(gf_signal_lowering *l, const struct gf_signal_kernel *kernel,
                                        const void *args, size_t bytes, struct gf_stft *stft)
{
    struct gf_lowered_node *node = gf_signal_lower_node(l, kernel, args, bytes, NULL);
    if (node) {
        node->more = stft;
        node->release = gf_stft_destroy;
    } else {
        gf_stft_destroy(stft);
    }
    return node;
}

struct gf_stft *gf_signal_lower_stft(gf_signal_lowering *l, const struct gf_stft_stage *stage,
                                     int32_t centred, const struct gf_signal_kernel *kernel,
                                     const struct gf_signal_measure *measure, void *args, size_t bytes)
{
    const struct gf_text_place *given = l->node->places; /* by the order of GF_STFT_ROWS */
    if (given[0].length > 0 && given[1].length > 0) {
        gf_signal_lower_fail(l, "time", "frames= and time= both say how long a segment is: give one of them");
        return NULL;
    }
    const int64_t frames = stage->time > 0 || given[1].length > 0 ? GF_AUTO : stage->frames;
    const int64_t size = gf_signal_lower_duration(l, "time", stage->time, frames, GF_STFT_SIZE);
    gf_error why = GF_ERROR_INIT;
    if (size < 2) {
        gf_signal_lower_fail(l, "time", "a segment of %.10g s is %d frames, must be at least 2", stage->time,
                             (int)size);
        return NULL;
    }
    if (measure && stage->hop > size) { /* which sees all frames */
        gf_signal_lower_fail(l, "hop", "hop is %d, may be %d, as many as a segment has", (int)stage->hop,
                             (int)size);
        return NULL;
    }
    struct gf_stft *stft = make_segments(stage, (int32_t)size, centred, &why);
    if (!stft) {
        gf_signal_lower_failed(l, why.code, &why);
        return NULL;
    }
    *(const struct gf_stft **)args = stft;
    struct gf_lowered_node *node = add_node(l, kernel, args, bytes, stft);
    if (!node) {
        return NULL;
    }
    node->measure = measure;
    l->out->rate = measure ? l->out->rate : l->out->rate / stft->hop;
    return stft;
}

void gf_signal_lower_taps(gf_signal_lowering *l, const double *values, int64_t taps, int64_t centre,
                          int32_t envelope)
{
    const bool few = taps <= GF_SIGNAL_DIRECT || taps > GF_SIGNAL_TAPS; /* of which the first two say it */
    float *tap = few && envelope      ? gf_signal_lower_envelope(l, taps)
                 : few                ? gf_signal_lower_fir(l, taps, centre, 0)
                 : l->status == GF_OK ? malloc((size_t)taps * sizeof *tap)
                                      : NULL;
    struct gf_signal_overlap args = {{(int32_t)taps, (int32_t)centre, 0, tap}, envelope, NULL};
    gf_error why = GF_ERROR_INIT;
    for (int64_t k = 0; tap && k < taps; k++) {
        tap[k] = (float)values[k];
    }
    if (few || l->status != GF_OK) { /* the node has them, or there are none */
        return;
    }
    struct gf_stft *stft = NULL;
    if (gf_need_memory(tap != NULL, &why) == GF_OK) {
        stft = gf_signal_overlap_make(&args.fir, &why);
    }
    args.fir.tap = NULL;
    args.stft = stft;
    if (stft) {
        stft->taps = tap;
        add_node(l, &gf_signal_overlap, &args, sizeof args, stft);
    } else {
        free(tap);
        gf_signal_lower_failed(l, why.code, &why);
    }
}
