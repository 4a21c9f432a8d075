/* Apart from status.c, so that gpufilter_io can have a hidden copy of its own. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the caller's gf_error. The first one published was the smallest ever, so a size that is not set
 * stands for it. */
static size_t size_of(const gf_error *error)
{
    enum { FIRST_PUBLISHED = 500 };
    _Static_assert(sizeof(gf_error) >= FIRST_PUBLISHED, "gf_error only grows");
    return error->struct_size ? error->struct_size : FIRST_PUBLISHED;
}

/* Sets the field at `offset` if the caller has it. */
static void put(gf_error *error, size_t offset, int32_t value)
{
    if (offset + sizeof value <= size_of(error)) {
        memcpy((char *)error + offset, &value, sizeof value);
    }
}

void gf_error_place(gf_error *error, int32_t stage, int32_t text_offset, int32_t text_length)
{
    if (error) {
        put(error, offsetof(gf_error, stage), stage);
        put(error, offsetof(gf_error, text_offset), text_offset);
        put(error, offsetof(gf_error, text_length), text_length);
    }
}

void gf_error_stage(gf_error *error, int32_t stage)
{
    if (error) {
        put(error, offsetof(gf_error, stage), stage);
    }
}

void gf_error_system(gf_error *error, int32_t number)
{
    if (error) {
        put(error, offsetof(gf_error, system), number);
    }
}

gf_status gf_need_memory(bool there, gf_error *error)
{
    return there ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "out of memory");
}

gf_status gf_fail(gf_error *error, gf_status code, const char *format, ...)
{
    if (error) {
        size_t size = size_of(error), head = offsetof(gf_error, message), most = sizeof error->message;
        put(error, offsetof(gf_error, code), (int32_t)code);
        gf_error_place(error, -1, -1, 0);
        put(error, offsetof(gf_error, system), 0);
        if (size > head) {
            va_list args;
            va_start(args, format);
            vsnprintf(error->message, size - head < most ? size - head : most, format, args);
            va_end(args);
        }
    }
    return code;
}

gf_status gf_error_copy(gf_error *error, const gf_error *from)
{
    gf_fail(error, from->code, "%s", from->message);
    gf_error_place(error, from->stage, from->text_offset, from->text_length);
    gf_error_system(error, from->system);
    return from->code;
}

gf_status gf_callback_status(gf_status status, gf_error *said, const char *who, gf_error *error)
{
    if (status == GF_OK) {
        return GF_OK;
    }
    if (status > GF_OK || status < GF_ERROR_INTERNAL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s returned %d, which is no gf_status", who, (int)status);
    }
    if (!said->message[0]) {
        return gf_fail(error, status, "%s failed and did not say why", who);
    }
    said->message[sizeof said->message - 1] = '\0';
    said->code = status;
    return gf_error_copy(error, said);
}
