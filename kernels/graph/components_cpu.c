/* "auto" of components on the CPU: sets that several threads unite at once. A root is only ever hooked to a
 * smaller one, so the root of a finished set is its smallest vertex, whoever came first (the scheme of J.
 * Jaiganesh and M. Burtscher, "A High-Performance Connected Components Implementation for GPUs", 2018). */
#include "base/team.h"
#include "graph/graph_call.h"
#include "graph/graph_cpu.h"
#include "graph/labels_cpu.h"

enum { PART = 4096 };

struct sets {
    const gf_csr *g;
    uint32_t *labels;
    int64_t next;
};

static void take_vertices(void *argument, int thread, int threads)
{
    struct sets *s = argument;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, PART, s->g->rows, &from, &to);) {
        for (int64_t v = from; v < to; v++) {
            s->labels[v] = (uint32_t)v;
        }
    }
}

static void take_edges(void *argument, int thread, int threads)
{
    struct sets *s = argument;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, PART, s->g->rows, &from, &to);) {
        for (int64_t u = from; u < to; u++) {
            uint32_t root = gf_root_of_label(s->labels, (uint32_t)u);
            for (int64_t e = s->g->offsets[u]; e < s->g->offsets[u + 1]; e++) {
                root = gf_unite_labels(s->labels, root, s->g->indices[e]);
            }
        }
    }
}

static void take_roots(void *argument, int thread, int threads)
{
    struct sets *s = argument;
    (void)thread;
    (void)threads;
    for (int64_t from, to; gf_take_part(&s->next, PART, s->g->rows, &from, &to);) {
        for (int64_t v = from; v < to; v++) {
            __atomic_store_n(&s->labels[v], gf_root_of_label(s->labels, (uint32_t)v), __ATOMIC_RELAXED);
        }
    }
}

gf_status gf_components_cpu(const struct gf_array_call *array, gf_error *error)
{
    struct sets s = {&gf_graph_call_of(array)->graph, array->out, 0};
    struct gf_array_call work = *array;
    (void)error;
    work.n = s.g->rows + s.g->entries;
    const int32_t threads = gf_array_threads(&work, GF_ARRAY_PAYS);
    struct gf_team *team = gf_team_create(threads);
    gf_team_run(team, threads, take_vertices, &s);
    s.next = 0;
    gf_team_run(team, threads, take_edges, &s);
    s.next = 0;
    gf_team_run(team, threads, take_roots, &s);
    gf_team_destroy(team);
    return GF_OK;
}
