/* Makes the HEIF and AVIF files of tests/fuzz/seeds/heif, but for those of 10 and 12 bits, which ffmpeg
 * makes:
 *
 *   cc -o make_heif make_heif.c -lheif && ./make_heif FOLDER
 *   for bits in 10 12; do
 *       python3 -c "import sys
 *   for c in (1, 2, 0):
 *       for i in range(7 * 9):
 *           v = i % 9 * 13 + i // 9 * 7 + c * 50
 *           sys.stdout.buffer.write((v * ((1 << $bits) - 1) // 255).to_bytes(2, 'little'))" |
 *       ffmpeg -f rawvideo -pix_fmt gbrp${bits}le -s 9x7 -i - -frames:v 1 -c:v libaom-av1 -still-picture 1 \
 *           -aom-params lossless=1 -color_primaries bt709 -color_trc iec61966-2-1 -colorspace rgb -color_range pc \
 *           -f avif FOLDER/rgb$bits
 *   done
 *
 * Written with libheif 1.15, libaom 3.6 and libx265 3.5; every sample is kept, so that
 * tests/io/test_io_heif.c knows it. */
#include <libheif/heif.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 9, HEIGHT = 7 };

static void must(struct heif_error error)
{
    if (error.code != heif_error_Ok) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
}

/* x * 13 + y * 7 + c * 50; `add` makes another picture of it. */
static struct heif_image *make(int channels, int add, int is_multiplied)
{
    struct heif_image *image;
    int stride;
    must(heif_image_create(WIDTH, HEIGHT, heif_colorspace_RGB,
                           channels == 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
                           &image));
    must(heif_image_add_plane(image, heif_channel_interleaved, WIDTH, HEIGHT, 8));
    uint8_t *at = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    for (int y = 0; y < HEIGHT; y++) {
        for (int i = 0; i < WIDTH * channels; i++) {
            const int c = i % channels;
            at[y * stride + i] = (uint8_t)(i / channels * 13 + y * 7 + c * (c < 3 ? 50 : 25) + add);
        }
    }
    heif_image_set_premultiplied_alpha(image, is_multiplied);
    return image;
}

struct file {
    const char *name;
    int is_av1, channels, pages, orientation, is_multiplied, has_metadata;
};

static void add_metadata(struct heif_context *context, struct heif_image_handle *handle)
{
    static const char xmp[] = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>";
    static const uint8_t exif[] =
        "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0"; /* orientation 6 */
    must(heif_context_add_exif_metadata(context, handle, exif, sizeof exif));
    must(heif_context_add_XMP_metadata(context, handle, xmp, sizeof xmp - 1));
}

static void write_file(const char *folder, const struct file *file)
{
    struct heif_context *context = heif_context_alloc();
    struct heif_encoder *encoder;
    struct heif_encoding_options *options = heif_encoding_options_alloc();
    struct heif_color_profile_nclx *nclx = heif_nclx_color_profile_alloc();
    char path[1024];
    nclx->color_primaries = heif_color_primaries_ITU_R_BT_709_5;
    nclx->matrix_coefficients = heif_matrix_coefficients_RGB_GBR;
    nclx->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
    nclx->full_range_flag = 1;
    options->output_nclx_profile = nclx;
    options->macOS_compatibility_workaround = 0;
    options->macOS_compatibility_workaround_no_nclx_profile = 0;
    options->image_orientation = file->orientation ? file->orientation : heif_orientation_normal;
    must(heif_context_get_encoder_for_format(
        context, file->is_av1 ? heif_compression_AV1 : heif_compression_HEVC, &encoder));
    must(heif_encoder_set_lossless(encoder, 1));
    must(heif_encoder_set_parameter(encoder, "chroma", "444"));
    for (int page = 0; page < file->pages; page++) {
        struct heif_image *image = make(file->channels, page, file->is_multiplied);
        struct heif_image_handle *handle;
        uint8_t icc[132] = {0};
        memcpy(icc + 36, "acsp", 4);
        must(heif_image_set_nclx_color_profile(image, nclx));
        if (file->has_metadata) {
            must(heif_image_set_raw_color_profile(image, "prof", icc, sizeof icc));
        }
        must(heif_context_encode_image(context, image, encoder, options, &handle));
        if (page == 1) { /* the second is the one to be shown */
            must(heif_context_set_primary_image(context, handle));
        }
        if (file->has_metadata) {
            add_metadata(context, handle);
        }
        heif_image_handle_release(handle);
        heif_image_release(image);
    }
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    must(heif_context_write_to_file(context, path));
    heif_nclx_color_profile_free(nclx);
    heif_encoding_options_free(options);
    heif_encoder_release(encoder);
    heif_context_free(context);
}

int main(int argc, char **argv)
{
    static const struct file files[] = {
        {"rgb_av1", 1, 3, 1, 0, 0, 0},        {"rgba_av1", 1, 4, 1, 0, 0, 0},
        {"rgb_hevc", 0, 3, 1, 0, 0, 0},       {"turned_hevc", 0, 3, 1, 6, 0, 0},
        {"pages_av1", 1, 3, 3, 0, 0, 0},      {"metadata_av1", 1, 3, 1, 0, 0, 1},
        {"multiplied_av1", 1, 4, 1, 0, 1, 0},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files && argc == 2; i++) {
        write_file(argv[1], &files[i]);
    }
    return argc != 2;
}
