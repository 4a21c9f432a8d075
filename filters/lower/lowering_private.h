/* The state that lower() functions build on; shared by lower_*.c only. */
#pragma once

#include "base/status.h"
#include "lower/lowering.h"
#include "pixel/window/gradient/gradient.h"

struct gf_lowering {
    struct gf_lowered *out;
    const struct gf_stage_node *node;
    int32_t stage;
    const struct gf_input *inputs; /* of the pipeline */
    int32_t n_inputs;
    gf_alpha alpha;        /* what the last channel of 2 or 4 is to the stage */
    int32_t input, output; /* values of the stage */
    bool moved;            /* it has a map or a call, which act on whole pictures */
    bool weighed;          /* a window of it has weighed colour by alpha */
    bool complex;          /* the picture's two channels are re and im: the second weighs nothing */
    const struct gf_stage_node *nodes; /* all stages */
    int32_t n_nodes;
    int32_t *saved;   /* by stage that has been lowered: the value that leaves it */
    gf_status status; /* first failure; builders do nothing after it */
    gf_error *error;
};

/* Public ids are value indices plus one, so that 0 can mean "nothing". */
static inline gf_value_id gf_to_id(int32_t value)
{
    return value + 1;
}

/* The value of an id, or NULL (and a failure) when it is not one of the wanted kind. */
const struct gf_value *gf_lowering_value(gf_lowering *l, gf_value_id id, bool block);

/* A new value; GF_NONE after a failure. */
int32_t gf_lowering_picture(gf_lowering *l, int64_t width, int64_t height, int32_t channels, gf_depth depth);
int32_t gf_lowering_block(gf_lowering *l, gf_depth depth, int32_t channels, int64_t width);
/* A block of rows of `row` elements, `most` at most; a run writes how many there are into the first element
 * of the u64 block counted_by. */
int32_t gf_lowering_rows(gf_lowering *l, gf_depth depth, int64_t row, int64_t most, int32_t counted_by);
/* A block with a known content: zeroed memory to fill, owned by the op list; NULL on failure. */
void *gf_lowering_constant(gf_lowering *l, gf_depth depth, int32_t channels, int64_t width, int32_t *value);

/* How many rows the table of the result that was registered last has, where that is known. */
void gf_lowering_result_rows(gf_lowering *l, int64_t rows);

/* gf_lower_result_bytes of a stage that may gather by bands (gf_by_bands). */
void gf_lowering_gathered_bytes(gf_lowering *l, uint64_t bytes);

/* Appends an op of this stage that reads `in`; NULL on failure. roi is the stage's. */
struct gf_op *gf_lowering_op(gf_lowering *l, enum gf_op_kind kind, int32_t in, int32_t out);

/* A picture value of samples: u8, u16 or f32. NULL, and a failure, where it is of a result's depth or none.
 */
const struct gf_value *gf_lowering_samples(gf_lowering *l, gf_value_id id);
/* The same of one channel, alpha beside it or not. */
const struct gf_value *gf_lowering_gray(gf_lowering *l, gf_value_id id);

/* A new POINT op from v to a picture of that depth and as many channels; NULL on failure. */
struct gf_op *gf_lowering_point(gf_lowering *l, gf_value_id v, gf_depth depth, int32_t channels,
                                int32_t *out);
/* The same outside the roi of the stage, too. */
struct gf_op *gf_lowering_point_all(gf_lowering *l, gf_value_id v, gf_depth depth, int32_t channels,
                                    int32_t *out);

/* The same of v's depth and channels; *mask: those that the stage acts on. What ends a program that does not
 * keep integers: rounds to the depth that it ends with. */
struct gf_op *gf_lowering_in_place(gf_lowering *l, gf_value_id v, uint8_t *mask, int32_t *out);
gf_value_id gf_point_rounded(struct gf_op *op, int32_t out);

/* Appends an APPLY of this stage: `in` and `out` are values, as many as each count says (GF_NONE in the
 * middle of `in` is not allowed), `args` the kernel's own struct. false on failure. */
struct gf_lowering_operands {
    int32_t values[GF_MAX_OPERANDS];
    int32_t n;
};
bool gf_lowering_apply(gf_lowering *l, const struct gf_kernel *kernel, struct gf_lowering_operands in,
                       struct gf_lowering_operands out, const void *args, size_t size);

/* A WINDOW of this stage that keeps depth and channels, with the stage's border, value, channels, roi and
 * alpha; `args`: the kernel's own struct. 0 on failure. */
gf_value_id gf_lowering_window(gf_lowering *l, gf_value_id v, const struct gf_kernel *kernel,
                               const void *args, size_t size);

/* Its parts, for stages of several windows. The picture that the first reads: colour times alpha where
 * windows weigh by it. A window alone over v; `original` is the stage's picture, `block` a constant block
 * that the kernel reads, or GF_NONE. What comes behind the last: undoes the weighing (weighed), gives back
 * the channels and pixels that the stage must not touch, and rounds to the depth; v itself where there is
 * nothing to do. */
struct gf_window_end {
    gf_value_id centre; /* what the window read, which has them unless it is weighed; 0: `second` does */
    gf_value_id second; /* the stage's picture; 0 is allowed where nothing is weighed */
    gf_depth depth;
    bool weighed;
};
gf_value_id gf_lowering_window_source(gf_lowering *l, gf_value_id v);
gf_value_id gf_lowering_bare_window(gf_lowering *l, gf_value_id v, gf_value_id original,
                                    const struct gf_kernel *kernel, const void *args, size_t size,
                                    int32_t block);
gf_value_id gf_lowering_window_end(gf_lowering *l, gf_value_id v, const struct gf_window_end *end);

/* A WINDOW of this stage, with its border and value, that makes another picture of v as it is: alpha is no
 * weight, and channels and roi are not kept. 0 on failure. */
gf_value_id gf_lowering_window_to(gf_lowering *l, gf_value_id v, const struct gf_kernel *kernel,
                                  gf_depth depth, int32_t channels, const void *args, size_t size);

/* How samples below 0 are shown, of results that have a sign. */
enum gf_negative { GF_NEGATIVE_AUTO, GF_NEGATIVE_ABSOLUTE, GF_NEGATIVE_OFFSET, GF_NEGATIVE_KEEP };
#define GF_NEGATIVE_CHOICES "auto|absolute|offset|keep"

/* Returns what `auto` means at that depth. */
static inline enum gf_negative gf_negative_of(int32_t choice, gf_depth depth)
{
    const enum gf_negative chosen = depth == GF_F32 ? GF_NEGATIVE_KEEP : GF_NEGATIVE_ABSOLUTE;
    return choice == GF_NEGATIVE_AUTO ? chosen : (enum gf_negative)choice;
}

/* Appends to a POINT op whose samples are in units of white what shows gain * v so. */
void gf_point_signed(struct gf_op *op, enum gf_negative negative, double gain, double white);

/* A part of the gradient, with the stage's border, value, channels and roi. */
enum gf_gradient_part { GF_GRADIENT_MAGNITUDE, GF_GRADIENT_X, GF_GRADIENT_Y, GF_GRADIENT_ANGLE };
gf_value_id gf_lowering_gradient(gf_lowering *l, gf_value_id v, enum gf_gradient_operator name,
                                 enum gf_gradient_part part, enum gf_negative negative);

/* What windows are built of. The picture in f32 and sample units, colour times alpha where windows weigh it
 * so: */
gf_value_id gf_lowering_widen(gf_lowering *l, gf_value_id v);
/* a WINDOW op from v; `original` is the stage's picture before any premultiplication; NULL on failure: */
struct gf_op *gf_lowering_window_op(gf_lowering *l, gf_value_id v, gf_value_id original,
                                    const struct gf_kernel *kernel, gf_depth depth_out, int32_t channels_out,
                                    int32_t *out);
/* a correlation with wx across and wy down, blocks of weights. */
gf_value_id gf_lowering_separable(gf_lowering *l, gf_value_id source, gf_value_id original,
                                  struct gf_separable_args args, int32_t wx, int32_t wy);

/* A correlation with rows of numbers, times a scale, and what follows it: added to the sums, in sample units,
 * and how those below 0 are shown. weighed: by alpha, where that is wanted. */
struct gf_conv_kernel {
    int32_t rows, columns; /* at most GF_CONV_SIDE and GF_CONV_NUMBERS in all */
    const double *values;
    double scale;
};
struct gf_conv_end {
    double offset;
    enum gf_negative negative;
    bool weighed;
};
enum { GF_CONV_SIDE = 2048, GF_CONV_NUMBERS = 1 << 18, GF_CONV_LARGE = 225 };
gf_value_id gf_lowering_conv(gf_lowering *l, gf_value_id v, const struct gf_conv_kernel *k,
                             const struct gf_conv_end *end);

/* The same of u8 or u16, of u8 colour times alpha: exact sums with numbers on a grid, times the scale,
 * rounded once, to `depth`, the picture's or f32. */
gf_value_id gf_lowering_wide_conv(gf_lowering *l, gf_value_id v, const struct gf_conv_kernel *k,
                                  bool premultiplied, gf_depth depth);

/* The same of f32, by Fourier transforms: not where sizes of the weights add up to 2^60 or more. */
bool gf_lowering_fourier_conv_fits(const struct gf_conv_kernel *k);
gf_value_id gf_lowering_fourier_conv(gf_lowering *l, gf_value_id v, const struct gf_conv_kernel *k);

/* The picture with what the kernel reads around it, by the stage's border. */
gf_value_id gf_lowering_conv_extended(gf_lowering *l, gf_value_id v, const struct gf_conv_kernel *k);

/* gf_lower_resize of a picture that is only so wide and high: its last column and row may be partly padding.
 */
gf_value_id gf_lowering_resize(gf_lowering *l, gf_value_id v, double wide, double high, int64_t width,
                               int64_t height, gf_resize_filter filter, gf_light light);

/* Windows alone over `source`, `original` being the stage's picture as above: box means, of integers rounded
 * or (floors) rounded down; a Gaussian in f32 of a source in u16 or f32, not rounded. */
gf_value_id gf_lowering_box(gf_lowering *l, gf_value_id source, gf_value_id original, int64_t radius,
                            bool floors);
gf_value_id gf_lowering_blur(gf_lowering *l, gf_value_id source, gf_value_id original, double sigma,
                             int64_t radius);

/* White where a sample is above the mean of the (2 radius + 1)^2 around it less `offset` (sample units; for
 * u8 and u16 the nearest integer), or above their Gaussian, which is not rounded. Every channel by itself,
 * with the stage's border, value, channels and roi. radius GF_AUTO: as gf_lower_gaussian. */
gf_value_id gf_lowering_threshold_mean(gf_lowering *l, gf_value_id v, int64_t radius, double offset);
gf_value_id gf_lowering_threshold_gaussian(gf_lowering *l, gf_value_id v, double sigma, int64_t radius,
                                           double offset);

/* White where a sample is above m (1 + k (s / (range white) - 1)), m the mean and s the standard deviation of
 * those around it; likewise. */
gf_value_id gf_lowering_threshold_sauvola(gf_lowering *l, gf_value_id v, int64_t radius, double k,
                                          double range);

/* Several pictures in one (lower_place.c, lower_operand.c). Where at= and scale= (docs of the stage blend)
 * put `other` on v: in that rectangle of v it lies, or nothing is said, and *placed is empty. The picture
 * that comes out is of v's size where at= is given; outside *placed its samples mean nothing. */
gf_value_id gf_lowering_placed(gf_lowering *l, gf_value_id v, gf_value_id other, const char *at, double scale,
                               gf_rect *placed);
/* Where at= puts a picture of that size on one of shape `on`, parts of it perhaps outside; false after a
 * failure. */
bool gf_lowering_place(gf_lowering *l, gf_shape on, int64_t width, int64_t height, const char *at,
                       gf_rect *place);
/* A picture of w x h, in which v lies at (x, y), and other samples are `fill`, fractions of full scale. */
gf_value_id gf_lowering_canvas(gf_lowering *l, gf_value_id v, gf_rect place, const double fill[4]);
/* gf_lower_blend and gf_lower_mask in a rectangle alone; outside every bit stays. Empty: everywhere. */
gf_value_id gf_lowering_blend(gf_lowering *l, gf_value_id v, gf_value_id other, gf_blend mode, double amount,
                              gf_rect placed);
gf_value_id gf_lowering_mask_by(gf_lowering *l, gf_value_id v, gf_value_id other, double value,
                                gf_rect placed);
/* v in the rectangle `first`, `other` in `second`, both pictures having the size of the whole. */
gf_value_id gf_lowering_beside(gf_lowering *l, gf_value_id v, gf_value_id other, gf_rect first,
                               gf_rect second);

static inline gf_rect gf_rect_common(gf_rect a, gf_rect b)
{
    const int64_t x = a.x > b.x ? a.x : b.x, y = a.y > b.y ? a.y : b.y;
    const int64_t right = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
    const int64_t bottom = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
    return right > x && bottom > y ? (gf_rect){.x = x, .y = y, .w = right - x, .h = bottom - y}
                                   : (gf_rect){0};
}

/* v in f32 times a matrix from either side, each channel by itself: a picture of one channel, or a block that
 * has a channel for each row; 0: none there. They have the rows and columns that they must have. */
gf_value_id gf_lowering_product(gf_lowering *l, gf_value_id v, gf_value_id right, gf_value_id left);

/* What an instruction's code, arg and k make of v, in f32, and another picture of its size and channels. */
gf_value_id gf_lowering_combined(gf_lowering *l, gf_value_id v, gf_value_id other, struct gf_insn how);

/* v moved by the shift that the picture `votes` speaks for (shift.h), as a warp of that filter, border, value
 * and alpha. *found: the block with the shift. */
gf_value_id gf_lowering_shift(gf_lowering *l, gf_value_id v, gf_value_id votes, const gf_warp *warp,
                              gf_value_id *found);

/* v moved round, so that pixel (x, y), which may lie outside, comes to (0, 0). */
gf_value_id gf_lowering_rolled(gf_lowering *l, gf_value_id v, int64_t x, int64_t y);

/* v by which the first of a channel's two levels becomes 0 and the second white, and what lies outside them
 * is cut off: with the stage's channels and roi. */
gf_value_id gf_lowering_stretch(gf_lowering *l, gf_value_id v, gf_value_id levels);

/* lower_space.c. v with another luma: the first channel of `luma`, a gray picture of v's size and depth. */
gf_value_id gf_lowering_with_luma(gf_lowering *l, gf_value_id v, gf_value_id luma);

/* lower_region.c. `made`, which a stage has made of v in the rectangle of its roi, where the roi has a form:
 * by the weight of each pixel, and the rest of v. */
gf_value_id gf_lowering_within(gf_lowering *l, gf_value_id v, gf_value_id made);

/* `made` in the stage's roi and channels, and v of its size, channels and depth in the rest. */
gf_value_id gf_lowering_kept(gf_lowering *l, gf_value_id v, gf_value_id made);

/* White in u8 where v is farther than `tolerance`, a fraction of white, from a colour in some of the stage's
 * channels, by default all: n numbers, one or one for each colour, in fractions of white, with opaque alpha;
 * n = 0: that of the upper left pixel of the stage's part. */
gf_value_id gf_lowering_apart(gf_lowering *l, gf_value_id v, const double *colour, int32_t n,
                              double tolerance);

/* Factors that make the colours of v agree, by their means or by a percentile (balance.h): a block of one
 * number a channel; and v times such a block. */
gf_value_id gf_lowering_balance(gf_lowering *l, gf_value_id v, bool by_gray, double percent);
gf_value_id gf_lowering_gain_block(gf_lowering *l, gf_value_id v, gf_value_id factors);

/* The samples of v at so many percentiles, 0 to 100: f32 [channels][n]. f32 that is NaN is left out;
 * `finite`: infinities are taken for the least and the greatest finite sample, and where there is none it is
 * 0, not NaN. */
gf_value_id gf_lowering_percentiles(gf_lowering *l, gf_value_id v, const double *percents, int32_t n,
                                    bool finite);

/* The least and the greatest finite sample of each channel that the stage measures, of f32: f32
 * [channels][2].
 */
gf_value_id gf_lowering_extremes(gf_lowering *l, gf_value_id v);

/* The least and the greatest sample of all channels and pixels, of f32; gf_lower_sums of all channels,
 * whatever the stage acts on. */
gf_value_id gf_lowering_range_of_all(gf_lowering *l, gf_value_id v);
gf_value_id gf_lowering_sums_of_all(gf_lowering *l, gf_value_id v, bool of_rows);

/* The row of the stage's parameter of that name, which there is. Fails the binding at the value of a row. */
int32_t gf_lowering_row(const gf_lowering *l, const char *name);
void gf_lowering_fail_at(gf_lowering *l, int32_t row, const char *format, ...) GF_PRINTF(3, 4);
void gf_lowering_fail_as(gf_lowering *l, int32_t row, gf_status code, const char *format, ...)
    GF_PRINTF(4, 5);

/* Tells the user what is not as it seems, though nothing fails; of several the first is kept (gf_plan_note).
 */
void gf_lowering_note(gf_lowering *l, const char *format, ...) GF_PRINTF(2, 3);

/* lower_check.c: checks the parameters of the stage that is lowered against the picture that enters it. */
void gf_lowering_check_params(gf_lowering *l, const struct gf_value *picture);

/* false, and a failure that names both sizes, where a picture from v cannot be so wide and high. */
bool gf_lowering_size(gf_lowering *l, gf_value_id v, double width, double height);

/* Tells whether the stage weighs colour by alpha, and filters both, where pixels of so many channels are
 * mixed: where the caller says that the last one is alpha, unless channels= names some, which are then taken
 * as they are. */
bool gf_lowering_weighs(const gf_lowering *l, int32_t channels);

/* What alpha is outside a picture that goes on as `value`, fractions of white: `alpha`, or, where that is
 * GF_AUTO, opaque, but transparent where colour is weighed by it and no other was asked for than black. */
double gf_lowering_outside_alpha(const gf_lowering *l, double value, double alpha);

/* Channels that the stage acts on in a picture of n channels. */
uint8_t gf_lowering_mask(gf_lowering *l, int32_t channels);

/* Appends one instruction to a POINT op. */
struct gf_insn *gf_point_push(struct gf_op *op, enum gf_insn_code code, uint8_t mask, float k0, float k1);
