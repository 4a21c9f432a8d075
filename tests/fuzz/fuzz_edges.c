/* Lists of edges: what is read is a graph that the library's own check accepts, whose ids ascend and are
 * found again, with as many edges as there are lines that count. Behind a zero byte stands the list of
 * vertices. */
#include "fuzz.h"
#include "gpufilter/graph.h"
#include "prim/graph_data.h"

/* Lines that are neither empty nor remarks. */
static int64_t lines_of(const char *text)
{
    int64_t lines = 0;
    while (*text) {
        text += strspn(text, " \t\r\f\v,");
        lines += *text && *text != '\n' && *text != '#' && *text != '%';
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return lines;
}

static void check_graph(const struct graph_data *g, bool undirected, int64_t lines)
{
    const gf_csr csr = {sizeof csr, g->vertices, g->vertices, g->edges, g->offsets, g->targets, g->weights};
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_error error = GF_ERROR_INIT;
    int64_t wrong = 77;
    FUZZ_CHECK(gf_csr_check(queue, &csr, &wrong, &error) == GF_OK && wrong == -1, "row %lld is wrong",
               (long long)wrong);
    FUZZ_CHECK(g->both_ways == undirected && g->edges >= lines && g->edges <= (undirected ? 2 : 1) * lines,
               "%lld edges of %lld lines", (long long)g->edges, (long long)lines);
    for (int64_t v = 0; v < g->vertices; v++) {
        FUZZ_CHECK((v == 0 || g->ids[v] > g->ids[v - 1]) && graph_find(g, g->ids[v]) == v, "id %lld",
                   (long long)v);
    }
}

void fuzz_edges(const uint8_t *data, size_t size)
{
    static char text[(1 << 15) + 1], before[sizeof text];
    struct graph_data graph;
    gf_error error = GF_ERROR_INIT;
    const bool undirected = size % 2 == 1;
    if (size >= sizeof text) {
        return;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    memcpy(before, text, size + 1);
    const size_t length = strlen(text);
    gf_status status =
        graph_parse("bytes", text, length < size ? text + length + 1 : NULL, undirected, &graph, &error);
    fuzz_status(status, &error);
    if (status == GF_OK) {
        check_graph(&graph, undirected, lines_of(before));
    } else {
        FUZZ_CHECK(status == GF_ERROR_INPUT && strncmp(error.message, "bytes: ", 7) == 0, "%s",
                   error.message);
    }
    graph_free(&graph);
}
