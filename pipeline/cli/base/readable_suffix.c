#define _POSIX_C_SOURCE 200809L /* strncasecmp */
#include "base/readable_suffix.h"

#include "gpufilter/io.h"

#include <string.h>
#include <strings.h>

bool readable_suffix_has(const char *name)
{
    const char *dot = strrchr(name, '.');
    const gf_format *format;
    for (size_t i = 0; dot && (format = gf_io_format(i)); i++) {
        for (const char *at = format->suffixes; format->reads && *at;) {
            size_t length = strcspn(at, " ");
            if (strlen(dot + 1) == length && !strncasecmp(dot + 1, at, length)) {
                return true;
            }
            at += length + (at[length] == ' ');
        }
    }
    return false;
}
