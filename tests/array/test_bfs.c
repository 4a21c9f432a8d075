/* Levels and parents: the definition by what they must be on every edge, every variant by the definition. */
#include "graph_case.h"

struct answer {
    int32_t *levels;
    uint32_t *parents;
};

static void answer_free(struct answer *a)
{
    free(a->levels);
    free(a->parents);
}

/* depth 0: all levels. */
static struct answer search(const struct graph *g, int64_t source, bool reverse, int32_t depth,
                            const char *algo, gf_device device)
{
    struct array_memory m[GRAPH_ARRAYS], levels = {0}, parents = {0}, scratch = {0};
    gf_bfs_options o = GF_BFS_OPTIONS_INIT;
    const gf_queue queue = {device, NULL};
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 1;
    struct answer a = {graph_memory((size_t)g->n * 4), graph_memory((size_t)g->n * 4)};
    const gf_csr csr = graph_upload(g, 0, device, m);
    o.array = (gf_array_options){algo, GF_S32, 3, 0, 0, 0};
    o.source = source;
    o.reverse = reverse ? &csr : NULL;
    o.depth = depth;
    CHECK_EQ_INT(gf_bfs_scratch(device, &o, &csr, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&levels, device, (size_t)g->n * 4, 4) &&
          array_memory_make(&parents, device, (size_t)g->n * 4, 8) &&
          array_memory_make(&scratch, device, bytes, 0));
    gf_status status = gf_bfs(queue, &o, &csr, levels.data, parents.data, scratch.data, bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    array_memory_download(&levels, a.levels);
    array_memory_download(&parents, a.parents);
    struct array_memory *all[] = {&levels, &parents, &scratch};
    for (int i = 0; i < 3; i++) {
        array_memory_end(all[i], "an output");
    }
    graph_release(m);
    return a;
}

/* ---- The definition ---------------------------------------------------------------------------------------- */

/* No edge leads further than to the next level, and every vertex but the source has one that leads to it; the
 * smallest vertex where one begins is the parent. */
static void is_right(const struct graph *g, int64_t source, const struct answer *a)
{
    uint32_t *least = graph_memory((size_t)g->n * sizeof *least);
    memset(least, 0xff, (size_t)g->n * sizeof *least);
    for (int64_t u = 0; u < g->n; u++) {
        for (int64_t e = g->offsets[u]; a->levels[u] >= 0 && e < g->offsets[u + 1]; e++) {
            const uint32_t v = g->targets[e];
            CHECK_MSG(a->levels[v] >= 0 && a->levels[v] <= a->levels[u] + 1, "%s: %lld to %u", g->name,
                      (long long)u, v);
            if (a->levels[v] == a->levels[u] + 1 && least[v] > u) {
                least[v] = (uint32_t)u;
            }
        }
    }
    for (int64_t v = 0; v < g->n; v++) {
        CHECK_MSG((a->levels[v] == 0) == (v == source), "%s: vertex %lld", g->name, (long long)v);
        CHECK_MSG(v == source || (a->levels[v] >= 0) == (least[v] != GF_NO_VERTEX), "%s: %lld is on level %d",
                  g->name, (long long)v, a->levels[v]);
        CHECK_MSG(a->parents[v] == (v == source ? (uint32_t)source : least[v]),
                  "%s: the parent of %lld is %u", g->name, (long long)v, a->parents[v]);
    }
    free(least);
}

/* With a depth, what lies beyond is as if no way led there. */
static void stops_there(const struct graph *g, int64_t source, int32_t depth)
{
    struct answer all = search(g, source, false, 0, "sequential", GF_DEVICE_CPU);
    struct answer some = search(g, source, false, depth, "sequential", GF_DEVICE_CPU);
    for (int64_t v = 0; v < g->n; v++) {
        const bool is_near = all.levels[v] <= depth;
        CHECK_EQ_INT(some.levels[v], is_near ? all.levels[v] : -1);
        CHECK_EQ_INT(some.parents[v], is_near ? all.parents[v] : GF_NO_VERTEX);
    }
    answer_free(&all);
    answer_free(&some);
}

static void definition(void)
{
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        struct graph g = graph_make((enum graph_kind)kind);
        for (int k = 0; k < 3; k++) {
            const int64_t source = k * (g.n - 1) / 2;
            stops_there(&g, source, k + 1);
            struct answer a = search(&g, source, false, 0, "sequential", GF_DEVICE_CPU);
            is_right(&g, source, &a);
            answer_free(&a);
        }
        graph_free(&g);
    }
}

static void by_hand(void)
{
    struct graph g = {.n = 6};
    const int edges[][2] = {{0, 2}, {0, 1}, {2, 3}, {1, 3}, {3, 0}, {3, 3}, {5, 0}};
    for (int i = 0; i < 7; i++) {
        graph_add(&g, edges[i][0], edges[i][1]);
    }
    graph_close(&g);
    const int32_t levels[] = {0, 1, 1, 2, -1, -1};
    const uint32_t parents[] = {0, 0, 0, 1, GF_NO_VERTEX, GF_NO_VERTEX};
    for (int at = 0; at < 2; at++) {
        struct answer a = search(&g, 0, false, 0, at ? "auto" : "sequential", GF_DEVICE_CPU);
        CHECK_MEM(a.levels, levels, sizeof levels);
        CHECK_MEM(a.parents, parents, sizeof parents);
        answer_free(&a);
    }
    graph_free(&g);
}

/* ---- Variants ---------------------------------------------------------------------------------------------- */

static void compare(const struct graph *g, int64_t source, bool reverse, int32_t depth, const gf_variant *v)
{
    struct answer expected = search(g, source, false, depth, "sequential", GF_DEVICE_CPU);
    struct answer found = search(g, source, reverse, depth, v->name, v->cuda ? 0 : GF_DEVICE_CPU);
    CHECK_MSG(!memcmp(found.levels, expected.levels, (size_t)g->n * 4), "%s on %s: levels of %s from %lld%s",
              v->name, v->cuda ? "CUDA" : "CPU", g->name, (long long)source, reverse ? ", turned" : "");
    CHECK_MSG(!memcmp(found.parents, expected.parents, (size_t)g->n * 4), "%s on %s: parents of %s from %lld",
              v->name, v->cuda ? "CUDA" : "CPU", g->name, (long long)source);
    answer_free(&expected);
    answer_free(&found);
}

/* Searches that stop at a level: from above, from below, before the first vertex and behind the last. */
static void depths(bool is_cuda)
{
    static const enum graph_kind kinds[] = {GRAPH_GRID, GRAPH_SKEW, GRAPH_STAR, GRAPH_DENSE};
    static const int32_t depth[] = {1, 2, 3, 7, INT32_MAX};
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("bfs", i)) != NULL; i++) {
        for (int k = 0; v->cuda == is_cuda && k < 4 * 5; k++) {
            struct graph g = graph_make(kinds[k / 5]);
            compare(&g, 1, k % 2, depth[k % 5], v);
            graph_free(&g);
        }
    }
}

static void variants(bool is_cuda)
{
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("bfs", i)) != NULL; i++) {
        for (int kind = 0; v->cuda == is_cuda && kind < GRAPH_KINDS; kind++) {
            struct graph g = graph_make((enum graph_kind)kind);
            for (int k = 0; k < 4 && strcmp(v->name, "sequential") != 0; k++) {
                if (array_in_slice() && (g.both_ways || k % 2 == 0)) {
                    compare(&g,
                            k < 2                ? 0
                            : kind == GRAPH_STAR ? 7
                            : kind == GRAPH_HUB  ? 1
                                                 : g.n - 1,
                            k % 2, 0, v);
                }
            }
            graph_free(&g);
        }
    }
}

/* Levels that several threads look at, from above and from below, and a vertex whose edges they share. */
static void cpu_variants(void)
{
    variants(false);
    depths(false);
    struct graph g = {.name = "large", .n = 200000, .both_ways = true};
    graph_add_random(&g, 800000, true, 9);
    for (int64_t i = 0; i < 100000; i++) {
        graph_add(&g, 3, i);
    }
    graph_close(&g);
    for (int reverse = 0; reverse < 2; reverse++) {
        compare(&g, 5, reverse, 0, gf_primitive_variant("bfs", 1));
    }
    graph_free(&g);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    variants(true);
    depths(true);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------- */

static void refuse(const gf_bfs_options *o, const gf_csr *g, const char *text)
{
    gf_error error = GF_ERROR_INIT;
    size_t bytes;
    CHECK(gf_bfs_scratch(GF_DEVICE_CPU, o, g, &bytes, &error) != GF_OK);
    CHECK_STR_HAS(error.message, text);
}

static void refusals(void)
{
    static const int64_t offsets[4] = {0, 0, 0, 0};
    gf_bfs_options o = GF_BFS_OPTIONS_INIT;
    gf_csr g = {sizeof g, 3, 3, 0, offsets, NULL, NULL}, other = g;
    o.source = 3;
    refuse(&o, &g, "bfs: the source is 3, must be a vertex: 0 to 2");
    o.source = -1;
    refuse(&o, &g, "the source is -1");
    o.source = 0;
    o.depth = -1;
    refuse(&o, &g, "bfs: depth is -1: must be a number of edges, or 0 for all levels");
    o.depth = 0;
    g.columns = 4;
    refuse(&o, &g, "a matrix of 3 x 4 is no graph");
    g.columns = g.rows = INT64_C(1) << 31;
    refuse(&o, &g, "at most 2^31 - 1");
    g.columns = g.rows = 3;
    other.rows = other.columns = 2;
    o.reverse = &other;
    refuse(&o, &g, "the one of turned edges 2 and 0");
    o.reverse = NULL;
    o.array.type = GF_F32;
    refuse(&o, &g, "takes no f32; it takes: i32");
}

static const struct check_case cases[] = {{"definition", definition},
                                          {"by hand", by_hand},
                                          {"CPU variants", cpu_variants},
                                          {"CUDA variants", cuda_variants},
                                          {"refusals", refusals}};
CHECK_MAIN(cases)
