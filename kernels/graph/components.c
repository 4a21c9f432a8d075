#include "graph/graph_call.h"

#include "base/sized.h"

#define TYPES GF_TYPE_BIT(GF_U32)

/* ---- Variants that take pictures, too -------------------------------------------------------------------- */

static gf_status run_cpu(const struct gf_array_call *array, gf_error *error)
{
    return gf_graph_is_grid(gf_graph_call_of(array)) ? gf_grid_components_cpu(array, error)
                                                     : gf_components_cpu(array, error);
}

static gf_status run_cuda(const struct gf_array_call *array, gf_error *error)
{
    return gf_graph_is_grid(gf_graph_call_of(array)) ? gf_grid_components_cuda(array, error)
                                                     : gf_components_cuda(array, error);
}

static const struct gf_array_variant variants[] = {
    {{"sequential", "the sets of both ends of each edge are united, one after the other: the definition", "",
      .types = TYPES, .deterministic = 1},
     .run = gf_components_sequential},
    {{"auto", "the same by several threads at once", "threads", .types = TYPES, .deterministic = 1},
     .run = run_cpu},
    {{"auto", "roots are hooked to smaller ones, edge by edge; edges are shared out evenly", "",
      .types = TYPES, .cuda = 1, .deterministic = 1},
     .run = run_cuda},
    {{"label-propagation", "a thread a vertex takes the least label around it, a launch a round", "block=256",
      .types = TYPES, .cuda = 1, .deterministic = 1, .waits = 1},
     .check = gf_graph_rows_check,
     .scratch = gf_components_labels_cuda_scratch,
     .run = gf_components_labels_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_components = {
    {"components", "which vertices of a graph are connected"}, variants};

static gf_status describe(gf_queue queue, const gf_components_options *options, const gf_csr *graph,
                          struct gf_graph_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_components_options, array.type, o, GF_COMPONENTS_OPTIONS_INIT, options, error);
    return gf_graph_read("components", queue, &o.array, graph, o.grid, call, error);
}

gf_status gf_components_scratch(gf_device device, const gf_components_options *options, const gf_csr *graph,
                                size_t *bytes, gf_error *error)
{
    struct gf_graph_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, graph, &call, error));
    return gf_array_scratch(&gf_primitive_components, &call.array, bytes, error);
}

gf_status gf_components(gf_queue queue, const gf_components_options *options, const gf_csr *graph,
                        uint32_t *labels, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_graph_call call;
    GF_TRY(describe(queue, options, graph, &call, error));
    call.array.out = labels;
    struct gf_array_operand operands[] = {
        [GF_GRAPH_OPERANDS] = {"the array of labels", labels, call.array.n, sizeof *labels},
        {0},
    };
    gf_graph_operands(&call, operands);
    return gf_array_run(&gf_primitive_components, &call.array, operands, scratch, scratch_bytes, error);
}
