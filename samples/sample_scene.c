/* sample_scene.c: a cabin and a sail boat by a mountain lake at dusk.
 *
 * Layers are painted from the back to the front, each mixed over what lies behind it; the water repeats the
 * land upside down, moved by its waves. */
#include "sample_scene.h"

#include <math.h>

enum { SHORE = 318 }; /* the row where land and water meet */

/* ---- Small tools ---------------------------------------------------------------------- */

static double clamp01(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* 0 below a, 1 above b, smooth between; a > b turns it round. */
static double ramp(double a, double b, double v)
{
    double t = clamp01((v - a) / (b - a));
    return t * t * (3 - 2 * t);
}

static colour mix(colour a, colour b, double t)
{
    return (colour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

static colour scale(colour a, double k)
{
    return (colour){a.r * k, a.g * k, a.b * k};
}

static colour add(colour a, colour b)
{
    return (colour){a.r + b.r, a.g + b.g, a.b + b.b};
}

/* A number in [0, 1) for a lattice point. */
double sample_hash(int x, int y, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ seed * 0xcb1ab31fu;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return (h ^ (h >> 16)) / 4294967296.0;
}

/* Value noise: smooth between the numbers of the lattice points. */
static double noise(double x, double y, uint32_t seed)
{
    int xi = (int)floor(x), yi = (int)floor(y);
    double u = ramp(0, 1, x - xi), v = ramp(0, 1, y - yi);
    double top = sample_hash(xi, yi, seed) * (1 - u) + sample_hash(xi + 1, yi, seed) * u;
    double bottom = sample_hash(xi, yi + 1, seed) * (1 - u) + sample_hash(xi + 1, yi + 1, seed) * u;
    return top * (1 - v) + bottom * v;
}

/* Octaves of noise, each half as large and twice as fine; about 0 to 1, mean 0.5. */
static double fractal(double x, double y, int octaves, uint32_t seed)
{
    double sum = 0, weight = 0.5, total = 0;
    for (int i = 0; i < octaves; i++) {
        sum += weight * noise(x, y, seed + (uint32_t)i);
        total += weight;
        weight *= 0.5;
        x = 2 * x + 17.3;
        y = 2 * y + 9.1;
    }
    return sum / total;
}

/* Returns how much of a half-pixel step at `edge` lies below y: 0 above the edge, 1 under it. */
static double under(double edge, double y)
{
    return clamp01(y - edge + 0.5);
}

static double inside(double x, double y, double left, double top, double right, double bottom)
{
    return clamp01(x - left + 0.5) * clamp01(right - x + 0.5) * clamp01(y - top + 0.5) *
           clamp01(bottom - y + 0.5);
}

/* ---- Sky ------------------------------------------------------------------------------ */

static const double SUN_X = 214, SUN_Y = 212;

static colour sky_gradient(double y)
{
    static const colour stops[] = {
        {0.055, 0.075, 0.20}, {0.16, 0.16, 0.38}, {0.45, 0.28, 0.50}, {0.89, 0.47, 0.42}, {1.0, 0.74, 0.44}};
    double t = clamp01(y / 262) * 4;
    int i = t >= 4 ? 3 : (int)t;
    return mix(stops[i], stops[i + 1], t - i);
}

static double star_light(double x, double y)
{
    const int cell = 13;
    int cx = (int)floor(x / cell), cy = (int)floor(y / cell);
    double chance = sample_hash(cx, cy, 71);
    double dx = x - (cx + 0.02 + 0.96 * sample_hash(cx, cy, 72)) * cell;
    double dy = y - (cy + 0.02 + 0.96 * sample_hash(cx, cy, 73)) * cell;
    double size = 0.35 + 1.1 * sample_hash(cx, cy, 74) * sample_hash(cx, cy, 75);
    double light = size * size / (size * size + 2.2 * (dx * dx + dy * dy)) - 0.06;
    return chance < 0.5 && light > 0 ? light * ramp(175, 20, y) : 0;
}

static colour sky(double x, double y)
{
    double dx = x - SUN_X, dy = y - SUN_Y, d2 = dx * dx + dy * dy;
    colour c = sky_gradient(y);
    c = add(c, scale((colour){0.9, 0.95, 1.0}, star_light(x, y)));
    c = add(c, scale((colour){0.50, 0.26, 0.06}, 1 / (1 + d2 / 14000)));

    double streak = fractal(x / 150 + y / 60, y / 15, 4, 31);
    double band = ramp(40, 110, y) * ramp(238, 190, y);
    double cloud = ramp(0.50, 0.74, streak) * band;
    double lit = ramp(60, 215, y) * (0.75 + 0.5 / (1 + d2 / 30000));
    c = mix(c, mix((colour){0.30, 0.24, 0.44}, (colour){1.0, 0.60, 0.44}, clamp01(lit)), 0.72 * cloud);

    double disc = clamp01(24.5 - sqrt(d2));
    return mix(c, (colour){1.35, 1.14, 0.86}, disc);
}

/* ---- Land ----------------------------------------------------------------------------- */

static double ridge(double x, double top, double height, double step, uint32_t seed)
{
    return top + height * (1 - fractal(x / step, 0.5, 6, seed));
}

/* The great peak: two slopes towards its summit, broken by noise. */
static double peak(double x)
{
    double slope = 0.62 * fabs(x - 522) + 0.30 * fabs(x - 640) * ramp(560, 700, x);
    return 62 + slope + 70 * (fractal(x / 60, 3.5, 6, 41) - 0.5) * ramp(0, 90, slope + 25);
}

static colour rock_and_snow(double x, double y, double edge)
{
    double depth = y - edge;
    double facet = fractal((x + 0.7 * y) / 26, (y - 0.4 * x) / 34, 4, 51);
    double facet_left = fractal((x - 3 + 0.7 * y) / 26, (y - 0.4 * (x - 3)) / 34, 4, 51);
    double light = clamp01(0.42 + 7.5 * (facet - facet_left) + 0.22 * ramp(540, 505, x));
    colour rock = mix((colour){0.15, 0.14, 0.27}, (colour){0.53, 0.34, 0.40}, light);
    colour snow = mix((colour){0.40, 0.42, 0.66}, (colour){1.0, 0.79, 0.72}, light);
    double cover = ramp(0.44, 0.54, facet + 0.26 - depth / 330 - (y - 60) / 520);
    colour c = mix(rock, snow, cover);
    return mix(c, (colour){0.58, 0.40, 0.52}, 0.75 * ramp(170, 318, y)); /* haze over the lake */
}

/* Conifers stand every few pixels on the line `ground`; this is how far up they reach into (x, y). */
static double trees(double x, double y, double ground, double spacing, double tall, uint32_t seed)
{
    int nearest = (int)floor(x / spacing);
    double cover = 0;
    for (int i = nearest - 2; i <= nearest + 2; i++) {
        double foot = (i + 0.2 + 0.6 * sample_hash(i, 0, seed)) * spacing;
        double height = tall * (0.45 + 0.55 * sample_hash(i, 1, seed));
        double down = y - (ground - height);
        double tier = down / (height * 0.16);
        double half = 0.20 * down * (0.68 + 0.32 * (tier - floor(tier)));
        if (down > 0 && down < height + 6) {
            double c = clamp01(half - fabs(x - foot) + 0.5);
            cover = c > cover ? c : cover;
        }
    }
    return cover;
}

static colour forest(colour c, double x, double y)
{
    double back =
        ridge(x, 226, 88, 210, 61) - 26 * ramp(420, 0, x) + 22 * ramp(200, 420, x) * ramp(560, 470, x);
    double grain = fractal(x / 6, y / 9, 2, 63);
    colour far_wood = mix((colour){0.19, 0.16, 0.29}, (colour){0.32, 0.22, 0.34}, grain);
    double cover = under(back, y) + trees(x, y, back + 2, 5.5, 17, 62);
    c = mix(c, mix(far_wood, (colour){0.46, 0.31, 0.43}, 0.5 * ramp(250, 318, y)), clamp01(cover));

    double front = 303 - 17 * ramp(250, 20, x) - 12 * ramp(470, 760, x) + 5 * fractal(x / 40, 1.5, 3, 64);
    double wood =
        trees(x, y, front + 3, 8.5, x < 330 ? 62 * ramp(345, 60, x) + 14 : 50 * ramp(640, 768, x) + 12, 65);
    c = mix(c, scale((colour){0.085, 0.10, 0.16}, 0.75 + 0.5 * grain), wood);
    double tuft = fractal(x / 2.2, y / 3.5, 3, 66);
    colour meadow = mix((colour){0.10, 0.12, 0.12}, (colour){0.34, 0.27, 0.20}, ramp(0.3, 0.75, tuft));
    return mix(c, meadow, under(front, y));
}

/* ---- Cabin ---------------------------------------------------------------------------- */

static colour smoke(colour c, double x, double y)
{
    double rise = 262 - y;
    if (rise < 0 || rise > 130) {
        return c;
    }
    double drift = 619 + 0.16 * rise + 16 * (fractal(rise / 34, 2.5, 3, 81) - 0.5) * ramp(0, 60, rise);
    double width = 2.5 + 0.10 * rise;
    double d = (x - drift) / width;
    double veil = ramp(1, 0, d * d) * ramp(130, 30, rise) * (0.35 + 0.65 * fractal(x / 9, y / 12, 4, 82));
    return mix(c, (colour){0.80, 0.70, 0.74}, 0.55 * veil);
}

static colour window_pane(colour c, double x, double y, double left, double top)
{
    double u = x - left, v = y - top;
    double glow = inside(x, y, left, top, left + 11, top + 12);
    double bars = clamp01(1.2 - fabs(u - 5.5)) + clamp01(1.2 - fabs(v - 6));
    colour light = mix((colour){1.0, 0.90, 0.55}, (colour){1.0, 0.66, 0.24}, clamp01((u * u + v * v) / 260));
    return mix(c, mix(light, (colour){0.25, 0.13, 0.08}, clamp01(bars)), glow);
}

static colour cabin(colour c, double x, double y)
{
    const double left = 560, right = 640, eaves = 281, floor_y = 313, mid = 600;
    double plank = (y - eaves) / 4.0;
    double seam = plank - floor(plank) < 0.25 ? 0.62 : 1.0;
    double grain = 0.8 + 0.4 * fractal(x / 14, y / 1.6, 3, 91);
    c = mix(c, (colour){0.26, 0.17, 0.16}, inside(x, y, 612, 258, 621, 282)); /* chimney */
    c = mix(c, scale((colour){0.36, 0.20, 0.15}, seam * grain), inside(x, y, left, eaves, right, floor_y));

    double roof_edge = eaves - 27 + 0.58 * fabs(x - mid);
    double tile = (y - roof_edge) / 3.5;
    double shade = (tile - floor(tile) < 0.3 ? 0.7 : 1.0) * (x < mid ? 1.25 : 0.85);
    double roof = under(roof_edge, y) * clamp01(eaves + 3.5 - y) * clamp01(51 - fabs(x - mid));
    c = mix(c, scale((colour){0.30, 0.13, 0.15}, shade), roof);

    c = window_pane(c, x, y, 568, 288);
    c = window_pane(c, x, y, 621, 288);
    colour door = scale((colour){0.17, 0.11, 0.11}, grain);
    c = mix(c, door, inside(x, y, 593, 288, 606, floor_y));
    c = mix(c, (colour){1.0, 0.78, 0.35}, inside(x, y, 597, 291, 602, 297));

    double dx = (x - mid) / 2.4, dy = y - 296;
    return add(c, scale((colour){0.34, 0.19, 0.05}, 0.8 / (1 + (dx * dx + dy * dy) / 260)));
}

/* Everything that stands above the water. */
static colour land(double x, double y)
{
    colour c = sky(x, y);
    double far_edge = ridge(x, 150, 120, 170, 21) + 30 * ramp(360, 120, fabs(x - 384));
    colour blue = mix((colour){0.43, 0.33, 0.54}, (colour){0.86, 0.53, 0.50}, ramp(180, 300, y));
    c = mix(c, blue, 0.92 * under(far_edge, y));
    double edge = peak(x);
    if (y > edge - 1) {
        c = mix(c, rock_and_snow(x, y, edge), under(edge, y));
    }
    c = forest(c, x, y);
    return cabin(smoke(c, x, y), x, y);
}

/* ---- Water and boat ------------------------------------------------------------------- */

static colour water(double x, double y)
{
    double depth = y - SHORE;
    double row = 420 / (depth + 9); /* waves crowd towards the far shore */
    double span = 7 + 0.30 * depth; /* and grow towards the viewer */
    double swell = fractal(x / span + 3 * row, row * 3.4, 3, 101) - 0.5;
    double ripple = noise(x / (0.35 * span), row * 11, 105) - 0.5;
    double wave = swell + 0.35 * ripple;
    colour c = land(x + wave * (3 + 0.10 * depth), SHORE - depth * 1.45 - 2 - wave * (4 + 0.42 * depth));
    c = mix(scale(c, 0.86), (colour){0.07, 0.10, 0.22}, 0.16 + 0.30 * ramp(0, 160, depth));
    c = add(c, scale((colour){0.20, 0.17, 0.22}, wave * ramp(0, 30, depth)));

    double off = (x - SUN_X) / (16 + 0.42 * depth);
    double glint = ramp(0.02, 0.22, wave) / (1 + off * off * off * off);
    c = mix(c, (colour){1.0, 0.80, 0.50}, 0.80 * glint);
    return mix(c, (colour){0.05, 0.05, 0.09}, 0.55 * clamp01(2.5 - depth)); /* wet edge of the shore */
}

/* The boat over c, in coordinates of its own: x from the mast to the right, up from the waterline. */
static colour boat(colour c, double x, double up, double strength)
{
    double hull = clamp01(up + 0.5) * clamp01(9.5 - up) * clamp01(24.5 + 0.9 * up - fabs(x));
    double stripe = clamp01(1.2 - fabs(up - 6.4));
    double mast = clamp01(1.3 - fabs(x - 1)) * clamp01(up - 8) * clamp01(76 - up);
    double main_sail = clamp01(x - 2.5) * clamp01((72 - up) * 0.40 - (x - 2.5)) * clamp01(up - 13.5);
    double jib = clamp01(-0.5 - x) * clamp01((64 - up) * 0.36 + x + 0.5) * clamp01(up - 12.5);
    double panel = (up + 0.15 * x) / 9;
    double cloth = 0.90 + (panel - floor(panel) < 0.12 ? -0.14 : 0) - 0.004 * x;
    c = mix(c, scale((colour){1.0, 0.87, 0.74}, cloth), main_sail * strength);
    c = mix(c, scale((colour){0.93, 0.47, 0.33}, cloth), jib * strength);
    c = mix(c, (colour){0.16, 0.10, 0.10}, mast * strength);
    return mix(c, mix((colour){0.13, 0.15, 0.27}, (colour){0.93, 0.90, 0.85}, stripe), hull * strength);
}

static colour with_boat(colour c, double x, double y)
{
    const double mid = 398, line = 388;
    if (fabs(x - mid) > 40) {
        return c;
    }
    if (y < line) {
        return boat(c, x - mid, line - y, 1);
    }
    double row = 420 / (y - SHORE + 9);
    double sway = noise(x / 12, row * 11, 106) - 0.5;
    return boat(c, x - mid + sway * (2 + 0.16 * (y - line)), (y - line) * 1.15 + sway * 3,
                0.55 * ramp(470, 392, y));
}

colour sample_scene(double x, double y)
{
    return with_boat(y < SHORE ? land(x, y) : water(x, y), x, y);
}
