#include "compare/compare.h"

#include <math.h>
#include <string.h>

int32_t compared_channels(int32_t channels, bool ignore_alpha)
{
    return ignore_alpha && channels % 2 == 0 ? channels - 1 : channels;
}

static const char *sample_at(const gf_image *image, int64_t x, int64_t y, int32_t channel)
{
    size_t index = (size_t)(x * image->shape.channels + channel);
    return (const char *)image->data + y * image->pitch + index * gf_depth_size(image->shape.depth);
}

static uint64_t whole_value(const char *sample, gf_depth depth)
{
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (depth) {
    case GF_U8:
        return (uint8_t)*sample;
    case GF_U16:
        memcpy(&u16, sample, sizeof u16);
        return u16;
    case GF_U32:
        memcpy(&u32, sample, sizeof u32);
        return u32;
    default:
        memcpy(&u64, sample, sizeof u64);
        return u64;
    }
}

static double real_value(const char *sample, gf_depth depth)
{
    float f32;
    double f64;
    if (depth == GF_F32) {
        memcpy(&f32, sample, sizeof f32);
        return (double)f32;
    }
    memcpy(&f64, sample, sizeof f64);
    return f64;
}

static bool is_real(gf_depth depth)
{
    return depth == GF_F32 || depth == GF_F64;
}

static double value_at(const gf_image *image, int64_t x, int64_t y, int32_t channel)
{
    gf_depth depth = image->shape.depth;
    const char *sample = sample_at(image, x, y, channel);
    return is_real(depth) ? real_value(sample, depth) : (double)whole_value(sample, depth);
}

double sample_difference(const gf_image *a, const gf_image *b, int64_t x, int64_t y, int32_t channel)
{
    gf_depth depth = a->shape.depth;
    const char *p = sample_at(a, x, y, channel), *q = sample_at(b, x, y, channel);
    if (!memcmp(p, q, gf_depth_size(depth))) {
        return 0;
    }
    if (is_real(depth)) {
        double difference = fabs(real_value(p, depth) - real_value(q, depth));
        return isnan(difference) ? INFINITY : difference;
    }
    uint64_t u = whole_value(p, depth), v = whole_value(q, depth);
    return (double)(u > v ? u - v : v - u);
}

/* Equal rows need no look at their samples. */
static bool are_rows_equal(const gf_image *a, const gf_image *b, gf_rect area, int64_t y)
{
    size_t bytes = (size_t)area.w * (size_t)a->shape.channels * gf_depth_size(a->shape.depth);
    return a->shape.channels == b->shape.channels &&
           !memcmp(sample_at(a, area.x, y, 0), sample_at(b, area.x, y, 0), bytes);
}

static double psnr_of(double squares, uint64_t samples, double white)
{
    if (!(white > 0)) {
        return NAN;
    }
    return squares > 0 ? 10 * log10(white * white / (squares / (double)samples)) : INFINITY;
}

static struct sample_place place_at(const gf_image *a, const gf_image *b, int64_t x, int64_t y,
                                    int32_t channel)
{
    return (struct sample_place){x, y, channel, value_at(a, x, y, channel), value_at(b, x, y, channel)};
}

/* Adds row y; returns the sum of the squared differences. */
static double compare_row(const gf_image *a, const gf_image *b, int64_t y, struct comparison *c)
{
    double squares = 0;
    for (int64_t x = c->area.x; x < c->area.x + c->area.w; x++) {
        for (int32_t channel = 0; channel < c->channels; channel++) {
            double difference = sample_difference(a, b, x, y, channel);
            if (difference == 0) {
                continue;
            }
            struct channel_difference *own = &c->channel[channel];
            c->identical = false;
            squares += difference * difference;
            own->largest = fmax(own->largest, difference);
            if (difference > c->largest) {
                c->largest = difference;
                c->most = place_at(a, b, x, y, channel);
            }
            if (difference > c->max_diff) {
                own->count++;
                if (c->count++ == 0) {
                    c->first = place_at(a, b, x, y, channel);
                }
            }
        }
    }
    return squares;
}

void compare_pictures(const gf_image *a, const gf_image *b, gf_rect area, int32_t channels, double max_diff,
                      struct comparison *c)
{
    double squares = 0;
    *c = (struct comparison){.area = area, .channels = channels, .max_diff = max_diff, .identical = true};
    c->samples = (uint64_t)area.w * (uint64_t)area.h * (uint64_t)channels;
    for (int64_t y = area.y; y < area.y + area.h; y++) {
        if (!are_rows_equal(a, b, area, y)) {
            squares += compare_row(a, b, y, c);
        }
    }
    c->psnr = psnr_of(squares, c->samples, gf_depth_white(a->shape.depth));
}
