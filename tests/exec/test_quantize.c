/* quantize: every way of execution and the judge over sizes around its tiles, bands of 256 rows and cells, of
 * 1 to 4 channels; and what is refused. */
#include "drawn_check.h"
#include "text_run.h"

/* One of the judge's cuts looks at all cells for each box: so there are few colours where there are many
 * cells. */
struct drawn {
    const char *text;
    int64_t width, height;
    int32_t channels;
};

static void each(const struct drawn *drawn, int n)
{
    for (int i = 0; i < n; i++) {
        const gf_shape shape = {drawn[i].width, drawn[i].height, drawn[i].channels, GF_U8};
        drawn_check(drawn[i].text, &shape, (uint64_t)(7 * i + 1), i % 2 ? PLAN_SMOOTH : PLAN_NOISE, false,
                    GF_ALPHA_NONE);
    }
}

static void found(void)
{
    static const struct drawn drawn[] = {{"quantize:dither=none", 131, 17, 3},
                                         {"quantize:3:dither=none", 40, 33, 4},
                                         {"quantize:5:dither=none", 33, 40, 2},
                                         {"quantize:dither=none", 1, 1, 3},
                                         {"quantize:2:dither=none", 300, 5, 1}};
    each(drawn, 5);
}

static void patterns(void)
{
    static const struct drawn drawn[] = {{"quantize:70:dither=ordered:spread=90", 33, 40, 1},
                                         {"quantize:9:dither=ordered", 19, 21, 3},
                                         {"quantize:2:dither=ordered:spread=255", 17, 9, 4}};
    each(drawn, 3);
}

static void diffused(void)
{
    static const struct drawn drawn[] = {
        {"quantize:5", 5, 300, 1}, {"quantize:5", 3, 515, 3}, {"quantize:2", 140, 18, 4}};
    each(drawn, 3);
}

/* As many as there can be, of pictures that have fewer colours and of one that has more. */
static void all_colours(void)
{
    static const struct drawn drawn[] = {{"quantize:256:dither=none", 5, 5, 3},
                                         {"quantize:256:dither=none", 60, 40, 1},
                                         {"quantize:256", 40, 30, 2}};
    each(drawn, 3);
}

static void given(void)
{
    const gf_shape shape = {23, 270, 3, GF_U8};
    drawn_check("quantize:palette=[0 0 0; 255 255 255; 200 40 40]", &shape, 5, PLAN_SMOOTH, false,
                GF_ALPHA_NONE);
    drawn_check("quantize:dither=ordered:palette=[9 9 9; 9 9 9; 255 0 40]", &shape, 6, PLAN_NOISE, false,
                GF_ALPHA_NONE);
}

static void refused(const char *text, const char *reason)
{
    static const uint8_t pixels[3] = {1, 2, 3};
    uint8_t made[3];
    const gf_image in = gf_image_view(pixels, 1, 1, 3, GF_U8, 0);
    gf_image out = gf_image_view(made, 1, 1, 3, GF_U8, 0);
    gf_error error = GF_ERROR_INIT;
    const gf_status status = text_run_once(text, &in, &out, &error);
    CHECK_MSG(status == GF_ERROR_ARGUMENT && strstr(error.message, reason), "%s: status %d, %s", text,
              (int)status, error.message);
}

static void refusals(void)
{
    refused("quantize:4:palette=[0 0 0; 9 9 9]", "colours");
    refused("quantize:spread=9", "dither=ordered");
    refused("quantize:palette=[0; 9]", "palette has 2 rows of 1");
    refused("quantize:palette=[0 0 1.5]", "palette has 1.5");
    refused("convert:u16,quantize", "convert:u8");
}

static const struct check_case cases[] = {
    {"found colours, CPU and CUDA", found},
    {"patterns, CPU and CUDA", patterns},
    {"what pixels lack goes to their neighbours, CPU and CUDA", diffused},
    {"as many colours as can be, CPU and CUDA", all_colours},
    {"given colours, CPU and CUDA", given},
    {"what is refused", refusals}};
CHECK_MAIN(cases)
