/* Text as signals. */
#include "fuzz_signal.h"

void fuzz_csv(const uint8_t *data, size_t size)
{
    fuzz_signal(data, size, "csv", size % 2 ? "csv" : "tsv");
}
