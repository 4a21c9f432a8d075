/* Rows from edges. */
#include "prim/graph_data.h"

#include "base/message.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers --------------------------------------------------------------------------------------------- */

uint64_t graph_number_at(uint64_t seed, uint64_t place)
{
    uint64_t z = seed * 0x9e3779b97f4a7c15U + (place + 1) * 0xd1342543de82ef95U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

static long double weight_of(uint32_t u, uint32_t v, uint64_t seed)
{
    const uint64_t low = u < v ? u : v, high = u < v ? v : u;
    return (long double)(graph_number_at(seed + 77, high << 32 | low) % 255 + 1);
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

static void put(struct graph_data *g, uint32_t from, uint32_t to, long double weight)
{
    const int64_t at = g->offsets[from + 1]++;
    g->targets[at] = to;
    g->weights[at] = weight;
}

gf_status graph_compress(const struct graph_edges *edges, int64_t vertices, bool both_ways, uint64_t seed,
                         struct graph_data *g, gf_error *error)
{
    int64_t total = edges->count;
    for (int64_t i = 0; both_ways && i < edges->count; i++) {
        total += edges->from[i] != edges->to[i];
    }
    g->vertices = vertices;
    g->edges = total;
    g->both_ways = both_ways;
    g->offsets = calloc((size_t)vertices + 2, sizeof *g->offsets);
    g->targets = malloc(((size_t)total + 1) * sizeof *g->targets);
    g->weights = malloc(((size_t)total + 1) * sizeof *g->weights);
    if (!g->offsets || !g->targets || !g->weights) {
        return cli_error(error, GF_ERROR_MEMORY,
                         "a graph of %" PRId64 " vertices and %" PRId64 " edges: out of memory", vertices,
                         total);
    }
    for (int64_t i = 0; i < edges->count;
         i++) { /* two further on, so that filling ends where they should stand */
        g->offsets[edges->from[i] + 2]++;
        g->offsets[edges->to[i] + 2] += both_ways && edges->from[i] != edges->to[i];
    }
    for (int64_t v = 2; v <= vertices + 1; v++) {
        g->offsets[v] += g->offsets[v - 1];
    }
    for (int64_t i = 0; i < edges->count; i++) {
        const uint32_t u = edges->from[i], v = edges->to[i];
        const long double weight = edges->weights ? edges->weights[i] : weight_of(u, v, seed);
        put(g, u, v, weight);
        if (both_ways && u != v) {
            put(g, v, u, weight);
        }
    }
    return GF_OK;
}

void graph_free(struct graph_data *g)
{
    free(g->offsets);
    free(g->targets);
    free(g->weights);
    free(g->ids);
    *g = (struct graph_data){.vertices = 0};
}

int64_t graph_find(const struct graph_data *g, uint64_t id)
{
    int64_t low = 0, high = g->vertices;
    if (!g->ids) {
        return id < (uint64_t)g->vertices ? (int64_t)id : -1;
    }
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (g->ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < g->vertices && g->ids[low] == id ? low : -1;
}
