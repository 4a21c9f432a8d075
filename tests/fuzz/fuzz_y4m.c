/* y4m: every frame of a stream is read or refused, and what is written is a stream that is read. */
#include "fuzz.h"

/* Samples are rounded on their way, twice; the shape stays. */
static void write_again(const gf_picture *first)
{
    const uint8_t *bytes;
    size_t size;
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.format = "y4m";
    FUZZ_CHECK(fuzz_write(&first->image, &first->metadata, &options, &bytes, &size, &error) == GF_OK, "%s",
               error.message);
    gf_picture *second = fuzz_read(bytes, size, 0);
    FUZZ_CHECK(second != NULL, "y4m written by us is refused");
    const gf_shape *a = &first->image.shape, *b = &second->image.shape;
    FUZZ_CHECK(a->width == b->width && a->height == b->height && a->channels == b->channels &&
                   a->depth == b->depth,
               "another shape");
    gf_metadata expected = first->metadata;
    if (expected.frame_rate[0] == 0) {
        expected.frame_rate[0] = 25;
        expected.frame_rate[1] = 1;
    }
    FUZZ_CHECK(expected.chroma == second->metadata.chroma &&
                   expected.video_bits == second->metadata.video_bits &&
                   expected.full_range == second->metadata.full_range &&
                   memcmp(expected.frame_rate, second->metadata.frame_rate, sizeof expected.frame_rate) == 0,
               "another kind of frames");
    fuzz_same_metadata(&first->metadata, &second->metadata);
    gf_picture_destroy(&second);
}

void fuzz_y4m(const uint8_t *data, size_t size)
{
    if (size > (size_t)1 << 15 || strcmp(fuzz_format(data, size), "y4m") != 0) {
        return;
    }
    gf_picture *picture = fuzz_read(data, size, 0);
    if (picture != NULL) {
        write_again(picture);
    }
    gf_picture_destroy(&picture);
}
