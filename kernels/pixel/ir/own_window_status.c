#include "pixel/ir/own_window.h"

#include "base/status.h"

#include <stdio.h>

gf_status gf_own_window_status(const struct gf_own_window_args *args, gf_status status, gf_error *said,
                               gf_error *error)
{
    char who[160];
    snprintf(who, sizeof who, "the window function of stage %d '%.60s'", (int)args->number + 1, args->stage);
    status = gf_callback_status(status, said, who, error);
    if (status != GF_OK) {
        gf_error_stage(error, args->number);
    }
    return status;
}
