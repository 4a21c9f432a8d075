#include "signal/signal_lowering_private.h"
#include "signal/stft_stage.h"

#include "base/status.h"

#include <stdlib.h>

int32_t gf_signal_lower_segment(gf_signal_lowering *l, const struct gf_stft_stage *stage)
{
    const int64_t frames = stage->time > 0 ? GF_AUTO : stage->frames;
    const int64_t size = gf_signal_lower_duration(l, "time", stage->time, frames, GF_STFT_SIZE);
    if (size == 1 || (size == 0 && stage->time > 0)) {
        gf_signal_lower_fail(l, "time", "a segment of %.10g s is %d frames, must be at least 2", stage->time,
                             (int)size);
    }
    return (int32_t)size;
}

struct gf_stft *gf_make_segments(const struct gf_stft_stage *stage, int32_t size, int32_t hop,
                                 int32_t centred)
{
    static const enum gf_taper tapers[] = {GF_HANN, GF_HAMMING, GF_BLACKMAN, GF_KAISER, GF_BOXCAR};
    double *taper = size > 0 ? malloc((size_t)size * sizeof *taper) : NULL;
    struct gf_stft *made = NULL;
    if (taper && gf_make_taper(tapers[stage->window], stage->beta, true, size, taper, NULL) == GF_OK) {
        made = gf_stft_create(size, hop, centred, taper);
    }
    free(taper);
    return made;
}

void gf_signal_lower_stft(gf_signal_lowering *l, const struct gf_signal_kernel *kernel,
                          const struct gf_signal_measure *measure, const void *args, size_t size,
                          struct gf_stft *stft)
{
    gf_error why = GF_ERROR_INIT;
    if (!stft) {
        gf_signal_lower_failed(l, gf_fail(&why, GF_ERROR_MEMORY, "out of memory"), &why);
    }
    struct gf_lowered_node *node = gf_signal_lower_node(l, kernel, args, size, NULL);
    if (node) {
        node->more = stft;
        node->release = gf_stft_destroy;
        node->measure = measure;
        l->out->rate = measure ? l->out->rate : l->out->rate / stft->hop;
    } else {
        gf_stft_destroy(stft);
    }
}
