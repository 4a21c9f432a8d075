/* gf_compare: numbers of other programs, and every way to the same bits. */
#include "compare_pictures.h"

#include "check.h"
#include "gpufilter/compare.h"

#include "../oracle/compare/compare_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gf_error e = GF_ERROR_INIT;

static bool near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fmax(1, fabs(b));
}

/* ---- numbers of scikit-image and pixelmatch ---- */

static void facts(void)
{
    for (size_t i = 0; i < sizeof compare_facts / sizeof *compare_facts; i++) {
        const int w = compare_facts[i].w, h = compare_facts[i].h, n = compare_facts[i].channels;
        const gf_depth depth = (gf_depth)compare_facts[i].depth;
        const double *want = compare_facts[i].measure;
        void *a = make_noisy(w, h, n, depth, 0, 0), *b = make_noisy(w, h, n, depth, 1, 0);
        REQUIRE(a && b);
        const gf_image images[2] = {gf_image_view(a, w, h, n, depth, 0), gf_image_view(b, w, h, n, depth, 0)};
        gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
        gf_comparison c = GF_COMPARISON_INIT;
        o.metrics = GF_COMPARE_SSIM | GF_COMPARE_SSIM_UNIFORM | GF_COMPARE_MS_SSIM | GF_COMPARE_CIEDE2000;
        REQUIRE(gf_compare(&images[0], &images[1], NULL, &o, &c, &e) == GF_OK);
        CHECK(c.largest == want[0]);
        CHECK(near(c.mean, want[1], 1e-12));
        CHECK(near(c.psnr, want[2], 1e-12));
        CHECK_MSG(near(c.ssim, want[3], 1e-9), "%.17g and %.17g", c.ssim, want[3]);
        CHECK_MSG(near(c.ssim_uniform, want[4], 1e-9), "%.17g and %.17g", c.ssim_uniform, want[4]);
        CHECK_MSG(want[5] < 0 ? isnan(c.ms_ssim) : near(c.ms_ssim, want[5], 1e-9), "%.17g and %.17g",
                  c.ms_ssim, want[5]);
        CHECK_MSG(near(c.ciede2000_mean, want[6], 1e-9), "%.17g and %.17g", c.ciede2000_mean, want[6]);
        CHECK_MSG(near(c.ciede2000_largest, want[7], 1e-9), "%.17g and %.17g", c.ciede2000_largest, want[7]);
        CHECK_MSG(near(c.ciede2000_share, want[8], 1e-9), "%.17g and %.17g", c.ciede2000_share, want[8]);
        free(a);
        free(b);
    }
}

static uint64_t mask_hash;

static gf_status hash_marks(void *user, const gf_compare_row *row, gf_error *error)
{
    (void)error;
    for (int x = 0; x < DISCS_W; x++) {
        mask_hash = (mask_hash ^ (row->marks[x] == GF_MARK_COUNTS)) * UINT64_C(1099511628211);
    }
    return row->y == *(int64_t *)user && ++*(int64_t *)user ? GF_OK : GF_ERROR_INTERNAL;
}

/* Also as u16 and f32, whose samples stand for the same colours. */
static void smooth_edges(void)
{
    static uint8_t discs[2][DISCS_H * DISCS_W * 4];
    static uint16_t wide[2][DISCS_H * DISCS_W * 4];
    for (int k = 0; k < 2; k++) {
        make_discs(discs[k], k);
        for (int i = 0; i < DISCS_H * DISCS_W * 4; i++) {
            wide[k][i] = (uint16_t)(discs[k][i] * 257);
        }
    }
    for (size_t i = 0; i < sizeof match_facts / sizeof *match_facts; i++) {
        for (int deep = 0; deep < 2; deep++) {
            const gf_depth depth = deep ? GF_U16 : GF_U8;
            const gf_image a =
                gf_image_view(deep ? (void *)wide[0] : discs[0], DISCS_W, DISCS_H, 4, depth, 0);
            const gf_image b =
                gf_image_view(deep ? (void *)wide[1] : discs[1], DISCS_W, DISCS_H, 4, depth, 0);
            gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
            gf_comparison c = GF_COMPARISON_INIT;
            int64_t next = 0;
            o.by = GF_COMPARE_BY_YIQ;
            o.max_diff = match_facts[i].threshold;
            o.antialias = match_facts[i].antialias;
            o.row = hash_marks;
            o.user = &next;
            mask_hash = UINT64_C(14695981039346656037);
            REQUIRE(gf_compare(&a, &b, NULL, &o, &c, &e) == GF_OK);
            CHECK_MSG(c.pixel_count == match_facts[i].count, "%d and %d", (int)c.pixel_count,
                      (int)match_facts[i].count);
            CHECK(mask_hash == match_facts[i].mask);
            CHECK(next == DISCS_H);
            CHECK((c.antialiased > 0) == (match_facts[i].antialias && match_facts[i].threshold < 0.3));
        }
    }
}

/* Sharma's table of CIEDE2000 begins with colours that no sRGB has; so here are what scikit-image says of
 * pairs with hues on both sides of 0, grays and black. */
static void colours(void)
{
    for (size_t i = 0; i < sizeof colour_facts / sizeof *colour_facts; i++) {
        const gf_image a = gf_image_view(colour_facts[i].a, 1, 1, 3, GF_U8, 0),
                       b = gf_image_view(colour_facts[i].b, 1, 1, 3, GF_U8, 0);
        gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
        gf_comparison c = GF_COMPARISON_INIT;
        o.by = GF_COMPARE_BY_CIEDE2000;
        o.metrics = GF_COMPARE_CIEDE2000;
        o.max_diff = colour_facts[i].distance * (1 - 1e-9);
        REQUIRE(gf_compare(&a, &b, NULL, &o, &c, &e) == GF_OK);
        CHECK_MSG(near(c.ciede2000_mean, colour_facts[i].distance, 1e-9), "%.17g and %.17g", c.ciede2000_mean,
                  colour_facts[i].distance);
        CHECK(c.pixel_count == 1);
        o.max_diff = colour_facts[i].distance * (1 + 1e-9);
        REQUIRE(gf_compare(&a, &b, NULL, &o, &c, &e) == GF_OK);
        CHECK(c.pixel_count == 0 && !c.identical);
    }
}

/* ---- every way to the same bits ---- */

struct rows {
    gf_image image;
    int64_t next;
};

static gf_status give(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct rows *r = user;
    (void)error;
    for (int64_t y = 0; y < count; y++, r->next++) {
        memcpy(
            (char *)data + y * pitch, (char *)r->image.data + r->next * r->image.pitch,
            (size_t)gf_image_row_bytes(r->image.shape.width, r->image.shape.channels, r->image.shape.depth));
    }
    return GF_OK;
}

static gf_source source_of(struct rows *r, int whole)
{
    r->next = 0;
    return (gf_source){
        .struct_size = sizeof(gf_source), .whole = whole, .shape = r->image.shape, .rows = give, .user = r};
}

static bool same(const gf_comparison *a, const gf_comparison *b)
{
    const gf_compare_place *p[2] = {&a->first, &a->most}, *q[2] = {&b->first, &b->most};
    for (int i = 0; i < 2; i++) {
        if (p[i]->x != q[i]->x || p[i]->y != q[i]->y || p[i]->channel != q[i]->channel ||
            p[i]->a != q[i]->a || p[i]->b != q[i]->b) {
            return false;
        }
    }
    return !memcmp(a, b, offsetof(gf_comparison, first)) &&
           !memcmp(a->channel, b->channel, sizeof a->channel);
}

/* All at once: an area, rectangles, a mask, antialiasing, every metric; from memory, by rows, whole, on any
 * number of threads. */
static void same_bits(void)
{
    enum { W = 200, H = 193 };
    const gf_rect ignore[2] = {{3, 5, 20, 9}, {100, 0, 100, H}};
    struct rows r[3] = {{.image = gf_image_view(make_noisy(W, H, 4, GF_U8, 0, 8), W, H, 4, GF_U8, W * 4 + 8)},
                        {.image = gf_image_view(make_noisy(W, H, 4, GF_U8, 1, 4), W, H, 4, GF_U8, W * 4 + 4)},
                        {.image = gf_image_view(make_noisy(W, H, 1, GF_U8, 0, 0), W, H, 1, GF_U8, 0)}};
    REQUIRE(r[0].image.data && r[1].image.data && r[2].image.data);
    for (int i = 0; i < W * H; i += 3) {
        ((uint8_t *)r[2].image.data)[i] = 0;
    }
    gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
    gf_comparison first = GF_COMPARISON_INIT;
    o.area = (gf_rect){7, 3, 180, 186};
    o.ignore = ignore;
    o.ignore_count = 2;
    o.antialias = 1;
    o.max_diff = 9;
    o.metrics = 15;
    o.threads = 1;
    REQUIRE(gf_compare(&r[0].image, &r[1].image, &r[2].image, &o, &first, &e) == GF_OK);
    CHECK(first.pixel_count > 1000 && first.ignored > 9000 && !isnan(first.ms_ssim) && first.ssim < 1);
    CHECK(first.samples == 4 * first.pixels && first.pixels + first.ignored == 180 * 186);
    for (int whole = -1; whole < 2; whole++) {
        for (o.threads = 0; o.threads < 5; o.threads++) {
            gf_comparison c = GF_COMPARISON_INIT;
            if (whole < 0) {
                REQUIRE(gf_compare(&r[0].image, &r[1].image, &r[2].image, &o, &c, &e) == GF_OK);
            } else {
                const gf_source s[3] = {source_of(&r[0], whole), source_of(&r[1], 0),
                                        source_of(&r[2], whole)};
                REQUIRE(gf_compare_rows(&s[0], &s[1], &s[2], &o, &c, &e) == GF_OK);
                CHECK(r[0].next == H && r[1].next == H && r[2].next == H);
            }
            CHECK_MSG(same(&c, &first), "whole %d, %d threads", whole, o.threads);
        }
    }
    for (int i = 0; i < 3; i++) {
        free(r[i].image.data);
    }
}

/* ---- by hand ---- */

static void by_hand(void)
{
    const uint8_t a[2][8] = {{10, 20, 30, 255, 40, 50, 60, 255}, {1, 2, 3, 0, 9, 9, 9, 128}};
    uint8_t b[2][8];
    const uint8_t mask[4] = {1, 0, 255, 1};
    gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
    gf_comparison c = GF_COMPARISON_INIT;
    memcpy(b, a, sizeof b);
    const gf_image A = gf_image_view(a, 2, 2, 4, GF_U8, 0), B = gf_image_view(b, 2, 2, 4, GF_U8, 0),
                   mask_image = gf_image_view(mask, 2, 2, 1, GF_U8, 0);
    REQUIRE(gf_compare(&A, &B, NULL, NULL, &c, &e) == GF_OK);
    CHECK(c.identical && c.count == 0 && isinf(c.psnr) && c.mean == 0 && c.samples == 16 && c.box.w == 0);
    b[0][5] = 47; /* pixel (1, 0), green: 3 less */
    b[1][4] = 19; /* pixel (1, 1), red: 10 more */
    b[1][7] = 130;
    REQUIRE(gf_compare(&A, &B, NULL, &o, &c, &e) == GF_OK);
    CHECK(!c.identical && c.count == 3 && c.pixel_count == 2 && c.largest == 10 && c.mean == 15.0 / 16);
    CHECK(near(c.psnr, 10 * log10(255.0 * 255 / ((9.0 + 100 + 4) / 16)), 1e-14));
    CHECK(c.first.x == 1 && c.first.y == 0 && c.first.channel == 1 && c.first.a == 50 && c.first.b == 47);
    CHECK(c.most.x == 1 && c.most.y == 1 && c.most.channel == 0 && c.most.b == 19);
    CHECK(c.box.x == 1 && c.box.y == 0 && c.box.w == 1 && c.box.h == 2);
    CHECK(c.channel[0].count == 1 && c.channel[1].largest == 3 && c.channel[2].count == 0 &&
          c.channel[3].largest == 2);
    o.max_diff = 3;
    o.ignore_alpha = 1;
    REQUIRE(gf_compare(&A, &B, NULL, &o, &c, &e) == GF_OK);
    CHECK(c.count == 1 && c.pixel_count == 1 && c.samples == 12 && c.channels == 3 && c.first.y == 1);
    o.max_diff = 0;
    REQUIRE(gf_compare(&A, &B, &mask_image, &o, &c, &e) == GF_OK);
    CHECK(c.count == 1 && c.ignored == 1 && c.pixels == 3 && c.first.y == 1);
    o.ignore = &(const gf_rect){1, 1, 1, 1};
    o.ignore_count = 1;
    REQUIRE(gf_compare(&A, &B, &mask_image, &o, &c, &e) == GF_OK);
    CHECK(c.identical && c.ignored == 2 && c.samples == 6 && isinf(c.psnr));
}

static void no_numbers(void)
{
    const uint32_t bits[2][4] = {{0x7fc00000, 0, 0x3f800000, 0x7fc00001},
                                 {0x7fc00000, 0x80000000, 0x7f800000, 0x7fc00000}};
    gf_comparison c = GF_COMPARISON_INIT;
    gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
    const gf_image a = gf_image_view(bits[0], 4, 1, 1, GF_F32, 0),
                   b = gf_image_view(bits[1], 4, 1, 1, GF_F32, 0);
    o.max_diff = 1e30;
    REQUIRE(gf_compare(&a, &b, NULL, &o, &c, &e) == GF_OK);
    CHECK(c.count == 2 && c.nans == 1 && isinf(c.largest) && c.most.x == 2 && c.first.x == 2);
    CHECK(isinf(c.mean) && c.psnr < 0 && isinf(c.psnr));
    const uint64_t big[2] = {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1};
    const gf_image u = gf_image_view(&big[0], 1, 1, 1, GF_U64, 0),
                   v = gf_image_view(&big[1], 1, 1, 1, GF_U64, 0);
    REQUIRE(gf_compare(&u, &v, NULL, NULL, &c, &e) == GF_OK);
    CHECK(c.largest == 1 && isnan(c.psnr) && isnan(c.ssim));
}

static void moved(void)
{
    enum { W = 90, H = 70 };
    static uint8_t big[H + 20][W + 20], b[H][W];
    gf_compare_shift_result s = GF_COMPARE_SHIFT_RESULT_INIT;
    for (int y = 0; y < H + 20; y++) {
        for (int x = 0; x < W + 20; x++) {
            big[y][x] = (uint8_t)place_drawn(x, y, 0, 9);
        }
    }
    const gf_image a = gf_image_view(&big[10][10], W, H, 1, GF_U8, W + 20);
    for (int dy = -6; dy <= 6; dy += 4) {
        for (int dx = -5; dx <= 5; dx++) {
            const gf_image other = gf_image_view(&big[10 - dy][10 - dx], W, H, 1, GF_U8, W + 20);
            REQUIRE(gf_compare_shift(&a, &other, NULL, 6, &s, &e) == GF_OK);
            CHECK_MSG(s.dx == dx && s.dy == dy && s.pixel_count == 0, "%d %d and %d %d", s.dx, s.dy, dx, dy);
            CHECK(s.pixels == (uint64_t)(W - abs(dx)) * (uint64_t)(H - abs(dy)));
        }
    }
    for (int y = 0; y < H; y++) {
        memcpy(b[y], &big[y + 8][9], W);
    }
    b[30][40] ^= 1;
    const gf_image spot = gf_image_view(b, W, H, 1, GF_U8, 0);
    REQUIRE(gf_compare_shift(&a, &spot, NULL, 4, &s, &e) == GF_OK);
    CHECK(s.dx == 1 && s.dy == 2 && s.pixel_count == 1);
    REQUIRE(gf_compare_shift(&a, &a, NULL, 256, &s, &e) == GF_OK);
    CHECK(s.dx == 0 && s.dy == 0 && s.pixel_count == 0);
    CHECK(gf_compare_shift(&a, &a, NULL, 257, &s, &e) == GF_ERROR_ARGUMENT);
}

static void hashes(void)
{
    for (size_t i = 0; i < sizeof hash_facts / sizeof *hash_facts; i++) {
        const int w = hash_facts[i].w, h = hash_facts[i].h, n = hash_facts[i].channels;
        const gf_depth depth = (gf_depth)hash_facts[i].depth;
        struct rows r = {.image = gf_image_view(make_noisy(w, h, n, depth, 0, 16), w, h, n, depth,
                                                gf_image_row_bytes(w, n, depth) + 16)};
        REQUIRE(r.image.data != NULL);
        uint8_t hash[2][32];
        char text[65];
        const gf_source s = source_of(&r, 0);
        REQUIRE(gf_compare_hash(&r.image, hash[0], &e) == GF_OK);
        REQUIRE(gf_compare_hash_rows(&s, hash[1], &e) == GF_OK);
        CHECK(!memcmp(hash[0], hash[1], 32));
        for (int k = 0; k < 32; k++) {
            snprintf(text + 2 * k, 3, "%02x", hash[0][k]);
        }
        CHECK_STR(text, hash_facts[i].hash);
        free(r.image.data);
    }
}

/* ---- what is refused ---- */

static const struct check_case cases[] = {
    {"what scikit-image measures", facts},
    {"what pixelmatch counts, and where", smooth_edges},
    {"colour differences", colours},
    {"the same bits by every way", same_bits},
    {"by hand", by_hand},
    {"NaN, infinity, and whole numbers beyond 2^53", no_numbers},
    {"moved pictures", moved},
    {"hashes", hashes},
};
CHECK_MAIN(cases)
