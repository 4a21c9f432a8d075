/* gpufilter/io.h: pictures and signals from and to files.
 *
 *     gf_error error = GF_ERROR_INIT;
 *     gf_picture *picture = NULL;
 *     if (gf_io_read("in.png", NULL, &picture, &error) == GF_OK) {
 *         gf_io_write("out.png", &picture->image, &picture->metadata, NULL, &error);
 *     }
 *     gf_picture_destroy(&picture);
 *
 * A file's format is known by its content when reading and by its suffix when writing; docs/files.md says
 * what of each format is read and written. Every reader is bounded by a gf_io_limits, on by default. A file
 * is written whole or not at all. Memory and functions of the caller in place of files: io_memory.h. Part of
 * libgpufilter_io, which needs libpng and zlib, and libjpeg, libtiff, libwebp, giflib, libheif, libFLAC and
 * ISA-L where the build has them.
 *
 * types.h says what NULL and a struct_size of another version mean.
 *
 * Thread-safety: no globals; calls on different objects may run at the same time. A picture
 * may be read by several threads. Not async-signal-safe. Writing to a closed pipe raises
 * SIGPIPE unless the program ignores it: the library installs no handler.
 * Messages are one line, "path: cause", unprintable bytes of the path shown as '?'. */
#ifndef GPUFILTER_IO_H
#define GPUFILTER_IO_H

#include "gpufilter/stream.h"
#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Metadata ------------------------------------------------------------------------- */

/* Bits of gf_metadata.fields: which of the fixed fields hold something. */
enum {
    GF_META_GAMMA = 1,
    GF_META_SRGB = 2,
    GF_META_CHROMATICITIES = 4,
    GF_META_DENSITY = 8,
    GF_META_CICP = 16,
    GF_META_EXIF_LAST = 32, /* `exif` came behind the samples of a PNG; there PNG writes it again */
    GF_META_VIDEO = 64      /* frame_rate to full_range, of a stream of frames (y4m) */
};

/* How the frames of a stream hold colour: in how many samples, and where these lie; 420 has names for that.
 */
typedef enum gf_chroma {
    GF_CHROMA_444,
    GF_CHROMA_422,
    GF_CHROMA_420_JPEG,
    GF_CHROMA_420_MPEG2,
    GF_CHROMA_420_PALDV,
    GF_CHROMA_MONO
} gf_chroma;

/* What a file says about its samples. Kept so that it is written as it was read; nothing
 * here changes a sample. Text, time, background and other chunks are not carried.
 * `icc`, `exif` and `segments` are borrowed; in a gf_picture they belong to the picture. */
typedef struct gf_metadata {
    uint32_t struct_size; /* sizeof(gf_metadata) */
    uint32_t fields;      /* GF_META_* */
    const void *icc;      /* the ICC profile, decompressed, byte-equal; NULL: none */
    size_t icc_size;
    char icc_name[80]; /* Latin-1, 1 to 79 bytes; empty: "icc" is written */
    const void *exif;  /* the TIFF structure, from "II" or "MM" on, byte-equal but for orientation */
    size_t exif_size;
    uint32_t gamma;             /* of the samples as encoded, times 100000: 45455 is 1/2.2 */
    uint32_t chromaticities[8]; /* white x y, red x y, green x y, blue x y, times 100000 */
    uint32_t density[2];        /* pixels per unit along x and y */
    uint8_t density_unit;       /* 0: a ratio only, 1: per metre */
    uint8_t srgb_intent;        /* 0 to 3 */
    uint8_t cicp[4];            /* primaries, transfer, matrix, full range: ITU-T H.273 */
    const void *segments; /* XMP and IPTC as they lie in a JPEG: its APP1 and APP13 segments, each from the
                           * marker on, one behind the other; gf_format.metadata says who keeps them */
    size_t segments_size;
    uint32_t frame_rate[2]; /* so many frames in so many seconds: 30000, 1001; 0, 0: not told */
    uint8_t chroma;         /* a gf_chroma */
    uint8_t video_bits;     /* of a sample, 8 to 16 */
    uint8_t full_range; /* 1: from 0 to the largest number; 0: as television has them, from 16 of 256 on */
} gf_metadata;

#define GF_METADATA_INIT                                                                                     \
    {                                                                                                        \
        sizeof(gf_metadata), 0, NULL, 0, "", NULL, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0}, 0, 0,             \
            {0, 0, 0, 0}, NULL, 0, {0, 0}, 0, 0, 0                                                           \
    }

/* ---- Pictures that own their samples -------------------------------------------------- */

/* A picture in host memory. Rows start on 64-byte boundaries and the pitch is a multiple of
 * 64. Made by calls of this header only; freed by gf_picture_destroy. The samples
 * may be changed in place; image.shape, pitch and data may not. */
typedef struct gf_picture {
    uint32_t struct_size;
    gf_image image;
    gf_metadata metadata;
    char note[256]; /* what reading left out ("iCCP: CRC error, dropped"), or "" */
    gf_alpha alpha; /* of a file that was read as gf_file_info.alpha; else GF_ALPHA_PREMUL */
} gf_picture;

/* Makes a picture of zeros, padding included, without metadata. Any depth, 1 to 4 channels.
 * GF_ERROR_ARGUMENT for an impossible shape, GF_ERROR_MEMORY; *out is then NULL. */
GF_API gf_status gf_picture_create(const gf_shape *shape, gf_picture **out, gf_error *error);

/* The same in pinned memory (device.h), where a CUDA device reads and writes fastest: for a picture that is
 * filled again and again. With GF_DEVICE_CPU as gf_picture_create. Also GF_ERROR_DEVICE and
 * GF_ERROR_UNSUPPORTED. */
GF_API gf_status gf_picture_create_pinned(const gf_shape *shape, gf_device device, gf_picture **out,
                                          gf_error *error);

/* Replaces the picture's metadata by a deep copy; NULL removes it. On failure (GF_ERROR_MEMORY)
 * the picture keeps what it had. `metadata` may be the picture's own. */
GF_API gf_status gf_picture_set_metadata(gf_picture *picture, const gf_metadata *metadata, gf_error *error);

/* Frees the picture, its samples and its metadata, and sets *picture to NULL. NULL-safe. */
GF_API void gf_picture_destroy(gf_picture **picture);

/* ---- Limits --------------------------------------------------------------------------- */

/* What a file may ask for, and result_depths. Beyond a limit reading stops with GF_ERROR_LIMIT, before memory
 * is taken, and the message names the limit, its value and what the file claims. Every max_x must be at least
 * 1; GF_ERROR_ARGUMENT otherwise. */
typedef struct gf_io_limits {
    uint32_t struct_size;        /* sizeof(gf_io_limits) */
    uint32_t result_depths;      /* No limit but a policy, of npy: which depths are delivered as they are.
                                  * 0: those of pictures; others become one of these, with a note.
                                  * 1: u32, u64 and f64 stay, i32 becomes f64, i64 is GF_ERROR_INPUT.
                                  * 2: i16, i32 and i64, an array's depths, stay too, i8 becomes i16, True is
                                  * 1 and not 255; an array of one or two dimensions may have no elements: (0,) is
                                  * read as a picture of width 0, (0, 3) as one of height 0 */
    int64_t max_width;           /* pixels; of pictures: a signal is bounded by max_pixels alone */
    int64_t max_height;          /* pixels */
    int64_t max_pixels;          /* width * height */
    uint64_t max_input_bytes;    /* of the file or stream */
    uint64_t max_metadata_bytes; /* kept metadata in all, compressed and decompressed each */
    uint64_t max_memory;         /* bytes a decoder may hold beside the picture; and of the picture, where a
                                  * short file can be a long one that must be had at once: PNG interlaced or
                                  * to be turned, run-length coded BMP and TGA */
    int64_t page; /* No limit but a choice, of a file with several pictures, as TIFF and GIF can be: which,
                   * from 1 on; GF_ERROR_INPUT where it has fewer. 0: the first, with a note */
} gf_io_limits;

#define GF_IO_LIMITS_INIT                                                                                    \
    {                                                                                                        \
        sizeof(gf_io_limits), 0, 1000000, 1000000, INT64_C(1) << 28, UINT64_C(1) << 32, UINT64_C(1) << 22,   \
            UINT64_C(1) << 28, 0                                                                             \
    }

/* ---- Formats -------------------------------------------------------------------------- */

/* A format. Pointers are to constants. */
typedef struct gf_format {
    const char *name;     /* "png": what --format and gf_write_options.format take */
    const char *suffixes; /* "png" or "a b": separated by blanks, without dots, lower case */
    const char *summary;  /* one line for a list */
    int32_t reads;        /* 1: gf_io_read knows it */
    int32_t writes;       /* 1: gf_io_write knows it */
    uint32_t depths;      /* bit 1 << depth set: depths it can be written with */
    uint32_t channels;    /* bit 1 << n set: it can be written with n channels */
    int32_t whole;        /* 1: a picture is written in one piece (gf_writer_sink) */
    int32_t metadata;     /* 1: ICC, EXIF and density are kept; 2: and XMP and IPTC; 3: and XMP; 0: none */
    size_t most_exif;     /* where they are kept: bytes of EXIF that can be; 0: any number */
    int32_t frames;       /* 1: pictures may follow one another in a stream, which gf_reader_next reads */
} gf_format;

/* The formats, by index from 0; NULL past the last. One that this build lacks neither reads nor writes. */
GF_API const gf_format *gf_io_format(size_t index);

/* The format that writing to `path` would use: the one called `name` or with that suffix, or if
 * `name` is NULL the one of the path's suffix, case ignored. GF_ERROR_UNSUPPORTED lists the valid
 * ones, or says what this build lacks; GF_ERROR_OUTPUT where the path is that of a folder. */
GF_API gf_status gf_io_format_for(const char *path, const char *name, const gf_format **out, gf_error *error);

/* The depth a picture must be converted to before it can be written: `depth` itself where
 * the format holds it, else the nearest (f32 to PNG: u16). */
GF_API gf_depth gf_io_nearest_depth(const gf_format *format, gf_depth depth);

/* Tells whether a picture of this shape can be written to `path` in this format: GF_OK, or what gf_io_write
 * would say of its depth, channels, size and name, GF_ERROR_UNSUPPORTED; GF_ERROR_ARGUMENT for no shape at
 * all. */
GF_API gf_status gf_io_format_holds(const gf_format *format, const gf_shape *shape, const char *path,
                                    gf_error *error);

/* Writes which encoders, in which versions, the bytes of compressed files come from, to `size` bytes of text,
 * cut at their end; 256 are enough. */
GF_API void gf_io_encoders(char *text, size_t size);

/* ---- Reading -------------------------------------------------------------------------- */

/* What a file's header says. */
typedef struct gf_file_info {
    uint32_t struct_size;
    uint32_t stored_bits;    /* per sample in the file: 1, 2, 4, 8, 16, 32 or 64 */
    const gf_format *format; /* constant */
    gf_shape shape;          /* as gf_io_read delivers it */
    uint64_t file_bytes;     /* 0: unknown, as for a pipe */
    size_t icc_size;         /* decompressed; only of metadata before the pixels */
    size_t exif_size;
    int32_t whole; /* 1: rows cannot be delivered one by one (interlaced, Fortran order, to be turned) */
    int32_t orientation; /* by which it is turned, EXIF's, 1 to 8; 1: it lies upright, or nothing says */
    int64_t pages;       /* pictures in the file of which one can be chosen (gf_io_limits.page) */
    const char
        *compression; /* how a TIFF or WebP is coded, "AdobeDeflate", "lossy"; constant; NULL: as ever */
    gf_alpha alpha;   /* for gf_plan_options: GF_ALPHA_NONE of an array of 2 or 4 channels, which does not say
                       * what the last is, else GF_ALPHA_PREMUL */
} gf_file_info;

#define GF_FILE_INFO_INIT                                                                                    \
    {                                                                                                        \
        sizeof(gf_file_info), 0, NULL, {0, 0, 0, GF_U8}, 0, 0, 0, 0, 0, 0, NULL, GF_ALPHA_PREMUL             \
    }

/* Reads the header only; no pixel is decoded and no picture allocated. `limits` NULL: the
 * defaults. Consumes what it reads when path is "-" or a FIFO.
 * GF_ERROR_INPUT, GF_ERROR_LIMIT, GF_ERROR_MEMORY; *out is untouched then. */
GF_API gf_status gf_io_probe(const char *path, const gf_io_limits *limits, gf_file_info *out,
                             gf_error *error);

/* About how many milliseconds gf_io_read takes for a file with this header, by rates that were measured on
 * one machine: for gf_plan_options.busy_ms. */
GF_API double gf_io_read_time(const gf_file_info *info);

/* Reads a file, FIFO or device; "-" is standard input. `limits` NULL: the defaults.
 * A file that ends early, has a wrong checksum or contradicts itself is GF_ERROR_INPUT and
 * no picture. *out is the caller's to destroy; NULL on failure.
 *
 * A picture whose EXIF says how it is to be turned or mirrored is delivered upright, and the EXIF kept with
 * it says so, so that nothing turns it twice. gf_picture.note says what was left out. docs/files.md says of
 * each format what is read, what becomes of it, and what is refused. */
GF_API gf_status gf_io_read(const char *path, const gf_io_limits *limits, gf_picture **out, gf_error *error);

/* ---- Reading by rows ------------------------------------------------------------------ */

/* A file that is being read. For one thread at a time. */
typedef struct gf_reader gf_reader;

/* Opens a file as gf_io_read does and reads its header. On failure *reader is NULL. */
GF_API gf_status gf_reader_open(const char *path, const gf_io_limits *limits, gf_reader **reader,
                                gf_error *error);

/* Returns what the header said. The reader's own. */
GF_API const gf_file_info *gf_reader_info(const gf_reader *reader);

/* Before the first row: has the picture delivered 2, 4 or 8 times as small, each side rounded up, where the
 * format can: JPEG, which then decodes its blocks of 8 x 8 to fewer samples, in a fraction of the time. That
 * is near to what resize makes with filter=box, and not the same. gf_reader_info has the new shape. factor 1:
 * nothing happens. GF_ERROR_UNSUPPORTED, and the reader is as it was: the format cannot, or EXIF turns the
 * picture, and a side does not divide. */
GF_API gf_status gf_reader_shrink(gf_reader *reader, int32_t factor, gf_error *error);

/* The rows of the file, as gf_io_read would deliver them; `whole` as in gf_file_info. The reader must outlive
 * its use. After a failure only gf_reader_close may follow. A regular file that is not `whole` can give its
 * rows again; GF_ERROR_INPUT when it was written meanwhile. */
GF_API gf_source gf_reader_source(gf_reader *reader);

/* After the last row: checks the rest of the file. Only now is it sound: GF_ERROR_INPUT where a checksum or
 * its end says otherwise. GF_ERROR_ARGUMENT when rows are left. */
GF_API gf_status gf_reader_finish(gf_reader *reader, gf_error *error);

/* After gf_reader_finish: begins with the picture that follows in the same stream or file, as netpbm pictures
 * from a camera and frames of y4m do; limits hold for each. *there is 1, and gf_reader_info and
 * gf_reader_source are of that one; or 0 at the end, or where the format or the source has only one.
 * GF_ERROR_INPUT where something else follows. Waits for bytes. */
GF_API gf_status gf_reader_next(gf_reader *reader, int32_t *there, gf_error *error);

/* Metadata and note as a gf_picture would have them, so far: what comes behind the samples, EXIF of a PNG, is
 * there after gf_reader_finish. The reader's own, and so are its blocks; they live until it is closed or
 * its source begins again. */
GF_API const gf_metadata *gf_reader_metadata(const gf_reader *reader);
GF_API const char *gf_reader_note(const gf_reader *reader);

/* Reads all rows and the rest of the file, as gf_io_read does; none may have been taken. *out is the caller's
 * to destroy; NULL on failure. */
GF_API gf_status gf_reader_picture(gf_reader *reader, gf_picture **out, gf_error *error);

/* NULL-safe; sets *reader to NULL. */
GF_API void gf_reader_close(gf_reader **reader);

/* ---- Writing -------------------------------------------------------------------------- */

/* Palettes of PNG (gf_write_options.png_palette), for u8 of at most 256 colours: gray of 1, 2 or 4 bits where
 * those hold it, RGB and RGBA by a palette of 1, 2, 4 or 8. They are known at the last row, and take a byte a
 * pixel until then. */
enum {
    GF_PNG_PALETTE_OFF,
    GF_PNG_PALETTE_AUTO, /* where it can be, else as OFF */
    GF_PNG_PALETTE_ON    /* GF_ERROR_UNSUPPORTED where it cannot be, from gf_writer_open or the sink */
};

/* How to write. */
typedef struct gf_write_options {
    uint32_t struct_size; /* sizeof(gf_write_options) */
    int32_t png_level;    /* 0 (stored), 1 to 9 (smallest), -1: runs only, fast; smaller than 1 on photos */
    int32_t jpeg_quality; /* 1 (smallest) to 100; from 90 on colour is kept at full resolution */
    int32_t no_clobber;   /* 1: an existing file is an error and is left alone */
    int32_t threads;      /* that may encode, at most 1024; 0: one a processor. The bytes stay the same */
    const char *format;   /* name of a format; NULL: by the path's suffix */

    /* For a program that unlinks the temporary file in a signal handler: called with its path just before it
     * is created, with the path again once it exists and is this call's own, and with NULL once that path is
     * gone or renamed, or could not be made. Between the first two the file of that name, if there is one,
     * may be another process's. May be NULL. The path stays valid until the call with NULL. In a folder
     * without rename it is the path of the target. */
    void (*on_temporary)(void *user, const char *path);
    /* Called with the path of each temporary file of the same target that a killed process had left
     * and that was removed, unless it was empty. May be NULL. */
    void (*on_stale)(void *user, const char *path);
    void *user;
    int32_t npy_matrix; /* 1: one row is written as a matrix, of shape (1, n); 0: as a signal, (n,) */
    int32_t in_place;   /* 1: the target is still read while it is written: GF_ERROR_OUTPUT where it cannot be
                         * replaced at once */
    int32_t webp_quality;     /* 1 (smallest) to 100; 0: no sample is lost */
    int32_t jpeg_progressive; /* 1: coarse first, then finer; mostly a little smaller */
    /* Called, with errno set, with the path of what was written before a failure and cannot be removed: it
     * was cut to 0 bytes, or where `is_cut` is 0 not even that. May be NULL. */
    void (*on_kept)(void *user, const char *path, int is_cut);
    int32_t png_palette; /* GF_PNG_PALETTE_OFF, ... */
    int32_t follows;     /* 1: in the same stream, y4m, a frame was written before, and with it the header */
} gf_write_options;

#define GF_WRITE_OPTIONS_INIT                                                                                \
    {                                                                                                        \
        sizeof(gf_write_options), -1, 90, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0, 0               \
    }

/* Writes a picture in host memory; "-" is standard output (then options->format is needed).
 * `metadata` NULL: none; `options` NULL: the defaults. Borrows everything for the call.
 *
 * A regular file is written beside the target as ".gpufilter-NAME.XXXXXXXX.tmp", fsynced,
 * renamed over it, and its folder fsynced: the target is absent, as before, or complete. An
 * existing file keeps its permission bits (and owner, where allowed); hard links to it keep
 * the old content. A symbolic link stays: the file it points to is replaced. FIFOs, devices,
 * "-", /dev/stdout and /dev/fd/N are written through.
 *
 * The temporary is locked (flock) while its writer lives. One that a killed process left for the same target
 * is removed by the next call: a regular file of the calling user, under the name that gf_io_write itself
 * would take next, which nobody has locked. Where the file system has no locks it stays.
 *
 * In a folder of a FUSE mount where rename fails with ENOSYS, ENOTSUP, EXDEV or EPERM, as of Mountpoint for
 * S3, the target is created or cut and written itself, once and in order; close is checked; on failure it is
 * removed. A process that is killed may leave a part of it, unless the store makes files only when closed.
 *
 * GF_ERROR_OUTPUT: any failure to write, sync, close or rename, or an existing file with
 *   no_clobber; the temporary is removed.
 * GF_ERROR_UNSUPPORTED: no such format, a depth or size it does not hold (see
 *   gf_io_nearest_depth). GF_ERROR_ARGUMENT, GF_ERROR_MEMORY.
 *
 * docs/files.md says what each format holds and how it is coded. The bytes depend on the samples, the
 * metadata, png_level, png_palette, jpeg_quality, jpeg_progressive, webp_quality, npy_matrix and the encoders
 * (gf_io_encoders), and on nothing else. Threads that encode PNG are the writer's own, take no signals and
 * end with it; each takes up to 1.6 MiB. In npy any side may be 0, and the samples NULL then. */
GF_API gf_status gf_io_write(const char *path, const gf_image *image, const gf_metadata *metadata,
                             const gf_write_options *options, gf_error *error);

/* Writes any bytes, say a report, to a path by the same rules: whole or not at all, temporaries, links, FIFOs
 * and devices. From `options` (NULL: the defaults) no_clobber and the callbacks count. Takes no memory.
 * GF_ERROR_OUTPUT, GF_ERROR_ARGUMENT. */
GF_API gf_status gf_io_write_bytes(const char *path, const void *bytes, size_t size,
                                   const gf_write_options *options, gf_error *error);

/* ---- Writing by rows ------------------------------------------------------------------ */

/* A file that is being written. For one thread at a time. */
typedef struct gf_writer gf_writer;

/* Begins to write a picture of that shape as gf_io_write does: the temporary file is there, with its header.
 * Everything is borrowed for the call, but for EXIF that GF_META_EXIF_LAST marks: until gf_writer_commit. On
 * failure nothing is left behind, and *writer is NULL. */
GF_API gf_status gf_writer_open(const char *path, const gf_shape *shape, const gf_metadata *metadata,
                                const gf_write_options *options, gf_writer **writer, gf_error *error);

/* Takes the rows; `whole` as in gf_format. The bytes of the file do not depend on how rows are portioned.
 * After a failure to write it takes no more, and gf_writer_commit fails. */
GF_API gf_sink gf_writer_sink(gf_writer *writer);

/* EXIF that was found only behind the samples (GF_META_EXIF_LAST), for a PNG, which has room for it there.
 * Borrowed until gf_writer_commit. GF_ERROR_UNSUPPORTED: the format has none behind the samples, or EXIF is
 * written. */
GF_API gf_status gf_writer_set_exif(gf_writer *writer, const void *exif, size_t size, gf_error *error);

/* Ends the file and makes it appear, as gf_io_write does. Frees the writer in any case and sets *writer to
 * NULL, so that a second call is GF_ERROR_ARGUMENT; on failure (GF_ERROR_OUTPUT; GF_ERROR_ARGUMENT when rows
 * are missing) the temporary is removed. */
GF_API gf_status gf_writer_commit(gf_writer **writer, gf_error *error);

/* Leaves no trace of the output (what went through a pipe is gone). NULL-safe; sets *writer to NULL. */
GF_API void gf_writer_abort(gf_writer **writer);

#ifdef __cplusplus
}
#endif
#endif
