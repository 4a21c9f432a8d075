/* render_scenes.c: paints the pictures that docs/cookbook.md begins with, each for what its filters are made
 * for.
 *
 *     render_scenes FOLDER       writes page.png, cells.png, logo.png, stars.png, noisy.png and portrait.png there
 *
 * page is a sheet photographed askew in uneven light, cells are bright disks that touch, logo has alpha,
 * stars are faint, with hot pixels, and noisy is a part of the sample picture with the noise of a sensor and
 * dead pixels; portrait is a face in the yellow light of a lamp. */
#include "gpufilter/io.h"
#include "sample_font.h"
#include "sample_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct sample {
    double c[4];
} sample;

/* Sums of uniform numbers: mean 0, deviation 1. */
static double normal(int x, int y, uint32_t seed)
{
    double sum = -6;
    for (uint32_t i = 0; i < 12; i++) {
        sum += sample_hash(x, y, seed + i);
    }
    return sum;
}

static double soft(double distance) /* 1 inside an edge, 0 outside, over one pixel */
{
    return fmin(fmax(0.5 - distance, 0), 1);
}

/* ---- Page ----------------------------------------------------------------------------- */

enum { PAGE_WIDTH = 240, PAGE_HEIGHT = 170 };

/* Where a point of the photograph lies on the sheet: a projective map, as a camera makes it. */
static void on_page(double x, double y, double *u, double *v)
{
    double w = 1 - 0.0005 * x + 0.0009 * y;
    *u = (1.02 * x - 0.12 * y - 30) / w;
    *v = (-0.10 * x + 1.06 * y - 26) / w;
}

static int ink(double u, double v)
{
    static const char *const lines[] = {"a filter plan",           "",
                                        "pixels lie in rags and",  "tatters. a filter settles",
                                        "and raises lines",        "it dilutes sand and rain",
                                        "in a pail full as a sea", "and prints a gentle text",
                                        "at a latitude unlit"};
    int line = (int)floor((v - 16) / 16), zoom = line == 0 ? 2 : 1;
    if (v < 16 || line >= (int)(sizeof lines / sizeof *lines)) {
        return 0;
    }
    int x = (int)floor(u - 16), y = (int)floor(v - 16 - 16 * line);
    return sample_text(lines[line], (int)strlen(lines[line]), zoom, x, y);
}

static sample page(int x, int y)
{
    double sum = 0;
    for (int i = 0; i < 16; i++) {
        double u, v;
        on_page(x + (i % 4 + 0.5) / 4, y + (i / 4 + 0.5) / 4, &u, &v);
        int paper = u >= 0 && v >= 0 && u < PAGE_WIDTH && v < PAGE_HEIGHT;
        sum += (!paper ? 0.16 : ink(u, v) ? 0.22 : 0.93) / 16;
    }
    double dx = x - 70, dy = y - 40, light = 1.02 / (1 + (dx * dx + dy * dy) / 45000);
    return (sample){{light * sum + 0.012 * normal(x, y, 200)}};
}

/* ---- Cells ---------------------------------------------------------------------------- */

static sample cells(int x, int y)
{
    double cover = 0, bright = 0;
    for (int i = 0; i < 30; i++) {
        int row = i / 6;
        double cx = 26 + 50 * (i % 6) + 24 * (sample_hash(i, 0, 301) - 0.5) + 9 * (row & 1);
        double cy = 26 + 44 * row + 22 * (sample_hash(i, 0, 302) - 0.5);
        double radius = 9 + 11 * sample_hash(i, 0, 303), dx = x + 0.5 - cx, dy = y + 0.5 - cy;
        double in = soft((sqrt(dx * dx + dy * dy) - radius) / 2);
        bright = fmax(bright, in * (0.34 + 0.2 * sample_hash(i, 0, 304)));
        cover = fmax(cover, in);
    }
    double ground = 0.14 + 0.30 * x / 320 + 0.08 * y / 240;
    return (sample){{ground + bright * (1 - 0.2 * cover) + 0.02 * normal(x, y, 310)}};
}

/* ---- Logo ----------------------------------------------------------------------------- */

static sample logo(int x, int y)
{
    double dx = x + 0.5 - 48, dy = y + 0.5 - 48, r = sqrt(dx * dx + dy * dy);
    double disk = soft(r - 44), ring = soft(fabs(r - 36) - 2.5);
    double letters = sample_text("gpu", 3, 3, x - 22, y - 38) ? 1 : 0, white = fmax(ring, letters);
    /* What is transparent is black, as programs that draw leave it: the colour nobody should see. */
    return disk > 0 ? (sample){{0.86 + 0.14 * white, 0.22 + 0.78 * white, 0.16 + 0.84 * white, disk}}
                    : (sample){{0}};
}

/* ---- Stars ---------------------------------------------------------------------------- */

static sample stars(int x, int y)
{
    double light = 0.10 + 0.10 * y / 240 + 0.02 * normal(x, y, 400);
    for (int i = 0; i < 36; i++) {
        double dx = x + 0.5 - 320 * sample_hash(i, 0, 401), dy = y + 0.5 - 240 * sample_hash(i, 0, 402);
        double strength = 0.11 / (0.05 + sample_hash(i, 0, 403));
        light += strength / pow(1 + (dx * dx + dy * dy) / 3.5, 2.2);
    }
    return (sample){{sample_hash(x, y, 404) < 0.0006 ? 1 : light}}; /* hot pixels */
}

/* ---- Noise ---------------------------------------------------------------------------- */

static sample noisy(int x, int y)
{
    colour c = sample_scene(460 + x + 0.5, 190 + y + 0.5);
    double dead = sample_hash(x, y, 500);
    if (dead < 0.03) {
        double level = dead < 0.015;
        return (sample){{level, level, level}};
    }
    return (sample){
        {c.r + 0.06 * normal(x, y, 510), c.g + 0.06 * normal(x, y, 530), c.b + 0.06 * normal(x, y, 550)}};
}

/* ---- Portrait ------------------------------------------------------------------------- */

/* Lays a colour over another one, as much as `cover` says. */
static void lay(double *c, double cover, double r, double g, double b)
{
    const double top[] = {r, g, b};
    for (int i = 0; i < 3; i++) {
        c[i] += cover * (top[i] - c[i]);
    }
}

/* How much of a pixel is inside an ellipse. */
static double oval(double x, double y, double cx, double cy, double rx, double ry)
{
    const double dx = (x - cx) / rx, dy = (y - cy) / ry;
    return soft((sqrt(dx * dx + dy * dy) - 1) * fmin(rx, ry));
}

static void paint_eye(double *c, double x, double y, double cx)
{
    lay(c, oval(x, y, cx, 74, 8, 4.5), 0.96, 0.95, 0.93);
    lay(c, oval(x, y, cx, 74, 4, 4), 0.25, 0.38, 0.42);
    lay(c, oval(x, y, cx, 74, 1.8, 1.8), 0.03, 0.03, 0.04);
    lay(c, oval(x, y, cx, 63, 10, 2), 0.26, 0.15, 0.09);
}

static sample portrait(int px, int py)
{
    const double x = px + 0.5, y = py + 0.5, side = (x - 80) / 120;
    double c[4] = {0.35 + 0.1 * y / 160, 0.45 + 0.1 * y / 160, 0.6 - 0.1 * y / 160};
    lay(c, oval(x, y, 80, 72, 47, 56), 0.27, 0.16, 0.10);  /* hair */
    lay(c, oval(x, y, 80, 196, 68, 62), 0.95, 0.95, 0.95); /* shirt */
    lay(c, oval(x, y, 80, 128, 17, 26), 0.78, 0.57, 0.46); /* neck */
    lay(c, oval(x, y, 80, 80, 35, 44), 0.91, 0.72, 0.60);  /* face */
    lay(c, oval(x, y, 58, 92, 10, 7), 0.91, 0.64, 0.54);   /* cheeks */
    lay(c, oval(x, y, 102, 92, 10, 7), 0.91, 0.64, 0.54);
    paint_eye(c, x, y, 65);
    paint_eye(c, x, y, 95);
    lay(c, oval(x, y, 80, 90, 4, 8), 0.83, 0.61, 0.50);   /* nose */
    lay(c, oval(x, y, 80, 107, 13, 4), 0.72, 0.30, 0.29); /* mouth */
    lay(c, oval(x, y, 80, 104, 12, 2), 0.91, 0.72, 0.60);
    lay(c, oval(x, y, 80, 30, 40, 17) * (y < 46), 0.27, 0.16, 0.10); /* fringe */
    for (int i = 0; i < 3; i++) {
        c[i] *=
            (1 - 0.25 * side) * (double[]){1, 0.88, 0.62}[i] + 0.012 * normal(px, py, 600 + 20 * (uint32_t)i);
    }
    return (sample){{c[0], c[1], c[2]}};
}

/* ---- Files ---------------------------------------------------------------------------- */

static gf_status paint(const char *path, gf_shape shape, sample (*at)(int, int), gf_error *error)
{
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    gf_picture *picture = NULL;
    options.png_level = 9;
    gf_status status = gf_picture_create(&shape, &picture, error);
    for (int y = 0; status == GF_OK && y < shape.height; y++) {
        uint8_t *out = (uint8_t *)picture->image.data + y * picture->image.pitch;
        for (int x = 0; x < shape.width; x++) {
            sample s = at(x, y);
            for (int c = 0; c < shape.channels; c++) {
                *out++ = (uint8_t)(fmin(fmax(s.c[c], 0), 1) * 255 + 0.5);
            }
        }
    }
    if (status == GF_OK) {
        status = gf_io_write(path, &picture->image, NULL, &options, error);
    }
    gf_picture_destroy(&picture);
    return status;
}

int main(int argc, char **argv)
{
    static const struct scene {
        const char *file;
        gf_shape shape;
        sample (*at)(int x, int y);
    } scenes[] = {
        {"page.png", {320, 240, 1, GF_U8}, page},   {"cells.png", {320, 240, 1, GF_U8}, cells},
        {"logo.png", {96, 96, 4, GF_U8}, logo},     {"stars.png", {320, 240, 1, GF_U8}, stars},
        {"noisy.png", {216, 144, 3, GF_U8}, noisy}, {"portrait.png", {160, 160, 3, GF_U8}, portrait}};
    gf_error error = GF_ERROR_INIT;
    gf_status status = GF_OK;
    char path[1024];
    if (argc != 2) {
        fprintf(stderr, "usage: render_scenes FOLDER\n");
        return 2;
    }
    for (size_t i = 0; status == GF_OK && i < sizeof scenes / sizeof *scenes; i++) {
        snprintf(path, sizeof path, "%s/%s", argv[1], scenes[i].file);
        status = paint(path, scenes[i].shape, scenes[i].at, &error);
    }
    if (status != GF_OK) {
        fprintf(stderr, "render_scenes: %s\n", error.message);
    }
    return gf_status_exit_code(status);
}
