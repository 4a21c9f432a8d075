/* A figure of a study. */
#include "bench/bench.h"
#include "bench/chart/svg_chart.h"

gf_status bench_chart(struct bench_files *files, const struct bench_result *result, int panel,
                      const char *name, const char *what, struct svg_chart *chart)
{
    struct buffer svg = {0}, first = {0}, second = {0};
    gf_status status = GF_OK;
    int points = 0;
    for (int l = 0; l < chart->n_lines; l++) {
        points += chart->lines[l].count;
    }
    if (points > 0) {
        bench_subtitles_add(result, panel, what, &first, &second);
        chart->subtitle = first.data;
        chart->subtitle2 = second.data;
        svg_chart_add(&svg, chart);
        svg.failed = svg.failed || first.failed || second.failed;
        status = bench_file(files, name, "svg", &svg);
    } else {
        files->missing++;
    }
    buffer_free(&first);
    buffer_free(&second);
    buffer_free(&svg);
    return status;
}
