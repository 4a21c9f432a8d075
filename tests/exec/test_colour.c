/* Stages of colours where their arithmetic has an edge: the ends of a curve and of a cube, the straight parts
 * of sRGB and of L*a*b*, alpha of 0, a black channel, conditions, tolerances. The same bits from the judge,
 * the CPU and CUDA. What the stages make of pictures is in tests/oracle. */
#include "drawn_check.h"

#include <stdlib.h>

static const struct {
    const char *text;
    int32_t least; /* channels */
} texts[] = {
    {"linear", 1},
    {"srgb", 1},
    {"linear:roi=40x3+5+1,srgb", 1},
    {"lut:[0.1 0.7 0.2 0.9 0.4]", 1},
    {"lut:[0 0.15 1; 0.3 0.8 0.1; 1 0.4 0]", 3},
    {"posterize:7", 1},
    {"expr:'if(v-0.5, v/2, 1-v)'", 1},
    {"expr:'if(r-g, b, r); max(r, b); if(min(r-b, 0), g, 1-g)'", 3},
    {"expr:'if(x-2*y, v*y/height, x/width)'", 1},
    {"expr:'r*x/width; g; b*y/16'", 3},
    {"expr:'v*(x-y)/9':roi=40x9+7+3", 1},
    {"expr:'x/50+y/30-v':channels=g", 3},
    {"expr:'v+x/width',blur:2,expr:'v-y/height'", 1},
    {"vignette:0.8:start=0.1", 1},
    {"lab", 3},
    {"lab,lab:from", 3},
    {"lab:from", 3},
    {"lab,sharpen", 3},
    {"lab,bilateral:1", 3},
    {"lab:from,laplacian", 3},
    {"lut:[0 0 0.1; 1 0 0; 0 0.9 0; 1 0.7 0; 0 0 1; 1 0 0.6; 0 0.9 1; 1 1 0.9]", 3},
    {"equalize:channels=luma", 3},
    {"gamma:0.7:channels=luma", 3},
    {"blend:beside", 1},
    {"blend:beside:amount=0.3", 1},
    {"blend:beside:mode=screen:amount=0.6", 1},
    {"mask:beside:value=0.3", 1},
    {"blend:beside:mode=divide", 1},
    {"blend:pic_20_9_3_u8:at=southeast+3+2:scale=0.7", 3},
    {"blend:pic_70_5_4_u8:at=-4+9:mode=multiply:amount=0.8", 3},
    {"mask:pic_20_9_1_u8:at=centre:value=0.2", 1},
    {"beside:pic_20_33_1_u16:gap=3", 1},
    {"below:pic_9_5_4_u8:align=end:colour=0.3", 3},
    {"mask:pic_61_17_1_u8", 3},
    {"blend:pic_61_17_1_u8:mode=multiply", 3},
    {"blend:pic_61_17_4_u8:amount=0.7", 3},
    {"draw:rect:area=20x9+30+12:colour=0.3:fill=#fff8", 1},
    {"draw:ellipse:area=51x15+4+1:colour=[0 0.4 1 0.6]:width=3:fill=gold", 3},
    {"draw:ellipse:area=1x1+60+16:colour=1,draw:ellipse:area=7x7+3+3:width=0:fill=0.5", 1},
    {"draw:line:from=[-4.5 3]:to=[70 14.25]:width=1.5:colour=0.8,draw:line:from=[9 9]:to=[9 9]:colour=0", 1},
    {"draw:boxes:boxes=[0 0 61 17; -3 5 9 4; 50 10 40 40; 70 1 2 2; 5 5 0 3]:width=1:colour=#fff", 1},
    {"alpha:over:value=0.4", 1},
    {"alpha:drop,alpha:add:value=0.25,blend:in:amount=0.5", 1},
    {"whitebalance:gray", 3},
    {"whitebalance:white:percentile=90", 3},
    {"matrix:ycbcr", 3},
    {"saturation:1.7", 3},
    {"gain:[1.2]", 1},
};

enum { TEXTS = sizeof texts / sizeof *texts };

static void edges(void)
{
    static const enum plan_content contents[] = {PLAN_NOISE, PLAN_BINARY, PLAN_EXTREMES};
    const long all = TEXTS * 4 * 3 * 3;
    for (long n = 0; n < all; n++) {
        const int text = (int)(n % TEXTS);
        const gf_shape shape = {61, 17, (int32_t)(n / TEXTS % 4 + 1), (gf_depth)(n / TEXTS / 4 % 3)};
        if (shape.channels >= texts[text].least && check_slice(n, all)) {
            drawn_check(texts[text].text, &shape, (uint64_t)n, contents[n / TEXTS / 12], n % 2 == 1,
                        GF_ALPHA_STRAIGHT);
        }
    }
}

/* A picture whose channel is black: its factor is 1, which is a result too. */
static void black_channels(void)
{
    for (int n = 0; n < 3 * 3 * 2; n++) {
        const gf_shape shape = {33, 9, 3 + n / 9, (gf_depth)(n % 3)};
        const size_t size = gf_depth_size(shape.depth);
        struct parity_picture in;
        char why[512];
        if (!drawn_picture(&in, &shape, (uint64_t)n, PLAN_NOISE, false)) {
            return;
        }
        for (int64_t y = 0; y < shape.height; y++) {
            char *row = (char *)in.image.data + y * in.image.pitch;
            for (int64_t x = 0; x < shape.width; x++) {
                memset(row + (size_t)(x * shape.channels + n / 3 % 3) * size, 0, size);
            }
        }
        CHECK_MSG(parity_check("whitebalance:gray", &in.image, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                  "gray, black channel %d of %d, %s: %s", n / 3 % 3, shape.channels,
                  gf_depth_name(shape.depth), why);
        CHECK_MSG(parity_check("whitebalance:white", &in.image, GF_ALPHA_STRAIGHT, why, sizeof why) > 0,
                  "white, black channel %d of %d, %s: %s", n / 3 % 3, shape.channels,
                  gf_depth_name(shape.depth), why);
        parity_picture_free(&in);
    }
}

/* Bytes have a way of their own to L*a*b* and back, which takes no powers: every colour, where all is
 * asked for. */
static void every_colour_of_bytes(void)
{
    const gf_shape shape = {256, 256, 3, GF_U8};
    const int step = getenv("GPUFILTER_TEST_WHOLE") ? 1 : 51;
    for (int n = 0; n < 2 * 256; n++) {
        struct parity_picture in;
        char why[512];
        if (n / 2 % step != 0 || !check_slice(n / 2 / step, 256 / step + 1) ||
            !drawn_picture(&in, &shape, 0, PLAN_NOISE, false)) {
            continue;
        }
        for (int64_t y = 0; y < shape.height; y++) {
            unsigned char *row = (unsigned char *)in.image.data + y * in.image.pitch;
            for (int64_t x = 0; x < shape.width; x++) {
                row[3 * x] = (unsigned char)(n / 2);
                row[3 * x + 1] = (unsigned char)y;
                row[3 * x + 2] = (unsigned char)x;
            }
        }
        CHECK_MSG(parity_check(n % 2 ? "lab" : "lab:from", &in.image, GF_ALPHA_NONE, why, sizeof why) > 0,
                  "colours that begin with %d: %s", n / 2, why);
        parity_picture_free(&in);
    }
}

static void cuda_takes_part(void)
{
    if (!parity_has_cuda()) {
        SKIP("no CUDA device: the tables above compared the CPU only");
    }
}

static const struct check_case cases[] = {
    {"edges of colours, CPU and CUDA", edges},
    {"black channels, CPU and CUDA", black_channels},
    {"every colour of bytes, CPU and CUDA", every_colour_of_bytes},
    {"CUDA takes part", cuda_takes_part},
};
CHECK_MAIN(cases)
