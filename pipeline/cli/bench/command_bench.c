/* gpufilter bench: runs the experiments of the published texts, and sweeps of every primitive. */
#include "help/commands.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "batch/batch_output.h"
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

enum {
    OPTION_LIST,
    OPTION_N,
    OPTION_SIZE,
    OPTION_QUICK,
    OPTION_DEVICE,
    OPTION_REPEAT,
    OPTION_THREADS,
    OPTION_OUT,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP
};

const struct cli_option bench_option_table[] = {
    [OPTION_LIST] = {"list", 0, false, NULL, NULL, "the experiments, each with its command"},
    [OPTION_N] = {"n", 0, false, "N,N,...", NULL, "sizes instead of the experiment's: 2^16,1e6"},
    [OPTION_SIZE] = {"size", 0, false, "WxH,...", NULL,
                     "pictures of 'filters' and 'transfers' instead of theirs"},
    [OPTION_QUICK] = {"quick", 0, false, NULL, NULL, "small sizes and few values: it runs, and says little"},
    [OPTION_DEVICE] = {"device", 0, false, "DEVICE", NULL, "cuda, cuda:N, emu, or cpu: its variants only"},
    [OPTION_REPEAT] = {"repeat", 0, false, "N", NULL,
                       "timed runs of each point (50, or what a second holds)"},
    [OPTION_THREADS] = {"threads", 0, false, "N", NULL, "CPU threads (one per usable processor)"},
    [OPTION_OUT] = {"out", 0, false, "DIR", NULL, "where ID.csv and ID.svg go (here); made if need be"},
    [OPTION_QUIET] = {"quiet", 'q', false, NULL, NULL, "say nothing but errors and the claims"},
    [OPTION_VERBOSE] = {"verbose", 'v', false, NULL, NULL, "say what runs"},
    [OPTION_HELP] = {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

/* Sorts by text and number, and behind them those that belong to no text. */
enum { LAST_PLACE = 99 };
static int place_of(const char *id)
{
    static const char texts[] = "SCNGEH";
    const char *text = strchr(texts, id[0]);
    return text ? (int)(text - texts) * 10 + id[1] - '0' : LAST_PLACE;
}

const struct bench_experiment *bench_experiment_at(int index)
{
    static const struct bench_experiment *const tables[] = {
        bench_table_search, bench_table_scan,   bench_table_patterns, bench_table_linear,
        bench_table_graphs, bench_table_ragged, bench_table_filters,  bench_table_transfers};
    for (int place = 0; place <= LAST_PLACE; place++) {
        for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
            for (const struct bench_experiment *e = tables[t]; e->id; e++) {
                if (place_of(e->id) == place && index-- == 0) {
                    return e;
                }
            }
        }
    }
    return NULL;
}

/* ---- List ---------------------------------------------------------------------------------------------- */

static gf_status print_list(void)
{
    struct buffer text = {0};
    const struct bench_experiment *e;
    for (int i = 0; (e = bench_experiment_at(i)) != NULL; i++) {
        buffer_printf(&text, "%-10s %-11s gpufilter bench %-10s ", e->id, e->source, e->id);
        bench_words_add(e->summary, false, &text);
        buffer_add(&text, "\n");
    }
    gf_status status = buffer_to_stdout(&text);
    buffer_free(&text);
    return status;
}

static gf_status fail_unknown(const char *id)
{
    struct buffer ids = {0};
    const struct bench_experiment *e;
    for (int i = 0; (e = bench_experiment_at(i)) != NULL; i++) {
        buffer_printf(&ids, "%s%s", i ? "|" : "", e->id);
    }
    gf_status status = value_fail_choice("the experiment", id, ids.data ? ids.data : "");
    buffer_free(&ids);
    return status;
}

/* ---- One experiment ------------------------------------------------------------------------------------ */

static gf_status check_rows(const struct bench_result *result)
{
    for (int i = 0; i < result->n_rows; i++) {
        const struct bench_row *row = &result->rows[i];
        if (row->verdict == PRIM_WRONG) {
            return cli_fail(GF_ERROR_MISMATCH, "%s: %s, variant %s on %s, is wrong at %s",
                            result->experiment->id, row->primitive, row->algo, row->device, row->x_word);
        }
    }
    return GF_OK;
}

static gf_status run_experiment(const struct bench_experiment *experiment,
                                const struct bench_options *options)
{
    struct bench_result result = {.experiment = experiment,
                                  .out = options->out,
                                  .reduced = options->quick || options->n || options->size};
    struct buffer text = {0};
    const char *sweep = experiment->panels[0].sweep;
    const bool pictures = !strcmp(sweep, "size"), has_n = !strcmp(sweep, "n") || !strcmp(sweep, "k") ||
                                                          !strcmp(sweep, "run") || !strcmp(sweep, "seed");
    if ((!has_n && options->n) || (!pictures && options->size)) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s is not for '%s'", !has_n && options->n ? "--n" : "--size",
                        experiment->id);
    }
    gf_status status = (experiment->run ? experiment->run : bench_run)(&result, options);
    cli_status("");
    if (status == GF_OK) {
        if (result.n_rows == 0) {
            cli_note("%s: no rows, so no %s.csv: its variants are for CUDA; on the CPU there are rows of S3 "
                     "S5 C1 C3 "
                     "N1 N6 G2 G4 G5 G6 E2 E3 E4, of filters and transfers, and of each primitive",
                     experiment->id, experiment->id);
        }
        buffer_printf(&text, "%s: ", experiment->id);
        bench_words_add(experiment->summary, result.reduced, &text);
        buffer_add(&text, "\n");
        for (int p = 0; experiment->panels[p].title; p++) {
            bench_panel_add(&result, p, &text);
        }
        status = bench_write(&result, options, &text);
        if (cli_verbosity() == CLI_QUIET) {
            buffer_free(&text); /* the claims only */
        }
        bench_judge(&result, &text);
    }
    if (status == GF_OK) {
        status = buffer_to_stdout(&text);
        gf_status right = check_rows(&result);
        status = status == GF_OK ? right : status;
    }
    buffer_free(&text);
    bench_result_free(&result);
    return status;
}

/* ---- Options ------------------------------------------------------------------------------------------- */

static void take_option(struct bench_options *options, int option, const char *value)
{
    switch (option) {
    case OPTION_N:
        options->n = value;
        break;
    case OPTION_SIZE:
        options->size = value;
        break;
    case OPTION_QUICK:
        options->quick = true;
        break;
    case OPTION_DEVICE:
        options->device = value;
        break;
    case OPTION_REPEAT:
        options->repeat = value;
        break;
    case OPTION_THREADS:
        options->threads = value;
        break;
    case OPTION_OUT:
        options->out = value;
        break;
    default:
        cli_set_verbosity(option == OPTION_QUIET ? CLI_QUIET : CLI_VERBOSE);
        break;
    }
}

/* The experiment called `id` of the table. */
static gf_status run_id(const char *id, const struct bench_options *options)
{
    const struct bench_experiment *e;
    char inside[4096];
    snprintf(inside, sizeof inside, "%s/", options->out);
    gf_status status = batch_output_folders(inside);
    (void)gf_vendor_load(NULL, NULL); /* without it its variants are missing, which the rows' notes say */
    for (int i = 0; status == GF_OK && (e = bench_experiment_at(i)) != NULL; i++) {
        if (!strcmp(e->id, id)) {
            return run_experiment(e, options);
        }
    }
    return status == GF_OK ? fail_unknown(id) : status;
}

int run_bench(const struct cli_command *command, int count, char **words)
{
    struct cli_arguments arguments = cli_arguments_begin(bench_option_table, count, words);
    struct bench_options options = {.out = "."};
    const char *value = NULL, *id = NULL;
    bool list = false;
    gf_status status = GF_OK;
    for (int option; status == GF_OK && (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        if (option == CLI_BAD) {
            status = arguments.status;
        } else if (option == CLI_POSITIONAL && id) {
            status =
                cli_fail(GF_ERROR_ARGUMENT, "'%s' is one word too many: gpufilter bench ID [options]", value);
        } else if (option == CLI_POSITIONAL) {
            id = value;
        } else if (option == OPTION_HELP) {
            return command_usage_print(command);
        } else if (option == OPTION_LIST) {
            list = true;
        } else {
            take_option(&options, option, value);
        }
    }
    if (status == GF_OK) {
        status = list || !id ? print_list() : run_id(id, &options);
    }
    return gf_status_exit_code(status);
}
