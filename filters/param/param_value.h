/* Parameters: values apart from nodes. Private to params.c, param_value.c, param_number.c and
 * param_list.c and stage_check.c; the functions are as safe as those of params.h. */
#pragma once

#include "param/params.h"

#include <string.h>

/* Holds a value of any type. */
union gf_param_value {
    int64_t integer;
    double number;
    int32_t word; /* BOOL, CHOICE, CHANNELS */
    gf_rect rect;
    gf_roi roi;
    char text[GF_PARAM_TEXT_SIZE];
    gf_list list;
    gf_picture_name picture;
    gf_span span;
};

/* Bytes that a type stores at its offset, 0 for an unknown type. */
size_t gf_param_size(gf_param_type type);

/* Reads into a value whose gf_param_size bytes it zeroes before; as gf_param_read. An empty bare argument
 * means "not given". */
gf_status gf_param_value_read(const gf_param *param, const struct gf_argument *argument,
                              union gf_param_value *value, struct gf_text *why);

/* Reads the row's default. */
gf_status gf_param_value_default(const gf_param *param, union gf_param_value *value, struct gf_text *why);

void gf_param_value_write(const gf_param *param, const union gf_param_value *value, struct gf_text *text);

/* "sigma is 'x', must be a number": not of the parameter's form. Returns GF_ERROR_PARSE. */
gf_status gf_param_wrong_form(const gf_param *param, const struct gf_argument *argument, struct gf_text *why);

/* "sigma is 900000, must be " and the caller's words. Returns GF_ERROR_ARGUMENT. */
gf_status gf_param_out_of_range(const gf_param *param, const struct gf_argument *argument,
                                const char *must_be, struct gf_text *why);

/* Digits at p into *value, INT64_MAX when they say more. Returns how many there are. */
size_t gf_param_digits(const char *p, size_t n, int64_t *value);

/* GF_PARAM_INT: an optional sign and digits, and the unit. */
gf_status gf_param_read_int(const gf_param *param, const struct gf_argument *argument,
                            union gf_param_value *value, struct gf_text *why);

/* GF_PARAM_NUMBER and GF_PARAM_INTENSITY: 12, 1e-3, 1/9, and a unit after any of them. */
gf_status gf_param_read_number(const gf_param *param, const struct gf_argument *argument,
                               union gf_param_value *value, struct gf_text *why);

/* GF_PARAM_SPAN: two such numbers with '-' between. The unit behind the second counts for both where the
 * first has none. */
gf_status gf_param_read_span(const gf_param *param, const struct gf_argument *argument,
                             union gf_param_value *value, struct gf_text *why);

/* GF_PARAM_RECT, and GF_PARAM_ROI, which may be an ellipse; and either as it is written, "" without a width.
 */
gf_status gf_param_read_rect(const gf_param *param, const struct gf_argument *a, gf_rect *rect,
                             struct gf_text *why);
gf_status gf_param_read_region(const gf_param *param, const struct gf_argument *a, gf_roi *roi,
                               struct gf_text *why);
void gf_param_write_region(const gf_roi *roi, struct gf_text *text);

/* GF_PARAM_LIST and GF_PARAM_PICTURE, also in quotes, with their brackets or '@': as JSON has them. */
gf_status gf_param_read_list(const gf_param *param, const struct gf_argument *argument,
                             union gf_param_value *value, struct gf_text *why);
gf_status gf_param_read_picture(const gf_param *param, const struct gf_argument *argument,
                                union gf_param_value *value, struct gf_text *why);
void gf_param_write_list(const gf_list *list, struct gf_text *text);

/* A LIST whose unit is "colour" may be written as one. */
static inline bool gf_param_is_colour(const gf_param *param)
{
    return param->type == GF_PARAM_LIST && param->unit && strcmp(param->unit, "colour") == 0;
}

/* #f80, #ff8800, either with alpha behind, rgb(255,136,0) or a name, into fractions of white: one number
 * where it is gray, three, or four with alpha that is not opaque. Returns how many, 0: it is no colour. */
int32_t gf_param_read_colour(const char *text, size_t n, double values[4]);

/* "[0 1 0; 1 -4 1], of 3x3 or 3x4 numbers, or @FILE" */
void gf_param_describe_list(const gf_param *param, struct gf_text *text);

/* Tells whether the shapes of a LIST (param->choices) can be read. */
bool gf_param_shapes_are_fine(const char *shapes);

/* Tells whether the n bytes at a are the word (NULL: no word, hence not). */
static inline bool gf_param_equal(const char *a, size_t n, const char *word)
{
    return word && strlen(word) == n && memcmp(a, word, n) == 0;
}
