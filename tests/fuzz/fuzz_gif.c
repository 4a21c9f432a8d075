/* GIF, through giflib: read, and not written. Frames 2 and 3, too. */
#include "fuzz.h"

void fuzz_gif(const uint8_t *data, size_t size)
{
    if (size > (size_t)1 << 15 || strcmp(fuzz_format(data, size), "gif") != 0) {
        return;
    }
    gf_picture *picture = fuzz_read(data, size, 0);
    gf_picture_destroy(&picture);
    for (int64_t page = 2; page < 4; page++) {
        gf_io_limits limits = fuzz_limits(0);
        gf_error error = GF_ERROR_INIT;
        limits.page = page;
        const gf_status status = gf_io_read_memory(data, size, "bytes", &limits, &picture, &error);
        fuzz_status(status, &error);
        FUZZ_CHECK(status == GF_OK || status == GF_ERROR_INPUT || status == GF_ERROR_LIMIT, "%s",
                   error.message);
        if (picture != NULL) {
            look_at_every_byte(&picture->image);
        }
        gf_picture_destroy(&picture);
    }
}
