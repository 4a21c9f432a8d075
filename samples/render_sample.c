/* render_sample.c: paints the sample picture, a lake at dusk above a test strip.
 *
 *     render_sample sample.png
 *     render_sample regression/in.png 160x120+530+225     a part of it: WIDTHxHEIGHT+X+Y
 *
 * The picture has what filters are looked at for: smooth gradients, hard and soft edges, fine texture, noise,
 * gratings, pure colours and small text. */
#include "gpufilter/io.h"
#include "sample_font.h"
#include "sample_scene.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = SCENE_WIDTH, HEIGHT = 512 };

/* ---- Test strip ----------------------------------------------------------------------- */

/* One of eight patterns, u and v from 0 in a tile of 56 x 30. */
static colour pattern(int tile, int u, int v)
{
    static const colour bars[] = {{1, 1, 1}, {1, 1, 0}, {0, 1, 1}, {0, 1, 0},
                                  {1, 0, 1}, {1, 0, 0}, {0, 0, 1}};
    double dx = u - 28, dy = v - 15, level = 0;
    switch (tile) {
    case 0:
        return bars[u / 8];
    case 1:
        level = u / 55.0;
        break;
    case 2:
        level = u % (2 << u / 14) >> u / 14; /* gratings of 1, 2, 4 and 8 pixels */
        break;
    case 3:
        level = v % (2 << v / 8) >> v / 8;
        break;
    case 4:
        level = (u >> u / 19 & 1) ^ (v >> u / 19 & 1); /* checkers */
        break;
    case 5:
        level = fmod((dx * dx + dy * dy) / 52, 2); /* a zone plate of triangle waves */
        level = level > 1 ? 2 - level : level;
        break;
    case 6:
        return (colour){sample_hash(u, v, 111), sample_hash(u, v, 112), sample_hash(u, v, 113)};
    default:
        level = dx * dx / 676 + dy * dy / 169 < 1 ? 0.9 - 0.25 * (dx + 2 * dy) / 40 : 0.18; /* a disc */
    }
    return (colour){level, level, level};
}

static colour strip(int x, int y)
{
    const colour ground = {0.075, 0.085, 0.13}, ink = {0.96, 0.93, 0.86}, dim = {0.62, 0.66, 0.76};
    int v = y - SCENE_HEIGHT;
    if (v < 2) {
        return (colour){0.85, 0.56, 0.40};
    }
    int tile = (x - 262) / 62, u = (x - 262) % 62;
    if (x >= 262 && tile < 8 && u < 56 && v >= 7 && v < 37) {
        return pattern(tile, u, v - 7);
    }
    if (sample_text("gpufilter", 9, 3, x - 14, v - 11)) {
        return ink;
    }
    int small = sample_text("gradients", 9, 1, x - 190, v - 8) | sample_text("edges", 5, 1, x - 190, v - 17) |
                sample_text("texture", 7, 1, x - 190, v - 26);
    return small ? dim : ground;
}

/* ---- Picture -------------------------------------------------------------------------- */

/* The mean of 2 x 2 points of the scene. */
static colour pixel(int x, int y)
{
    if (y >= SCENE_HEIGHT) {
        return strip(x, y);
    }
    colour sum = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        colour c = sample_scene(x + 0.25 + 0.5 * (i & 1), y + 0.25 + 0.5 * (i >> 1));
        sum = (colour){sum.r + c.r / 4, sum.g + c.g / 4, sum.b + c.b / 4};
    }
    return sum;
}

static uint8_t to_byte(double v)
{
    return (uint8_t)(fmin(fmax(v, 0), 1) * 255 + 0.5);
}

static void render(const gf_image *image)
{
    for (int y = 0; y < HEIGHT; y++) {
        uint8_t *out = (uint8_t *)image->data + y * image->pitch;
        for (int x = 0; x < WIDTH; x++) {
            colour c = pixel(x, y);
            *out++ = to_byte(c.r);
            *out++ = to_byte(c.g);
            *out++ = to_byte(c.b);
        }
    }
}

/* The part of the picture that `text` names; 0 when it names none. */
static int crop(const char *text, gf_image *image)
{
    int w = 0, h = 0, x = 0, y = 0, length = 0;
    if (sscanf(text, "%4dx%4d+%4d+%4d%n", &w, &h, &x, &y, &length) != 4 || text[length] != '\0' || w < 1 ||
        h < 1 || x < 0 || y < 0 || x + w > WIDTH || y + h > HEIGHT) {
        return 0;
    }
    image->data = (uint8_t *)image->data + y * image->pitch + 3 * x;
    image->shape.width = w;
    image->shape.height = h;
    return 1;
}

int main(int argc, char **argv)
{
    const gf_shape shape = {WIDTH, HEIGHT, 3, GF_U8};
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    options.png_level = 9;
    gf_status status = gf_picture_create(&shape, &picture, &error);
    if (status == GF_OK) {
        gf_image view = picture->image;
        if (argc < 2 || argc > 3 || (argc == 3 && !crop(argv[2], &view))) {
            fprintf(stderr, "usage: render_sample OUT.png [WIDTHxHEIGHT+X+Y]\n");
            gf_picture_destroy(&picture);
            return 2;
        }
        render(&picture->image);
        status = gf_io_write(argv[1], &view, NULL, &options, &error);
    }
    if (status != GF_OK) {
        fprintf(stderr, "render_sample: %s\n", error.message);
    }
    gf_picture_destroy(&picture);
    return gf_status_exit_code(status);
}
