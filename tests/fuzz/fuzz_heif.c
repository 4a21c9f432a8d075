/* HEIF and AVIF, through libheif, whose decoders are the system's: read, and not written. */
#include "foreign_leaks.h"
#include "fuzz.h"

void fuzz_heif(const uint8_t *data, size_t size)
{
    if (size <= (size_t)1 << 15 && strcmp(fuzz_format(data, size), "heif") == 0) {
        gf_picture *picture = fuzz_read(data, size, 0);
        gf_picture_destroy(&picture);
    }
}
