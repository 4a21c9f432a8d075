#include "io/alpha_divide.h"

#include "io/codec.h"

/* Colour that is multiplied by alpha becomes colour: rounded half up, at most white. */
#define DEFINE_DIVIDE(name, type, full)                                                                      \
    static void name(type *pixel, int64_t width, int colours)                                                \
    {                                                                                                        \
        for (int64_t x = 0; x < width; x++, pixel += colours + 1) {                                          \
            for (int c = 0; c < colours; c++) {                                                              \
                const uint32_t alpha = pixel[colours];                                                       \
                pixel[c] = pixel[c] >= alpha ? (alpha > 0 ? full : 0)                                        \
                                             : (type)gf_scale_sample(pixel[c], alpha, full);                 \
            }                                                                                                \
        }                                                                                                    \
    }
DEFINE_DIVIDE(divide_u8, uint8_t, 255)
DEFINE_DIVIDE(divide_u16, uint16_t, 65535)

#define DEFINE_DIVIDE_FLOAT(name, type)                                                                      \
    static void name(type *pixel, int64_t width, int colours)                                                \
    {                                                                                                        \
        for (int64_t x = 0; x < width; x++, pixel += colours + 1) {                                          \
            for (int c = 0; c < colours && pixel[colours] != 0; c++) {                                       \
                pixel[c] /= pixel[colours];                                                                  \
            }                                                                                                \
        }                                                                                                    \
    }
DEFINE_DIVIDE_FLOAT(divide_f32, float)
DEFINE_DIVIDE_FLOAT(divide_f64, double)

void gf_alpha_divide(const gf_shape *shape, void *row, int colours)
{
    switch (shape->depth) {
    case GF_U8:
        divide_u8(row, shape->width, colours);
        break;
    case GF_U16:
        divide_u16(row, shape->width, colours);
        break;
    case GF_F64:
        divide_f64(row, shape->width, colours);
        break;
    default:
        divide_f32(row, shape->width, colours);
        break;
    }
}
