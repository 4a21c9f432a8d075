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

/* Tells whether `word` is one of the words of `list`, which '|' separates. */
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

const char *const gf_foreign_words[] = {
#include "param/foreign_words.def"
    NULL};

/* The next letter or digit from *at on, as a small one; 0: there is none before `end`. */
static char next_letter(const char **at, const char *end)
{
    while (*at < end) {
        const char c = *(*at)++;
        if (c != '-' && c != '_') {
            return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        }
    }
    return '\0';
}

static bool is_alike(const char *a, size_t n, const char *b, size_t m)
{
    const char *const a_end = a + n, *const b_end = b + m;
    for (;;) {
        const char one = next_letter(&a, a_end), two = next_letter(&b, b_end);
        if (one != two || !one) {
            return one == two;
        }
    }
}

bool gf_word_is_of(const char *list, const char *word, size_t length)
{
    while (word && list && *list) {
        const size_t n = strcspn(list, "|");
        if (is_alike(list, n, word, length)) {
            return true;
        }
        list += n + (list[n] == '|');
    }
    return false;
}

const char *gf_stage_known_as(const char *word, size_t length)
{
    const char *const *at = gf_foreign_words;
    while (*at && !gf_word_is_of(*at, word, length)) {
        at += 2;
    }
    return *at ? at[1] : NULL;
}

const char *gf_stage_known_words(int32_t index, const char **stages)
{
    const int32_t count = (int32_t)(sizeof gf_foreign_words / sizeof *gf_foreign_words / 2);
    if (!stages || index < 0 || index >= count) {
        return NULL;
    }
    *stages = gf_foreign_words[2 * index + 1];
    return gf_foreign_words[2 * index];
}

/* Stages of signals, and what is nearest to them for pictures. */
static const char *const for_pictures[][2] = {
    {"lowpass", "frequency:low=0.1 or blur:2"},
    {"highpass", "frequency:high=0.1"},
    {"bandpass", "frequency:low=0.2:high=0.05"},
    {"bandstop|comb", "notch"},
    {"iir|fir", "conv"},
    {"savgol", "bilateral"},
    {"resample|decimate", "resize"},
    {"differentiate|envelope", "sobel"},
    {"integrate", "integral"},
    {"correlate", "register"},
    {"spectrum|spectrogram", "fft"},
    {"mix", "matrix"},
    {"detrend|dcblock", "tophat"},
};

const char *gf_stage_for_pictures(const char *name)
{
    for (size_t i = 0; i < sizeof for_pictures / sizeof *for_pictures; i++) {
        if (gf_word_is_of(for_pictures[i][0], name, strlen(name))) {
            return for_pictures[i][1];
        }
    }
    return NULL;
}
