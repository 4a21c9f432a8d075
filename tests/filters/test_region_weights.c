/* roi=ellipse@ and feather=: which pixels there are, and how the edge rises. */
#include "drawn_check.h"
#include "pixel/ir/region.h"
#include "text_run.h"

#include <stdio.h>
#include <string.h>

/* The weights of a roi: what `invert` in it makes of a picture of zeros in f32. */
static bool weights_of(const char *roi, int64_t width, int64_t height, struct parity_picture *out)
{
    const gf_shape shape = {width, height, 1, GF_F32};
    struct parity_picture in;
    char text[160];
    gf_error error = GF_ERROR_INIT;
    snprintf(text, sizeof text, "invert:roi=%s", roi);
    bool ok = parity_picture_make(&in, &shape, 0) && parity_picture_make(out, &shape, 0);
    for (int64_t y = 0; ok && y < height; y++) {
        memset((char *)in.image.data + y * in.image.pitch, 0, (size_t)width * sizeof(float));
    }
    ok = ok && text_run_once(text, &in.image, &out->image, &error) == GF_OK;
    CHECK_MSG(ok, "%s: %s", text, error.message);
    parity_picture_free(&in);
    return ok;
}

static float at(const struct parity_picture *p, int64_t x, int64_t y)
{
    return ((const float *)((const char *)p->image.data + y * p->image.pitch))[x];
}

/* Rows of a picture, separated by '|', '#' where the stage acts. */
static void known_ellipses(void)
{
    static const struct {
        const char *roi, *rows;
    } known[] = {
        {"ellipse@1x1+2+1", ".....|..#..|....."},
        {"ellipse@2x2+1+0", ".##.|.##.|...."},
        {"ellipse@3x3+0+0", "###.|###.|###."}, /* the corners' centres are nearer than 1.5 */
        {"ellipse@4x4+1+0", "..##..|.####.|.####.|..##.."},
        {"ellipse@5x5+0+0", ".###.|#####|#####|#####|.###."},
        {"ellipse@7x3+1+1", ".........|..#####..|.#######.|..#####..|........."},
        {"ellipse@8x1+0+1", "........|########"},
        {"ellipse@1x4+1+0", ".#.|.#.|.#.|.#."},
        {"ellipse@2x9+0+0", "..|##|##|##|##|##|##|##|.."}, /* no centre of the outer rows is inside */
        {"ellipse@6x4+0+0", ".####.|######|######|.####."},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const int64_t width = (int64_t)strcspn(known[i].rows, "|");
        const int64_t height = ((int64_t)strlen(known[i].rows) + 1) / (width + 1);
        struct parity_picture made;
        if (!weights_of(known[i].roi, width, height, &made)) {
            continue;
        }
        for (int64_t y = 0; y < height; y++) {
            for (int64_t x = 0; x < width; x++) {
                const char *expected = known[i].rows + y * (width + 1) + x;
                CHECK_MSG(at(&made, x, y) == (*expected == '#' ? 1.0F : 0.0F), "%s: %g at %d, %d",
                          known[i].roi, (double)at(&made, x, y), (int)x, (int)y);
            }
        }
        parity_picture_free(&made);
    }
}

/* Half the way over the feather the weight is half, a quarter of it 5/32; where a side lies on the picture's
 * own nothing rises; at a corner the weights of both sides are multiplied. */
static void known_edges(void)
{
    static const struct {
        const char *roi;
        int64_t width, height, x, y;
        float weight;
    } known[] = {
        {"10x6+3+2:feather=1", 20, 12, 3, 4, 0.5F},
        {"10x6+3+2:feather=1", 20, 12, 4, 4, 1},
        {"10x6+3+2:feather=1", 20, 12, 12, 7, 0.25F},
        {"10x6+3+2:feather=1", 20, 12, 2, 4, 0},
        {"10x6+3+2:feather=2", 20, 12, 3, 4, 0.15625F},
        {"10x6+3+2:feather=2", 20, 12, 11, 4, 0.84375F},
        {"10x6+3+2:feather=2", 20, 12, 5, 4, 1},
        {"10x6+3+2:feather=2", 20, 12, 3, 2, 0.15625F * 0.15625F},
        {"10x6+3+2:feather=0.5", 20, 12, 3, 2, 1},
        {"10x6+3+2:feather=0", 20, 12, 3, 2, 1},
        {"10x6+3+2:feather=1e-30", 20, 12, 3, 2, 1},
        {"20x12+0+0:feather=9", 20, 12, 0, 0, 1},
        {"10x12+0+0:feather=2", 20, 12, 9, 0, 0.15625F},
        {"10x12+0+0:feather=2", 20, 12, 0, 11, 1},
        {"20x3+0+9:feather=2", 20, 12, 0, 9, 0.15625F},
        {"4x4+8+4:feather=4", 20, 12, 8, 0, 0},
        {"6x1+2+0:feather=1", 9, 1, 2, 0, 0.5F}, /* a signal has no edge above */
        {"1x6+0+2:feather=1", 1, 9, 0, 7, 0.5F},
        {"ellipse@9x9+1+1:feather=4.5", 20, 12, 5, 5, 1},
        {"ellipse@9x9+1+1:feather=9", 20, 12, 5, 5, 0.5F}, /* half the feather from any edge */
        {"ellipse@9x9+1+1:feather=1", 20, 12, 1, 5, 0.5F},
        {"ellipse@9x9+1+1:feather=1", 20, 12, 5, 9, 0.5F},
        {"ellipse@9x9+1+1:feather=1", 20, 12, 2, 5, 1},
        {"ellipse@9x5+0+0:feather=5", 20, 12, 4, 2, 0.5F},
        {"ellipse@20x12+0+0:feather=2", 20, 12, 0, 0, 0},
        {"ellipse@9x1+0+0:feather=9", 9, 1, 4, 0, 0.5F},
        {"ellipse@1x9+0+0:feather=9", 1, 9, 0, 4, 0.5F},
        {"ellipse@1x1+0+0:feather=9", 1, 1, 0, 0, 1},
        {"ellipse@9x1+0+1:feather=1", 9, 3, 4, 1, 0.5F}, /* the edge above is half a pixel away */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct parity_picture made;
        if (weights_of(known[i].roi, known[i].width, known[i].height, &made)) {
            CHECK_MSG(fabsf(at(&made, known[i].x, known[i].y) - known[i].weight) < 1e-6F,
                      "%s at %d, %d: %g, expected %g", known[i].roi, (int)known[i].x, (int)known[i].y,
                      (double)at(&made, known[i].x, known[i].y), (double)known[i].weight);
            parity_picture_free(&made);
        }
    }
}

static void check_edge(const struct parity_picture *p, struct gf_rect r, int64_t x, int64_t y,
                       const char *roi)
{
    const float w = at(p, x, y);
    const bool inside = x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
    if (!inside) {
        CHECK_MSG(w == 0.0F, "%s: %g outside, at %d, %d", roi, (double)w, (int)x, (int)y);
        return;
    }
    const float other = at(p, 2 * r.x + r.w - 1 - x, 2 * r.y + r.h - 1 - y);
    CHECK_MSG(w >= 0.0F && w <= 1.0F && w == other, "%s: %g and %g at %d, %d", roi, (double)w, (double)other,
              (int)x, (int)y);
    if (2 * (x - r.x) < r.w - 2) { /* further in it is no less, but for the last digits */
        CHECK_MSG(at(p, x + 1, y) >= w - 1e-6F, "%s: falls at %d, %d", roi, (int)x, (int)y);
    }
    if (2 * (y - r.y) < r.h - 2) {
        CHECK_MSG(at(p, x, y + 1) >= w - 1e-6F, "%s: falls at %d, %d", roi, (int)x, (int)y);
    }
}

/* Every weight lies in [0, 1], is the same on both sides of the middle, and rises towards it. */
static void edges_rise(void)
{
    static const char *const feathers[] = {"", ":feather=0.3", ":feather=2.5", ":feather=7", ":feather=60"};
    static const struct gf_rect rects[] = {{3, 2, 31, 17}, {5, 4, 8, 18}, {1, 1, 38, 2}, {7, 9, 13, 13},
                                           {2, 3, 36, 5},  {4, 5, 1, 1},  {4, 5, 2, 2},  {9, 1, 3, 22}};
    for (size_t i = 0; i < 8 * 5 * 2; i++) {
        const struct gf_rect r = rects[i % 8];
        struct parity_picture made;
        char roi[100];
        snprintf(roi, sizeof roi, "%s%dx%d+%d+%d%s", i / 40 ? "ellipse@" : "", (int)r.w, (int)r.h, (int)r.x,
                 (int)r.y, feathers[i / 8 % 5]);
        if (weights_of(roi, 40, 24, &made)) {
            for (int64_t p = 0; p < 40 * 24; p++) {
                check_edge(&made, r, p % 40, p / 40, roi);
            }
            parity_picture_free(&made);
        }
    }
}

/* The largest picture that there is: sums of squares in 128 bits. */
static void exact_at_any_size(void)
{
    const int64_t n = INT32_MAX;
    CHECK(gf_ellipse_has(n, n, n - 1, 0) && gf_ellipse_has(n, n, 0, 1 - n));
    CHECK(gf_ellipse_has(n, n, 65534, n - 1) && !gf_ellipse_has(n, n, 65536, n - 1)); /* 2^32 - 3 < 2^32 */
    CHECK(gf_ellipse_has(n, n, -65534, 1 - n) && !gf_ellipse_has(n, n, n - 1, n - 1));
    CHECK(gf_ellipse_has(n, 1, n - 1, 0) && gf_ellipse_has(1, n, 0, n - 1));
}

static const struct check_case cases[] = {
    {"pixels of ellipses", known_ellipses},
    {"ways to the edge", known_edges},
    {"edges rise", edges_rise},
    {"exact at any size", exact_at_any_size},
};
CHECK_MAIN(cases)
