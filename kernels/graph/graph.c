#include "graph/graph_call.h"

#include "base/sized.h"
#include "linear/spmv/csr.h"

/* ---- Pictures ------------------------------------------------------------------------------------------- */

static gf_status check_words(const char *name, const gf_grid *g, gf_error *error)
{
    if (g->connect != 4 && g->connect != 8) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: connect of the picture is %d, must be 4 or 8", name,
                       (int)g->connect);
    }
    if (g->join < GF_GRID_ALL || g->join > GF_GRID_EQUAL) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: join of the picture is %d, must be GF_GRID_ALL, GF_GRID_NONZERO or GF_GRID_EQUAL",
                       name, (int)g->join);
    }
    if (g->join != GF_GRID_ALL && g->type != GF_U8 && g->type != GF_U16 && g->type != GF_U32 &&
        g->type != GF_F32) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: pixels of the picture are %s, must be u8, u16, u32 or f32", name,
                       gf_depth_name(g->type));
    }
    if (g->cost != GF_GRID_ENTER && g->cost != GF_GRID_DIFFERENCE) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: cost of the picture is %d, must be GF_GRID_ENTER or GF_GRID_DIFFERENCE", name,
                       (int)g->cost);
    }
    return GF_OK;
}

static gf_status read_grid(const char *name, const gf_csr *graph, const gf_grid *grid,
                           struct gf_graph_call *call, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_grid, costs);
    gf_grid *g = &call->grid;
    *g = (gf_grid)GF_GRID_INIT;
    GF_TRY(gf_struct_in(&sized, grid, g, error));
    g->struct_size = sizeof *g;
    if (graph) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: has a graph and a picture: one of them must be NULL",
                       name);
    }
    if (g->width < 0 || g->height < 0 || (g->width > 0 && g->height > GF_GRAPH_VERTICES / g->width)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%s: a picture of %lld x %lld: must be of 0 to 2^31 - 1 pixels", name,
                       (long long)g->width, (long long)g->height);
    }
    GF_TRY(check_words(name, g, error));
    const int64_t pixels = g->width * g->height;
    call->graph = (gf_csr){.struct_size = sizeof call->graph, .rows = pixels, .columns = pixels};
    call->array.n = pixels;
    return GF_OK;
}

/* ---- Graphs --------------------------------------------------------------------------------------------- */

gf_status gf_graph_read(const char *name, gf_queue queue, const gf_array_options *options,
                        const gf_csr *graph, const gf_grid *grid, struct gf_graph_call *call, gf_error *error)
{
    *call = (struct gf_graph_call){.array = {.queue = queue, .options = *options}};
    if (grid) {
        return read_grid(name, graph, grid, call, error);
    }
    GF_TRY(gf_csr_read(graph, &call->graph, error));
    const gf_csr *g = &call->graph;
    if (g->rows != g->columns || g->rows > GF_GRAPH_VERTICES) {
        return gf_fail(
            error, GF_ERROR_ARGUMENT,
            "%s: a matrix of %lld x %lld is no graph: it must have as many columns as rows, at most "
            "2^31 - 1",
            name, (long long)g->rows, (long long)g->columns);
    }
    call->array.n = g->rows;
    return GF_OK;
}

gf_status gf_graph_source(const char *name, int64_t source, struct gf_graph_call *call, gf_error *error)
{
    call->source = source;
    if (call->array.n > 0 && (source < 0 || source >= call->array.n)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "%s: the source is %lld, must be a vertex: 0 to %lld", name,
                       (long long)source, (long long)call->array.n - 1);
    }
    return GF_OK;
}

void gf_graph_operands(const struct gf_graph_call *call, struct gf_array_operand operands[GF_GRAPH_OPERANDS])
{
    const gf_csr *g = &call->graph;
    const gf_grid *p = &call->grid;
    const struct gf_array_operand offsets = {"the array of offsets", g->offsets, g->rows + 1,
                                             sizeof *g->offsets},
                                  targets = {"the array of targets", g->indices, g->entries,
                                             sizeof *g->indices},
                                  pixels = {"the array of pixels", p->pixels,
                                            p->join == GF_GRID_ALL ? 0 : g->rows,
                                            p->join == GF_GRID_ALL ? 1 : gf_depth_size(p->type)},
                                  none = {"no array", NULL, 0, 1};
    operands[0] = gf_graph_is_grid(call) ? pixels : offsets;
    operands[1] = gf_graph_is_grid(call) ? none : targets;
    operands[2] = none; /* weights, or costs */
}

gf_status gf_graph_rows_check(const struct gf_array_call *array, gf_error *error)
{
    return gf_graph_is_grid(gf_graph_call_of(array))
               ? gf_fail(error, GF_ERROR_UNSUPPORTED,
                         "a picture in place of a graph: %s takes none; sequential and auto do",
                         array->options.algo)
               : GF_OK;
}

gf_status gf_graph_queued_check(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_graph_call *call = gf_graph_call_of(array);
    const int64_t edges =
        call->graph.entries > call->reverse.entries ? call->graph.entries : call->reverse.entries;
    if (!gf_graph_is_grid(call) && (call->graph.rows > GF_GRAPH_QUEUED || edges > GF_GRAPH_EDGES)) {
        return gf_fail(
            error, GF_ERROR_UNSUPPORTED,
            "a graph of %lld vertices and %lld edges: auto on CUDA takes at most 2^28 - 1 and 2^36 - 1",
            (long long)call->graph.rows, (long long)edges);
    }
    return GF_OK;
}
