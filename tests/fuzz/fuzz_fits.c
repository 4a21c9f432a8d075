/* FITS, its numbers as u8, u16 and f32, and back. */
#include "fuzz.h"

void fuzz_fits(const uint8_t *data, size_t size)
{
    fuzz_file(data, size, "fits", 1);
}
