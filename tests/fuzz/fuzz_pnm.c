/* PNM, plain and raw, and back: read at full scale, so the second reading is the first. */
#include "fuzz.h"

void fuzz_pnm(const uint8_t *data, size_t size)
{
    fuzz_file(data, size, "pnm", 1);
}
