/* What the study of an experiment writes of rows that are given. */
#ifndef TESTS_CLI_STUDY_CASE_H
#define TESTS_CLI_STUDY_CASE_H

#include "bench_case.h"
#include "check.h"

/* What studies wrote: its names, and the contents of the file of one of them. */
static char written[1024];
static struct buffer kept;
static const char *keep_file;

gf_status bench_file(struct bench_files *files, const char *name, const char *suffix,
                     const struct buffer *contents)
{
    const size_t used = strlen(written);
    (void)files;
    snprintf(written + used, sizeof written - used, "%s.%s ", name ? name : "", suffix);
    if (keep_file && name && !strcmp(name, keep_file)) {
        buffer_free(&kept);
        buffer_add(&kept, contents->data);
    }
    return contents->failed ? GF_ERROR_MEMORY : GF_OK;
}

/* Returns what the study of an experiment prints of its rows. Free it; `kept` is the file that is named. */
static inline struct buffer conclusion(const struct bench_result *result, const char *file, int *missing)
{
    struct bench_files files = {.out = ".", .id = "T"};
    struct buffer text = {0};
    written[0] = '\0';
    keep_file = file;
    CHECK(result->experiment->study->conclude(result, &files, &text) == GF_OK);
    *missing = files.missing;
    return text;
}

#endif
