/* Passes that load through a move: what comes before and behind moves of each kind, by the judge, fused and
 * unfused, in bands, streamed, on the CPU and on CUDA where it is. */
#include "drawn_check.h"

static void check_all(const char *const *texts, size_t n, int64_t width, int64_t height)
{
    long i = 0;
    for (size_t t = 0; t < n; t++) {
        for (int32_t channels = 1; channels <= 4; channels++) {
            for (int depth = GF_U8; depth <= GF_F32; depth++) {
                const gf_shape shape = {width, height, channels, (gf_depth)depth};
                if (check_slice(i++, (long)n * 4 * 3)) {
                    drawn_check(texts[t], &shape, t + (size_t)channels, PLAN_NOISE, t % 3 == 0,
                                GF_ALPHA_STRAIGHT);
                }
            }
        }
    }
}

static void mirrored(void)
{
    static const char *const texts[] = {"flip,invert",
                                        "flip:xy,gray,gamma:1.7,hist",
                                        "gamma:2.2,flip:xy,contrast:1.3,stats",
                                        "flip,blend:in:amount=0.3",
                                        "flip,blend:in:mode=difference",
                                        "flip:y,blend:in:mode=difference",
                                        "flip:y,gamma:1.4",
                                        "flip,saturation:1.4",
                                        "flip:y,saturation:1.4",
                                        "flip,invert:roi=30x20+5+9:feather=3",
                                        "flip,posterize:5"};
    check_all(texts, sizeof texts / sizeof *texts, 131, 45);
}

/* Columns that begin within vectors and words, and at multiples of these. */
static void cropped(void)
{
    static const char *const texts[] = {"crop:77x30+5+9,invert,hist",
                                        "gray,flip,crop:64x31+16+3,threshold:0.4,hist",
                                        "crop:100x40+31+5,flip,brightness:0.1:roi=30x20+5+11,stats",
                                        "contrast:1.2,crop:90x43+32+1,flip:y,gamma:1.2",
                                        "crop:64x41+48+2,convert:f32,blur",
                                        "crop:50x20+7+25,equalize,invert",
                                        "convert:f32,crop:70x40+4+4,gamma:2,convert:u8,profile",
                                        "crop:1x45+130+0,invert",
                                        "crop:131x1+0+44,gamma:0.8"};
    check_all(texts, sizeof texts / sizeof *texts, 131, 45);
}

static void padded(void)
{
    static const char *const texts[] = {"pad:5,invert,hist",
                                        "pad:9:top=2:border=constant:value=0.4:alpha=0.7,gray,gamma:1.7",
                                        "pad:150:top=70:bottom=3:border=reflect101,gamma:2",
                                        "pad:33:border=wrap,contrast:1.3,stats",
                                        "pad:left=16:right=0:top=0:bottom=7:border=reflect,posterize:4",
                                        "invert,pad:3,invert",
                                        "pad:4,crop:70x30+2+2,flip,gamma:1.1",
                                        "pad:top=6,saturation:1.3,threshold:otsu"};
    check_all(texts, sizeof texts / sizeof *texts, 67, 41);
}

/* Several strips of the CPU, and several blocks of threads a row. */
static void wide(void)
{
    static const char *const texts[] = {"flip,invert,hist", "pad:7:border=wrap,gamma:1.6",
                                        "crop:34001x3+1001+1,gray,contrast:1.2"};
    static const int32_t channels[] = {1, 3};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        for (int i = 0; i < 2; i++) {
            const gf_shape shape = {36007, 5, channels[i], t == 1 ? GF_U16 : GF_U8};
            drawn_check(texts[t], &shape, t, PLAN_NOISE, false, GF_ALPHA_STRAIGHT);
        }
    }
}

static void cuda_takes_part(void)
{
    if (!parity_has_cuda()) {
        SKIP("no CUDA device: the tables above compared the CPU only");
    }
}

static const struct check_case cases[] = {{"mirrored", mirrored},
                                          {"cropped", cropped},
                                          {"padded", padded},
                                          {"wide", wide},
                                          {"cuda takes part", cuda_takes_part}};
CHECK_MAIN(cases)
