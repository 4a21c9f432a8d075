/* gpufilter/stage.h: what a stage is, and how to write your own.
 *
 * A stage is one constant gf_stage_type: its name, its parameters, and lower(), which says in
 * terms of the builders below what happens to the picture. From the parameter table alone come
 * parsing, range errors, `help STAGE`, completion and documentation. From lower() come the
 * fused passes on every device, --explain and --verify. A stage holds no pixels and no state.
 *
 *   struct posterize { int64_t levels; };
 *
 *   static const gf_param params[] = {
 *       {.name = "levels", .type = GF_PARAM_INT, .offset = offsetof(struct posterize, levels),
 *        .text = "4", .min = 2, .max = 256, .help = "how many levels stay", .positional = 1},
 *       {0}};
 *
 *   static void lower(gf_lowering *l, const void *p)
 *   {
 *       const struct posterize *posterize = p;
 *       ...
 *       gf_lower_output(l, gf_lower_affine(l, gf_lower_input(l), gain, offset));
 *   }
 *
 * Types are borrowed: they must live, unchanged, as long as any pipeline or plan that uses them and any exec
 * of such a plan; a constant of the program always does. All functions here are thread-safe on distinct
 * objects. A gf_lowering is the library's, used by one thread, inside lower() alone; what is passed to a
 * builder is not kept after lower(), but for the `args` of gf_lower_call.
 *
 * What lower() builds. A value is a picture or a block: a block is a small table of numbers that is measured
 * from a picture or computed from blocks, such as the counts of a histogram, one row a channel. There are
 * six kinds of builders, by what goes in and out, and by how much the planner can do with them:
 *
 *   POINT   picture -> picture   each pixel alone; joined with its neighbours in the chain into one pass
 *   WINDOW  picture -> picture   each pixel with those around it; POINTs before and after join its pass
 *   MAP     picture -> picture   pixels from other places: another size or order; a step of its own
 *   TAP     picture -> block     measures in passing: the pass that makes the picture also counts it
 *   SOLVE   block -> block       a short computation on what was measured, as a threshold from counts
 *   CALL    picture -> picture   a function of the caller; alone, on the whole picture
 *
 * A POINT that reads a block (gf_lower_threshold_block, gf_lower_table) waits until the whole picture was
 * measured. Blocks that are to leave as numbers of the result go to gf_lower_result. A typical measuring
 * stage:
 *
 *   gf_value_id v = gf_lower_input(l);
 *   gf_value_id counts = gf_lower_histogram(l, v, 256, 0, 1, 0);    TAP
 *   gf_value_id level = gf_lower_otsu(l, counts, 0);                SOLVE
 *   gf_lower_output(l, gf_lower_threshold_block(l, v, level));      POINT
 *   gf_lower_result(l, v, &level, 1, finish);                       finish() makes fields of blocks */
#ifndef GPUFILTER_STAGE_H
#define GPUFILTER_STAGE_H

#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters -------------------------------------------------------------------------- */

/* How a parameter is written and stored at its offset. */
typedef enum gf_param_type {
    GF_PARAM_INT = 1,   /* int64_t; 12 */
    GF_PARAM_NUMBER,    /* double; 1.5, 1e-3, 1/9; `unit` may be written after it */
    GF_PARAM_INTENSITY, /* double, a fraction of full scale; 0.5, 50%, 128u8, 32768u16 */
    GF_PARAM_BOOL,      /* int32_t; on off true false 1 0 */
    GF_PARAM_CHOICE,    /* int32_t, the index in `choices`; one of its words */
    GF_PARAM_RECT,      /* gf_rect; WIDTHxHEIGHT+X+Y; empty text: w = 0 */
    GF_PARAM_CHANNELS,  /* int32_t, bit c set: channel c; bit 29: all, bit 30: alpha (the last of 2 or 4);
                         * rgb, a, g, 0+2, all; empty text: 0 */
    GF_PARAM_TEXT,      /* char[GF_PARAM_TEXT_SIZE]; a word or a quoted text */
    GF_PARAM_LIST,      /* gf_list; [0 1 0; 1 -4 1; 0 1 0], or @FILE; empty text: no rows and no file */
    GF_PARAM_PICTURE    /* gf_picture_name; @FILE, or the name of an input; empty text: "" */
} gf_param_type;

/* Bytes of a TEXT, numbers of a LIST and bytes of a file's name, the zero of texts included. */
enum { GF_PARAM_TEXT_SIZE = 64, GF_LIST_NUMBERS = 1024, GF_FILE_NAME_SIZE = 1024 };

/* What a LIST parameter holds: numbers in rows of equal length. It lies in the stage's parameter struct,
 * which owns all of it. A list that was written as @FILE has no rows until gf_pipeline_set_file gives the
 * content; lower() is called with lists that are given alone. Zeroed: not given. */
typedef struct gf_list {
    int32_t rows, columns;          /* 0 and 0: not given; rows * columns is at most GF_LIST_NUMBERS */
    char file[GF_FILE_NAME_SIZE];   /* as it was written, without '@'; "": the numbers were written out */
    double values[GF_LIST_NUMBERS]; /* row by row: number x of row y is values[y * columns + x]; finite */
} gf_list;

/* What a PICTURE parameter holds: the name of an input of the pipeline (see gf_pipeline_input_name), "in" for
 * the picture that the pipeline begins with. Owned by the stage's parameter struct. */
typedef struct gf_picture_name {
    char name[GF_FILE_NAME_SIZE]; /* "@top.png": a file; "top": a name; "": not given */
} gf_picture_name;

/* What an INT or NUMBER parameter with `auto_word` holds when that word is written. */
#define GF_AUTO (-1)

typedef struct gf_param {
    const char *name; /* lower case; NULL ends the table */
    gf_param_type type;
    size_t offset;         /* in the stage's parameter struct */
    const char *text;      /* default, as a user would write it; "" means "not given" */
    double min, max;       /* closed interval; both 0: any finite number. It holds for each number of a LIST.
                            * Of an INTENSITY it holds for u8 and
                            * u16 only, and is checked when the pipeline is bound: f32 has no full scale */
    const char *unit;      /* "px", ...; NULL: none */
    const char *auto_word; /* "auto": stored as GF_AUTO; NULL: no such word */
    const char *choices; /* CHOICE: words separated by '|'. LIST: the shapes it may have, rows x columns, '*'
                          * for any number of them, as "3x3|3x4" or "1x*"; NULL: any */
    const char *help;    /* one line */
    int positional;      /* non-zero: may stand first without its name (tried in table order) */
} gf_param;

/* Parameters that many stages share, handled by the library. */
enum {
    GF_STAGE_WINDOW = 1, /* has border= and value= (see gf_border) */
    GF_STAGE_POINT = 2,  /* keeps shape: has roi= and channels= (GF_STAGE_WINDOW stages too) */
    GF_STAGE_MEASURE = 4 /* leaves the picture as it is, has results, roi= and channels= */
};

/* A list of stages that shows what a stage is good for, and one line that says what it does. */
typedef struct gf_example {
    const char *stages; /* as --stages takes them; NULL ends the table */
    const char *help;
} gf_example;

typedef struct gf_lowering gf_lowering;
typedef struct gf_result_builder gf_result_builder;

/* A field of a stage's result, as `help STAGE` and docs/stages.md list them. */
typedef struct gf_stage_field {
    const char *name; /* NULL ends the table */
    gf_depth depth;   /* GF_U64 or GF_F64 */
    int32_t count;    /* values a channel; 0: a parameter says how many */
    const char *unit; /* "sample units", "pixels", "samples" */
    const char *help; /* one line: what it is, and the order of several values */
} gf_stage_field;

/* A table of a stage's result, as they list it: as many rows as are found, with these columns. */
typedef struct gf_stage_table {
    const char *name;              /* NULL ends the list of tables */
    const char *help;              /* one line: what a row is, and in which order rows are */
    const gf_stage_field *columns; /* ended by {0}; their count is that of the numbers in a row */
} gf_stage_table;

typedef struct gf_stage_type {
    uint32_t struct_size;   /* sizeof(gf_stage_type) */
    const char *name;       /* lower case letters, digits, _ */
    const char *aliases;    /* other names, separated by '|'; NULL: none */
    const char *group;      /* heading under which `list` shows it: "point", "window", ... */
    const char *summary;    /* one line for `list` */
    const char *formula;    /* what it computes, for `help`; several lines allowed */
    const gf_param *params; /* NULL or a table ended by {0} */
    size_t params_size;     /* sizeof the parameter struct; 0 without parameters */
    uint32_t flags;         /* GF_STAGE_*; 0 for a stage that changes the shape */
    /* Called once for each plan that is bound, however many bands and sweeps it works in; gf_verify and
     * gf_plan_rebind bind plans of their own. */
    void (*lower)(gf_lowering *lowering, const void *params);
    const gf_stage_field *fields; /* of its result, in order; NULL, or a table ended by {0} */
    const gf_example *examples;   /* for `help`; NULL or a table ended by {0} */
    const gf_stage_table *tables; /* of its result, in order; NULL, or a list ended by {0} */
} gf_stage_type;

/* ---- lowering: values in, values out ------------------------------------------------------- */

/* A picture or block inside the plan. Builders return one and take several; after a failure
 * they return 0 and do nothing, so lower() needs no checks of its own. */
typedef int32_t gf_value_id;

/* The picture that enters this stage, and the one that leaves it (default: the same). */
GF_API gf_value_id gf_lower_input(gf_lowering *l);
GF_API void gf_lower_output(gf_lowering *l, gf_value_id picture);

/* The picture that a PICTURE parameter of this stage names, as it enters the pipeline: it may have any shape;
 * what the stage can do with it the stage decides. Where none is given the binding fails. */
GF_API gf_value_id gf_lower_picture(gf_lowering *l, const gf_picture_name *picture);

/* Shape of a picture value. */
GF_API gf_shape gf_lower_shape(const gf_lowering *l, gf_value_id picture);

/* Full scale of a picture value: 255, 65535 or 1. */
GF_API double gf_lower_white(const gf_lowering *l, gf_value_id picture);

/* Fails the binding with a message that names the stage; the plan is not made. */
GF_API void gf_lower_fail(gf_lowering *l, gf_status code, const char *format, ...);

/* POINT builders. They act on the stage's channels= (default: colour, not alpha) inside roi=,
 * keep the depth unless said, and round to it (half to even, clamped) when it is u8 or u16. */
GF_API gf_value_id gf_lower_affine(gf_lowering *l, gf_value_id v, double gain, double offset);
/* white * copysign(|v / white| ^ exponent, v) */
GF_API gf_value_id gf_lower_power(gf_lowering *l, gf_value_id v, double exponent);
/* v > level ? white : 0; level in sample units */
GF_API gf_value_id gf_lower_threshold(gf_lowering *l, gf_value_id v, double level);
/* the same with one level a channel from a block (gf_lower_otsu) */
GF_API gf_value_id gf_lower_threshold_block(gf_lowering *l, gf_value_id v, gf_value_id levels);
/* table look-up (gf_lower_equalize); range: the f32 range block the counts came from, or 0 */
GF_API gf_value_id gf_lower_table(gf_lowering *l, gf_value_id v, gf_value_id table, gf_value_id range);
/* another depth, full scale to full scale, all channels, whole picture */
GF_API gf_value_id gf_lower_convert(gf_lowering *l, gf_value_id v, gf_depth depth);
/* BT.601 luma: 3 -> 1 or 4 -> 2 channels; others unchanged */
GF_API gf_value_id gf_lower_gray(gf_lowering *l, gf_value_id v);

/* Builders of a second picture: of the same width and height, any depth, gray or with the colours of v. */
/* v + amount (f - v), f what the mode makes of v and `other` (gf_blend) in fractions of full scale; where
 * `other` has alpha, that takes part in amount. GF_BLEND_OVER on a picture with alpha makes new alpha, too.
 */
GF_API gf_value_id gf_lower_blend(gf_lowering *l, gf_value_id v, gf_value_id other, gf_blend mode,
                                  double amount);
/* v where `other` is white, `value` (sample units) where it is 0, their mean weighed by it in between */
GF_API gf_value_id gf_lower_mask(gf_lowering *l, gf_value_id v, gf_value_id other, double value);

/* Builders that change the channels, of the whole picture. */
/* gray to colour: 1 -> 3 or 2 -> 4 channels; others unchanged */
GF_API gf_value_id gf_lower_rgb(gf_lowering *l, gf_value_id v);
/* 1 -> 2 or 3 -> 4 channels, alpha being `value` (sample units) everywhere; others unchanged */
GF_API gf_value_id gf_lower_add_alpha(gf_lowering *l, gf_value_id v, double value);
/* 2 -> 1 or 4 -> 3 channels; others unchanged */
GF_API gf_value_id gf_lower_drop_alpha(gf_lowering *l, gf_value_id v);
/* the same, the picture laid over a background whose samples are `value` */
GF_API gf_value_id gf_lower_flatten(gf_lowering *l, gf_value_id v, double value);
/* Channel r of the result is m[r][0] v[0] + m[r][1] v[1] + ..., `m` being rows one after the other, plus,
 * where there is one column more than channels, white times the last. Either over all channels, or over the
 * colour alone, alpha staying behind it: then with 1 or 3 rows. 3 rows make a colour picture, 1 a gray one.
 */
GF_API gf_value_id gf_lower_matrix(gf_lowering *l, gf_value_id v, const double *m, int32_t rows,
                                   int32_t columns);

/* WINDOW builders, with the stage's border=, value=, channels= and roi=; windows at the edge of
 * a roi read true neighbours outside it. Radii >= 0, any size. */
/* radius GF_AUTO: floor(4 sigma + 1/2), or from sigma 8 on a Gaussian that is not cut off */
GF_API gf_value_id gf_lower_gaussian(gf_lowering *l, gf_value_id v, double sigma, int64_t radius);
GF_API gf_value_id gf_lower_box(gf_lowering *l, gf_value_id v, int64_t radius);
/* v + amount (v - blur), the blur a Gaussian that is not rounded; v where |v - blur| < threshold (sample
 * units) */
GF_API gf_value_id gf_lower_unsharp(gf_lowering *l, gf_value_id v, double sigma, double amount,
                                    double threshold);
/* sqrt((gx^2 + gy^2) / 2), taps [1 2 1]/4 and [-1 0 1] */
GF_API gf_value_id gf_lower_sobel(gf_lowering *l, gf_value_id v);

/* MAP builders. The picture that comes out has another size or order; all channels take part. Moves first:
 * every bit of a sample stays. */
/* the pixels inside `area`, which must lie in the picture */
GF_API gf_value_id gf_lower_crop(gf_lowering *l, gf_value_id v, gf_rect area);
/* so many pixels more a side, by a border rule. constant: `value` for colour and `alpha` for the last channel
 * where it is alpha, both fractions of full scale */
typedef struct gf_padding {
    int64_t left, right, top, bottom; /* >= 0 */
    gf_border border;
    double value, alpha;
} gf_padding;
GF_API gf_value_id gf_lower_pad(gf_lowering *l, gf_value_id v, const gf_padding *padding);
/* mirrored: left and right change places (across), top and bottom (down), or both */
GF_API gf_value_id gf_lower_flip(gf_lowering *l, gf_value_id v, int across, int down);
/* turned clockwise by so many quarters of a full turn, any number */
GF_API gf_value_id gf_lower_rotate(gf_lowering *l, gf_value_id v, int64_t quarters);
/* rows become columns: pixel (x, y) goes to (y, x) */
GF_API gf_value_id gf_lower_transpose(gf_lowering *l, gf_value_id v);
/* another size, antialiased; with alpha premul colour is weighed by it */
typedef enum gf_resize_filter {
    GF_FILTER_BOX,
    GF_FILTER_TRIANGLE,
    GF_FILTER_HAMMING,
    GF_FILTER_CUBIC, /* a = -1/2 */
    GF_FILTER_LANCZOS
} gf_resize_filter;
GF_API gf_value_id gf_lower_resize(gf_lowering *l, gf_value_id v, int64_t width, int64_t height,
                                   gf_resize_filter filter);

/* TAP builders, picture to block, and SOLVE builders, block to block (otsu, equalize). `bins` and lo, hi
 * (sample units) count for f32 only; u8 and u16 count every value. range 0: use lo, hi. */
GF_API gf_value_id gf_lower_histogram(gf_lowering *l, gf_value_id v, int32_t bins, double lo, double hi,
                                      gf_value_id range);
GF_API gf_value_id gf_lower_range(gf_lowering *l, gf_value_id v); /* f32: least, greatest; else 0 */
GF_API gf_value_id gf_lower_stats(gf_lowering *l, gf_value_id v);
GF_API gf_value_id gf_lower_otsu(gf_lowering *l, gf_value_id counts, gf_value_id range);
GF_API gf_value_id gf_lower_equalize(gf_lowering *l, gf_value_id counts, gf_value_id range);

/* CALL: a step of your own on a whole picture. `host` runs on host memory with any number of
 * calls at once from different plans; `device`, if given, queues work on a CUDA stream and must
 * not synchronise; without it the plan runs on the CPU only. `out` has the shape given here and
 * must be written in full; it may be of u32, u64 or f64, which other builders than CALL do not take. args are
 * the stage's params (as given to lower), or NULL, or memory that lives as long as the stage's type. Both
 * return GF_OK or fill `error`, which is not NULL. */
typedef gf_status (*gf_call_host)(const gf_image *in, gf_image *out, const void *args, gf_error *error);
typedef gf_status (*gf_call_device)(const gf_image *in, gf_image *out, const void *args, void *stream,
                                    gf_error *error);
GF_API gf_value_id gf_lower_call(gf_lowering *l, gf_value_id v, const gf_shape *out, gf_call_host host,
                                 gf_call_device device, const void *args);

/* ---- results --------------------------------------------------------------------------------- */

/* What a measuring stage found: named fields of `count` values for each measured channel. Units are those of
 * the stage's table of fields; sample units are 0 to 255, 0 to 65535, or the f32 itself. */
typedef struct gf_field {
    const char *name;
    gf_depth depth;     /* GF_U64 or GF_F64 */
    int32_t channels;   /* that were measured, lowest first */
    int64_t count;      /* values a channel; 1: a scalar */
    const void *values; /* channels * count, channel by channel */
} gf_field;

/* A column of a table: one number a row, or several with names of their own, as a box has. */
typedef struct gf_column {
    const char *name;
    const char *parts;  /* names of several numbers, separated by '|', as "x|y|w|h"; NULL: one number */
    gf_depth depth;     /* GF_U32, GF_U64, GF_F32 or GF_F64 */
    int32_t count;      /* numbers a row, >= 1 */
    const void *values; /* rows * count, row by row */
} gf_column;

/* What was found, as points or regions: rows that are counted by the run. */
typedef struct gf_table {
    const char *name;
    int64_t rows;
    int32_t n_columns;
    const gf_column *columns;
} gf_table;

typedef struct gf_result {
    uint32_t struct_size;
    int32_t index;     /* of the stage in the pipeline, from 0 */
    const char *stage; /* name of its type */
    const char *name;  /* its name= or "" */
    int32_t n_fields;
    const gf_field *fields;
    gf_shape shape;    /* of the picture measured */
    uint32_t channels; /* bit c: channel c was measured */
    const gf_table *tables;
    int64_t n_tables;
} gf_result;

/* What `finish` gets: host copies of the blocks, in the order given to gf_lower_result. */
typedef struct gf_measured {
    const void *const *blocks;
    const void *params; /* the stage's parameters */
    gf_shape shape;     /* of the picture measured */
    uint32_t channels;  /* bit c: channel c was measured */
} gf_measured;

/* Registers a result of this stage: `finish` turns the blocks (at most 3) into fields, after the
 * run, on the calling thread. `of` is the picture they were measured on. */
typedef void (*gf_finish)(const gf_measured *measured, gf_result_builder *builder);
GF_API void gf_lower_result(gf_lowering *l, gf_value_id of, const gf_value_id *blocks, int32_t n_blocks,
                            gf_finish finish);

/* Bytes of the fields that this stage's finish functions make in all, where they are many: gf_plan_memory and
 * memory_limit count them, and what nobody told them of they cannot. */
GF_API void gf_lower_result_bytes(gf_lowering *l, uint64_t bytes);

/* Inside finish: a zeroed array of channels * count values to fill; NULL when memory is short, or where name
 * is NULL or channels or count negative (return then: the run reports it). `name` must be a literal. */
GF_API uint64_t *gf_result_u64(gf_result_builder *builder, const char *name, int32_t channels, int64_t count);
GF_API double *gf_result_f64(gf_result_builder *builder, const char *name, int32_t channels, int64_t count);

/* Inside finish: a table of so many rows begins, which gets the columns that follow. `name` must be a
 * literal. */
GF_API void gf_result_begin_table(gf_result_builder *builder, const char *name, int64_t rows);

/* Inside finish, after gf_result_begin_table: a zeroed array of rows * count numbers to fill, row by row,
 * where count is that of the names in `parts` (see gf_column), or 1 with NULL. NULL when memory is short, or
 * where name is NULL, no table has begun, a part has no name or the depth is none of a column's (return then:
 * the run reports it). `name` and `parts` must be literals. */
GF_API void *gf_result_column(gf_result_builder *builder, const char *name, const char *parts,
                              gf_depth depth);

/* ---- the built-in stages ------------------------------------------------------------------------ */

/* All built-in types, in the order of `gpufilter list`; constants. */
GF_API const gf_stage_type *const *gf_stage_types(int32_t *count);

/* The type of that name or alias; NULL when there is none. '-' and '_' are the same. */
GF_API const gf_stage_type *gf_stage_find(const char *name);

/* Parameters of a type including the shared ones (border, value, roi, channels, name) that its
 * flags give it; row i, or NULL past the end. */
GF_API const gf_param *gf_stage_param(const gf_stage_type *type, int32_t index);

/* The fields of the stage's result in their order; field i, or NULL past the end. */
GF_API const gf_stage_field *gf_stage_result(const gf_stage_type *type, int32_t index);

/* The tables of the stage's result likewise; table i, or NULL past the end. */
GF_API const gf_stage_table *gf_stage_result_table(const gf_stage_type *type, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
