#include "base/status.h"

const char *gf_status_name(gf_status status)
{
    switch (status) {
    case GF_OK:
        return "success";
    case GF_ERROR_ARGUMENT:
        return "argument out of range";
    case GF_ERROR_PARSE:
        return "wrong pipeline text";
    case GF_ERROR_UNSUPPORTED:
        return "not supported";
    case GF_ERROR_INPUT:
        return "unreadable input";
    case GF_ERROR_LIMIT:
        return "limit exceeded";
    case GF_ERROR_OUTPUT:
        return "output not written";
    case GF_ERROR_DEVICE:
        return "device failure";
    case GF_ERROR_MEMORY:
        return "out of memory";
    case GF_ERROR_MISMATCH:
        return "results differ";
    case GF_ERROR_CANCELLED:
        return "cancelled";
    case GF_ERROR_INTERNAL:
        return "internal error";
    }
    return "unknown status";
}

int gf_status_exit_code(gf_status status)
{
    switch (status) {
    case GF_OK:
        return 0;
    case GF_ERROR_ARGUMENT:
    case GF_ERROR_PARSE:
    case GF_ERROR_UNSUPPORTED:
        return 2;
    case GF_ERROR_INPUT:
    case GF_ERROR_LIMIT:
        return 3;
    case GF_ERROR_OUTPUT:
        return 4;
    case GF_ERROR_DEVICE:
        return 5;
    case GF_ERROR_MEMORY:
        return 6;
    case GF_ERROR_MISMATCH:
        return 7;
    case GF_ERROR_CANCELLED:
    case GF_ERROR_INTERNAL:
        return 1;
    }
    return 1;
}

size_t gf_depth_size(gf_depth depth)
{
    switch (depth) {
    case GF_U8:
        return 1;
    case GF_U16:
    case GF_S16:
        return 2;
    case GF_F32:
    case GF_U32:
    case GF_S32:
        return 4;
    case GF_U64:
    case GF_F64:
    case GF_S64:
        return 8;
    }
    return 0;
}

int64_t gf_image_row_bytes(int64_t width, int32_t channels, gf_depth depth)
{
    int64_t pixel = channels * (int64_t)gf_depth_size(depth);
    return width < 0 || pixel <= 0 || width > INT64_MAX / pixel ? 0 : width * pixel;
}

const char *gf_depth_name(gf_depth depth)
{
    static const char *const names[] = {"u8", "u16", "f32", "u32", "u64", "f64", "i16", "i32", "i64"};
    return (unsigned)depth < sizeof names / sizeof names[0] ? names[depth] : "unknown depth";
}

double gf_depth_white(gf_depth depth)
{
    return depth == GF_U8 ? 255.0 : depth == GF_U16 ? 65535.0 : depth == GF_F32 ? 1.0 : 0.0;
}

const char *gf_border_name(gf_border border)
{
    static const char *const names[] = {"replicate", "reflect101", "reflect", "wrap", "constant"};
    return (unsigned)border < sizeof names / sizeof names[0] ? names[border] : "unknown border";
}
