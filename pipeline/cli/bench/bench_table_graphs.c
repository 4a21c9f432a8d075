/* The experiments on graphs, G5 and exercise E4 (docs/primitives.md names the text). The text names no
 * graphs: ours are RMAT, whose search has few levels and whose edges are mostly at few vertices, and grids,
 * which have thousands of small levels. Claims are quoted; what stands in brackets is ours. */
#include "bench/bench_levels.h"

/* ---- G5: the three kernels -------------------------------------------------------------------------------- */

#define CPU_SERIES(plain)                                                                                    \
    BENCH_ALGO("auto"), {plain, NULL, "--algo sequential", BENCH_CPU, false, NULL},                          \
    {                                                                                                        \
        "CPU, auto", NULL, "--algo auto", BENCH_CPU, false, NULL                                             \
    }

static const struct bench_series searches[] = {
    BENCH_ALGO("frontier"),
    CPU_SERIES("CPU, queue"),
    {0},
};
static const struct bench_series distances[] = {
    BENCH_ALGO("bellman-ford"),
    CPU_SERIES("CPU, Dijkstra"),
    {0},
};
static const struct bench_series unions[] = {
    BENCH_ALGO("label-propagation"),
    CPU_SERIES("CPU, union-find"),
    {0},
};

#define RMAT       "rmat:10 rmat:12 rmat:14 rmat:16 rmat:18 rmat:20"
#define LESS_RMAT  "rmat:10 rmat:12 rmat:14 rmat:16 rmat:18" /* Dijkstra's takes seconds beyond */
#define QUICK_RMAT "rmat:5 rmat:8"
#define GRID       "grid:32x32 grid:64x64 grid:128x128 grid:256x256 grid:512x512 grid:1024x1024 grid:2048x2048"
#define LESS_GRID  "grid:32x32 grid:64x64 grid:128x128 grid:256x256 grid:512x512 grid:1024x1024"
#define QUICK_GRID "grid:8x8 grid:20x20"

enum { BFS_RMAT, BFS_GRID, SSSP_RMAT, SSSP_GRID, COMPONENTS_RMAT, COMPONENTS_GRID };

static const struct bench_panel g5_panels[] = {
    {"bfs-rmat", "Breadth-first search, RMAT", "bfs", "--source most", "graph", RMAT, QUICK_RMAT,
     .series = searches},
    {"bfs-grid", "Breadth-first search, grids", "bfs", "", "graph", GRID, QUICK_GRID, .series = searches},
    {"sssp-rmat", "Shortest ways, i32 weights, RMAT", "sssp", "--type i32 --source most", "graph", LESS_RMAT,
     QUICK_RMAT, .series = distances},
    {"sssp-grid", "Shortest ways, i32 weights, grids", "sssp", "--type i32", "graph", LESS_GRID, QUICK_GRID,
     .series = distances},
    {"components-rmat", "Connected components, RMAT", "components", "", "graph", RMAT, QUICK_RMAT,
     .series = unions},
    {"components-grid", "Connected components, grids", "components", "", "graph", GRID, QUICK_GRID,
     .series = unions},
    {0},
};

/* "Significant" is twice as fast, with the largest graph. */
#define SPEEDUP(panel, algo, plain, what)                                                                    \
    {"GPUs can still provide significant speedups (" what                                                    \
     ": at least twice as fast as one thread of a CPU)",                                                     \
     CLAIM_RATIO_END,                                                                                        \
     panel,                                                                                                  \
     algo,                                                                                                   \
     plain,                                                                                                  \
     0,                                                                                                      \
     0.5},                                                                                                   \
    {                                                                                                        \
        "(ours likewise, against our CPU's best)", CLAIM_RATIO_END, panel, "auto", "CPU, auto", 0, 0.5       \
    }

static const struct bench_claim g5_claims[] = {
    {"challenging to parallelize efficiently due to irregular memory access patterns (at most half of the "
     "bandwidth of a copy, by the bytes of the graph: bfs of RMAT)",
     CLAIM_SLOW_END, BFS_RMAT, "frontier", NULL, 0, 0.5},
    {"(components of RMAT)", CLAIM_SLOW_END, COMPONENTS_RMAT, "label-propagation", NULL, 0, 0.5},
    {"(bfs of grids)", CLAIM_SLOW_END, BFS_GRID, "frontier", NULL, 0, 0.5},
    SPEEDUP(BFS_RMAT, "frontier", "CPU, queue", "bfs of RMAT"),
    SPEEDUP(BFS_GRID, "frontier", "CPU, queue", "bfs of grids"),
    SPEEDUP(SSSP_RMAT, "bellman-ford", "CPU, Dijkstra", "shortest ways in RMAT"),
    SPEEDUP(SSSP_GRID, "bellman-ford", "CPU, Dijkstra", "shortest ways in grids"),
    SPEEDUP(COMPONENTS_RMAT, "label-propagation", "CPU, union-find", "components of RMAT"),
    SPEEDUP(COMPONENTS_GRID, "label-propagation", "CPU, union-find", "components of grids"),
    {0},
};

/* ---- E4: level by level ------------------------------------------------------------------------------------ */

static const struct bench_panel e4_panels[] = {
    {"rmat", "Exercise 4: breadth-first search of few levels | RMAT, 2^20 vertices", "bfs",
     "--graph rmat:20 --source most", "depth", "24", "24", "--graph rmat:8 --source most", searches,
     BENCH_NO_AXIS, false},
    {"grid", "Exercise 4: breadth-first search of many levels | grid of 1024 x 1024", "bfs",
     "--graph grid:1024x1024", "depth", "24", "6", "--graph grid:20x20", searches, BENCH_NO_AXIS, false},
    {0},
};
static const struct bench_claim e4_claims[] = {
    {"(RMAT: at least half of the time goes into the level of the most edges: frontier)", CLAIM_OWN, 0,
     "frontier", NULL, LEVELS_ONE, 0.5},
    {"(ours)", CLAIM_OWN, 0, "auto", NULL, LEVELS_ONE, 0.5},
    {"(grid: whatever its frontier, a level takes as long as others, within a factor of 2: frontier)",
     CLAIM_OWN, 1, "frontier", NULL, LEVELS_EVEN, 2},
    {"(ours)", CLAIM_OWN, 1, "auto", NULL, LEVELS_EVEN, 2},
    {"(the search of few levels looks at 10 times as many edges in a microsecond: frontier)", CLAIM_OWN, 0,
     "frontier", NULL, LEVELS_RATE, 10},
    {"(ours)", CLAIM_OWN, 0, "auto", NULL, LEVELS_RATE, 10},
    {0},
};

const struct bench_experiment bench_table_graphs[] = {
    {"G5", "patterns", "breadth-first search, Bellman and Ford, label propagation against a CPU", g5_panels,
     .claims = g5_claims},
    {"E4", "patterns", "exercise 4: breadth-first search of a large graph, level by level", e4_panels,
     e4_claims, bench_levels_run, &bench_levels},
    {0},
};
