/* A target for libFuzzer; GF_FUZZ_NAME is the target's function. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    GF_FUZZ_NAME(data, size);
    return 0;
}
