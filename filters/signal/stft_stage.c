#include "signal/stft_stage.h"
#include "signal/signal_lowering_private.h"

#include <stdlib.h>

int32_t gf_signal_lower_segment(gf_signal_lowering *l, const struct gf_stft_stage *stage)
{
    const int64_t frames = stage->time > 0 ? GF_AUTO : stage->frames;
    const int64_t size = gf_signal_lower_duration(l, "time", stage->time, frames, GF_STFT_SIZE);
    if (size < 2) {
        gf_signal_lower_fail(l, "time", "a segment of %.10g s is %d frames, must be at least 2", stage->time,
                             (int)size);
    }
    return size < 2 ? 2 : (int32_t)size;
}

void gf_signal_lower_stft(gf_signal_lowering *l, const struct gf_stft_lowered *wanted, void *args,
                          size_t bytes)
{
    static const enum gf_taper tapers[] = {GF_HANN, GF_HAMMING, GF_BLACKMAN, GF_KAISER, GF_BOXCAR};
    const struct gf_stft_stage *stage = wanted->stage;
    double *taper = malloc((size_t)wanted->size * sizeof *taper);
    struct gf_stft *stft = NULL;
    gf_error why = GF_ERROR_INIT;
    gf_status status = gf_need_memory(taper != NULL, &why);
    status =
        status ? status : gf_make_taper(tapers[stage->window], stage->beta, true, wanted->size, taper, &why);
    if (status == GF_OK) {
        stft = gf_stft_create(wanted->size, wanted->hop, wanted->centred, taper);
        status = gf_need_memory(stft != NULL, &why);
    }
    if (status != GF_OK) {
        gf_signal_lower_failed(l, status, &why);
    }
    free(taper);
    *(const struct gf_stft **)args = stft;
    struct gf_lowered_node *node = gf_signal_lower_node(l, wanted->kernel, args, bytes, NULL);
    if (!node) {
        gf_stft_destroy(stft);
        return;
    }
    node->more = stft;
    node->release = gf_stft_destroy;
    node->measure = wanted->measure;
    l->out->rate = wanted->measure ? l->out->rate : l->out->rate / wanted->hop;
}
