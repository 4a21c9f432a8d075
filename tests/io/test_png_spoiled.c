/* PNG files of our own making, each spoiled in one way that has a name: what the reader promises to say, or
 * the right pixels and a note. */
#define _DEFAULT_SOURCE
#include "png_faults.h"

enum { FAULTS = sizeof faults / sizeof faults[0] };

static int right_pixels(const struct png_recipe *r, const gf_image *image)
{
    int channels = png_make_channels(r), right = image->shape.channels == channels;
    for (int y = 0; right && y < image->shape.height; y++) {
        const uint8_t *row = (const uint8_t *)image->data + y * image->pitch;
        for (int i = 0; right && i < r->width * channels; i++) {
            uint16_t wide;
            memcpy(&wide, row + 2 * i, r->depth == 16 ? 2 : 0);
            right = png_make_sample(r, i / channels, y, i % channels) == (r->depth == 16 ? wide : row[i]);
        }
    }
    return right;
}

static void check_fault(const struct fault *fault)
{
    struct png_file file;
    gf_error error;
    size_t size = 0;
    png_make(&file, &bases[fault->base]);
    fault->spoil(&file, fault);
    uint8_t *bytes = png_make_bytes(&file, &size);
    gf_picture *picture = read_bytes(bytes, size, NULL, &error);
    const char *said = picture != NULL ? picture->note : error.message;
    CHECK_MSG(error.code == fault->verdict, "%s: status %d, \"%s\"", fault->name, (int)error.code, said);
    CHECK_MSG(fault->says[0] ? strstr(said, fault->says) != NULL : said[0] == '\0', "%s: \"%s\" lacks \"%s\"",
              fault->name, said, fault->says);
    CHECK_MSG(picture == NULL || right_pixels(&bases[fault->base], &picture->image), "%s: other pixels",
              fault->name);
    gf_picture_destroy(&picture);
    free(bytes);
    png_make_free(&file);
}

static int check_all(gf_status verdict)
{
    int count = 0;
    for (int i = 0; i < FAULTS; i++) {
        if (faults[i].verdict == verdict) {
            check_fault(&faults[i]);
            count++;
        }
    }
    return count;
}

static void refused(void)
{
    CHECK(check_all(GF_ERROR_INPUT) >= 100);
}

static void beyond_limits(void)
{
    CHECK(check_all(GF_ERROR_LIMIT) >= 3);
}

static void harmless(void)
{
    CHECK(check_all(GF_OK) >= 35);
}

static void unspoiled(void)
{
    for (int base = 0; base < LARGE; base++) {
        struct png_file file;
        gf_error error;
        size_t size = 0;
        png_make(&file, &bases[base]);
        uint8_t *bytes = png_make_bytes(&file, &size);
        gf_picture *picture = read_bytes(bytes, size, NULL, &error);
        CHECK(picture != NULL && picture->note[0] == '\0' && right_pixels(&bases[base], &picture->image));
        gf_picture_destroy(&picture);
        check_cuts("generated", bytes, size);
        check_bits(bytes, size);
        free(bytes);
        png_make_free(&file);
    }
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"refused, with the cause", refused},
    {"beyond a limit", beyond_limits},
    {"harmless: right pixels, and a note of what is lost", harmless},
    {"every cut and every bit of what was to be spoiled", unspoiled},
};

CHECK_MAIN(cases)
