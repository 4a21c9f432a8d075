/* FLAC, through libFLAC; a build without it refuses all. */
#include "fuzz_signal.h"

void fuzz_flac(const uint8_t *data, size_t size)
{
    fuzz_signal(data, size, size % 4 ? "flac" : NULL, "wav");
}
