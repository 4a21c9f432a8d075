/* Parameters: the one place that knows how each gf_param_type is written, stored and printed.
 * gf_stage_param, the rows of a type with the shared ones, is declared in gpufilter/stage.h.
 *
 * Numbers mean the same in every locale. Nothing here is global: all functions are safe on
 * distinct nodes at the same time. */
#pragma once

#include "base/text.h"
#include "stage_node.h"

/* A value as the language delivers it: quotes and escapes undone, brackets and '@' left out. */
enum gf_argument_kind { GF_ARGUMENT_BARE, GF_ARGUMENT_QUOTED, GF_ARGUMENT_LIST, GF_ARGUMENT_FILE };
struct gf_argument {
    enum gf_argument_kind kind;
    const char *text; /* borrowed, not terminated */
    size_t length;
};

/* Checks that a type can be used at all: what an embedder may have got wrong in the descriptor or
 * its table, defaults included. GF_ERROR_ARGUMENT says what. */
gf_status gf_stage_type_check(const gf_stage_type *type, gf_error *error);

/* The hooks of a type; a type of an older program has none. */
const gf_stage_settle *gf_stage_settle_of(const gf_stage_type *type);
void (*gf_stage_signal_of(const gf_stage_type *type))(gf_signal_lowering *lowering, const void *params);
bool gf_stage_fix_size(const gf_stage_type *type, void *params, const gf_shape *whole, const gf_shape *size);

/* Makes *node a stage of that (checked) type with every parameter at its default. Place in the
 * text: unknown. On failure (GF_ERROR_MEMORY) *node is zeroed. */
gf_status gf_stage_node_init(struct gf_stage_node *node, const gf_stage_type *type, gf_error *error);

/* A node of its own with the same type and values. On failure (GF_ERROR_MEMORY) *node is untouched. */
gf_status gf_stage_node_copy(struct gf_stage_node *node, const struct gf_stage_node *from, gf_error *error);

/* Frees what the node owns and zeroes it; safe on a zeroed node. */
void gf_stage_node_clear(struct gf_stage_node *node);

/* The row of that name ('-' equals '_'), or NULL. */
const gf_param *gf_stage_param_named(const gf_stage_type *type, const char *name, size_t length);

/* Stores an argument in the node. GF_ERROR_PARSE: it is not of the parameter's form (`why`:
 * "sigma is 'x', must be a number"); GF_ERROR_ARGUMENT: outside the interval ("sigma is 0, must
 * be from 0.05 to 1000"). On failure the node is unchanged. */
gf_status gf_param_read(const gf_param *param, struct gf_stage_node *node, const struct gf_argument *argument,
                        struct gf_text *why);

/* The file that a LIST or PICTURE names, without '@', as long as the node lives; NULL: none. */
const char *gf_param_file(const gf_param *param, const struct gf_stage_node *node);

/* The list of a LIST, the name of a PICTURE; NULL: the parameter is none. */
gf_list *gf_param_list(const gf_param *param, const struct gf_stage_node *node);
const gf_picture_name *gf_param_picture(const gf_param *param, const struct gf_stage_node *node);

/* Tells whether a list may have more than GF_LIST_NUMBERS numbers. */
bool gf_param_is_large(const gf_param *param);

/* Gives a list its numbers, in memory of its own where they do not fit. GF_ERROR_MEMORY: it is as before. */
gf_status gf_param_list_fill(gf_list *list, int32_t rows, int32_t columns, const double *values);

/* Checks whether a list may have that shape. GF_ERROR_ARGUMENT: `why` says which it may. */
gf_status gf_param_list_check(const gf_param *param, int64_t rows, int64_t columns, struct gf_text *why);

/* Writes the value so that gf_param_read gives the same back, bit for bit: one spelling a value,
 * numbers as short as can be, without quotes. */
void gf_param_write(const gf_param *param, const struct gf_stage_node *node, struct gf_text *text);

/* The same as a JSON value: number, string or boolean. */
void gf_param_write_json(const gf_param *param, const struct gf_stage_node *node, struct gf_text *text);

/* The value of a NUMBER or INTENSITY. */
double gf_param_number(const gf_param *param, const struct gf_stage_node *node);

/* Tells whether a number is inside the row's interval, if it has one. */
bool gf_param_in_interval(const gf_param *param, double value);

/* Tells whether the value is what gf_stage_node_init stored. */
bool gf_param_is_default(const gf_param *param, const struct gf_stage_node *node);

/* Describes what the parameter takes, for messages: "a number", "one of fixed otsu". */
void gf_param_describe(const gf_param *param, struct gf_text *text);
