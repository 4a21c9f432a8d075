/* A codec: what one file format can do. Adding one is a .c file with a `const struct gf_codec`
 * at its end and one line in GF_CODECS. Callers: file_read.c and file_write.c only. */
#pragma once

#include "gpufilter/io.h"
#include "io/bytes_in.h"
#include "io/bytes_out.h"

#define GF_SNIFF_SIZE   18
#define GF_ANY_CHANNELS 0x1eu /* gf_format.channels: 1 to 4 */

/* What `open` learns; `state` is the codec's own. */
struct gf_decoder {
    struct gf_bytes_in *in;
    const gf_io_limits *limits;
    gf_file_info info;    /* filled by open */
    gf_metadata metadata; /* filled by open and finish; icc and exif live until close */
    char note[256];       /* see gf_picture */
    int expands;          /* filled by open; 1: a few bytes can be very many pixels */
    uint64_t held;        /* filled by open: bytes that grow with the picture, taken with its first row */
    int orientation;      /* filled by open: 1 to 8 where the format itself says it; 0: EXIF may */
    void *state;
};

struct gf_encoder {
    struct gf_bytes_out *out;
    const gf_format *format;
    gf_shape shape;
    const gf_metadata *metadata; /* never NULL; lives until discard */
    const gf_write_options *options;
    void *state;
};

struct gf_codec {
    gf_format format;

    /* What to build with, where this build is without it: then the format is not written, and read only as
     * it says. NULL: built in. */
    const char *absent;

    int may_be_empty; /* 1: holds arrays without samples, too */

    /* Tells whether the first bytes (up to GF_SNIFF_SIZE) are this format. */
    int (*sniff)(const uint8_t *head, size_t size);

    /* Reads the header, checks every limit, fills info and metadata. Allocates nothing that
     * grows with the picture beyond limits->max_memory. */
    gf_status (*open)(struct gf_decoder *decoder, gf_error *error);

    /* After open: has the picture delivered 2, 4 or 8 times as small, sides rounded up; fills info.shape.
     * NULL: the format cannot. */
    gf_status (*shrink)(struct gf_decoder *decoder, int32_t factor, gf_error *error);

    /* Delivers the next `count` rows; all of them in one call if info.whole. */
    gf_status (*rows)(struct gf_decoder *decoder, void *data, int64_t pitch, int64_t count, gf_error *error);

    /* After the last row: checks the end of the file, takes late metadata. May be NULL. */
    gf_status (*finish)(struct gf_decoder *decoder, gf_error *error);

    /* After finish, where pictures follow one another: goes to where the next one begins, for open. *there 0:
     * there is none. NULL: a file holds one. */
    gf_status (*next)(struct gf_decoder *decoder, int32_t *there, gf_error *error);
    int keeps_state; /* 1: what stands once before all pictures is in state, which open finds again */

    /* Frees state, also after a failed open. */
    void (*close)(struct gf_decoder *decoder);

    /* Beyond depth and channels: whether a picture of this shape, under this name, can be written. May be
     * NULL: any can. */
    gf_status (*fits)(const gf_format *format, const gf_shape *shape, const char *label, gf_error *error);

    /* Writes the header. The picture fits; the depth is one of format.depths. */
    gf_status (*begin)(struct gf_encoder *encoder, gf_error *error);

    /* 1: EXIF with GF_META_EXIF_LAST is taken from the metadata when `end` is called, not before. */
    int late_exif;

    /* Writes the next `count` rows; all of them in one call if format.whole. */
    gf_status (*put_rows)(struct gf_encoder *encoder, const void *data, int64_t pitch, int64_t count,
                          gf_error *error);

    /* Writes the end. May be NULL. */
    gf_status (*end)(struct gf_encoder *encoder, gf_error *error);

    /* Frees state, whatever happened before. NULL: there is none. */
    void (*discard)(struct gf_encoder *encoder);
};

/* The only list; the order is that of `sniff` and of gf_io_format. */
#define GF_CODECS(CODEC)                                                                                     \
    CODEC(png)                                                                                               \
    CODEC(jpeg)                                                                                              \
    CODEC(tiff)                                                                                              \
    CODEC(webp)                                                                                              \
    CODEC(gif)                                                                                               \
    CODEC(heif)                                                                                              \
    CODEC(npy)                                                                                               \
    CODEC(pnm)                                                                                               \
    CODEC(y4m)                                                                                               \
    CODEC(pfm)                                                                                               \
    CODEC(bmp)                                                                                               \
    CODEC(hdr)                                                                                               \
    CODEC(fits)                                                                                              \
    CODEC(tga)

#define GF_DECLARE_CODEC(name) extern const struct gf_codec gf_codec_##name;
GF_CODECS(GF_DECLARE_CODEC)

/* The codec whose sniff accepts the bytes, built in or not; or NULL. */
const struct gf_codec *gf_codec_sniff(const uint8_t *head, size_t size);

/* The codec behind a gf_format of gf_io_format. */
const struct gf_codec *gf_codec_of(const gf_format *format);

/* Reads magic, version and dictionary of an .npy, and makes them; returns the size. 1 in `matrix`: of one
 * row, too. */
struct gf_npy_header;
#define GF_NPY_HEADER_SIZE 192
gf_status gf_npy_read_header(struct gf_decoder *decoder, struct gf_npy_header *header, gf_error *error);
size_t gf_npy_make_header(const gf_shape *shape, int matrix, char text[GF_NPY_HEADER_SIZE]);

/* The names of formats that read (or write), "png, npy", in text. */
void gf_codec_names(int writing, char *text, size_t size);

/* The origin of bytes: a function, else memory, else a file. */
struct gf_origin {
    const char *call; /* the public function, for messages */
    const gf_byte_source *source;
    int is_memory;
    const void *data;
    size_t size;
    const char *path; /* or the name of memory */
};

/* GF_ERROR_ARGUMENT where it is none. */
gf_status gf_origin_open(struct gf_bytes_in *in, const struct gf_origin *from, uint64_t most,
                         gf_error *error);

/* The defaults, or what is given where that is not NULL. */
gf_status gf_limits_take(const gf_io_limits *given, gf_io_limits *limits, gf_error *error);

/* Tells whether `word` is one of the blank-separated words of `list`, case ignored. */
int gf_listed(const char *list, const char *word);

/* GF_ERROR_LIMIT if the shape exceeds the limits. `signal`: only max_pixels counts. */
gf_status gf_check_limits(const gf_io_limits *limits, const char *label, int64_t width, int64_t height,
                          int signal, gf_error *error);

/* GF_ERROR_INPUT if the page that is asked for is none of info.pages; a note where others are left out. */
gf_status gf_check_page(struct gf_decoder *decoder, gf_error *error);

/* GF_ERROR_INPUT if the input is known to hold fewer bytes from here on than rows of `count` items of
 * `size` bytes, as many as the picture is high; better known before memory is taken for them. */
gf_status gf_check_left(const struct gf_decoder *decoder, int64_t count, int64_t size, gf_error *error);

/* GF_ERROR_ARGUMENT unless `count` rows of that shape can lie at data: NULL, a pitch below a row, or one with
 * which they would not fit in memory. */
gf_status gf_check_rows(const char *label, const gf_shape *shape, const void *data, int64_t pitch,
                        int64_t count, gf_error *error);

/* GF_ERROR_LIMIT if a picture whose file can hold very many pixels in a few bytes has to be had whole, and
 * takes more than max_memory. */
gf_status gf_check_whole(const struct gf_decoder *decoder, gf_error *error);

/* gf_picture_create for a shape that is possible, or is that of an array without elements, 0 x 1: *out stays
 * as it is on failure. */
gf_status gf_picture_make(const gf_shape *shape, gf_picture **out, gf_error *error);

/* Peeks at what comes behind a picture, without waiting long for a writer that keeps its pipe open; returns
 * how many bytes there are. */
size_t gf_peek_behind(struct gf_bytes_in *in, const uint8_t **bytes);

/* Fails because a file is too short for its size, whatever it holds. */
gf_status gf_fail_short(const struct gf_decoder *decoder, gf_error *error);

/* A sample of 0 to `most` at full scale, rounded half up. */
static inline uint32_t gf_scale_sample(uint32_t sample, uint32_t most, uint32_t full)
{
    return (uint32_t)((2 * (uint64_t)sample * full + most) / (2 * (uint64_t)most));
}

/* Returns what follows the last dot of the last part of a path; "" if there is none. */
const char *gf_suffix(const char *path);

/* Tells whether the lowest byte of a number comes first in memory. */
int gf_host_is_little(void);

/* Appends to a note, separated by "; ", cut at its end. */
void gf_add_note(char note[256], const char *format, ...) __attribute__((format(printf, 2, 3)));
