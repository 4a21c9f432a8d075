#include "plan_cases.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
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

/* ---- chains ---- */

struct writer {
    char *text;
    size_t size, length; /* length >= size: it did not fit */
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...)
{
    size_t room = w->length < w->size ? w->size - w->length : 0;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(room ? w->text + w->length : NULL, room, format, args);
    va_end(args);
    w->length += n > 0 ? (size_t)n : 0;
}

/* ":name=v", or ":v" where the parameter may stand without its name and chance says so; v in hundredths. */
static void put_number(struct plan_random *random, struct writer *w, const char *name, bool positional,
                       int64_t hundredths)
{
    int64_t size = hundredths < 0 ? -hundredths : hundredths;
    put(w, ":");
    if (!positional || chance(random, 2)) {
        put(w, "%s=", name);
    }
    put(w, "%s%d", hundredths < 0 ? "-" : "", (int)(size / 100));
    if (size % 100) {
        put(w, ".%02d", (int)(size % 100));
    }
}

static void put_common(struct plan_random *random, struct writer *w, const struct plan_chain *chain,
                       const gf_shape *now)
{
    static const char *const sets[5][8] = {
        {NULL},
        {"r", "0", "all"},
        {"r", "a", "1", "0+1", "all"},
        {"rgb", "r", "g", "b", "0+2", "all"},
        {"rgb", "a", "r", "g", "b", "0+2", "1+3", "all"},
    };
    static const uint32_t counts[5] = {1, 3, 5, 6, 8};
    if (!chain->common) {
        return;
    }
    if (chance(random, 5)) {
        int64_t w0 = plan_random_between(random, 1, now->width);
        int64_t h0 = plan_random_between(random, 1, now->height);
        put(w, ":roi=%lldx%lld+%lld+%lld", (long long)w0, (long long)h0,
            (long long)plan_random_between(random, 0, now->width - w0),
            (long long)plan_random_between(random, 0, now->height - h0));
    }
    if (chance(random, 5)) {
        put(w, ":channels=%s", sets[now->channels][plan_random_below(random, counts[now->channels])]);
    }
}

static void put_border(struct plan_random *random, struct writer *w)
{
    static const char *const borders[] = {"replicate", "reflect101", "reflect", "wrap", "constant"};
    if (chance(random, 4)) {
        return; /* the default */
    }
    uint32_t border = plan_random_below(random, 5);
    put(w, ":border=%s", borders[border]);
    if (border == GF_BORDER_CONSTANT && !chance(random, 3)) {
        put_number(random, w, "value", false, plan_random_between(random, 0, 100));
    }
}

static void put_window(struct plan_random *random, struct writer *w, const struct plan_chain *chain)
{
    int64_t most = chain->greatest_radius;
    switch (plan_random_below(random, 3)) {
    case 0:
        put(w, "blur");
        if (chance(random, 2)) { /* radius follows: floor(4 sigma + 0.5) */
            int64_t sigma = plan_random_between(random, 5, most < 2 ? 30 : 25 * most);
            put_number(random, w, "sigma", true, sigma);
        } else {
            put_number(random, w, "sigma", true, plan_random_between(random, 5, 1000));
            put(w, ":radius=%d", (int)plan_random_between(random, 0, most));
        }
        break;
    case 1:
        put(w, "box");
        put_number(random, w, "radius", true, 100 * plan_random_between(random, 0, most));
        break;
    default:
        put(w, "sobel");
        break;
    }
    put_border(random, w);
}

/* Stages that keep shape and depth and are no windows. */
static void put_plain(struct plan_random *random, struct writer *w)
{
    static const char *const words[] = {"invert", "equalize", "stats", "threshold:otsu",
                                        "threshold:method=otsu"};
    uint32_t kind = plan_random_below(random, 10);
    int64_t lo;
    switch (kind) {
    case 0:
        put(w, "brightness");
        put_number(random, w, "amount", true, plan_random_between(random, -100, 100));
        return;
    case 1:
        put(w, "contrast");
        put_number(random, w, "factor", true, plan_random_between(random, 0, 400));
        return;
    case 2:
        put(w, "gamma");
        put_number(random, w, "value", true, plan_random_between(random, 10, 400));
        return;
    case 3:
        put(w, "threshold");
        put_number(random, w, "level", true, plan_random_between(random, 0, 100));
        return;
    case 4:
        lo = plan_random_between(random, -50, 99);
        put(w, "hist");
        put_number(random, w, "bins", true, 100 * plan_random_between(random, 1, 300));
        put_number(random, w, "min", false, lo);
        put_number(random, w, "max", false, plan_random_between(random, lo + 1, 200));
        return;
    default:
        put(w, "%s", words[kind - 5]);
        return;
    }
}

static void put_stage(struct plan_random *random, struct writer *w, const struct plan_chain *chain,
                      bool window, gf_shape *now)
{
    static const char *const depths[] = {"u8", "u16", "f32"};
    if (window || chance(random, 3)) {
        put_window(random, w, chain);
    } else if (now->channels >= 3 && chance(random, 6)) {
        put(w, "gray");
        now->channels -= 2;
        return; /* no roi, no channels */
    } else if (chance(random, 8)) {
        now->depth = (gf_depth)plan_random_below(random, 3);
        put(w, "convert:%s%s", chance(random, 2) ? "depth=" : "", depths[now->depth]);
        return;
    } else {
        put_plain(random, w);
    }
    put_common(random, w, chain, now);
}

int32_t plan_random_chain(struct plan_random *random, const struct plan_chain *chain, char *text, size_t size)
{
    struct writer w = {text, size, 0};
    gf_shape now = chain->shape;
    int32_t n = (int32_t)plan_random_between(random, chain->least, chain->most);
    int32_t window = (int32_t)plan_random_below(random, (uint32_t)n);

    for (int32_t i = 0; i < n; i++) {
        put(&w, "%s", i > 0 ? "," : "");
        put_stage(random, &w, chain, i == window, &now);
    }
    return w.length < size ? n : 0;
}
