/* The tables of the text on scan and compaction (docs/primitives.md names it). */
#include "bench/bench.h"

#include <string.h>

/* Labels are those of our series in bench_table_scan.c. */
#define AT(n, cpu, naive, efficient)                                                                         \
    {n, "CPU", cpu}, {n, "naive", naive},                                                                    \
    {                                                                                                        \
        n, "efficient", efficient                                                                            \
    }

static const struct bench_published scan_powers[] = {
    AT("2^21", 3.424, 1.434, 1.735),
    AT("2^22", 8.046, 2.875, 3.905),
    AT("2^23", 14.966, 5.634, 3.861),
    AT("2^24", 33.699, 11.739, 6.451),
    {NULL, NULL, 0},
};
static const struct bench_published scan_others[] = {
    AT("2^21-3", 3.223, 1.304, 1.923),
    AT("2^22-3", 8.760, 2.799, 3.272),
    AT("2^23-3", 15.419, 5.486, 3.585),
    AT("2^24-3", 38.369, 11.443, 7.157),
    {NULL, NULL, 0},
};
static const struct bench_published compaction[] = {
    {"2^21", "CPU, by scan", 10.845},  {"2^21", "efficient", 2.366},     {"2^22", "CPU, by scan", 23.797},
    {"2^22", "efficient", 3.163},      {"2^23", "CPU, by scan", 58.646}, {"2^23", "efficient", 5.707},
    {"2^24", "CPU, by scan", 129.814}, {"2^24", "efficient", 10.458},    {NULL, NULL, 0},
};
static const struct bench_published radix[] = {
    {"2^21", "radix", 65.865}, {"2^22", "radix", 120.236},
    {"2^23", "radix", 189.99}, {"2^24", "radix", 338.039},
    {NULL, NULL, 0},
};

const struct bench_published *bench_published(const char *id, int panel, const char **machine)
{
    static const struct bench_published *const tables[] = {scan_powers, scan_others, compaction, radix};
    *machine = "a Core i7-11800H and a GeForce RTX 3060 Laptop";
    return !strcmp(id, "C3") && panel < 4 ? tables[panel] : NULL;
}
