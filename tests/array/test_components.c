/* Components: the definition by what it must be on every edge, every variant by the definition. */
#include "graph_case.h"

static uint32_t *label(const struct graph *g, const char *algo, gf_device device)
{
    struct array_memory m[GRAPH_ARRAYS], labels = {0}, scratch = {0};
    gf_components_options o = GF_COMPONENTS_OPTIONS_INIT;
    const gf_queue queue = {device, NULL};
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 1;
    uint32_t *found = graph_memory((size_t)g->n * sizeof *found);
    const gf_csr csr = graph_upload(g, 0, device, m);
    o.array = (gf_array_options){algo, GF_U32, 3, 0, 0, 0};
    CHECK_EQ_INT(gf_components_scratch(device, &o, &csr, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&labels, device, (size_t)g->n * 4, 4) &&
          array_memory_make(&scratch, device, bytes, 0));
    gf_status status = gf_components(queue, &o, &csr, labels.data, scratch.data, bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    array_memory_download(&labels, found);
    array_memory_end(&labels, "the labels");
    array_memory_end(&scratch, "the scratch memory");
    graph_release(m);
    return found;
}

/* Both ends of an edge have one label, which is a vertex of that label and no greater than theirs; and as
 * many edges hold the vertices of a label together as it takes: every vertex but the label has a way to it.
 */
static void is_right(const struct graph *g, const uint32_t *labels)
{
    bool *seen = graph_memory((size_t)g->n * sizeof *seen);
    for (int64_t v = 0; v < g->n; v++) {
        CHECK(labels[v] <= v && labels[labels[v]] == labels[v]);
        seen[v] = labels[v] == v;
    }
    for (bool more = true; more;) {
        more = false;
        for (int64_t e = 0; e < g->edges; e++) {
            const uint32_t u = g->from[e], v = g->to[e];
            CHECK_MSG(labels[u] == labels[v], "%s: %u and %u", g->name, u, v);
            more = more || seen[u] != seen[v];
            seen[u] = seen[v] = seen[u] || seen[v];
        }
    }
    for (int64_t v = 0; v < g->n; v++) {
        CHECK_MSG(seen[v], "%s: no way leads from %u to %lld", g->name, labels[v], (long long)v);
    }
    free(seen);
}

static void definition(void)
{
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        struct graph g = graph_make((enum graph_kind)kind);
        uint32_t *labels = label(&g, "sequential", GF_DEVICE_CPU);
        is_right(&g, labels);
        free(labels);
        graph_free(&g);
    }
}

/* Edges that lead one way connect both ends. */
static void weak(bool is_cuda)
{
    struct graph g = {.name = "weak", .n = 7};
    graph_add(&g, 6, 3);
    graph_add(&g, 6, 2);
    graph_add(&g, 5, 1);
    graph_close(&g);
    const uint32_t expected[] = {0, 1, 2, 2, 4, 1, 2};
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("components", i)) != NULL; i++) {
        if (v->cuda == is_cuda) {
            uint32_t *labels = label(&g, v->name, v->cuda ? 0 : GF_DEVICE_CPU);
            CHECK_MEM(labels, expected, sizeof expected);
            free(labels);
        }
    }
    graph_free(&g);
}

static void weak_cpu(void)
{
    weak(false);
}

static void compare(const struct graph *g, const gf_variant *v)
{
    uint32_t *expected = label(g, "sequential", GF_DEVICE_CPU);
    uint32_t *found = label(g, v->name, v->cuda ? 0 : GF_DEVICE_CPU);
    CHECK_MSG(!memcmp(found, expected, (size_t)g->n * 4), "%s on %s: %s", v->name, v->cuda ? "CUDA" : "CPU",
              g->name);
    free(expected);
    free(found);
}

static void variants(bool is_cuda)
{
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("components", i)) != NULL; i++) {
        for (int kind = 0; v->cuda == is_cuda && kind < GRAPH_KINDS; kind++) {
            if (array_in_slice() && strcmp(v->name, "sequential") != 0) {
                struct graph g = graph_make((enum graph_kind)kind);
                compare(&g, v);
                graph_free(&g);
            }
        }
    }
}

static void cpu_variants(void)
{
    variants(false);
    struct graph g = {.name = "large", .n = 300000, .both_ways = false};
    graph_add_random(&g, 200000, false, 9);
    graph_close(&g);
    for (int turn = 0; turn < 3; turn++) {
        compare(&g, gf_primitive_variant("components", 1));
    }
    graph_free(&g);
}

static void cuda_variants(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    weak(true); /* whatever the share: nothing else that is small needs labels handed on */
    variants(true);
}

static const struct check_case cases[] = {{"definition", definition},
                                          {"weak", weak_cpu},
                                          {"CPU variants", cpu_variants},
                                          {"CUDA variants", cuda_variants}};
CHECK_MAIN(cases)
