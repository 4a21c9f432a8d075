/* How many pinned pieces (context/pieces.h) an exec of a plan gets for pictures of pageable memory. */
#pragma once

#include "plan/plan.h"

#define GF_STAGED_LEAST 65536 /* bytes of a picture; a smaller one is copied by CUDA itself, as fast */

#define GF_STAGED_THREADS 8 /* at most: more only wait for memory */

/* Threads that copy to pieces and from them, the caller's among them. */
int32_t gf_plan_staging_threads(const gf_plan *plan);

/* Bytes of the pieces of all its runners. */
uint64_t gf_plan_piece_bytes(const gf_plan *plan);

/* How many pieces each of its runners gets, for a plan whose memory is known but for them: as many as its
 * limit leaves room for. 0 on the CPU, for small pictures, and where there is no room. */
int32_t gf_plan_pieces(const gf_plan *plan);
