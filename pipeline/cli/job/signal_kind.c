#define _POSIX_C_SOURCE 200809L
#include "job/signal_kind.h"

#include "gpufilter/signal_io.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool comes_once(const char *path)
{
    struct stat status;
    return !strcmp(path, "-") || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

bool names_signal(const char *path, const char *format)
{
    const gf_signal_format *of_signal;
    const gf_format *of_picture;
    return (path || format) && gf_signal_io_format_for(path, format, &of_signal, NULL) == GF_OK &&
           gf_io_format_for(path, format, &of_picture, NULL) != GF_OK;
}

/* An array of one dimension is a signal; the reader of signals takes no other that nobody has explained. */
static bool reads_as_signal(const char *path)
{
    gf_signal_reader *reader = NULL;
    const bool reads = gf_signal_reader_open(path, NULL, &reader, NULL) == GF_OK;
    gf_signal_reader_close(&reader);
    return reads;
}

bool file_is_signal(const char *path)
{
    unsigned char head[16];
    FILE *file = comes_once(path) ? NULL : fopen(path, "rb");
    const size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (file) {
        fclose(file);
    }
    const gf_signal_format *format = gf_signal_io_format_of(head, n);
    return !format                            ? names_signal(path, NULL)
           : names_signal(path, format->name) ? true
                                              : reads_as_signal(path);
}
