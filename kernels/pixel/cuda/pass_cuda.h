/* What the CUDA kernels of a pass share: their parameters, and the launchers behind
 * pass_cuda.cu. Private to the CUDA backend; included after base/gf_cuda.h. */
#pragma once

#include "base/cuda_status.h"
#include "base/gf_border.h"
#include "base/gf_cuda.h"
#include "base/planted_fault.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/ir/move.h"
#include "pixel/ir/program.h"

/* A picture in device memory. data NULL: not there. */
struct gf_surface {
    unsigned char *data;
    int64_t pitch; /* bytes */
    int32_t channels;
    gf_depth depth;
};

/* Bytes of one sample of a depth that pictures inside a plan have. */
GF_HD int32_t gf_sample_bytes(gf_depth depth)
{
    return depth == GF_U8 ? 1 : depth == GF_F32 ? 4 : 2;
}

/* The parameters of every kernel of a pass: passed by value, so programs lie in constant memory. */
struct gf_pass_args {
    struct gf_surface in, out,
        operand[GF_OPERANDS]; /* the centre: whoever knows the window's input sets it */
    int64_t width, height;    /* pixels */
    struct gf_block_view blocks[GF_MAX_PASS_BLOCKS];
    struct gf_rect rois[GF_MAX_PASS_ROIS];
    struct gf_program pre, post;
};
static_assert(sizeof(struct gf_pass_args) <= 3072, "leaves 1 KB of kernel parameters for the rest");

static const size_t GF_NO_SAMPLES = SIZE_MAX;

/* How scratch is divided; offsets in bytes, total 0 when none is needed. */
struct gf_scratch_layout {
    size_t samples;  /* the window's input, where a program makes it; GF_NO_SAMPLES: it is what is read */
    size_t middle;   /* horizontal sums */
    size_t picture;  /* what taps read when the pass stores nothing */
    size_t measures; /* of taps, one after the other */
    size_t total;
};

/* A table that is v > limit ? high : low in every channel. */
struct gf_u8_step {
    bool is;
    uint32_t add;    /* 127 - the lower bits of limit, four times: carries into bit 7 of those above them */
    uint32_t either; /* all ones: limit < 128, and what has bit 7 is above it anyway; else 0 */
    uint32_t low;    /* four times */
    int32_t rise;    /* high - low */
};

/* gf_prepared.own of a path that prepares. */
struct gf_cuda_prepared {
    int32_t known;    /* what follows is known */
    int32_t resident; /* blocks that the device holds at once */
    struct gf_u8_step step;
};
static_assert(sizeof(struct gf_cuda_prepared) <= GF_ARGS_BYTES, "fits gf_prepared");

/* Returns what was prepared for a run; NULL: nothing. */
static inline struct gf_cuda_prepared *gf_prepared_of(const struct gf_run *run)
{
    return run->prepared ? reinterpret_cast<struct gf_cuda_prepared *>(run->prepared->own.u.bytes) : nullptr;
}

/* Is the run only to find out what is to be prepared? */
static inline bool gf_only_prepares(const struct gf_run *run)
{
    return run->prepared && !gf_prepared_of(run)->known;
}

/* Blocks of the kernel that the device holds at once, at least one a processor. */
template <class K>
static gf_status gf_resident_blocks(const struct gf_run *run, K kernel, int threads, size_t shared,
                                    int64_t *resident, gf_error *error)
{
    struct gf_cuda_prepared *prepared = gf_prepared_of(run);
    if (prepared && prepared->known) {
        *resident = prepared->resident;
        return GF_OK;
    }
    int device = 0, processors = 0, blocks = 0;
    GF_CUDA_TRY(error, cudaGetDevice(&device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
#ifndef GF_EMU
    if (shared > 32 * 1024) { /* or the device says that it holds none */
        GF_CUDA_TRY(error, gf_launch_allow_shared(reinterpret_cast<const void *>(kernel), shared));
    }
#endif
    GF_CUDA_TRY(error, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
    *resident = int64_t(processors) * (blocks > 0 ? blocks : 1);
    if (prepared) {
        prepared->resident = static_cast<int32_t>(*resident);
    }
    return GF_OK;
}

size_t gf_pass_cuda_scratch(const struct gf_path *path, const struct gf_pass *pass, int32_t threads);
gf_status gf_pass_cuda(const struct gf_path *path, struct gf_run *run, gf_error *error);
gf_status gf_pass_cuda_prepare(const struct gf_path *path, struct gf_run *run, gf_error *error);

/* A row of a list of paths; what is not named is the same for all on CUDA. */
#define GF_PATH_CUDA(name, takes, launch, middle, flags)                                                     \
    {                                                                                                        \
        name, takes, gf_pass_cuda_scratch, gf_pass_cuda_prepare, gf_pass_cuda, launch, middle, flags         \
    }
#define GF_PATHS_END                                                                                         \
    {                                                                                                        \
    }

/* Does the pass load through a move that is no view of its picture, aligned as that is? Then kernels of
 * point_moved_cuda.h load it. */
static inline bool gf_pass_is_moved(const struct gf_run *run)
{
    const struct gf_pass *pass = run->pass;
    if (!pass->map.move.kernel) {
        return false;
    }
    const struct gf_moved moved = gf_moved_of(run);
    return !gf_moved_is_view(&moved, pass->width, pass->height) ||
           moved.args.x0 * moved.pixel % GF_MOVED_ALIGN != 0;
}

static inline struct gf_pass_args gf_pass_args_make(const struct gf_run *run)
{
    const struct gf_pass *pass = run->pass;
    struct gf_pass_args args = {};
    args.in = {static_cast<unsigned char *>(run->in.data), run->in.pitch, pass->pre.channels_in,
               pass->pre.depth_in};
    if (pass->map.move.kernel && run->in.data && !gf_pass_is_moved(run)) {
        const struct gf_moved moved = gf_moved_of(run);
        args.in.data = reinterpret_cast<unsigned char *>(const_cast<char *>(gf_moved_view(&moved)));
        args.in.pitch = moved.args.step_y * moved.pitch;
    }
    args.out = {nullptr, 0, pass->post.channels_out, pass->post.depth_out};
    if (pass->out != GF_NONE) {
        args.out.data = static_cast<unsigned char *>(run->out.data);
        args.out.pitch = run->out.pitch;
    }
    args.operand[GF_OPERAND_SECOND] = {static_cast<unsigned char *>(run->second.data), run->second.pitch,
                                       pass->operand[GF_OPERAND_SECOND].channels,
                                       pass->operand[GF_OPERAND_SECOND].depth};
    args.width = pass->width;
    args.height = pass->height;
    for (int32_t i = 0; i < pass->n_blocks; i++) {
        args.blocks[i] = {run->blocks[i], run->block_values[i].width, run->block_values[i].depth};
    }
    for (int32_t i = 0; i < pass->n_rois; i++) {
        args.rois[i] = pass->rois[i];
    }
    args.pre = pass->pre;
    args.post = pass->post;
    return args;
}

static inline cudaStream_t gf_run_stream(const struct gf_run *run)
{
    return static_cast<cudaStream_t>(run->queue.stream);
}

/* Do all rows begin at a multiple of `bytes`? */
static inline bool gf_is_aligned(const struct gf_surface *s, int64_t bytes)
{
    return reinterpret_cast<uintptr_t>(s->data) % static_cast<uintptr_t>(bytes) == 0 && s->pitch % bytes == 0;
}

/* The instruction that both programs consist of, beside a rounding behind it, which is what storing does;
 * NULL: there are others, or it has a rectangle. */
static inline const struct gf_insn *gf_pass_only(const struct gf_pass_args *args)
{
    const struct gf_program *program = args->pre.n > 0 ? &args->pre : &args->post;
    const struct gf_insn *insn = program->insn;
    const bool rounds = program->n == 2 && insn[1].code == GF_INSN_QUANTISE && insn[1].roi == GF_NONE &&
                        insn[1].depth == args->out.depth;
    return args->pre.n + args->post.n == program->n && (program->n == 1 || rounds) && insn->roi == GF_NONE
               ? insn
               : nullptr;
}

/* ---- launchers; each queues work on the run's stream --------------------------------------- */

/* A pass without a window: point_cuda.cu. `args.out` may be a surface in scratch. */
gf_status gf_point_launch(const struct gf_pass_args *args, cudaStream_t stream, gf_error *error);

/* Finds where the window's input lies: in args->in, or in scratch, into which a program writes it first. It
 * becomes the centre of args. */
gf_status gf_window_input(struct gf_pass_args *args, const struct gf_run *run,
                          const struct gf_scratch_layout *layout, gf_error *error);

/* The program behind the window, which has made its output in scratch; args as gf_window_input left them. */
gf_status gf_window_output(const struct gf_pass_args *args, const struct gf_surface *made,
                           const struct gf_run *run, gf_error *error);

/* Bytes of scratch that the window's input takes. */
size_t gf_window_samples_bytes(const struct gf_pass *pass, const struct gf_path *path);

/* How a tap measures a picture in memory; its entry has one. */
struct gf_cuda_measure {
    /* Queues it. run->taps[tap] is zero; taps that count come before the others. */
    gf_status (*launch)(const struct gf_run *run, int32_t tap, const struct gf_surface &picture,
                        void *scratch, gf_error *error);
    size_t (*scratch)(const struct gf_pass *pass); /* bytes; NULL: none */
    /* The block of bytes has a row of 256 counts and 3 more: a u8 pass may count on the way. */
    bool counts;
};

/* The first tap that counts those channels, perhaps more, of the whole picture; or GF_NONE. */
static inline int32_t gf_tap_counts(const struct gf_pass *pass, int mask)
{
    for (int32_t i = 0; i < pass->n_taps; i++) {
        const struct gf_tap *tap = &pass->taps[i];
        if (tap->kernel->tap.cuda()->counts && tap->roi == GF_NONE && (mask & ~tap->mask) == 0) {
            return i;
        }
    }
    return GF_NONE;
}

/* Sets a tap's block to zero bytes. */
gf_status gf_tap_clear(const struct gf_run *run, int32_t tap, gf_error *error);
