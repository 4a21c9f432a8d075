#define _POSIX_C_SOURCE 200809L
#include "batch/batch_table.h"

#include "base/message.h"
#include "base/output_file.h"
#include "batch/batch_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void batch_tables_begin(struct batch_tables *tables)
{
    pthread_mutex_init(&tables->lock, NULL);
    for (int i = 0; i < JOB_MOST_TABLES; i++) {
        tables->files[i] = (struct batch_report){.fd = -1};
    }
}

/* ---- before anything runs ---- */

static bool is_common(const struct job_table *table)
{
    return !batch_output_is_template(table->path);
}

gf_status batch_tables_check(const struct job_options *options)
{
    for (int i = 0; i < options->n_tables; i++) {
        const struct job_table *table = &options->tables[i];
        const char *option = job_table_option(table);
        if (is_standard_output(table->path)) {
            return cli_fail(GF_ERROR_ARGUMENT, "%s %s: that of a batch goes to files: %s", option,
                            table->path,
                            table->is_plot ? "a template, as {stem}.svg"
                                           : "one .csv for all, or a template, as {stem}.csv");
        }
        if (is_common(table) && (table->is_plot || table->is_npy)) {
            return cli_fail(GF_ERROR_ARGUMENT,
                            "%s %s: one file cannot be that of many pictures\n"
                            "  a template makes one for each, as %s 'out/{stem}.%s'%s",
                            option, table->path, option, table->is_plot ? "svg" : "npy",
                            table->is_plot ? "" : "; a .csv takes the rows of all");
        }
        CLI_TRY(is_common(table) ? GF_OK : batch_output_check_template(option, table->path));
    }
    return GF_OK;
}

int batch_tables_common(const struct job_options *options, struct run_file *files)
{
    int count = 0;
    for (int i = 0; i < options->n_tables; i++) {
        if (is_common(&options->tables[i])) {
            files[count++] =
                (struct run_file){job_table_option(&options->tables[i]), options->tables[i].path, true};
        }
    }
    return count;
}

/* The first line of a file that goes on. */
static gf_status read_head(struct batch_tables *tables, int i)
{
    char block[512];
    struct buffer *head = &tables->heads[i];
    for (off_t at = 0; !tables->begun[i];) {
        ssize_t got = pread(tables->files[i].fd, block, sizeof block, at);
        const char *end = got > 0 ? memchr(block, '\n', (size_t)got) : NULL;
        if (got <= 0) {
            break;
        }
        buffer_add_bytes(head, block, end ? (size_t)(end - block) + 1 : (size_t)got);
        at += got;
        tables->begun[i] = end != NULL;
    }
    return cli_need_memory(!head->failed);
}

gf_status batch_tables_open(struct batch_tables *tables, const struct job_options *options, bool resume)
{
    for (int i = 0; i < options->n_tables; i++) {
        if (is_common(&options->tables[i])) {
            CLI_TRY(
                batch_report_open_as(&tables->files[i], "--table", NULL, options->tables[i].path, resume));
            CLI_TRY(read_head(tables, i));
        }
    }
    return GF_OK;
}

void batch_tables_close(struct batch_tables *tables)
{
    for (int i = 0; i < JOB_MOST_TABLES; i++) {
        batch_report_close(&tables->files[i]);
        buffer_free(&tables->heads[i]);
    }
}

/* ---- of a file ---- */

/* Checks whether the table has the columns that those before it had. The first says which. */
static gf_status check_head(struct batch_file *file, int i, const char *head, size_t length)
{
    struct batch_tables *tables = &file->batch->tables;
    struct buffer *known = &tables->heads[i];
    pthread_mutex_lock(&tables->lock);
    if (known->length == 0) {
        buffer_add(known, "input,");
        buffer_add_bytes(known, head, length);
    }
    bool failed = known->failed;
    bool same = !failed && known->length == length + 6 && !memcmp(known->data + 6, head, length);
    pthread_mutex_unlock(&tables->lock);
    return failed ? cli_fail(GF_ERROR_MEMORY, "out of memory")
           : same ? GF_OK
                  : cli_fail(GF_ERROR_OUTPUT,
                             "--table %s: the table of %s has other columns than those in the file: "
                             "a template, as {stem}.csv, makes a file for each",
                             file->job.options.tables[i].path, file->input.path);
}

/* Puts the input's name before each row; the head goes. */
static gf_status name_rows(struct batch_file *file, int i)
{
    struct buffer *bytes = &file->job.options.tables[i].bytes, name = {0}, rows = {0};
    const char *end = memchr(bytes->data, '\n', bytes->length), *to = bytes->data + bytes->length;
    gf_status status = check_head(file, i, bytes->data, (size_t)(end + 1 - bytes->data));
    batch_report_name(&name, file->input.path);
    for (const char *at = end + 1; status == GF_OK && at < to; at = end + 1) {
        end = memchr(at, '\n', (size_t)(to - at));
        buffer_add(&rows, name.data ? name.data : "");
        buffer_add(&rows, ",");
        buffer_add_bytes(&rows, at, (size_t)(end + 1 - at));
    }
    if (status == GF_OK && (name.failed || rows.failed)) {
        status = cli_fail(GF_ERROR_MEMORY, "out of memory");
    }
    buffer_free(&name);
    buffer_free(bytes);
    *bytes = rows;
    return status;
}

gf_status batch_tables_make(struct batch_file *file)
{
    struct job_options *options = &file->job.options;
    CLI_TRY(job_make_tables(&file->job));
    for (int i = 0; i < options->n_tables; i++) {
        struct job_table *table = &options->tables[i];
        if (is_common(table)) {
            CLI_TRY(name_rows(file, i));
            continue;
        }
        file->tables[i] = batch_output_by(&file->batch->options, table->path, &file->input);
        CLI_TRY(cli_need_memory(file->tables[i]));
        table->path = file->tables[i];
    }
    return GF_OK;
}

static gf_status write_file(struct batch_file *file, const struct job_table *table)
{
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    CLI_TRY(batch_output_folders(table->path));
    int number = batch_file_number(file->batch);
    signals_watch_file(&options, number);
    gf_status status =
        gf_io_write_bytes(table->path, table->bytes.data, table->bytes.length, &options, &error);
    batch_file_number_leave(file->batch, number);
    return cli_told(status, &error);
}

gf_status batch_tables_write(struct batch_file *file)
{
    for (int i = 0; i < file->job.options.n_tables; i++) {
        CLI_TRY(file->tables[i] ? write_file(file, &file->job.options.tables[i]) : GF_OK);
    }
    return GF_OK;
}

/* Rows and, before the first, the head. */
static gf_status append(struct batch_tables *tables, int i, const struct buffer *rows)
{
    pthread_mutex_lock(&tables->lock);
    gf_status status = tables->begun[i] ? GF_OK : batch_report_write(&tables->files[i], &tables->heads[i]);
    tables->begun[i] |= status == GF_OK;
    pthread_mutex_unlock(&tables->lock);
    return status == GF_OK ? batch_report_write(&tables->files[i], rows) : status;
}

gf_status batch_tables_append(struct batch_file *file)
{
    for (int i = 0; i < file->job.options.n_tables; i++) {
        const struct buffer *rows = &file->job.options.tables[i].bytes;
        CLI_TRY(file->tables[i] ? GF_OK : append(&file->batch->tables, i, rows));
    }
    return GF_OK;
}

void batch_tables_drop(struct batch_file *file)
{
    for (int i = 0; i < file->job.options.n_tables; i++) {
        buffer_free(&file->job.options.tables[i].bytes);
        free(file->tables[i]);
        file->tables[i] = NULL;
    }
}
