/* PNG, through libpng and zlib, and back: samples and metadata as they were. */
#include "fuzz.h"

void fuzz_png(const uint8_t *data, size_t size)
{
    fuzz_file(data, size, "png", 1);
}
