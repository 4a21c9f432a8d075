/* gpufilter/stage.h: what a stage is, and how to write your own.
 *
 * A stage is one constant gf_stage_type: its name, its parameters, and lower(), which says in
 * terms of the builders of lower.h what happens to the picture. From the parameter table alone come
 * parsing, range errors, `help STAGE`, completion and documentation. From lower() come the
 * fused passes on every device, --explain and --verify. A stage holds no pixels and no state.
 *
 *   struct posterize { int64_t levels; };
 *
 *   static const gf_param params[] = {
 *       {GF_ROW_IN(INT, posterize, levels, "4", 2, 256), .help = "how many levels stay", .positional = 1},
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
 * builder is not kept after lower(), but for the `args` of gf_lower_call and of gf_lower_window.
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
 * A neighbourhood of your own is a WINDOW, too (gf_lower_window): a function that makes one row of the rows
 * around it, with all that the library does for windows. Prefer it to a CALL where it is enough.
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

#include "gpufilter/lower.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters that many stages share, handled by the library. */
enum {
    GF_STAGE_WINDOW = 1,  /* has border= and value= (see gf_border) */
    GF_STAGE_POINT = 2,   /* keeps shape: has roi=, feather= and channels= (GF_STAGE_WINDOW stages too) */
    GF_STAGE_MEASURE = 4, /* leaves the picture as it is, has results, roi= and channels= */
    GF_STAGE_NO_ROI = 8,  /* one of these, but it acts on the whole picture: has no roi=, and no channels=
                           * where  it measures */
    GF_STAGE_DEPTH = 16,  /* changes the depth alone: a stage behind it may fix_size as the first one may */
    GF_STAGE_PICTURE = 32 /* makes a picture of a signal, which has the channels as rows: the last stage */
};

/* A list of stages that shows what a stage is good for, and one line that says what it does. */
typedef struct gf_example {
    const char *stages; /* as --stages takes them; NULL ends the table */
    const char *help;
} gf_example;

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

struct gf_result;

/* The library's own, for the time of one call of signal(). */
typedef struct gf_signal_lowering gf_signal_lowering;

/* How a stage is settled whose parameters only pixels can tell (gf_pipeline_settle): a stage that measures
 * takes its place, runs behind the stages before it, and what that one found is stored. */
typedef struct gf_stage_settle {
    const char *parameter;                /* the one that is looked for, for messages */
    int32_t (*waits)(const void *params); /* non-zero: it is not known yet */
    const struct gf_stage_type *measure;
    size_t offset; /* in the stage's parameters, of a struct of those of `measure`, which gets a copy of its
                    * bytes: it has no lists of any length */
    void (*store)(void *params, const struct gf_result *found); /* the last result of `measure` */
} gf_stage_settle;

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
     * gf_plan_rebind bind plans of their own. NULL: see `signal`. */
    void (*lower)(gf_lowering *lowering, const void *params);
    const gf_stage_field *fields; /* of its result, in order; NULL, or a table ended by {0} */
    const gf_example *examples;   /* for `help`; NULL or a table ended by {0} */
    const gf_stage_table *tables; /* of its result, in order; NULL, or a list ended by {0} */
    const char *use;              /* when to use it, a sentence or two for `help`; NULL: nothing */
    const char *source; /* where its definition or algorithm comes from, for `help`; NULL: nothing */
    const gf_stage_settle *settle; /* NULL: its parameters never wait for pixels */
    /* gf_pipeline_fix_size: makes the stage ask for `size`, which it makes of the picture `whole`, whatever
     * the size in which that one is read. With NULL for both nothing is changed. 0: it does not ask for a
     * size of the whole picture, and nothing is changed. NULL: it never does. */
    int32_t (*fix_size)(void *params, const gf_shape *whole, const gf_shape *size);
    /* What the stage does to a signal, along time (signal.h). NULL: it works on pictures only; one that has
     * it and no lower() works on signals only. Its builders are the library's own: types of the caller have
     * NULL. */
    void (*signal)(gf_signal_lowering *lowering, const void *params);
} gf_stage_type;

/* What the file of a stage has: its tables of parameters, `params`, examples, `examples`, and fields,
 * `fields`, without the row that ends them; and how its type begins, with these tables and its name, which is
 * also that of the struct of its parameters. GF_STAGE_NAMED is for one without parameters, or with those of
 * another struct. */
#define GF_PARAMS(...)        static const gf_param params[] = {__VA_ARGS__, {0}}
#define GF_EXAMPLES(...)      static const gf_example examples[] = {__VA_ARGS__, {0}}
#define GF_FIELDS(...)        static const gf_stage_field fields[] = {__VA_ARGS__, {0}}
#define GF_STAGE_NAMED(stage) .struct_size = sizeof(gf_stage_type), .name = #stage, .examples = examples
#define GF_STAGE_OF(stage)    GF_STAGE_NAMED(stage), .params = params, .params_size = sizeof(struct stage)

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
    gf_rect roi;        /* of it, what was measured: all of it without a roi= */
} gf_measured;

/* Registers a result of this stage: `finish` turns the blocks (at most 3; NULL and 0: it tells what
 * parameters say) into fields, after the run, on the calling thread. `of` is the picture they were measured
 * on. */
typedef void (*gf_finish)(const gf_measured *measured, gf_result_builder *builder);
GF_API void gf_lower_result(gf_lowering *l, gf_value_id of, const gf_value_id *blocks, int32_t n_blocks,
                            gf_finish finish);

/* Bytes of the fields that this stage's finish functions make in all, where they are many: gf_plan_memory and
 * memory_limit count them, but cannot count what nobody told them of. */
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

/* Returns what a word of other programs that is no stage here means: stages as they are written,
 * "quantize:16" of palette and "threshold:sauvola" of adaptive. Case, '-' and '_' make no difference. NULL:
 * nothing that is known. A constant. */
GF_API const char *gf_stage_known_as(const char *word, size_t length);

/* The words of other programs: list `index`, separated by '|', and in *stages what they mean; NULL: there are
 * no more. Constants. */
GF_API const char *gf_stage_known_words(int32_t index, const char **stages);

/* Parameters of a type including the shared ones (border, value, roi, feather, channels, name) that its
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
