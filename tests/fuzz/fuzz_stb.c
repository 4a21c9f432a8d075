/* BMP, TGA and HDR, through stb_image, and back but for HDR, whose eight bits are rounded once more. */
#include "fuzz.h"

void fuzz_stb(const uint8_t *data, size_t size)
{
    fuzz_file(data, size, "bmp", 1);
    fuzz_file(data, size, "tga", 1);
    fuzz_file(data, size, "hdr", 0);
}
