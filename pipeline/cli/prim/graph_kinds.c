/* Graphs that are made. */
#include "base/message.h"
#include "prim/graph_data.h"
#include "prim/prim_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RMAT_EDGES = 16, MOST_SCALE = 30 };

/* ---- Kinds ----------------------------------------------------------------------------------------------- */

/* How many vertices and edges there are for the numbers of the text, and the i-th edge. */
struct kind {
    const char *name, *form;
    int numbers;
    int64_t (*vertices)(const int64_t *size);
    int64_t (*edges)(const int64_t *size);
    void (*edge)(const int64_t *size, int64_t i, uint64_t seed, uint32_t *from, uint32_t *to);
};

static int64_t grid_vertices(const int64_t *size)
{
    return size[0] * size[1];
}

static int64_t grid_edges(const int64_t *size)
{
    return size[0] > 0 && size[1] > 0 ? (size[0] - 1) * size[1] + size[0] * (size[1] - 1) : 0;
}

/* First those along the rows. */
static void grid_edge(const int64_t *size, int64_t i, uint64_t seed, uint32_t *from, uint32_t *to)
{
    const int64_t across = (size[0] - 1) * size[1];
    (void)seed;
    if (i < across) {
        *from = (uint32_t)(i / (size[0] - 1) * size[0] + i % (size[0] - 1));
        *to = *from + 1;
    } else {
        *from = (uint32_t)(i - across);
        *to = *from + (uint32_t)size[0];
    }
}

static int64_t path_vertices(const int64_t *size)
{
    return size[0];
}

static int64_t path_edges(const int64_t *size)
{
    return size[0] > 0 ? size[0] - 1 : 0;
}

static void path_edge(const int64_t *size, int64_t i, uint64_t seed, uint32_t *from, uint32_t *to)
{
    (void)size;
    (void)seed;
    *from = (uint32_t)i;
    *to = (uint32_t)i + 1;
}

static int64_t star_vertices(const int64_t *size)
{
    return size[0] + 1;
}

static void star_edge(const int64_t *size, int64_t i, uint64_t seed, uint32_t *from, uint32_t *to)
{
    (void)size;
    (void)seed;
    *from = 0;
    *to = (uint32_t)i + 1;
}

static int64_t random_edges(const int64_t *size)
{
    return size[0] * size[1] / 2;
}

static void random_edge(const int64_t *size, int64_t i, uint64_t seed, uint32_t *from, uint32_t *to)
{
    *from = (uint32_t)(graph_number_at(seed, 2 * (uint64_t)i) % (uint64_t)size[0]);
    *to = (uint32_t)(graph_number_at(seed, 2 * (uint64_t)i + 1) % (uint64_t)size[0]);
}

static int64_t rmat_vertices(const int64_t *size)
{
    return size[0] > MOST_SCALE ? INT64_MAX : INT64_C(1) << size[0];
}

static int64_t rmat_edges(const int64_t *size)
{
    return size[0] > MOST_SCALE ? INT64_MAX : RMAT_EDGES * (INT64_C(1) << size[0]);
}

/* A quarter of the matrix for each bit, with probabilities .57, .19, .19 and .05; then vertices change
 * places, so that those of many edges do not stand first. */
static void rmat_edge(const int64_t *size, int64_t i, uint64_t seed, uint32_t *from, uint32_t *to)
{
    const uint32_t mask = (uint32_t)((INT64_C(1) << size[0]) - 1);
    uint32_t u = 0, v = 0;
    uint64_t bits = 0;
    for (int64_t level = 0; level < size[0]; level++) {
        if (level % 4 == 0) {
            bits = graph_number_at(seed, (uint64_t)i * 8 + (uint64_t)level / 4);
        }
        const uint32_t draw = bits & 0xffff; /* of 65 536 */
        bits >>= 16;
        u = u << 1 | (draw >= 49807);                                    /* .57 + .19 */
        v = v << 1 | ((draw >= 37356 && draw < 49807) || draw >= 62259); /* .57; .95 */
    }
    *from = (u * 0x9e3779b1U + 0x7f4a7c15U) & mask; /* an odd factor: one to one */
    *to = (v * 0x9e3779b1U + 0x7f4a7c15U) & mask;
}

static const struct kind kinds[] = {
    {"grid", "grid:WxH", 2, grid_vertices, grid_edges, grid_edge},
    {"path", "path:N", 1, path_vertices, path_edges, path_edge},
    {"star", "star:N", 1, star_vertices, path_vertices, star_edge},
    {"random", "random:NxD, N vertices with D edges on average", 2, path_vertices, random_edges, random_edge},
    {"rmat", "rmat:S, 2^S vertices, S at most 30", 1, rmat_vertices, rmat_edges, rmat_edge},
};

static const struct kind *kind_of(const char *text)
{
    const size_t length = strcspn(text, ":");
    for (size_t i = 0; text[length] && i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i].name) == length && !strncmp(kinds[i].name, text, length)) {
            return &kinds[i];
        }
    }
    return NULL;
}

bool graph_is_made(const char *text)
{
    return kind_of(text) != NULL;
}

gf_status graph_make(const char *text, uint64_t seed, struct graph_data *graph, gf_error *error)
{
    const struct kind *kind = kind_of(text);
    int64_t size[2] = {0, 0};
    if (!kind || !prim_sizes(strchr(text, ':') + 1, kind->numbers, size) ||
        (kind->numbers == 2 && size[0] > 0 && size[1] > (INT64_C(1) << 38) / size[0]) ||
        kind->vertices(size) > INT32_MAX || (kind->edges == random_edges && size[0] == 0)) {
        return cli_error(error, GF_ERROR_ARGUMENT,
                         "--graph is '%s', must be a file, or %s with fewer than 2^31 vertices", text,
                         kind ? kind->form : "one of the kinds of graphs");
    }
    struct graph_edges edges = {.count = kind->edges(size)};
    edges.from = malloc(((size_t)edges.count + 1) * sizeof *edges.from);
    edges.to = malloc(((size_t)edges.count + 1) * sizeof *edges.to);
    gf_status status =
        edges.from && edges.to
            ? GF_OK
            : cli_error(error, GF_ERROR_MEMORY, "%s: %" PRId64 " edges: out of memory", text, edges.count);
    for (int64_t i = 0; status == GF_OK && i < edges.count; i++) {
        kind->edge(size, i, seed, &edges.from[i], &edges.to[i]);
    }
    status =
        status == GF_OK ? graph_compress(&edges, kind->vertices(size), true, seed, graph, error) : status;
    free(edges.from);
    free(edges.to);
    return status;
}
