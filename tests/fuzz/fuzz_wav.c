/* WAV, RF64, Wave64, and arrays of NumPy as signals: whatever the first bytes tell, or raw samples. */
#include "fuzz_signal.h"

void fuzz_wav(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {NULL, NULL, NULL, NULL, "s24be:8000:3", "w64", "npy", "wav"};
    fuzz_signal(data, size, formats[size % 8], "wav");
}
