/* gpufilter/param.h: the parameters of a stage, as the rows of a table. Part of stage.h. */
#ifndef GPUFILTER_PARAM_H
#define GPUFILTER_PARAM_H

#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a parameter is written and stored at its offset. */
typedef enum gf_param_type {
    GF_PARAM_INT = 1,   /* int64_t; 12 */
    GF_PARAM_NUMBER,    /* double; 1.5, 1e-3, 1/9; `unit` may be written after it, kHz and MHz where that is
                         * Hz, ms and us where it is s: the number is in the unit */
    GF_PARAM_INTENSITY, /* double, a fraction of full scale; 0.5, 50%, 128u8, 32768u16 */
    GF_PARAM_BOOL,      /* int32_t; on off true false 1 0 */
    GF_PARAM_CHOICE,    /* int32_t, the index in `choices`; one of its words */
    GF_PARAM_RECT,      /* gf_rect; WIDTHxHEIGHT+X+Y, with min below 0 also -X and -Y; empty text: w = 0 */
    GF_PARAM_CHANNELS, /* int32_t, bit c set: channel c; bit 28: luma, bit 29: all, bit 30: alpha (the last of
                        * 2 or 4); rgb, a, g, 0+2, all, luma; empty text: 0 */
    GF_PARAM_TEXT,     /* char[GF_PARAM_TEXT_SIZE]; a word or a quoted text */
    GF_PARAM_LIST, /* gf_list; [0 1 0; 1 -4 1; 0 1 0], a number alone, or @FILE; empty text: no rows, no file
                    */
    GF_PARAM_PICTURE, /* gf_picture_name; @FILE, or the name of an input; empty text: "" */
    GF_PARAM_ROI,     /* gf_roi; as RECT, or ellipse@ before it; empty text: w = 0 */
    GF_PARAM_SPAN     /* gf_span; LOW-HIGH, two NUMBERs, as 300Hz-3.4kHz or 1-3kHz; empty text: both 0 */
} gf_param_type;

/* Bytes of a TEXT, numbers of a LIST and bytes of a file's name, the zero of texts included. */
enum { GF_PARAM_TEXT_SIZE = 256, GF_LIST_NUMBERS = 1024, GF_FILE_NAME_SIZE = 1024 };

/* Numbers of a LIST that may be large (gf_param.choices), where a file has them: a cube of 256 colours a
 * side. */
enum { GF_LIST_FILE_NUMBERS = 3 * (256 * 256 * 256 + 2) };

/* What a LIST parameter holds: numbers in rows of equal length. It lies in the stage's parameter struct,
 * which owns all of it. A list that was written as @FILE has no rows until gf_pipeline_set_file gives the
 * content; lower() is called with lists that are given alone. Zeroed: not given. */
typedef struct gf_list {
    int32_t rows, columns; /* 0 and 0: not given; rows * columns is at most GF_LIST_NUMBERS unless `more` says
                            * otherwise */
    char file[GF_FILE_NAME_SIZE];   /* as it was written, without '@'; "": the numbers were written out */
    double values[GF_LIST_NUMBERS]; /* row by row: number x of row y is values[y * columns + x]; finite */
    double *more; /* where there are more numbers than fit there, as a large parameter may have: all, the
                   * library's; else NULL */
} gf_list;

/* What a PICTURE parameter holds: the name of an input of the pipeline (see gf_pipeline_input_name), "in" for
 * the picture that the pipeline begins with. Owned by the stage's parameter struct. */
typedef struct gf_picture_name {
    char name[GF_FILE_NAME_SIZE]; /* "@top.png": a file; "top": a name; "": not given */
} gf_picture_name;

/* What a ROI parameter holds: a rectangle, or the ellipse that touches its four sides. */
typedef struct gf_roi {
    gf_rect rect;    /* w = 0: not given */
    int64_t ellipse; /* 0 or 1 */
} gf_roi;

/* What a SPAN parameter holds: 0 and 0, or low < high. */
typedef struct gf_span {
    double low, high;
} gf_span;

/* gf_param.choices of a LIST of colours in samples, a row each: where a picture is given as the file, and no
 * array, its colours are the rows, each once, in raster order. */
#define GF_LIST_COLOURS "*x1|*x2|*x3|*x4"

/* What an INT or NUMBER parameter with `auto_word` holds when that word is written. */
#define GF_AUTO (-1)

typedef struct gf_param {
    const char *name; /* lower case; NULL ends the table */
    gf_param_type type;
    size_t offset;    /* in the stage's parameter struct */
    const char *text; /* default, as a user would write it; "" means "not given" */
    double min, max;  /* closed interval; both 0: any finite number. It holds for each number of a LIST.
                       * Of an INTENSITY it holds for u8 and u16 only, and is checked when the pipeline
                       * is bound: f32 has no full scale */
    const char *unit; /* "px", ...; NULL: none. Of a LIST only "dB": -6dB is read as the factor that it is;
                       * and "colour": #f80, names and rgb(255,136,0) are read as fractions of white, one
                       * number where the colour is gray, else 3, or 4 with alpha below white */
    const char *auto_word; /* "auto": stored as GF_AUTO; NULL: no such word */
    /* CHOICE: words separated by '|'. LIST: the shapes it may have, rows x columns, '*' for any number of
     * them, as "3x3|3x4" or "1x*"; NULL: any. With any number of rows, as "*x3", a file may have
     * GF_LIST_FILE_NUMBERS numbers (gf_list.more) */
    const char *choices;
    const char *help; /* one line */
    int positional;   /* non-zero: may stand first without its name (tried in table order) */
} gf_param;

/* How a row of a stage's table begins: a parameter of that type (GF_PARAM_ is left out) that lies in the
 * member of its name of `struct owner`, and its default; of ROW_IN with the interval, too. What else there is
 * to say follows in the row:
 *
 *   {GF_ROW_IN(INT, posterize, levels, "4", 2, 256), .help = "how many levels stay", .positional = 1}, */
#define GF_ROW(kind, owner, member, preset)                                                                  \
    .name = #member, .type = GF_PARAM_##kind, .offset = offsetof(struct owner, member), .text = preset
#define GF_ROW_IN(kind, owner, member, preset, least, most)                                                  \
    GF_ROW(kind, owner, member, preset), .min = (least), .max = (most)

#ifdef __cplusplus
}
#endif
#endif
