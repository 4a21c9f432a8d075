/* Stage types of the language's tests: they shadow built-in ones of the same name, so that exact
 * messages do not change when a built-in table does, and `every` has every kind of parameter. */
#ifndef LANGUAGE_TYPES_H
#define LANGUAGE_TYPES_H

#include "gpufilter/pipeline.h"

static void lower_nothing(gf_lowering *l, const void *params)
{
    (void)l;
    (void)params;
}

struct test_blur {
    double sigma;
    int64_t radius;
};

static const gf_param test_blur_params[] = {
    {"sigma", GF_PARAM_NUMBER, offsetof(struct test_blur, sigma), "1", 0.05, 1000, "px", NULL, NULL, "", 1},
    {"radius", GF_PARAM_INT, offsetof(struct test_blur, radius), "auto", 0, 4000, "px", "auto", NULL, "", 0},
    {0},
};

struct test_threshold {
    double level;
    int32_t method;
};

static const gf_param test_threshold_params[] = {
    {"level", GF_PARAM_INTENSITY, offsetof(struct test_threshold, level), "0.5", 0, 1, 0, 0, 0, "", 1},
    {"method", GF_PARAM_CHOICE, offsetof(struct test_threshold, method), "fixed", 0, 0, NULL, NULL,
     "fixed|otsu", "", 1},
    {0},
};

struct test_every {
    int64_t whole, free_whole, auto_whole;
    double number, free_number, auto_number, intensity, percent;
    int32_t yes, choice, channels;
    gf_rect rect;
    gf_roi roi;
    char text[GF_PARAM_TEXT_SIZE], other_text[GF_PARAM_TEXT_SIZE];
    gf_list list, shaped;
    gf_picture_name picture;
};

#define AT(field) offsetof(struct test_every, field)
static const gf_param test_every_params[] = {
    {"whole", GF_PARAM_INT, AT(whole), "7", -5, 4096, NULL, NULL, NULL, "", 0},
    {"free_whole", GF_PARAM_INT, AT(free_whole), "", 0, 0, NULL, NULL, NULL, "", 0},
    {"auto_whole", GF_PARAM_INT, AT(auto_whole), "", 0, 9, "px", "auto", NULL, "", 0},
    {"number", GF_PARAM_NUMBER, AT(number), "1/3", -2.5, 1e6, "px", NULL, NULL, "", 0},
    {"free_number", GF_PARAM_NUMBER, AT(free_number), "0", 0, 0, "deg", NULL, NULL, "", 0},
    {"auto_number", GF_PARAM_NUMBER, AT(auto_number), "auto", 0.5, 2, NULL, "auto", NULL, "", 0},
    {"intensity", GF_PARAM_INTENSITY, AT(intensity), "128u8", 0, 1, NULL, NULL, NULL, "", 0},
    {"percent", GF_PARAM_NUMBER, AT(percent), "50%", 0, 100, "%", NULL, NULL, "", 0},
    {"yes", GF_PARAM_BOOL, AT(yes), "on", 0, 0, NULL, NULL, NULL, "", 0},
    {"choice", GF_PARAM_CHOICE, AT(choice), "u16", 0, 0, NULL, NULL, "u8|u16|f32|3x3", "", 0},
    {"planes", GF_PARAM_CHANNELS, AT(channels), "", 0, 0, NULL, NULL, NULL, "", 0},
    {"rect", GF_PARAM_RECT, AT(rect), "", 0, 0, NULL, NULL, NULL, "", 0},
    {"zone", GF_PARAM_ROI, AT(roi), "", 0, 0, NULL, NULL, NULL, "", 0},
    {"text", GF_PARAM_TEXT, AT(text), "", 0, 0, NULL, NULL, NULL, "", 0},
    {"other_text", GF_PARAM_TEXT, AT(other_text), "some words", 0, 0, NULL, NULL, NULL, "", 0},
    {"list", GF_PARAM_LIST, AT(list), "", 0, 0, NULL, NULL, NULL, "", 0},
    {"shaped", GF_PARAM_LIST, AT(shaped), "[1 0; 0 1]", -9, 9, NULL, NULL, "2x2|1x*", "", 0},
    {"picture", GF_PARAM_PICTURE, AT(picture), "", 0, 0, NULL, NULL, NULL, "", 0},
    {0},
};
#undef AT

#define TYPE(name_, aliases_, params_, size_, flags_)                                                        \
    {                                                                                                        \
        .struct_size = sizeof(gf_stage_type), .name = name_, .aliases = aliases_, .group = "test",           \
        .summary = "", .formula = "", .params = params_, .params_size = size_, .flags = flags_,              \
        .lower = lower_nothing                                                                               \
    }

static const gf_stage_type test_types_array[] = {
    TYPE("blur", "gaussian|soft_focus", test_blur_params, sizeof(struct test_blur), GF_STAGE_WINDOW),
    TYPE("threshold", NULL, test_threshold_params, sizeof(struct test_threshold), GF_STAGE_POINT),
    TYPE("gray", NULL, NULL, 0, 0),
    TYPE("hist", NULL, NULL, 0, GF_STAGE_MEASURE),
    TYPE("every", NULL, test_every_params, sizeof(struct test_every), GF_STAGE_WINDOW),
};
#undef TYPE

enum { N_TEST_TYPES = 5 };

static const gf_stage_type *const test_types[N_TEST_TYPES] = {
    &test_types_array[0], &test_types_array[1], &test_types_array[2],
    &test_types_array[3], &test_types_array[4],
};

#endif
