/* JPEG, through libjpeg. It loses samples, so it is not written again. */
#include "fuzz.h"

void fuzz_jpeg(const uint8_t *data, size_t size)
{
    fuzz_file(data, size, "jpeg", 0);
}
