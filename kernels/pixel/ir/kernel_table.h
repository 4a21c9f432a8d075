/* Kernels: whatever an op names that is not a program. An entry says all that others know of a kernel, so
 * that nobody asks which one it is. Adding one is its files and a line of kernels.def. */
#pragma once

#include "pixel/ir/op.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gf_halo {
    int64_t left, right, up, down; /* pixels read beyond the one computed */
    int64_t align; /* rows: a picture that begins a multiple of it lower has the same numbers there */
    int64_t turns_x, turns_y; /* whole turns of the border read beyond that: gf_border_period */
};

/* Kinds of work that plan/cost_model.def has the times of. */
enum gf_work {
    GF_WORK_BYTE,
    GF_WORK_TAP_U8,
    GF_WORK_TAP_U16,
    GF_WORK_TAP_F32,
    GF_WORK_MULTIRATE,
    GF_WORK_BOX,
    GF_WORK_GRADIENT,
    GF_WORK_EDGES,
    GF_WORK_RANK_NETWORK,
    GF_WORK_RANK_BYTES,
    GF_WORK_RANK_CODES,
    GF_WORK_RANK_NEAR,
    GF_WORK_RANK_FAR,
    GF_WORK_POWER,
    GF_WORK_PRODUCT,
    GF_WORK_MATCH,
    GF_WORK_MATCH_PRODUCT,
    GF_WORK_CLAHE_BIN,
    GF_WORK_CLAHE_MIX,
    GF_WORK_WARP,
    GF_WORK_WARP_TAP,
    GF_WORK_WARP_U8,
    GF_WORK_WARP_TAP_U8,
    GF_WORK_WARP_LANCZOS,
    GF_WORK_HIST,
    GF_WORK_HIST_MANY,
    GF_WORK_HIST_F32,
    GF_WORK_STATS_INT,
    GF_WORK_STATS_F32,
    GF_WORK_STEP,
    GF_WORKS
};

struct gf_judge; /* reference_parts.h */

enum gf_kernel_kind {
    GF_KERNEL_POINT,  /* a pass without a window */
    GF_KERNEL_WINDOW, /* a pass with one */
    GF_KERNEL_TAP,    /* of a pass: the picture that it ends with to a block */
    GF_KERNEL_SOLVE,  /* APPLY: blocks to blocks */
    GF_KERNEL_MAP,    /* APPLY: a picture to a picture of another size or order */
    GF_KERNEL_WHOLE   /* APPLY: what needs pictures as a whole */
};

struct gf_pass_args;      /* pass_cuda.h */
struct gf_scratch_layout; /* pass_cuda.h */
typedef gf_status gf_path_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                 const struct gf_scratch_layout *layout, gf_error *error);

/* What a path on CUDA does, beside the picture. */
enum {
    GF_PATH_CONVERTS = 1, /* its window takes samples of any depth, and converts them as it loads */
    GF_PATH_COUNTS = 2,   /* it counts the tap of gf_u8_plan on the way */
    GF_PATH_PREPARES = 4  /* it asks the device and looks through tables: launch, for a run that
                           * gf_only_prepares, does all but launch */
};

/* One way to run a pass on a backend. Of a list, ended by a name of NULL, the first that takes a pass is what
 * runs, what scratch is asked of, and what --explain names. All depend on the pass alone. */
struct gf_path {
    const char *name;
    bool (*takes)(const struct gf_pass *pass); /* NULL: every pass */
    /* Bytes of scratch that it takes with that many threads of the CPU. */
    size_t (*scratch)(const struct gf_path *path, const struct gf_pass *pass, int32_t threads);
    /* Fills run->prepared->own with what runs of the pass need not find out again: the run has all but memory
     * of pictures, measured blocks and scratch, and the device has started. NULL: there is nothing. */
    gf_status (*prepare)(const struct gf_path *path, struct gf_run *run, gf_error *error);
    /* Runs the whole pass. Asynchronous on CUDA. */
    gf_status (*run)(const struct gf_path *path, struct gf_run *run, gf_error *error);
    /* CUDA: how run makes the picture, on the run's stream. args->out has memory, unless a tap is all that is
     * wanted. */
    gf_path_launch *launch;
    /* CUDA: bytes of scratch between its kernels; where it has this it also needs the window's input in
     * memory. */
    size_t (*middle)(const struct gf_pass *pass);
    uint32_t flags; /* GF_PATH_... */
};

struct gf_cpu_window;   /* cpu_pass.h */
struct gf_cpu_measure;  /* cpu_tap.h */
struct gf_cuda_measure; /* pass_cuda.h */

/* WHOLE, on the CPU, of one picture, by bands of its rows. A sweep over them, from row 0 down, gathers what
 * has to be known of the whole; in each later one the output is made of the same bands. The state is the
 * exec's: what comes beside its run's operands. Scratch is apply.scratch's, of the rows in memory. */
struct gf_by_bands {
    gf_status (*create)(void **state, gf_error *error);
    void (*destroy)(void *state); /* NULL is fine */
    /* in[0].rows are the band's; those from row 0 on begin anew. There are no outputs. */
    gf_status (*gather)(void *state, const struct gf_apply_run *run, gf_error *error);
    /* Behind the last band: fills blocks[i] of each output that is a block, room on the host, but of one of
     * rows sets it to memory of the state, which stays until the next sweep that gathers. */
    gf_status (*solve)(void *state, const struct gf_apply *apply, void *blocks[GF_MAX_OPERANDS],
                       gf_error *error);
    /* Rows of out[0] from the same rows of in[0], which is the only output; NULL where it is no picture. */
    gf_status (*make)(void *state, const struct gf_apply_run *run, gf_error *error);
};

/* What only a window has. */
struct gf_kernel_window {
    void (*halo)(const struct gf_window *window, struct gf_halo *halo);
    enum gf_work work;                                    /* what a sample costs; 0: see works */
    bool work_by_taps;                                    /* ... times the sides of the window */
    double (*work_times)(const struct gf_window *window); /* ... times that; NULL: once */
    /* Where a sample costs several kinds of work: amounts[kind] of each. With neither, nothing is known. */
    void (*works)(const struct gf_window *window, double amounts[GF_WORKS]);
    const struct gf_cpu_window *cpu_window; /* what the CPU's executor of rows begins with */
    /* Turns *window by a right angle, for pictures one pixel wide (cpu_upright.c); false, or no function: it
     * cannot be turned. */
    bool (*turn)(struct gf_window *window);
    /* Returns what --explain says behind its name. NULL, or no function: nothing. */
    const char *(*title)(const struct gf_window *window);
};

/* What only a tap has. Its block has a row of tap->bins + block_row elements a channel. */
struct gf_kernel_tap {
    gf_depth block_depth;
    int32_t block_row;
    enum gf_work work[3]; /* what a sample costs: of one channel, of several, of f32 */
    const struct gf_cpu_measure *cpu;
    const struct gf_cuda_measure *(*cuda)(void); /* called where there is a CUDA backend */
    bool by_cells; /* f32 is summed by cells: bands measure whole rows of them */
    /* Adds the block of a band whose first pixel is the picture's pixel `offset` to that of the bands above.
     * NULL, and of f32 that is summed by cells: it goes on with its block from band to band. */
    void (*fold)(const struct gf_value *block, const void *part, int64_t offset, void *whole);
};

/* What every APPLY has. */
struct gf_kernel_apply {
    /* Asynchronous on CUDA; NULL: not there. Every output that has memory is written in full. */
    gf_status (*cpu)(const struct gf_apply_run *run, gf_error *error);
    gf_status (*cuda)(const struct gf_apply_run *run, gf_error *error);
    /* Bytes of scratch that such a run takes; data and scratch are not set yet. NULL: none. */
    size_t (*scratch)(const struct gf_apply_run *run);
    /* Makes on a device what its runs would wait for otherwise. NULL: nothing. */
    gf_status (*prepare)(const struct gf_apply *apply, gf_device device, gf_error *error);
    /* Adds what it costs beside its bytes: amounts[kind] of each. NULL: that is not known. */
    void (*works)(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                  double amounts[GF_WORKS]);
    bool light;                         /* the bytes that it reads and makes are all that it costs */
    const struct gf_by_bands *by_bands; /* NULL: WHOLE takes the whole at once */
};

/* What only a MAP has. */
struct gf_kernel_map {
    /* The rows of in[0] that rows `want` of out[0] are made from; they go up when `want` does. false, or no
     * function: the whole picture. */
    bool (*reach)(const struct gf_apply *apply, const struct gf_value *in, const struct gf_value *out,
                  struct gf_rows want, struct gf_rows *need);
    bool moves; /* its arguments are gf_move_args (move.h), so that passes may load through it */
};

struct gf_kernel {
    const char *name; /* as --explain shows it */
    enum gf_kernel_kind kind;
    const char *words; /* TAP and APPLY: what it does, for --explain; NULL: its name */
    struct {
        const struct gf_path *cpu;           /* NULL: not there */
        const struct gf_path *(*cuda)(void); /* returns NULL as well where there is no CUDA backend */
    } paths;                                 /* POINT and WINDOW: how passes run on each backend */
    struct gf_kernel_window window;          /* WINDOW */
    struct gf_kernel_tap tap;                /* TAP */
    struct gf_kernel_apply apply;            /* SOLVE, MAP and WHOLE */
    struct gf_kernel_map map;                /* MAP */
    /* The judge: fills the values that the op makes, which hold zeros, and shares nothing with the functions
     * above. */
    gf_status (*judge)(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);
};

/* Each kernel's entry, and what it may be made of: its judge, in reference_*.c, and on CUDA the paths of a
 * window, how a tap measures, or the function of an APPLY. Those two are asked for by gf_cuda_..., since the
 * module that has them may not be open yet (module/cuda_module.h). */
#define GF_KERNEL(name)                                                                                      \
    extern const struct gf_kernel gf_kernel_##name;                                                          \
    extern const struct gf_path gf_paths_cuda_##name[];                                                      \
    extern const struct gf_cuda_measure gf_measure_cuda_##name;                                              \
    const struct gf_path *gf_cuda_paths_##name(void);                                                        \
    const struct gf_cuda_measure *gf_cuda_measure_##name(void);                                              \
    gf_status gf_##name##_cuda(const struct gf_apply_run *run, gf_error *error);                             \
    gf_status gf_judge_##name(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);
#include "pixel/kernels.def"
#undef GF_KERNEL

extern const struct gf_kernel *const gf_kernels[]; /* all of them, NULL behind the last */

/* Every pass on the CPU, whatever its window. */
extern const struct gf_path gf_paths_cpu[];

/* The kernel that runs a pass. */
static inline const struct gf_kernel *gf_pass_kernel(const struct gf_pass *pass)
{
    return pass->window.kernel ? pass->window.kernel : &gf_kernel_point;
}

/* The path that runs a pass there; NULL: none does. */
const struct gf_path *gf_pass_path(const struct gf_pass *pass, gf_device device);

/* Bytes of samples that a pass reads of `in`, each counted once. */
static inline uint64_t gf_pass_in_size(const struct gf_pass *pass)
{
    const struct gf_pass_map *map = &pass->map;
    const bool wider = map->move.kernel && pass->width > map->width,
               higher = map->move.kernel && pass->height > map->height;
    return (uint64_t)(wider ? map->width : pass->width) * (uint64_t)(higher ? map->height : pass->height) *
           (uint64_t)pass->pre.channels_in * gf_depth_size(pass->pre.depth_in);
}

/* Tells whether its taps measure anything: not in bands below all that they are to measure. */
static inline bool gf_pass_measures(const struct gf_pass *pass)
{
    return pass->n_taps > 0 && !(pass->part.continues && pass->part.own.count == 0);
}

/* The value whose rows are those of the pass. */
static inline int32_t gf_pass_rows_of(const struct gf_pass *pass)
{
    return pass->map.move.kernel ? pass->map.move.out[0] : pass->in;
}

/* Bytes of a tap's block. */
static inline size_t gf_tap_block_size(const struct gf_pass *pass, const struct gf_tap *tap)
{
    return (size_t)pass->post.channels_out * (size_t)(tap->bins + tap->kernel->tap.block_row) *
           gf_depth_size(tap->kernel->tap.block_depth);
}

/* Tells whether a tap goes on with its block from band to band: see gf_pass_part. */
static inline bool gf_tap_continues(const struct gf_pass *pass, const struct gf_tap *tap)
{
    return !tap->kernel->tap.fold || (tap->kernel->tap.by_cells && pass->post.depth_out == GF_F32);
}

/* So many rows of the picture that bands, but for the last, measure a multiple of them in one go. */
static inline int64_t gf_pass_cell_rows(const struct gf_pass *pass)
{
    for (int32_t i = 0; i < pass->n_taps; i++) {
        if (pass->taps[i].kernel->tap.by_cells && pass->post.depth_out == GF_F32) {
            return GF_CELL_H;
        }
    }
    return 1;
}

/* Arguments of otsu and equalize. */
struct gf_solve_args {
    int32_t bins;  /* of a row of counts, without below, above and nan */
    float white;   /* full scale of the picture the counts are of */
    uint32_t mask; /* channels solved; rows of the others are zero */
};

/* otsu: in[0] counts (hist), in[1] range block (f32 pictures) or GF_NONE;
 *   out f32 [channels][1]: the level t such that "v > t" is white, in sample units: the
 *   lowest of the bins that maximise the variance between classes; formula in solve.h.
 * equalize: in[0] counts, in[1] range block (f32) or GF_NONE; out table [channels][bins] in the
 *   picture's depth: round((cdf - cdf_min) * white / (N - cdf_min)), N all samples but NaN, cdf_min
 *   the first count that is not zero; 64-bit integers, half up, for u8 and u16;
 *   f64 quotient, then f32, for f32. A picture of one value (N = cdf_min) maps to itself. */

/* A kernel's arguments from and to its own struct of `size` bytes, at most GF_ARGS_BYTES. */
static inline struct gf_args gf_args_of(const void *own, size_t size)
{
    struct gf_args args;
    memset(&args, 0, sizeof args);
    memcpy(args.u.bytes, own, size);
    return args;
}
static inline void gf_args_get(const struct gf_args *args, void *own, size_t size)
{
    memcpy(own, args->u.bytes, size);
}

/* Defines NAME_of: the arguments of a window whose struct is NAME. */
#define GF_WINDOW_ARGS_OF(name)                                                                              \
    static inline struct name name##_of(const struct gf_window *window)                                      \
    {                                                                                                        \
        struct name args;                                                                                    \
        gf_args_get(&window->args.own, &args, sizeof args);                                                  \
        return args;                                                                                         \
    }

/* How many of an array of operands are used. */
static inline int32_t gf_operand_count(const int32_t *values)
{
    int32_t n = 0;
    while (n < GF_MAX_OPERANDS && values[n] != GF_NONE) {
        n++;
    }
    return n;
}

#ifdef __cplusplus
}
#endif
