/* Pictures' files made by hand, byte by byte, in one buffer. */
#ifndef IO_BYTES_H
#define IO_BYTES_H

#include "io_help.h"

static unsigned char file[8192];
static size_t file_size;

static inline void add(const void *bytes, size_t size)
{
    memcpy(file + file_size, bytes, size);
    file_size += size;
}

static inline void add_number(uint32_t value, int size)
{
    for (int i = 0; i < size; i++) {
        file[file_size++] = (unsigned char)(value >> 8 * i);
    }
}

#define ADD(text) add(text, sizeof(text) - 1)

/* The file in `file` must be this picture, and every shorter one an error. */
static inline void check_u8(const char *what, int width, int height, int channels, const char *samples)
{
    gf_error error;
    gf_picture *in = read_bytes(file, file_size, NULL, &error);
    CHECK_MSG(in != NULL, "%s: %s", what, error.message);
    if (in != NULL) {
        const gf_shape *shape = &in->image.shape;
        int same = shape->width == width && shape->height == height && shape->channels == channels;
        for (int y = 0; y < height && same; y++) {
            same = memcmp((char *)in->image.data + y * in->image.pitch, samples + y * width * channels,
                          (size_t)(width * channels)) == 0;
        }
        CHECK_MSG(same, "%s: another picture, %d x %d x %d", what, (int)shape->width, (int)shape->height,
                  (int)shape->channels);
    }
    gf_picture_destroy(&in);
    check_cuts(what, file, file_size);
    check_bits(file, file_size);
}

static inline void check_wrong(const char *what, gf_status status, const char *says)
{
    gf_error error;
    gf_picture *in = read_bytes(file, file_size, NULL, &error);
    CHECK_MSG(in == NULL && error.code == status && strstr(error.message, says) != NULL, "%s: %d, %s", what,
              (int)error.code, error.message);
    gf_picture_destroy(&in);
}

#endif
