/* What the file tests share: a folder of their own, whole files as bytes, patterned pictures. */
#ifndef IO_HELP_H
#define IO_HELP_H

#include "check.h"
#include "gpufilter/io.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char help_folder[256];

/* A path in the tests' own folder, which is made at the first call; 8 paths live at a time. */
static inline const char *in_folder(const char *name)
{
    static char paths[8][512];
    static int next;
    if (help_folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        snprintf(help_folder, sizeof help_folder, "%.200s/gf-test-XXXXXX", base != NULL ? base : "/tmp");
        if (mkdtemp(help_folder) == NULL) {
            printf("Bail out! cannot make %s\n", help_folder);
            exit(2);
        }
    }
    next = (next + 1) % 8;
    snprintf(paths[next], sizeof paths[next], "%s/%s", help_folder, name);
    return paths[next];
}

/* Number of entries in a folder, "." and ".." not counted; -1: none such. */
static inline int count_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = dir != NULL ? -2 : -1;
    while (dir != NULL && readdir(dir) != NULL) {
        count++;
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return count;
}

/* Empties and removes the tests' folder (one level of folders deep). */
static inline void remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[1024];
        snprintf(path, sizeof path, "%.500s/%.255s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(path) != 0) {
            remove_folder(path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    rmdir(folder);
}

static inline int put_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    int ok = file != NULL && fwrite(bytes, 1, size, file) == size;
    return file != NULL && fclose(file) == 0 && ok;
}

/* The whole file; the caller frees it. NULL: cannot be read. */
static inline unsigned char *get_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    unsigned char *bytes = (unsigned char *)malloc((size_t)1 << 22);
    *size = bytes != NULL ? fread(bytes, 1, (size_t)1 << 22, file) : 0;
    fclose(file);
    return bytes;
}

static inline size_t row_bytes(const gf_image *image)
{
    return (size_t)image->shape.width * (size_t)image->shape.channels * gf_depth_size(image->shape.depth);
}

/* A picture whose every byte depends on its place; floats are finite. NULL: no memory. */
static inline gf_picture *make_picture(int64_t width, int64_t height, int channels, gf_depth depth)
{
    gf_shape shape = {width, height, channels, depth};
    gf_picture *picture = NULL;
    if (gf_picture_create(&shape, &picture, NULL) != GF_OK) {
        return NULL;
    }
    uint32_t state = (uint32_t)(width * 31 + height * 17 + channels);
    for (int64_t y = 0; y < height; y++) {
        unsigned char *row = (unsigned char *)picture->image.data + y * picture->image.pitch;
        for (size_t i = 0; i < row_bytes(&picture->image); i++) {
            state = state * 1664525u + 1013904223u;
            row[i] = (unsigned char)(state >> 24);
            if ((depth == GF_F32 || depth == GF_F64) && (row[i] & 0x7f) == 0x7f) {
                row[i] = 0;
            }
        }
    }
    return picture;
}

static inline int same_pictures(const gf_image *a, const gf_image *b)
{
    int same = a->shape.width == b->shape.width && a->shape.height == b->shape.height &&
               a->shape.channels == b->shape.channels && a->shape.depth == b->shape.depth;
    for (int64_t y = 0; same && y < a->shape.height; y++) {
        same = memcmp((char *)a->data + y * a->pitch, (char *)b->data + y * b->pitch, row_bytes(a)) == 0;
    }
    return same;
}

/* Reads bytes from a file; NULL, with the error filled, where they are no picture. */
static inline gf_picture *read_bytes(const void *bytes, size_t size, const gf_io_limits *limits,
                                     gf_error *error)
{
    gf_picture *picture = NULL;
    const char *path = in_folder("bytes");
    unlink(path); /* overwriting a file waits for the disk, a new one does not */
    *error = (gf_error)GF_ERROR_INIT;
    gf_status status =
        put_file(path, bytes, size) ? gf_io_read(path, limits, &picture, error) : GF_ERROR_OUTPUT;
    CHECK((status == GF_OK) == (picture != NULL) && status == error->code);
    return picture;
}

/* Every prefix of the bytes up to size - 1 is refused, with one line that names the file. */
static inline void check_cuts(const char *name, const void *bytes, size_t size)
{
    for (size_t cut = 0; cut < size; cut++) {
        gf_error error;
        gf_picture *picture = read_bytes(bytes, cut, NULL, &error);
        CHECK_MSG(picture == NULL, "%s: %zu of %zu bytes were enough", name, cut, size);
        CHECK_MSG(error.code == GF_ERROR_INPUT && strstr(error.message, "/bytes: ") &&
                      !strchr(error.message, '\n'),
                  "%s: %zu of %zu bytes: %d, %s", name, cut, size, (int)error.code, error.message);
        gf_picture_destroy(&picture);
    }
}

/* Every single bit of the bytes is turned once: whatever comes of it, nothing else may happen. */
static inline void check_bits(unsigned char *bytes, size_t size)
{
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.max_pixels = 1 << 20;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        gf_error error;
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        gf_picture *picture = read_bytes(bytes, size, &limits, &error);
        gf_picture_destroy(&picture);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

/* A profile and an EXIF block of plausible shape and odd sizes. */
static inline void fill_metadata(gf_metadata *metadata, unsigned char icc[3001], unsigned char exif[77])
{
    for (int i = 0; i < 3001; i++) {
        icc[i] = (unsigned char)(i * i >> 3);
    }
    memcpy(icc, "\0\0\x0b\xb9", 4); /* 3001 */
    memcpy(icc + 36, "acsp", 4);
    for (int i = 0; i < 77; i++) {
        exif[i] = (unsigned char)(i * 7);
    }
    memcpy(exif, "MM\0*", 4);
    *metadata = (gf_metadata)GF_METADATA_INIT;
    metadata->icc = icc;
    metadata->icc_size = 3001;
    strcpy(metadata->icc_name, "a profile");
    metadata->exif = exif;
    metadata->exif_size = 77;
    metadata->fields = GF_META_GAMMA | GF_META_SRGB | GF_META_CHROMATICITIES | GF_META_DENSITY | GF_META_CICP;
    metadata->gamma = 45455;
    for (uint32_t i = 0; i < 8; i++) {
        metadata->chromaticities[i] = 31270 + i;
    }
    metadata->density[0] = 11811;
    metadata->density[1] = 2835;
    metadata->density_unit = 1;
    metadata->srgb_intent = 2;
    memcpy(metadata->cicp, "\x09\x10\0\x01", 4);
}

/* ---- round trips ---- */

/* Written and read back, a picture is the same to the last bit. */
static inline void round_trip(const char *path, int64_t width, int64_t height, int channels, gf_depth depth)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *out = make_picture(width, height, channels, depth), *in = NULL;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.result_depths = 1;
    REQUIRE(out != NULL);
    if (gf_io_write(path, &out->image, NULL, NULL, &error) != GF_OK ||
        gf_io_read(path, &limits, &in, &error) != GF_OK) {
        CHECK_MSG(0, "%lld x %lld x %d %s: %s", (long long)width, (long long)height, channels,
                  gf_depth_name(depth), error.message);
    } else {
        CHECK_MSG(same_pictures(&out->image, &in->image), "%lld x %lld x %d %s differs", (long long)width,
                  (long long)height, channels, gf_depth_name(depth));
        CHECK_EQ_INT((uintptr_t)in->image.data % 64, 0);
        CHECK_EQ_INT(in->image.pitch % 64, 0);
        size_t used = row_bytes(&in->image);
        for (int64_t y = 0; y < height; y++) {
            for (size_t i = used; i < (size_t)in->image.pitch; i++) {
                CHECK(((char *)in->image.data)[(size_t)(y * in->image.pitch) + i] == 0);
            }
        }
    }
    gf_picture_destroy(&out);
    gf_picture_destroy(&in);
    CHECK(in == NULL);
}

static const int64_t help_sizes[][2] = {{1, 1},   {1, 7},  {7, 1},   {3, 5},
                                        {17, 13}, {64, 2}, {65, 33}, {301, 3}};

/* The same in every depth and number of channels that the format of `name`, a file, holds. */
static inline void round_trips(const char *name)
{
    const gf_format *format = NULL;
    REQUIRE(gf_io_format_for(name, NULL, &format, NULL) == GF_OK);
    for (int depth = 0; depth < 6; depth++) {
        for (int channels = 1; channels <= 4 && (format->depths >> depth & 1u); channels++) {
            if ((format->channels >> channels & 1u) == 0) {
                continue;
            }
            for (size_t i = 0; i < sizeof help_sizes / sizeof help_sizes[0]; i++) {
                round_trip(in_folder(name), help_sizes[i][0], help_sizes[i][1], channels, (gf_depth)depth);
            }
        }
    }
}

#endif
