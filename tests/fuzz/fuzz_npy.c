/* npy, all depths, and back. */
#include "fuzz.h"

void fuzz_npy(const uint8_t *data, size_t size)
{
    fuzz_file(data, size, "npy", 1);
}
