#include "io/npy_convert.h"

#include <stddef.h>
#include <string.h>

#define DEFINE_CONVERTER(name, type_from, type_to)                                                           \
    static void name(const uint8_t *from, int64_t from_step, uint8_t *to, int64_t to_step, int64_t count)    \
    {                                                                                                        \
        for (int64_t i = 0; i < count; i++) {                                                                \
            type_from stored;                                                                                \
            memcpy(&stored, from + i * from_step, sizeof stored);                                            \
            const type_to sample = (type_to)stored;                                                          \
            memcpy(to + i * to_step, &sample, sizeof sample);                                                \
        }                                                                                                    \
    }

/* Converts to the nearest float, ties to even, beyond its range infinite; NaN stays. */
DEFINE_CONVERTER(f32_of_f64, double, float)
DEFINE_CONVERTER(f32_of_u32, uint32_t, float)
DEFINE_CONVERTER(f32_of_u64, uint64_t, float)
DEFINE_CONVERTER(f32_of_s8, int8_t, float)
DEFINE_CONVERTER(f32_of_s16, int16_t, float)
DEFINE_CONVERTER(f32_of_s32, int32_t, float)
DEFINE_CONVERTER(f32_of_s64, int64_t, float)
DEFINE_CONVERTER(f64_of_s32, int32_t, double)
DEFINE_CONVERTER(s16_of_s8, int8_t, int16_t)

/* IEEE 754 binary16: every value, infinities and the bits of NaN among them, has its like in f32. */
static float float_of_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, rest = half & 0x3ff;
    float value = (float)rest * 0x1p-24f; /* of zero and subnormals */
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (exponent != 0) {
        bits = (exponent == 31 ? 255 : exponent + 112) << 23 | rest << 13;
    }
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void f32_of_f16(const uint8_t *from, int64_t from_step, uint8_t *to, int64_t to_step, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint16_t stored;
        memcpy(&stored, from + i * from_step, sizeof stored);
        const float sample = float_of_half(stored);
        memcpy(to + i * to_step, &sample, sizeof sample);
    }
}

#define UNSCALED " unscaled: white is 1"

static const struct {
    char kind;
    int size;
    uint32_t least; /* of result_depths; the last of the lines that fit counts */
    struct gf_npy_type type;
} types[] = {
    {'u', 1, 0, {GF_U8, NULL, "uint8", NULL}},
    {'b', 1, 0, {GF_U8, NULL, "bool", "u8, 0 and 255"}},
    {'u', 2, 0, {GF_U16, NULL, "uint16", NULL}},
    {'f', 4, 0, {GF_F32, NULL, "float32", NULL}},
    {'f', 2, 0, {GF_F32, f32_of_f16, "float16", "f32"}},
    {'f', 8, 0, {GF_F32, f32_of_f64, "float64", "f32, rounded"}},
    {'i', 1, 0, {GF_F32, f32_of_s8, "int8", "f32," UNSCALED}},
    {'i', 2, 0, {GF_F32, f32_of_s16, "int16", "f32," UNSCALED}},
    {'u', 4, 0, {GF_F32, f32_of_u32, "uint32", "f32, rounded above 2^24," UNSCALED}},
    {'i', 4, 0, {GF_F32, f32_of_s32, "int32", "f32, rounded above 2^24," UNSCALED}},
    {'u', 8, 0, {GF_F32, f32_of_u64, "uint64", "f32, rounded above 2^24," UNSCALED}},
    {'i', 8, 0, {GF_F32, f32_of_s64, "int64", "f32, rounded above 2^24," UNSCALED}},
    {'f', 8, 1, {GF_F64, NULL, "float64", NULL}},
    {'u', 4, 1, {GF_U32, NULL, "uint32", NULL}},
    {'u', 8, 1, {GF_U64, NULL, "uint64", NULL}},
    {'i', 4, 1, {GF_F64, f64_of_s32, "int32", "f64"}},
    {'i', 8, 1, {GF_S64, NULL, NULL, NULL}}, /* no depth of results holds all, and results are not rounded */
    {'b', 1, 2, {GF_U8, NULL, "bool", "u8, 0 and 1"}},
    {'i', 1, 2, {GF_S16, s16_of_s8, "int8", "i16"}},
    {'i', 2, 2, {GF_S16, NULL, "int16", NULL}},
    {'i', 4, 2, {GF_S32, NULL, "int32", NULL}},
    {'i', 8, 2, {GF_S64, NULL, "int64", NULL}},
};

int gf_npy_choose(char kind, int size, uint32_t result_depths, struct gf_npy_type *type)
{
    *type = (struct gf_npy_type){0};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].kind == kind && types[i].size == size && types[i].least <= result_depths) {
            *type = types[i].type;
        }
    }
    return type->name != NULL;
}
