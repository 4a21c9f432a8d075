/* What linear and srgb are. */
#pragma once

#include "gpufilter/stage.h"

#define GF_TRANSFER_SOURCE "IEC 61966-2-1, the standard of sRGB."
#define GF_TRANSFER_BELOW  "Below 0, which f32 can be, by symmetry. The power as in the stage gamma."

/* A stage has no parameters of its own. */
static const gf_param gf_transfer_params[] = {{0}};
