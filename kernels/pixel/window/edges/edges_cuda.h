/* The ways of edges on CUDA. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"
#include "pixel/window/edges/edges.h"

/* Edges of args->in, u8 in one channel, to args->out. */
gf_status gf_edges_march(const struct gf_pass_args *args, const struct gf_run *run,
                         const struct gf_edges_args *edges, gf_error *error);
