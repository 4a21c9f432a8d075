/* Frames of a channel that a measure holds, as only the end tells what they are. */
#include "base/status.h"
#include "signal/measure.h"

#include <stdlib.h>
#include <string.h>

gf_status gf_signal_held_observe(const void *args, void *state, const float *data, int64_t count,
                                 gf_error *error)
{
    struct gf_signal_held *held = state;
    (void)args;
    if (count > GF_SIGNAL_HELD - held->n) {
        return gf_fail(
            error, GF_ERROR_LIMIT,
            "it holds the signal, at most 2^26 frames of a channel, and there are more: put decimate "
            "before it, or cut the signal");
    }
    if (held->n + count > held->room) {
        const int64_t room = 2 * (held->n + count);
        float *more = realloc(held->data, (size_t)room * sizeof *more);
        if (!more) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory: it holds the signal");
        }
        *held = (struct gf_signal_held){more, held->n, room};
    }
    memcpy(held->data + held->n, data, (size_t)count * sizeof *data);
    held->n += count;
    return GF_OK;
}

void gf_signal_held_release(void *state)
{
    free(((struct gf_signal_held *)state)->data);
}
