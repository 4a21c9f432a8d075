#include "job/job_table.h"

#include "base/message.h"
#include "base/output_file.h"
#include "job/job.h"
#include "job/job_plot.h"
#include "job/job_response.h"

#include <inttypes.h>
#include <string.h>

/* ---- before the run ---- */

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), k = strlen(suffix);
    return n > k && !strcmp(path + n - k, suffix);
}

const char *job_table_option(const struct job_table *table)
{
    return table->is_plot ? "--plot" : "--table";
}

gf_status job_table_take(const char *word, bool is_plot, struct job_table *table)
{
    size_t name = strcspn(word, "=/");
    *table = (struct job_table){.path = word, .is_plot = is_plot};
    if (word[name] == '=') {
        if (name == 0 || name >= sizeof table->name) {
            return cli_fail(GF_ERROR_ARGUMENT, "%s %s: before '=' stands the name of a stage, as in %s",
                            job_table_option(table), word, is_plot ? "hist=FILE.svg" : "points=FILE.csv");
        }
        memcpy(table->name, word, name);
        table->path = word + name + 1;
    }
    if (is_plot) {
        return has_suffix(table->path, ".svg") || is_standard_output(table->path)
                   ? GF_OK
                   : cli_fail(GF_ERROR_ARGUMENT,
                              "--plot %s: the file must end in .svg, or be - for standard output", word);
    }
    table->is_npy = has_suffix(table->path, ".npy");
    if (!table->is_npy && !has_suffix(table->path, ".csv") && !is_standard_output(table->path)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--table %s: the file must end in .csv or .npy, or be - for CSV on standard output",
                        word);
    }
    return GF_OK;
}

static bool has_what(const struct job_table *file, const gf_stage_type *type)
{
    return file->is_plot ? job_plot_is_of(type)
                         : gf_stage_result_table(type, 0) != NULL || field_table_is_of(type);
}

/* Checks whether a stage of the list has what the file is to be made of; what a plot of a signal may be its
 * plan says. */
static gf_status check_table(const struct job *job, const struct job_table *file, bool is_signal)
{
    if (file->is_plot && is_signal) {
        return GF_OK;
    }
    for (int32_t i = 0; i < gf_pipeline_stage_count(job->pipeline); i++) {
        if (has_what(file, gf_pipeline_stage_type(job->pipeline, i))) {
            return GF_OK;
        }
    }
    struct buffer names = {0};
    int32_t count = 0;
    const gf_stage_type *const *types = gf_stage_types(&count);
    for (int32_t i = 0; i < count; i++) {
        if (has_what(file, types[i])) {
            buffer_printf(&names, "%s%s", names.length ? ", " : "", types[i]->name);
        }
    }
    gf_status status =
        cli_fail(GF_ERROR_ARGUMENT, "%s %s: no stage of the list %s%s%s", job_table_option(file), file->path,
                 file->is_plot ? "measures what can be drawn" : "finds a table",
                 names.length ? "; those that do: " : "", names.length ? names.data : "");
    buffer_free(&names);
    return status;
}

gf_status job_check_tables(const struct job *job, bool is_signal)
{
    for (int i = 0; i < job->options.n_tables; i++) {
        CLI_TRY(check_table(job, &job->options.tables[i], is_signal));
    }
    return GF_OK;
}

/* ---- after it ---- */

/* Tells whether the file can be made of the result: of its table, or, with `values`, of fields of several. */
static bool is_what(const struct job_table *file, const gf_result *result, bool values)
{
    return file->is_plot ? job_plot_has(result)
           : values      ? field_table_is_of(gf_stage_find(result->stage))
                         : result->n_tables > 0;
}

static gf_status fail_choice(const struct job *job, const struct job_table *file, const char *what)
{
    struct buffer names = {0};
    for (int32_t i = 0; i < job_result_count(job); i++) {
        const gf_result *result = job_result(job, i);
        if (is_what(file, result, false) || is_what(file, result, true)) {
            buffer_printf(&names, "%s%s", names.length ? ", " : "",
                          *result->name ? result->name : result->stage);
        }
    }
    gf_status status =
        cli_fail(GF_ERROR_ARGUMENT, "%s %s: %s; %s of this run: %s", job_table_option(file), file->path, what,
                 file->is_plot ? "those" : "tables", names.length ? names.data : "none");
    buffer_free(&names);
    return status;
}

/* Finds results of that name that the file can be made of; file->from is the last one. Returns how many. */
static int find_results(const struct job *job, struct job_table *file, bool values)
{
    int found = 0;
    for (int32_t i = 0; i < job_result_count(job); i++) {
        const gf_result *result = job_result(job, i);
        bool named = !*file->name || !strcmp(file->name, result->name) || !strcmp(file->name, result->stage);
        if (is_what(file, result, values) && named) {
            found++;
            file->from = result;
        }
    }
    return found;
}

/* Finds which table of the run the option means: values of fields only where there is no other. */
static gf_status find_table(const struct job *job, struct job_table *file)
{
    int found = find_results(job, file, false);
    const bool values = found == 0 && !file->is_plot;
    found = values ? find_results(job, file, true) : found;
    if (found > 1) {
        return fail_choice(job, file,
                           *file->name ? "several stages have that name: tell them apart by name="
                                       : "write NAME=FILE to say which");
    }
    if (!found) {
        return fail_choice(job, file,
                           file->is_plot ? "no result of that name can be drawn"
                                         : "no result of that name has a table");
    }
    if (!values) {
        file->table = file->is_plot ? NULL : &file->from->tables[0];
        return GF_OK;
    }
    file->table = &file->values.table;
    return field_table_make(gf_stage_find(file->from->stage), file->from, &file->values) == GF_OK
               ? GF_OK
               : cli_fail(GF_ERROR_MEMORY, "out of memory");
}

static void add_npy_head(struct buffer *text, const gf_table *table)
{
    static const char *const letters[] = {[GF_U32] = "u4", [GF_U64] = "u8", [GF_F32] = "f4", [GF_F64] = "f8"};
    const uint16_t one = 1;
    char order = *(const uint8_t *)&one ? '<' : '>';
    struct buffer head = {0};
    buffer_add(&head, "{'descr': [");
    for (int32_t c = 0; c < table->n_columns; c++) {
        const gf_column *column = &table->columns[c];
        buffer_printf(&head, "%s('%s', '%c%s'", c ? ", " : "", column->name, order, letters[column->depth]);
        if (column->parts) {
            buffer_printf(&head, ", (%d,)", (int)column->count);
        }
        buffer_add(&head, ")");
    }
    buffer_printf(&head, "], 'fortran_order': False, 'shape': (%" PRId64 ",), }", table->rows);
    while ((10 + head.length + 1) % 64 != 0 && !head.failed) {
        buffer_add(&head, " ");
    }
    buffer_add(&head, "\n");
    const char start[] = {
        (char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(head.length & 255), (char)(head.length >> 8)};
    buffer_add_bytes(text, start, sizeof start);
    text->failed = text->failed || head.failed;
    if (!head.failed) {
        buffer_add_bytes(text, head.data, head.length);
    }
    buffer_free(&head);
}

/* A structured array: names and types are those of the columns, rows packed. */
static void add_npy(struct buffer *text, const gf_table *table)
{
    size_t row_bytes = 0;
    for (int32_t c = 0; c < table->n_columns; c++) {
        row_bytes += (size_t)table->columns[c].count * gf_depth_size(table->columns[c].depth);
    }
    add_npy_head(text, table);
    char *to = buffer_reserve(text, (size_t)table->rows * row_bytes);
    for (int64_t row = 0; to && row < table->rows; row++) {
        for (int32_t c = 0; c < table->n_columns; c++) {
            const gf_column *column = &table->columns[c];
            size_t bytes = (size_t)column->count * gf_depth_size(column->depth);
            memcpy(to, (const char *)column->values + (size_t)row * bytes, bytes);
            to += bytes;
        }
    }
    text->length += to ? (size_t)table->rows * row_bytes : 0;
}

static gf_status make_table(const struct job *job, struct job_table *file)
{
    gf_error error = GF_ERROR_INIT;
    if (file->is_response) {
        return job_response_add(&file->bytes, job->signal, file);
    }
    CLI_TRY(find_table(job, file));
    if (file->is_plot) {
        CLI_TRY(job_plot_add(&file->bytes, file->from, job->options.in));
    } else if (file->is_npy) {
        add_npy(&file->bytes, file->table);
    } else {
        CLI_TRY(cli_told(buffer_add_table(&file->bytes, file->table, GF_PRINT_CSV, &error), &error));
    }
    return cli_need_memory(!file->bytes.failed);
}

gf_status job_make_tables(struct job *job)
{
    gf_status status = GF_OK;
    for (int i = 0; i < job->options.n_tables && status == GF_OK; i++) {
        status = make_table(job, &job->options.tables[i]);
        field_table_clear(&job->options.tables[i].values);
    }
    return status;
}

static void add_files(struct buffer *text, const struct job *job, bool plots)
{
    int n = 0;
    for (int i = 0; i < job->options.n_tables; i++) {
        const struct job_table *file = &job->options.tables[i];
        if (file->is_plot != plots) {
            continue;
        }
        buffer_add(text, n++ > 0 ? "," : plots ? ",\"plots\":[" : ",\"tables\":[");
        buffer_add(text, "{");
        if (file->is_response) {
            buffer_printf(text, "\"response\":\"%s\",", *file->name ? file->name : "all");
        } else {
            buffer_printf(text, "\"stage\":\"%s\",\"index\":%d,", file->from->stage, (int)file->from->index);
        }
        if (!plots) {
            buffer_printf(text, "\"table\":\"%s\",\"rows\":%" PRId64 ",", file->table->name,
                          file->table->rows);
        }
        buffer_add(text, "\"file\":");
        buffer_json_text(text, file->path);
        buffer_add(text, "}");
    }
    buffer_add(text, n ? "]" : "");
}

void job_add_tables(struct buffer *text, const struct job *job)
{
    add_files(text, job, false);
    add_files(text, job, true);
}

gf_status job_write_tables(const struct job *job)
{
    for (int i = 0; i < job->options.n_tables; i++) {
        const struct job_table *file = &job->options.tables[i];
        CLI_TRY(output_write_text(file->path, &file->bytes));
    }
    return GF_OK;
}
