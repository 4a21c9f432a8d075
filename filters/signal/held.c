#include "signal/held.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

gf_status gf_signal_hold(struct gf_signal_held *held, const float *data, int64_t count, int64_t most,
                         gf_error *error)
{
    if (count > most - held->n) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "it holds the signal, at most %" PRId64
                       " frames of a channel, and there are more: put decimate before it, or cut the signal",
                       most);
    }
    if (held->n + count > held->room) {
        const int64_t room = 2 * (held->n + count) < most ? 2 * (held->n + count) : most;
        float *more = realloc(held->data, (size_t)room * sizeof *more);
        if (!more) {
            return gf_fail(error, GF_ERROR_MEMORY, "out of memory: it holds the signal");
        }
        held->data = more;
        held->room = room;
    }
    memcpy(held->data + held->n, data, (size_t)count * sizeof *data);
    held->n += count;
    return GF_OK;
}

void gf_signal_held_release(void *held)
{
    free(((struct gf_signal_held *)held)->data);
}
