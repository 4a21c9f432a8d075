/* TIFF, through libtiff. Integers with a sign and of 64 bits are read, and not written. */
#include "fuzz.h"

void fuzz_tiff(const uint8_t *data, size_t size)
{
    if (size > (size_t)1 << 15 || strcmp(fuzz_format(data, size), "tiff") != 0) {
        return;
    }
    gf_picture *picture = fuzz_read(data, size, (uint32_t)(size % 3));
    const gf_format *format = NULL;
    if (picture != NULL && gf_io_format_for("a.tif", NULL, &format, NULL) == GF_OK &&
        (format->depths >> picture->image.shape.depth & 1u) != 0) {
        fuzz_write_again(picture, "tiff", -1);
    }
    gf_picture_destroy(&picture);
}
