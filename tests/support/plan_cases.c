#include "plan_cases.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

uint32_t plan_random_next(struct plan_random *random)
{
    uint64_t old = random->state;
    random->state = old * 6364136223846793005U + random->increment;
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

void plan_random_seed(struct plan_random *random, uint64_t seed, uint64_t stream)
{
    random->state = 0;
    random->increment = (stream << 1) | 1;
    plan_random_next(random);
    random->state += seed;
    plan_random_next(random);
}

uint32_t plan_random_below(struct plan_random *random, uint32_t n)
{
    return (uint32_t)(((uint64_t)plan_random_next(random) * n) >> 32);
}

int64_t plan_random_between(struct plan_random *random, int64_t lo, int64_t hi)
{
    return lo + plan_random_below(random, (uint32_t)(hi - lo + 1));
}

/* Uniform in [0, 1), a multiple of 2^-24. */
static float unit(struct plan_random *random)
{
    return (float)(plan_random_next(random) >> 8) * 0x1p-24F;
}

static bool chance(struct plan_random *random, uint32_t one_in)
{
    return plan_random_below(random, one_in) == 0;
}

static int64_t side(struct plan_random *random, int64_t most)
{
    int64_t n = plan_random_between(random, 1, most);
    switch (plan_random_below(random, 4)) {
    case 0:
        n = plan_random_between(random, 1, 9);
        break;
    case 1:
        n = 32 * plan_random_between(random, 1, 4) + plan_random_between(random, -2, 2);
        break;
    case 2:
        n = 128 * plan_random_between(random, 1, 4) + plan_random_between(random, -2, 2);
        break;
    default:
        break;
    }
    return n < most ? n : most;
}

gf_shape plan_random_shape(struct plan_random *random, int64_t max_width, int64_t max_height)
{
    gf_shape shape;
    shape.width = side(random, max_width);
    shape.height = side(random, max_height);
    shape.channels = (int32_t)plan_random_between(random, 1, 4);
    shape.depth = (gf_depth)plan_random_below(random, 3);
    return shape;
}

/* ---- pictures ---- */

/* What a channel of a picture is made from. */
struct pattern {
    float base, slope_x, slope_y;
    float wave_x[3], wave_y[3], phase[3], height[3];
    int64_t square;
};

static struct pattern random_pattern(struct plan_random *random, const gf_shape *shape)
{
    struct pattern p = {.base = unit(random), .square = plan_random_between(random, 1, 8)};
    p.slope_x = (unit(random) - 0.5F) * 2.0F / (float)shape->width;
    p.slope_y = (unit(random) - 0.5F) * 2.0F / (float)shape->height;
    for (int i = 0; i < 3; i++) {
        p.wave_x[i] = (unit(random) - 0.5F) * 0.3F;
        p.wave_y[i] = (unit(random) - 0.5F) * 0.3F;
        p.phase[i] = unit(random) * 6.0F;
        p.height[i] = 0.1F + 0.1F * unit(random);
    }
    return p;
}

/* A wave of period 4 from polynomials, so that no library's sine decides about the bits. */
static float wave(float t)
{
    float phase = t - 4.0F * floorf(t * 0.25F);
    float half = phase < 2.0F ? phase : phase - 2.0F;
    float bump = half * (2.0F - half);
    return phase < 2.0F ? bump : -bump;
}

/* A value as a fraction of full scale. */
static float content_value(struct plan_random *random, enum plan_content content, const struct pattern *p,
                           int64_t x, int64_t y)
{
    float v = p->base;
    switch (content) {
    case PLAN_NOISE:
        return unit(random);
    case PLAN_GRADIENT:
        return 0.5F + p->slope_x * (float)x + p->slope_y * (float)y;
    case PLAN_BINARY:
        return chance(random, 2) ? 1.0F : 0.0F;
    case PLAN_CHECKER:
        return (x / p->square + y / p->square) % 2 ? 1.0F : 0.0F;
    case PLAN_SMOOTH:
        v = 0.5F + 0.02F * (unit(random) - 0.5F);
        for (int i = 0; i < 3; i++) {
            v += p->height[i] * wave(p->wave_x[i] * (float)x + p->wave_y[i] * (float)y + p->phase[i]);
        }
        return v;
    default:
        return v;
    }
}

static float extreme_f32(struct plan_random *random)
{
    static const float values[] = {0.0F,  1.0F,   0.5F,   -1.0F,       2.0F,
                                   1e30F, -1e30F, 1e-30F, 0.99999994F, 65535.0F};
    return values[plan_random_below(random, sizeof values / sizeof values[0])];
}

static float special_f32(struct plan_random *random)
{
    static const uint32_t bits[] = {0x7fc00000U, 0xffc00000U, 0x7f812345U, 0x7f800000U, 0xff800000U,
                                    0x80000000U, 0x00000001U, 0x807fffffU, 0x00400000U};
    float v;
    memcpy(&v, &bits[plan_random_below(random, sizeof bits / sizeof bits[0])], sizeof v);
    return v;
}

static uint32_t integer_value(struct plan_random *random, enum plan_content content, float v, uint32_t white)
{
    const uint32_t extremes[] = {0, 1, white / 2, white / 2 + 1, white - 1, white};
    if (content == PLAN_EXTREMES) {
        return extremes[plan_random_below(random, sizeof extremes / sizeof extremes[0])];
    }
    if (content == PLAN_NOISE) {
        return plan_random_below(random, white + 1);
    }
    v = v < 0.0F ? 0.0F : v > 1.0F ? 1.0F : v;
    return (uint32_t)(v * (float)white + 0.5F);
}

void plan_random_picture(struct plan_random *random, enum plan_content content, bool special,
                         const gf_image *picture)
{
    const gf_shape *shape = &picture->shape;
    struct pattern patterns[4] = {{0}};
    for (int32_t c = 0; c < shape->channels; c++) {
        patterns[c] = random_pattern(random, shape);
    }
    for (int64_t y = 0; y < shape->height; y++) {
        void *row = (char *)picture->data + y * picture->pitch;
        for (int64_t i = 0; i < shape->width * shape->channels; i++) {
            const struct pattern *p = &patterns[i % shape->channels];
            float v = content_value(random, content, p, i / shape->channels, y);
            if (shape->depth == GF_U8) {
                ((uint8_t *)row)[i] = (uint8_t)integer_value(random, content, v, 255);
            } else if (shape->depth == GF_U16) {
                ((uint16_t *)row)[i] = (uint16_t)integer_value(random, content, v, 65535);
            } else {
                v = content == PLAN_EXTREMES ? extreme_f32(random) : v;
                ((float *)row)[i] = special && chance(random, 16) ? special_f32(random) : v;
            }
        }
    }
}
