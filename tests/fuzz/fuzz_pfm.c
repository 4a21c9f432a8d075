/* PFM, either byte order, and back. */
#include "fuzz.h"

void fuzz_pfm(const uint8_t *data, size_t size)
{
    fuzz_file(data, size, "pfm", 1);
}
