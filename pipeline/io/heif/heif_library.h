/* libheif, which is opened when the first HEIF is read, and stays. It is not linked: with the decoders and
 * encoders of H.265 and AV1 that it brings, every start of the program would take twice as long. */
#pragma once

#include <libheif/heif.h>

#define GF_HEIF_FUNCTIONS(F)                                                                                 \
    F(context_alloc)                                                                                         \
    F(context_free)                                                                                          \
    F(context_set_maximum_image_size_limit)                                                                  \
    F(context_set_max_decoding_threads)                                                                      \
    F(context_read_from_memory_without_copy)                                                                 \
    F(context_get_number_of_top_level_images)                                                                \
    F(context_get_list_of_top_level_image_IDs)                                                               \
    F(context_get_primary_image_ID)                                                                          \
    F(context_get_image_handle)                                                                              \
    F(image_handle_release)                                                                                  \
    F(image_handle_get_width)                                                                                \
    F(image_handle_get_height)                                                                               \
    F(image_handle_has_alpha_channel)                                                                        \
    F(image_handle_is_premultiplied_alpha)                                                                   \
    F(image_handle_get_luma_bits_per_pixel)                                                                  \
    F(image_handle_get_number_of_metadata_blocks)                                                            \
    F(image_handle_get_list_of_metadata_block_IDs)                                                           \
    F(image_handle_get_metadata_type)                                                                        \
    F(image_handle_get_metadata_content_type)                                                                \
    F(image_handle_get_metadata_size)                                                                        \
    F(image_handle_get_metadata)                                                                             \
    F(image_handle_get_raw_color_profile_size)                                                               \
    F(image_handle_get_raw_color_profile)                                                                    \
    F(image_handle_get_nclx_color_profile)                                                                   \
    F(nclx_color_profile_free)                                                                               \
    F(decoding_options_alloc)                                                                                \
    F(decoding_options_free)                                                                                 \
    F(decode_image)                                                                                          \
    F(image_get_width)                                                                                       \
    F(image_get_height)                                                                                      \
    F(image_get_bits_per_pixel_range)                                                                        \
    F(image_get_plane_readonly)                                                                              \
    F(image_release)

struct gf_heif_library {
#define GF_HEIF_POINTER(name) __typeof__(heif_##name) *name;
    GF_HEIF_FUNCTIONS(GF_HEIF_POINTER)
#undef GF_HEIF_POINTER
};

/* NULL where it is not found. */
const struct gf_heif_library *gf_heif_library(void);
