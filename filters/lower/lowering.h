/* Lowering: stages of a pipeline, bound to a shape, become ops. */
#pragma once

#include "gpufilter/stage.h"
#include "pixel/ir/op.h"
#include "stage_node.h"

enum { GF_MAX_RESULT_BLOCKS = 3 };

/* The most pixels of a picture: 64 bits count its bytes, and those of all buffers of the longest pipeline. A
 * side has at most INT32_MAX. */
#define GF_MOST_PIXELS ((int64_t)1 << 48)

/* A result that some stage promised: these blocks, on the host, go to finish. */
struct gf_lowered_result {
    int32_t stage;
    gf_shape shape; /* of the picture measured */
    gf_rect roi;    /* what was measured of it */
    uint32_t channels;
    int32_t blocks[GF_MAX_RESULT_BLOCKS]; /* values */
    int32_t n_blocks;
    gf_finish finish;
    int64_t rows; /* of its table, where that is known; -1 */
};

struct gf_lowered {
    struct gf_op_list list;
    struct gf_lowered_result *results;
    int32_t n_results;
    uint64_t field_bytes;    /* of all fields of results, as far as stages tell */
    uint64_t gathered_bytes; /* of these: in bands they grow as they are found, and nobody counts them */
    char note[240];          /* what the user should know, though it runs; "": nothing */
    int32_t reads_other;     /* the first stage that reads a picture beside the pipeline's; or GF_NONE */
};

/* A picture that the pipeline reads, by the name that PICTURE parameters call it. */
struct gf_input {
    const char *name; /* borrowed */
    gf_shape shape;
};

/* Lowers all stages in order; inputs: 1 to GF_MAX_INPUTS, first the one that the pipeline begins with. On
 * failure the error names the stage and nothing is kept. The
 * nodes' params must outlive the result (CALL arguments point into them). */
gf_status gf_lower(const struct gf_stage_node *nodes, int32_t n_nodes, const struct gf_input *inputs,
                   int32_t n_inputs, gf_alpha alpha, struct gf_lowered *lowered, gf_error *error);

/* Frees what gf_lower made; safe on a zeroed struct. */
void gf_lowered_free(struct gf_lowered *lowered);
