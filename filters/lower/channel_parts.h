/* Names of the numbers in a column that has one for each measured channel. */
#pragma once

#include "gpufilter/stage.h"

/* The names that gf_result_column takes; NULL: there is one number, which needs no name. channels: as in
 * gf_measured. */
static inline const char *gf_channel_parts(int32_t of_picture, uint32_t channels)
{
    static const char *const of_colour[16] = {
        NULL, NULL,      NULL,      "r|g",       NULL,      "r|b",       "g|b",       "r|g|b",
        NULL, "r|alpha", "g|alpha", "r|g|alpha", "b|alpha", "r|b|alpha", "g|b|alpha", "r|g|b|alpha"};
    return of_picture > 2 ? of_colour[channels & 15] : channels == 3 ? "gray|alpha" : NULL;
}
