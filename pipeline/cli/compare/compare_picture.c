#define _XOPEN_SOURCE 700 /* realpath */
#include "compare/compare_picture.h"

#include "base/message.h"
#include "job/signals.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static double at_least(double a, double b)
{
    return a > b ? a : b;
}

static uint8_t shade(double difference, double max_diff, double largest)
{
    if (!(difference > max_diff)) {
        return 0;
    }
    if (!isfinite(largest)) { /* a NaN somewhere: what is finite is dim beside it */
        return isfinite(difference) ? 64 : 255;
    }
    return (uint8_t)at_least(1, floor(255 * (difference / largest) + 0.5));
}

static void draw(const gf_image *to, const gf_image *a, const gf_image *b, const struct comparison *c)
{
    bool has_alpha = c->channels % 2 == 0;
    for (int64_t y = 0; y < c->area.h; y++) {
        uint8_t *row = (uint8_t *)to->data + y * to->pitch;
        for (int64_t x = 0; x < c->area.w; x++) {
            int64_t px = c->area.x + x, py = c->area.y + y;
            double alpha = has_alpha ? sample_difference(a, b, px, py, c->channels - 1) : 0;
            for (int32_t channel = 0; channel < to->shape.channels; channel++) {
                double difference = at_least(sample_difference(a, b, px, py, channel), alpha);
                row[x * to->shape.channels + channel] = shade(difference, c->max_diff, c->largest);
            }
        }
    }
}

gf_status write_difference(const char *path, const gf_image *a, const gf_image *b, const struct comparison *c)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    const gf_shape shape = {c->area.w, c->area.h, c->channels >= 3 ? 3 : 1, GF_U8};
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    signals_watch(&options);
    gf_status status = gf_picture_create(&shape, &picture, &error);
    if (status == GF_OK) {
        draw(&picture->image, a, b, c);
        status = gf_io_write(path, &picture->image, NULL, &options, &error);
    }
    gf_picture_destroy(&picture);
    return cli_told(status, &error);
}

void remove_difference(const char *path)
{
    struct stat status;
    char *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? realpath(path, NULL) : NULL;
    if (file && unlink(file) == 0) {
        cli_note("note: %s: removed: it showed other pictures, and of these two no difference can be drawn",
                 path);
    }
    free(file);
}
