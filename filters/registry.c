/* The built-in stage types, made from stages.def. */
#include "registry.h"

#include <string.h>

#define GF_STAGE(name) extern const gf_stage_type gf_stage_##name;
#include "stages.def"
#undef GF_STAGE

static const gf_stage_type *const types[] = {
#define GF_STAGE(name) &gf_stage_##name,
#include "stages.def"
#undef GF_STAGE
};

const gf_stage_type *const *gf_stage_types(int32_t *count)
{
    if (count) {
        *count = (int32_t)(sizeof types / sizeof *types);
    }
    return types;
}

static char fold(char c)
{
    return c == '-' ? '_' : c;
}

/* Whether `word` is one of the words of `list`, which '|' separates. */
static bool in_list(const char *list, const char *word, size_t length)
{
    while (list && *list) {
        size_t n = strcspn(list, "|");
        bool same = n == length;
        for (size_t i = 0; same && i < n; i++) {
            same = fold(list[i]) == fold(word[i]);
        }
        if (same) {
            return true;
        }
        list += n + (list[n] == '|');
    }
    return false;
}

bool gf_stage_has_name(const gf_stage_type *type, const char *name, size_t length)
{
    return in_list(type->name, name, length) || in_list(type->aliases, name, length);
}

const gf_stage_type *gf_stage_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++) {
        if (gf_stage_has_name(types[i], name, strlen(name))) {
            return types[i];
        }
    }
    return NULL;
}

const struct gf_foreign_words gf_foreign_words[] = {
    {"thumbnail|thumb|zoom|shrink|enlarge|upscale|downscale|imresize", "resize"},
    {"border|extend|extent|letterbox|copymakeborder", "pad"},
    {"shave|chop|cut|extract|extract_area", "crop"},
    {"deskew|straighten|turn|rot", "rotate"},
    {"rot90", "rotate:90"},
    {"flop|hflip|fliplr", "flip:x"},
    {"vflip|flipud", "flip:y"},
    {"perspective|affine|distort|shear|projective", "warp"},
    {"pixelate|pixelize|pixelise", "resize:10%:filter=box,resize:1000%:filter=box"},
    {"adaptive|adaptive_threshold|local_threshold|sauvola|niblack", "threshold:sauvola"},
    {"otsu|binarize|binarise|binary|bilevel", "threshold:otsu"},
    {"quantize|quantise|colors|colours", "posterize"},
    {"monochrome|desaturate|luminance|rgb2gray", "gray"},
    {"sepia_tone|sepia", "matrix:sepia"},
    {"colormatrix|color_matrix|recolor|recomb", "matrix"},
    {"ycbcr|yuv|rgb2ycbcr", "matrix:ycbcr"},
    {"cielab|rgb2lab", "lab"},
    {"linearize|linearise", "linear"},
    {"modulate|vibrance", "saturation"},
    {"exposure", "gain"},
    {"curve|curves", "lut"},
    {"stretch|auto_level|autolevels|contrast_stretch|rescale_intensity", "normalize"},
    {"lowpass|smooth|gaussian_blur|gaussianblur", "blur"},
    {"average|uniform", "box"},
    {"despeckle", "median"},
    {"nlmeans|wiener", "denoise_dct"},
    {"usm|unsharpen", "unsharp"},
    {"gradient|prewitt", "sobel"},
    {"scharr", "sobel:operator=scharr"},
    {"erosion|minimum", "erode"},
    {"dilation|maximum", "dilate"},
    {"opening", "open"},
    {"closing", "close"},
    {"composite|overlay|watermark", "blend"},
    {"subtract|absdiff|minus", "difference"},
    {"fx|evaluate|math|formula", "expr"},
    {"depth|astype|cast", "convert"},
    {"blobs|regions|connected_components", "label"},
    {"identify|info|measure", "stats"},
    {0},
};

const char *gf_stage_known_as(const char *word, size_t length)
{
    const struct gf_foreign_words *entry = gf_foreign_words;
    while (entry->words && !(word && in_list(entry->words, word, length))) {
        entry++;
    }
    return entry->stages;
}
