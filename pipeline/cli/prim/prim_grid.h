/* Pictures in place of graphs, for bfs, sssp and components. */
#pragma once

#include "prim/prim.h"

enum { PRIM_GRID_PIXELS, PRIM_GRID_COSTS }; /* job->in */

#define PRIM_TAKES_PICTURE (PRIM_TAKES(PRIM_PICTURE) | PRIM_TAKES(PRIM_CONNECT) | PRIM_TAKES(PRIM_JOIN))

/* Reads or makes the picture that --picture names, and what --connect, --join and --cost say of it, into
 * job->grid; weighted: its samples are costs, too. Says its own errors. */
gf_status prim_grid_inputs(struct prim_job *job, bool weighted);

/* Puts a weight, or a cost, into an array of the type; false: whole numbers of the type do not hold it. */
bool prim_weight_set(gf_depth type, void *weights, int64_t at, long double weight);

/* prim_driver.refusal: the edge, the vertex or the pixel that gf_sssp found to be bad. */
gf_status prim_sssp_refusal(const struct prim_job *job, const void *const out[PRIM_BLOCKS], gf_error *error);

/* Refuses options of pictures where a graph is asked for. Says its own errors. */
gf_status prim_grid_refuse(const struct prim_job *job);

/* The picture with its arrays. */
gf_grid prim_grid_of(const struct prim_job *job, void *const in[PRIM_BLOCKS]);

/* The pixel that --source names, as a number or as X,Y; without it the first one that has an edge. Says its
 * own errors. */
gf_status prim_grid_source(const struct prim_job *job, int64_t *source);
