/* gpufilter/types.h: the words every layer shares: status, error, depth, image, queue.
 *
 * Header rules: C99, usable from C++, no CUDA types (a stream is a `void *`).
 * Functions return a gf_status; details go to a gf_error that the caller owns.
 *
 * NULL. A call that returns a gf_status and gets NULL for a pointer that it needs returns GF_ERROR_ARGUMENT
 * and names the pointer. Needed is what no comment calls optional; the gf_error is always optional. Calls
 * that return something else answer NULL with nothing: counts, sizes and shapes are 0, pointers NULL, a
 * device is GF_DEVICE_AUTO, and what returns nothing does nothing. Only the gf_lowering and the
 * gf_result_builder of stage.h, which the library itself hands to functions of a stage, must not be NULL.
 *
 * Structs that grow. A struct whose first field is struct_size may gain fields, only at its end. The caller
 * sets struct_size to the sizeof of its own header (the X_INIT macros do), so that programs and libraries of
 * different versions understand each other. An older program's smaller struct is accepted: the fields that it
 * lacks have their defaults, and in a struct that is filled in only its own fields are. A newer program's
 * larger struct is accepted while the bytes that this library does not know are zero, and refused otherwise
 * with GF_ERROR_ARGUMENT. So is 0, and what is too small for the fields that every version has. All other
 * structs keep their size.
 *
 * Binary interface. What the library exports under one SONAME stays: a program that was linked with it runs
 * with every later library of that SONAME. Within it functions, fields and enumerators are added, and none is
 * taken away or changes its meaning. Before 1.0 each minor version (0.2, 0.3, ...) may break that, and
 * then has another SONAME; CHANGELOG.md says what to change. From 1.0 on only a major version may. */
#ifndef GPUFILTER_TYPES_H
#define GPUFILTER_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) || defined(__CYGWIN__)
#define GF_API
#else
#define GF_API __attribute__((visibility("default")))
#endif

/* Status of a call. Zero is success; errors are negative, keep their numbers for ever,
 * and map one to one on the program's exit codes (gf_status_exit_code). */
typedef enum gf_status {
    GF_OK = 0,
    GF_ERROR_ARGUMENT = -1,    /* an argument is outside its stated interval            exit 2 */
    GF_ERROR_PARSE = -2,       /* the text of a pipeline is wrong; text_offset tells    exit 2 */
    GF_ERROR_UNSUPPORTED = -3, /* a valid request that this stage or build cannot meet  exit 2 */
    GF_ERROR_INPUT = -4,       /* an input cannot be read, or is not what it claims     exit 3 */
    GF_ERROR_LIMIT = -5,       /* a stated limit is exceeded; the message names it      exit 3 */
    GF_ERROR_OUTPUT = -6,      /* an output cannot be written                           exit 4 */
    GF_ERROR_DEVICE = -7,      /* the device is absent, lost, or refused a call         exit 5 */
    GF_ERROR_MEMORY = -8,      /* host or device memory is exhausted                    exit 6 */
    GF_ERROR_MISMATCH = -9,    /* a verification found a difference                     exit 7 */
    GF_ERROR_CANCELLED = -10,  /* the caller's progress callback asked to stop          exit 1 */
    GF_ERROR_INTERNAL = -11    /* a broken promise inside the library: please report    exit 1 */
} gf_status;

/* Says where and why a call failed. The caller owns it and sets struct_size
 * (GF_ERROR_INIT does); every call that takes one accepts NULL. Untouched on success.
 *
 * Nothing is written beyond struct_size: a field that does not fit whole is left out, a message is cut.
 * struct_size 0, as in a zeroed gf_error, stands for the first published size, 500 bytes, which every
 * version has. */
typedef struct gf_error {
    uint32_t struct_size; /* sizeof(gf_error) */
    gf_status code;
    int32_t stage;       /* index of the stage in the pipeline, or -1 */
    int32_t text_offset; /* byte offset in the pipeline's text, or -1 */
    int32_t text_length; /* bytes of the text at fault, 0 when unknown */
    char message[480];   /* one line or several, no trailing newline, always terminated */
    int32_t system;      /* errno of the call to the operating system that failed, or 0 */
} gf_error;

#define GF_ERROR_INIT                                                                                        \
    {                                                                                                        \
        sizeof(gf_error), GF_OK, -1, -1, 0, "", 0                                                            \
    }

/* Format of one sample, or of one element of an array. Pictures are u8, u16 or f32. u32, u64 and
 * f64 are result formats (labels, integral, counts). GF_S16 to GF_S64, i16 to i64 in texts, are for arrays
 * (array.h); i16 also lives inside a plan. Full scale is 255, 65535 and 1.0 for u8, u16 and f32. */
typedef enum gf_depth {
    GF_U8 = 0,
    GF_U16 = 1,
    GF_F32 = 2,
    GF_U32 = 3,
    GF_U64 = 4,
    GF_F64 = 5,
    GF_S16 = 6,
    GF_S32 = 7,
    GF_S64 = 8
} gf_depth;

/* How a window reads outside the picture, shown for the row  a b c d:
 *   replicate   a a a | a b c d | d d d      (OpenCV REPLICATE, SciPy nearest, NumPy edge)
 *   reflect101  d c b | a b c d | c b a      (OpenCV REFLECT_101, SciPy mirror, NumPy reflect)
 *   reflect     c b a | a b c d | d c b      (OpenCV REFLECT, SciPy reflect, NumPy symmetric)
 *   wrap        b c d | a b c d | a b c      (OpenCV WRAP, SciPy wrap, NumPy wrap)
 *   constant    v v v | a b c d | v v v */
typedef enum gf_border {
    GF_BORDER_REPLICATE = 0,
    GF_BORDER_REFLECT101 = 1,
    GF_BORDER_REFLECT = 2,
    GF_BORDER_WRAP = 3,
    GF_BORDER_CONSTANT = 4
} gf_border;

/* What a blend makes of a picture v and another, o, that lies over it; both in fractions of full scale. */
typedef enum gf_blend {
    GF_BLEND_OVER = 0,       /* o */
    GF_BLEND_ADD = 1,        /* v + o */
    GF_BLEND_SUBTRACT = 2,   /* v - o */
    GF_BLEND_MULTIPLY = 3,   /* v o */
    GF_BLEND_SCREEN = 4,     /* v + o - v o */
    GF_BLEND_DIFFERENCE = 5, /* |v - o| */
    GF_BLEND_MIN = 6,
    GF_BLEND_MAX = 7,
    GF_BLEND_DIVIDE = 8 /* v / o, and 0 where o is 0 */
} gf_blend;

/* What the last channel of a 2- or 4-channel picture is. */
typedef enum gf_alpha {
    GF_ALPHA_STRAIGHT = 0, /* colour as stored; alpha neither filtered nor measured */
    GF_ALPHA_PREMUL = 1,   /* the same, but what mixes pixels weighs colour by alpha, and filters alpha too */
    GF_ALPHA_NONE = 2      /* not alpha: every channel is data */
} gf_alpha;

/* Size and format of a picture. An array of one dimension may be one of height 1. */
typedef struct gf_shape {
    int64_t width;    /* pixels, >= 1 */
    int64_t height;   /* pixels, >= 1 */
    int32_t channels; /* 1 to 4, interleaved; by default the last of 2 or 4 is alpha */
    gf_depth depth;
} gf_shape;

/* A rectangle in pixels; w = 0 means "the whole picture" where the field says so. */
typedef struct gf_rect {
    int64_t x, y, w, h;
} gf_rect;

/* The CPU, the judge (a naive interpreter, for verification), or CUDA device N as N >= 0.
 * gf_device_kind has their names. */
typedef int32_t gf_device;
#define GF_DEVICE_CPU       (-1)
#define GF_DEVICE_REFERENCE (-2)
#define GF_DEVICE_AUTO      (-3)

/* A view of samples in memory that the caller owns. Nothing is copied: the memory must
 * live until the work that uses it is done. Make it with gf_image_view, or begin with GF_IMAGE_INIT: a
 * zeroed `device` is CUDA device 0. */
typedef struct gf_image {
    uint32_t struct_size; /* sizeof(gf_image) */
    gf_shape shape;
    int64_t pitch;    /* bytes from one row to the next, >= width * channels * sample size */
    void *data;       /* sample (0, 0), aligned to the sample size */
    gf_device device; /* GF_DEVICE_CPU for host memory, N for memory of CUDA device N */
} gf_image;

#define GF_IMAGE_INIT                                                                                        \
    {                                                                                                        \
        sizeof(gf_image), {0, 0, 0, GF_U8}, 0, NULL, GF_DEVICE_CPU                                           \
    }

/* Bytes of a row without gaps: the least pitch. 0 where there is no such row. */
GF_API int64_t gf_image_row_bytes(int64_t width, int32_t channels, gf_depth depth);

/* A view of samples in memory of a CUDA device, or of the host with GF_DEVICE_CPU; pitch 0: rows without
 * gaps. Inputs are only read, so `data` may be const for them; an image that is written needs memory that
 * may be. Nothing is checked here: that is left to the call that uses the view. */
static inline gf_image gf_image_view_device(gf_device device, const void *data, int64_t width, int64_t height,
                                            int32_t channels, gf_depth depth, int64_t pitch)
{
    gf_image image = GF_IMAGE_INIT;
    image.shape.width = width;
    image.shape.height = height;
    image.shape.channels = channels;
    image.shape.depth = depth;
    image.pitch = pitch ? pitch : gf_image_row_bytes(width, channels, depth);
    image.device = device;
#ifdef __cplusplus
    image.data = const_cast<void *>(data);
#else
    image.data = (void *)(uintptr_t)data;
#endif
    return image;
}

/* The same for host memory. */
static inline gf_image gf_image_view(const void *data, int64_t width, int64_t height, int32_t channels,
                                     gf_depth depth, int64_t pitch)
{
    return gf_image_view_device(GF_DEVICE_CPU, data, width, height, channels, depth, pitch);
}

/* Where work goes: a device, and a stream of it (NULL: the default stream; ignored on the
 * CPU). Never guessed from pointers. */
typedef struct gf_queue {
    gf_device device;
    void *stream;
} gf_queue;

/* Bytes of one sample: 1, 2, 4 or 8; 0 for an unknown depth. */
GF_API size_t gf_depth_size(gf_depth depth);

/* "u8", "u16", "f32", ...; never NULL. */
GF_API const char *gf_depth_name(gf_depth depth);

/* The value shown as white: 255, 65535 or 1.0. 0 for depths that are not a picture's. */
GF_API double gf_depth_white(gf_depth depth);

/* "auto", "cpu", "reference", and for N >= 0 "cuda": what users write, N apart. A build for tests, with an
 * emulated device instead of CUDA, says "emu" for N >= 0. Never NULL. */
GF_API const char *gf_device_kind(gf_device device);

/* "replicate", ...; never NULL. */
GF_API const char *gf_border_name(gf_border border);

/* A short English phrase for a status; never NULL. */
GF_API const char *gf_status_name(gf_status status);

/* The exit code of the program for a status: 0 to 7, as listed at gf_status. */
GF_API int gf_status_exit_code(gf_status status);

#ifdef __cplusplus
}
#endif
#endif
