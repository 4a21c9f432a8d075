/* EXR, where the build has it. Not back: colours are divided by alpha, and multiplied again. */
#include "fuzz.h"

void fuzz_exr(const uint8_t *data, size_t size)
{
    fuzz_file(data, size, "exr", 0);
}
