/* Pictures that own their samples, and the metadata beside them. */
#include "io/codec.h"

#include "base/sized.h"
#include "base/status.h"
#include "gpufilter/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

/* The public part must come first: gf_picture_destroy gets its address. */
struct owned {
    gf_picture picture;
    void *samples;    /* as calloc returned it; image.data is aligned within */
    gf_device pinned; /* for that device; the CPU: pageable */
};

/* Bytes of a row rounded up to the alignment, and of the whole; 0: does not fit in memory. */
static size_t row_pitch(const gf_shape *shape, size_t *total)
{
    uint64_t sample = gf_depth_size(shape->depth) * (uint64_t)shape->channels;
    uint64_t width = shape->width > 0 ? (uint64_t)shape->width : 1, height = (uint64_t)shape->height,
             most = PTRDIFF_MAX - 2 * ALIGNMENT;
    if (width > most / sample) {
        return 0;
    }
    uint64_t pitch = (width * sample + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (height > most / pitch) {
        return 0;
    }
    *total = (size_t)(pitch * height);
    return (size_t)pitch;
}

static gf_status fail_memory(const gf_shape *shape, gf_error *error)
{
    return gf_fail(error, GF_ERROR_MEMORY,
                   "no memory for a picture of %" PRId64 " x %" PRId64 " x %d %s samples", shape->width,
                   shape->height, (int)shape->channels, gf_depth_name(shape->depth));
}

static gf_status allocate(const gf_shape *shape, gf_device device, size_t bytes, void **samples,
                          gf_error *error)
{
    if (device >= 0) {
        GF_TRY(gf_pinned_allocate(device, bytes, samples, error));
        memset(*samples, 0, bytes);
        return GF_OK;
    }
    /* calloc: large blocks come as untouched zero pages, so clearing costs nothing. */
    *samples = calloc(1, bytes);
    return *samples != NULL ? GF_OK : fail_memory(shape, error);
}

static gf_status make(const gf_shape *shape, gf_device device, gf_picture **out, gf_error *error)
{
    size_t total = 0, pitch = row_pitch(shape, &total);
    void *samples = NULL;
    struct owned *owned = pitch != 0 ? calloc(1, sizeof *owned) : NULL;
    gf_status status = owned != NULL ? allocate(shape, device, total + ALIGNMENT, &samples, error)
                                     : fail_memory(shape, error);
    if (status != GF_OK) {
        free(owned);
        return status;
    }
    owned->pinned = device;
    uintptr_t at = ((uintptr_t)samples + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    owned->samples = samples;
    owned->picture.struct_size = sizeof(gf_picture);
    owned->picture.alpha = GF_ALPHA_PREMUL;
    owned->picture.metadata.struct_size = sizeof(gf_metadata);
    owned->picture.image = (gf_image){.struct_size = sizeof(gf_image),
                                      .shape = *shape,
                                      .pitch = (int64_t)pitch,
                                      .data = (char *)samples + (at - (uintptr_t)samples),
                                      .device = GF_DEVICE_CPU};
    *out = &owned->picture;
    return GF_OK;
}

gf_status gf_picture_make(const gf_shape *shape, gf_picture **out, gf_error *error)
{
    return make(shape, GF_DEVICE_CPU, out, error);
}

gf_status gf_picture_create(const gf_shape *shape, gf_picture **out, gf_error *error)
{
    return gf_picture_create_pinned(shape, GF_DEVICE_CPU, out, error);
}

gf_status gf_picture_create_pinned(const gf_shape *shape, gf_device device, gf_picture **out, gf_error *error)
{
    if (out != NULL) {
        *out = NULL;
    }
    if (out == NULL || shape == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_picture_create: shape or out is NULL");
    }
    if (shape->width < 1 || shape->height < 1 || shape->channels < 1 || shape->channels > 4 ||
        gf_depth_size(shape->depth) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "a picture of %" PRId64 " x %" PRId64 " pixels, %d channels, depth %s is impossible",
                       shape->width, shape->height, (int)shape->channels, gf_depth_name(shape->depth));
    }
    return make(shape, device, out, error);
}

/* A copy of a block, NULL for an empty one; *failed is set when memory ran out. */
static void *duplicate(const void *bytes, size_t size, int *failed)
{
    if (bytes == NULL || size == 0) {
        return NULL;
    }
    void *copy = malloc(size);
    if (copy == NULL) {
        *failed = 1;
        return NULL;
    }
    return memcpy(copy, bytes, size);
}

/* The picture made these blocks itself, so dropping const is sound. */
static void free_metadata(gf_metadata *metadata)
{
    free((void *)(uintptr_t)metadata->icc);
    free((void *)(uintptr_t)metadata->exif);
    free((void *)(uintptr_t)metadata->segments);
}

gf_status gf_picture_set_metadata(gf_picture *picture, const gf_metadata *metadata, gf_error *error)
{
    if (picture == NULL) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_picture_set_metadata: picture is NULL");
    }
    gf_metadata copy = GF_METADATA_INIT;
    if (metadata != NULL) {
        static const struct gf_sized sized = GF_SIZED(gf_metadata, icc_size);
        GF_TRY(gf_struct_in(&sized, metadata, &copy, error));
        int failed = 0;
        copy.icc = duplicate(copy.icc, copy.icc_size, &failed);
        copy.exif = duplicate(copy.exif, copy.exif_size, &failed);
        copy.segments = duplicate(copy.segments, copy.segments_size, &failed);
        copy.icc_size = copy.icc != NULL ? copy.icc_size : 0;
        copy.exif_size = copy.exif != NULL ? copy.exif_size : 0;
        copy.segments_size = copy.segments != NULL ? copy.segments_size : 0;
        if (failed) {
            free_metadata(&copy);
            return gf_fail(error, GF_ERROR_MEMORY, "no memory for metadata");
        }
    }
    free_metadata(&picture->metadata);
    picture->metadata = copy;
    return GF_OK;
}

void gf_picture_destroy(gf_picture **picture)
{
    if (picture != NULL && *picture != NULL) {
        struct owned *owned = (struct owned *)*picture;
        free_metadata(&owned->picture.metadata);
        if (owned->pinned >= 0) {
            gf_pinned_release(owned->pinned, owned->samples);
        } else {
            free(owned->samples);
        }
        free(owned);
        *picture = NULL;
    }
}
