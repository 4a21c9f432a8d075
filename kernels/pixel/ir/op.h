/* The intermediate representation between stages and executors: plain data, no code.
 *
 *   stage --lower--> ops over numbered values --fuse--> steps (pass, apply, call) --execute-->
 *
 * A value is assigned once and never changes. It is a picture, or a block: a small array that
 * stays on the device (counts, table, level, range). An op reads values and makes one.
 * A pass is what one kernel does to one streamed picture:
 *
 *   LOAD(in) -> pre program -> [WINDOW] -> post program -> STORE(out)?, TAP*
 *
 * Without a window LOAD may take its pixels through a map (struct gf_pass_map).
 *
 * Numbers follow docs/exactness.md. Every executor (cpu, cuda) must give the bits of
 * reference.c, which interprets ops one pixel at a time. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GF_MAX_CHANNELS = 8,     /* of a value inside a plan: a gradient doubles a picture's four */
    GF_MAX_PASS_BLOCKS = 12, /* blocks one pass may read */
    GF_MAX_PASS_TAPS = 4,
    GF_MAX_PASS_ROIS = 4,
    GF_MAX_PROGRAM = 64, /* instructions of a pre or post program; fusion stops before it overflows */
    GF_MAX_OP_BLOCKS = 2,
    GF_MAX_OPERANDS = 4, /* values that an APPLY reads, and that it makes */
    GF_MAX_INPUTS = 256, /* pictures that a pipeline reads */
    GF_ARGS_BYTES = 96   /* of a kernel's arguments */
};

#define GF_NONE (-1) /* no value, no slot */

/* ---- values ------------------------------------------------------------------------------ */

struct gf_value {
    bool is_block;
    gf_depth depth;
    int32_t channels;     /* picture: interleaved channels; block: rows, one a channel */
    int64_t width;        /* picture: pixels; block: elements of a row */
    int64_t height;       /* picture: pixels; block: 1 */
    const void *constant; /* block known when the plan is made: channels * width elements, owned by
                           * the op list; NULL otherwise */
    int64_t row;          /* block of rows that a run counts: elements of one, `width` is room for the most
                           * there can be; 0: all of its elements count */
    int32_t counted_by;   /* such a block: the value whose first u64 says how many rows were made */
};

/* ---- POINT: arithmetic on the channels of one pixel ---------------------------------------- */

/* A program runs on f32 copies of a pixel's channels (u8, u16 and s16 convert exactly): one instruction of
 * instructions.def after the other. */
enum gf_insn_code {
#define GF_INSN(name, word, properties, channels) GF_INSN_##name,
#include "pixel/ir/instructions.def"
#undef GF_INSN
    GF_INSN_CODES
};

/* What an instruction claims about itself, for those who would take a short cut. */
enum gf_insn_property {
    GF_INSN_BY_SAMPLE = 1 << 0,      /* makes a sample of that sample, by k and, where it reads one, its
                                      * channel's row of a block: never of the rest of the pixel or its place */
    GF_INSN_BY_PIXEL = 1 << 1,       /* makes a pixel of the whole pixel, the same everywhere */
    GF_INSN_READS_BLOCK = 1 << 2,    /* so that it differs by channel, and waits for what is measured */
    GF_INSN_READS_OPERAND = 1 << 3,  /* another picture, at this pixel */
    GF_INSN_KEEPS_INTEGERS = 1 << 4, /* integers of a depth in, integers of that depth out */
    GF_INSN_IN_REGISTERS = 1 << 5,   /* at home in every CUDA kernel: program_cuda.cuh has a case for it */
    GF_INSN_IS_LONG = 1 << 6         /* so long that a table of 65536 entries is the faster */
};

/* The pictures beside its own that a program reads, at the pixel that it computes. */
enum gf_operand {
    GF_OPERAND_CENTRE, /* what the window right before it read */
    GF_OPERAND_SECOND, /* any picture of the same width and height that was made before */
    GF_OPERANDS
};

/* Bits in `arg` of an instruction that reads an operand with other channels than its own, beside what else is
 * there: */
enum {
    GF_OPERAND_FIRST = 1 << 6, /* every channel reads the operand's first */
    GF_OPERAND_ALPHA = 1 << 7  /* the operand's last channel is how much of it is there */
};

struct gf_insn {
    uint8_t code;  /* enum gf_insn_code */
    uint8_t mask;  /* bit c: acts on channel c */
    uint8_t depth; /* QUANTISE: gf_depth */
    int8_t block;  /* in an op: index in op.blocks; in a pass: slot in pass.blocks; or GF_NONE */
    int8_t block2;
    int8_t roi;      /* in an op: 0 means op.roi; in a pass: slot in pass.rois; GF_NONE: whole picture */
    uint8_t operand; /* READS_OPERAND: enum gf_operand */
    uint8_t arg;     /* whatever else the instruction's line says */
    float k[2];
};

/* depth_out is what STORE, the window or the next program sees. A program with n = 0 has equal ends. Values
 * of integer depth_out are integers in range when the program ends; f32 gets one canonical NaN at STORE. */
struct gf_program {
    int32_t n;
    int32_t channels_in, channels_out;
    gf_depth depth_in, depth_out;
    struct gf_insn insn[GF_MAX_PROGRAM];
};

/* ---- WINDOW: a neighbourhood of the program's output ------------------------------------------- */

struct gf_team;   /* base/team.h */
struct gf_path;   /* kernel_table.h */
struct gf_kernel; /* kernel_table.h: what a window or solve kernel is and who runs it */

/* Arguments of the window kernels. Weights are constant blocks (op.blocks, in the order named). */
struct gf_separable_args {      /* correlation with wx horizontally first, then wy */
    int32_t radius_x, radius_y; /* >= 0, any size */
    int32_t shift_x, shift_y;   /* u8 only: kh and kv; blocks are s16 weights of sum 2^k.
                                 * u16, f32: 0; blocks are f32 weights. Blocks: wx, wy. */
};
struct gf_box_args { /* mean over (2 radius_x + 1) x (2 radius_y + 1) and, beyond, whole turns of the border
                      */
    int32_t radius_x, radius_y; /* at least the picture's extent along an axis that has turns */
    int32_t turns_x, turns_y;   /* see gf_border_period */
    bool floors; /* for integers the greatest integer that is not above the mean, not the nearest */
};
/* Gaussian of a large sigma in three steps an axis: sampled down by `step`, blurred there, sampled up
 * (docs/exactness.md; layout of the block of weights: gaussian.h). f32 -> f32. */
struct gf_multirate_args {
    int32_t step;   /* power of two, >= 4 */
    int32_t radius; /* of the blur in between, in steps */
    bool down;      /* also down the columns */
};

/* Arguments of a kernel: a struct that it alone knows, copied in and out (gf_args_of, gf_args_get). */
struct gf_args {
    union {
        int64_t align;
        unsigned char bytes[GF_ARGS_BYTES];
    } u;
};

union gf_window_args {
    struct gf_separable_args separable;
    struct gf_box_args box;
    struct gf_multirate_args multirate;
    struct gf_args own; /* of any other kernel */
};

struct gf_window {
    const struct gf_kernel *kernel; /* NULL: the pass has no window */
    union gf_window_args args;
    gf_border border;
    float fill[GF_MAX_CHANNELS];     /* constant border, in the window input's units, by channel */
    int8_t blocks[GF_MAX_OP_BLOCKS]; /* as gf_insn.block */
    gf_depth depth_in, depth_out;
    int32_t channels_in, channels_out;
};

/* ---- TAP: measure the picture that a pass ends with --------------------------------------------- */

/* hist: u64 [channels][bins + 3]: bins, then below, above, nan. u8: 256 bins, u16: 65536 bins, one a value.
 *   f32: `bins` equal bins over [lo, hi], closed above, or over the range block; hi < lo: digits (digit.h).
 * range: f32 only; f32 [channels][2]: least and greatest finite value; 0, 0 if none.
 * stats: struct gf_stats_block [channels], as u64 elements.
 * profile: u64 [channels][bins]: what the samples of each column, or row, add up to; bins is as many as there
 *   are. f32: bins is twice that, sums are f64, and behind them it is counted how many samples are NaN. */

/* Sums of u8 and u16 are exact; those of f32 are made in f64 over the fixed cells of docs/exactness.md.
 * NaN is counted and otherwise left out. */
enum { GF_STATS_LEVELS = 40 }; /* of a tree over the cells of the largest picture */
struct gf_stats_block {
    uint64_t count; /* samples that are not NaN */
    uint64_t nan;
    uint64_t sum_u, square_u;      /* u8, u16: sum and sum of squares; f32: 0 */
    double sum_f, square_f;        /* f32: likewise; u8, u16: 0 */
    double least, greatest;        /* 0 when count is 0; -0 orders before +0 */
    int64_t at_least, at_greatest; /* y * width + x of the first in raster order; -1 when none */
    /* f32, in bands only: the tree over the cells so far. A complete part of it of 2^k cells waits at k for
     * its neighbour, where bit k of `cells` is set. */
    uint64_t cells;
    double sums[GF_STATS_LEVELS], squares[GF_STATS_LEVELS];
};
enum { GF_STATS_WORDS = sizeof(struct gf_stats_block) / sizeof(uint64_t) };

/* f64 sums: cells of this many pixels, anchored at pixel (0, 0) of the picture. */
enum { GF_CELL_W = 128, GF_CELL_H = 32 };

struct gf_tap {
    const struct gf_kernel *kernel;
    uint8_t mask; /* channels measured; rows of the others are zero */
    int8_t range; /* f32 hist: block of {lo, hi} by channel, as gf_insn.block; or GF_NONE */
    int8_t roi;   /* as gf_insn.roi */
    int32_t bins; /* of hist and profile; else 0 */
    float lo, hi;
    bool of_rows; /* of profile: a sum a row, not a column */
    int32_t out;  /* value */
};

/* ---- APPLY: a kernel that is a step of its own, over pictures and blocks ------------------------- */

/* SOLVE (blocks to blocks), MAP (a picture whose rows and columns come from other places) or WHOLE (anything
 * that needs a picture as a whole), by what the kernel's entry says it is. */
struct gf_apply {
    const struct gf_kernel *kernel;
    int32_t in[GF_MAX_OPERANDS]; /* values read and made, GF_NONE behind the last */
    int32_t out[GF_MAX_OPERANDS];
    struct gf_args args;
};

/* ---- CALL: a whole-picture step of the embedder ---------------------------------------------------- */

/* stage.h documents both functions for their authors. */
typedef gf_status (*gf_call_host_fn)(const gf_image *in, gf_image *out, const void *args, gf_error *error);
typedef gf_status (*gf_call_device_fn)(const gf_image *in, gf_image *out, const void *args, void *stream,
                                       gf_error *error);
struct gf_call {
    gf_call_host_fn host;
    gf_call_device_fn device; /* NULL: the plan can only run on the CPU */
    const void *args;         /* owned by the pipeline's stage parameters */
    int32_t in, out;          /* values: pictures */
};

/* ---- op ------------------------------------------------------------------------------------------------ */

enum gf_op_kind { GF_OP_POINT, GF_OP_WINDOW, GF_OP_TAP, GF_OP_APPLY, GF_OP_CALL };

struct gf_op {
    uint8_t kind;                     /* enum gf_op_kind */
    int32_t stage;                    /* index in the pipeline: for errors, --explain, the report */
    int32_t in;                       /* picture read; GF_NONE for APPLY, which names its own */
    int32_t out;                      /* value made; the first that APPLY makes */
    int32_t operand[GF_OPERANDS];     /* pictures that a POINT's instructions read; or GF_NONE */
    int32_t blocks[GF_MAX_OP_BLOCKS]; /* values that programs, window and tap refer to by index */
    struct gf_rect roi;               /* w = 0: the whole picture */
    union {
        struct gf_program *point; /* owned by the op list */
        struct gf_window window;
        struct gf_tap tap;
        struct gf_apply apply;
        struct gf_call call;
    } u;
};

struct gf_owned {
    void *object;
    void (*destroy)(void *object);
};

/* What a pipeline bound to a shape lowers to. values[input] is the picture that it begins with,
 * values[output] the one that is written (they may be the same). */
struct gf_op_list {
    struct gf_value *values;
    struct gf_op *ops;
    int32_t n_values, n_ops;
    int32_t input, output;
    int32_t n_others;                  /* pictures that are read beside it */
    int32_t others[GF_MAX_INPUTS - 1]; /* their values */
    struct gf_owned *owned;            /* what arguments of kernels point to */
    int32_t n_owned;
};

/* Returns which picture that is read the value is: 0 for list->input, 1 and on for the others, or GF_NONE.
 */
static inline int32_t gf_input_index(const struct gf_op_list *list, int32_t value)
{
    for (int32_t i = 0; i < list->n_others; i++) {
        if (list->others[i] == value) {
            return i + 1;
        }
    }
    return value == list->input ? 0 : GF_NONE;
}

static inline int32_t gf_input_value(const struct gf_op_list *list, int32_t index)
{
    return index == 0 ? list->input : list->others[index - 1];
}

/* ---- plan steps ------------------------------------------------------------------------------------------
 */

/* A picture that programs of a pass read beside the one that is streamed. */
struct gf_pass_operand {
    int32_t value; /* GF_NONE: they read none */
    int32_t channels;
    gf_depth depth;
};

/* Rows of a picture, from the top. */
struct gf_rows {
    int64_t first, count;
};

/* Where a pass over a band lies in the picture. All zeros: the pass is over the whole. */
struct gf_pass_part {
    int64_t top;        /* rows of the picture above the pass's first */
    struct gf_rows own; /* of the pass: those that its taps answer for, however small their regions */
    bool continues;     /* taps that go on from band to band (gf_tap_continues) find in their blocks what they
                         * have left there in the bands above */
    bool goes_on;       /* it is not the band in which their blocks become what they are to be */
};

/* A kernel that moves pixels (gf_kernel.map.moves), through which LOAD reads: pixel (x, y) of the pass is the
 * one that the move would have there. Only in a pass without a window. */
struct gf_pass_map {
    struct gf_apply move;  /* kernel NULL: none. in[0] is the pass's; out[0] is the value whose rows and
                            * columns the pass has, and it lies nowhere */
    int64_t width, height; /* of the picture that is read, a band's as a whole */
};

struct gf_pass {
    int32_t in, out; /* values; out GF_NONE: nothing is stored */
    struct gf_pass_map map;
    struct gf_pass_operand operand[GF_OPERANDS];
    int32_t blocks[GF_MAX_PASS_BLOCKS]; /* values read by programs, window and taps */
    int32_t n_blocks;
    struct gf_rect rois[GF_MAX_PASS_ROIS];
    int32_t n_rois;
    int64_t width, height; /* pixels, of `out` and, without a map, of `in` alike */
    struct gf_pass_part part;
    struct gf_program pre; /* LOAD to window, or to post when there is no window */
    struct gf_window window;
    struct gf_program post;
    int32_t n_taps;
    struct gf_tap taps[GF_MAX_PASS_TAPS]; /* see the output of post */
    int32_t first_stage, last_stage;
};

/* Bytes of samples that a pass reads of its second picture; 0 without. */
static inline uint64_t gf_pass_second_size(const struct gf_pass *pass)
{
    const struct gf_pass_operand *second = &pass->operand[GF_OPERAND_SECOND];
    uint64_t pixels = (uint64_t)pass->width * (uint64_t)pass->height;
    return second->value == GF_NONE ? 0 : pixels * (uint64_t)second->channels * gf_depth_size(second->depth);
}

/* What a path (kernel_table.h) has found out about a pass before it runs, on a device that has started. */
struct gf_prepared {
    const struct gf_path *path; /* NULL: nothing is prepared */
    struct gf_args own;
};

/* What executing a pass needs beside the pass itself. */
struct gf_run {
    const struct gf_pass *pass;
    struct gf_prepared *prepared; /* NULL: the path finds out as it runs */
    gf_queue queue;
    int32_t threads;      /* CPU: how many to use, >= 1 */
    struct gf_team *team; /* CPU: whose threads; NULL: the caller's alone */
    int32_t band_rows;    /* CPU: rows a band; 0: chosen. Never changes a result */
    struct {
        void *data;
        int64_t pitch; /* bytes */
    } in, out, second; /* second: pass->operand[GF_OPERAND_SECOND], its first row beside the pass's */
    int64_t in_first;  /* through a map: the row of the picture that lies at in.data; else that is the pass's
                          first */
    const void *blocks[GF_MAX_PASS_BLOCKS];      /* by slot, in the memory of queue.device */
    const void *host_blocks[GF_MAX_PASS_BLOCKS]; /* by slot: constant blocks on the host; else NULL */
    struct gf_value block_values[GF_MAX_PASS_BLOCKS];
    void *taps[GF_MAX_PASS_TAPS]; /* blocks written; need no clearing beforehand */
    void *scratch;                /* gf_path.scratch bytes, 256-byte aligned, contents arbitrary */
    uint64_t bytes_read;          /* out: bytes of picture samples read and written, each sample */
    uint64_t bytes_written;       /* counted once however often a halo repeats it */
};

/* An operand of an APPLY in memory. A picture has those rows there: row y at data + (y - rows.first) * pitch.
 * For a block `pitch` is the bytes of a channel's row, and rows are all of them. */
struct gf_plane {
    void *data;
    int64_t pitch;
    struct gf_rows rows;
};

/* What executing an APPLY needs beside it. A kernel makes out[i].rows of each output, all that it has. */
struct gf_apply_run {
    const struct gf_apply *apply;
    gf_queue queue;
    int32_t threads;      /* CPU: how many to use, >= 1 */
    struct gf_team *team; /* CPU: whose threads; NULL: the caller's alone */
    struct gf_value in_values[GF_MAX_OPERANDS], out_values[GF_MAX_OPERANDS]; /* of whole pictures */
    struct gf_plane in[GF_MAX_OPERANDS], out[GF_MAX_OPERANDS]; /* in the memory of queue.device */
    const void *host_in[GF_MAX_OPERANDS];                      /* constant blocks on the host; else NULL */
    void *scratch; /* gf_kernel.apply.scratch bytes, 256-byte aligned, contents arbitrary */
};

#ifdef __cplusplus
}
#endif
