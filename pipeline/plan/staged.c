#include "plan/staged.h"

#include "context/pieces.h"

enum { MOST_THREADS = GF_STAGED_THREADS, AHEAD = 2 }; /* AHEAD: pieces that wait for the GPU */

int32_t gf_plan_staging_threads(const gf_plan *plan)
{
    const int32_t most = plan->pieces - 1 < MOST_THREADS ? plan->pieces - 1 : MOST_THREADS;
    return plan->threads < most ? plan->threads : most;
}

/* Bytes of a picture, or of its part in a band. */
static int64_t bytes_of(const gf_plan *plan, int32_t value, int64_t most_rows)
{
    const struct gf_value *v = &plan->lowered.list.values[value];
    const int64_t rows = plan->bands.count > 1 && most_rows < v->height ? most_rows : v->height;
    return gf_buffers_pitch(v) * rows;
}

uint64_t gf_plan_piece_bytes(const gf_plan *plan)
{
    return (uint64_t)plan->pieces * (uint64_t)plan->bands.runners * (uint64_t)GF_PIECE_BYTES;
}

int32_t gf_plan_pieces(const gf_plan *plan)
{
    const struct gf_op_list *list = &plan->lowered.list;
    const uint64_t limit = plan->options.memory_limit;
    int64_t largest = bytes_of(plan, list->output, plan->bands.made);
    for (int32_t i = 0; i <= list->n_others; i++) {
        const int64_t bytes = bytes_of(plan, gf_input_value(list, i), plan->bands.height);
        largest = bytes > largest ? bytes : largest;
    }
    if (plan->device < 0 || largest < GF_STAGED_LEAST) {
        return 0;
    }
    const int64_t parts = (largest + GF_PIECE_BYTES - 1) / GF_PIECE_BYTES;
    const int64_t threads = plan->threads < MOST_THREADS ? plan->threads : MOST_THREADS;
    int64_t pieces = 1 + (parts < 2 * threads + AHEAD ? parts : 2 * threads + AHEAD); /* one for blocks */
    if (limit) {
        const int64_t room =
            (int64_t)((limit - plan->memory) / (uint64_t)GF_PIECE_BYTES) / plan->bands.runners;
        pieces = room < pieces ? room : pieces;
    }
    return pieces > 1 ? (int32_t)pieces : 0;
}
