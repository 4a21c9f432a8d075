/* Apart from status.c, so that gpufilter_io can have a hidden copy of its own. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

gf_status gf_fail(gf_error *error, gf_status code, const char *format, ...)
{
    if (error) {
        va_list args;
        error->code = code;
        error->stage = -1;
        error->text_offset = -1;
        error->text_length = 0;
        va_start(args, format);
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return code;
}
