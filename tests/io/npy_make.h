/* npy files of any header. */
#ifndef NPY_MAKE_H
#define NPY_MAKE_H

#include "io_help.h"

#define D(type, order, shape) "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape "}"

/* Writes a file of version `major` with this dictionary and these samples. */
static inline const char *put_npy(int major, const char *dictionary, const void *samples, size_t size)
{
    unsigned char bytes[4096] = "\x93NUMPY";
    size_t length = strlen(dictionary), head = major == 1 ? 10 : 12;
    bytes[6] = (unsigned char)major;
    bytes[8] = (unsigned char)length;
    bytes[9] = (unsigned char)(length >> 8);
    memcpy(bytes + head, dictionary, length);
    memcpy(bytes + head + length, samples, size);
    const char *path = in_folder("n.npy");
    put_file(path, bytes, head + length + size);
    return path;
}

static inline gf_picture *read_npy(int major, const char *dictionary, const void *samples, size_t size)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.result_depths = 1;
    gf_status status = gf_io_read(put_npy(major, dictionary, samples, size), &limits, &picture, &error);
    CHECK_MSG(status == GF_OK, "%s: %s", dictionary, error.message);
    return picture;
}

#endif
