#include "prim/prim_segments.h"

#include "base/message.h"
#include "prim/array_data.h"

#include <inttypes.h>
#include <string.h>

enum { USUAL_LENGTH = 32 };

/* Offsets of a file, which must be right: nobody else looks. */
static gf_status read_offsets(struct prim_job *job, const char *path, struct prim_array *offsets)
{
    CLI_TRY(prim_array_read(path, false, offsets));
    if (offsets->type != GF_S64 || offsets->n < 1) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %" PRId64 " offsets of %s, must hold 1 or more of i64",
                        path, offsets->n, gf_depth_name(offsets->type));
    }
    const int64_t *o = offsets->data;
    for (int64_t i = 0; i < offsets->n; i++) {
        const bool last = i == offsets->n - 1;
        if (o[i] < (i == 0 ? 0 : o[i - 1]) || (i == 0 && o[i] != 0) || (last && o[i] != job->n)) {
            return cli_fail(GF_ERROR_INPUT,
                            "%s: offset %" PRId64 " is %" PRId64 ": they must ascend from 0 to the number of "
                            "elements, %" PRId64,
                            path, i, o[i], job->n);
        }
    }
    return GF_OK;
}

/* Makes so many segments, the last of which also has what is left over. */
static gf_status make_offsets(struct prim_job *job, struct prim_array *made)
{
    const char *text = job->options.text[PRIM_SEGMENTS], *rows = job->options.text[PRIM_ROWS];
    const bool zipf = rows && !strcmp(rows, array_lengths_name(LENGTHS_ZIPF));
    int64_t segments = (job->n + USUAL_LENGTH - 1) / USUAL_LENGTH;
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(text ? prim_count("--segments", text, job->n > 0, &segments) : GF_OK);
    CLI_TRY(cli_told(prim_array_create(GF_S64, segments + 1, made, &error), &error));
    int64_t *offsets = made->data;
    array_lengths_fill(offsets, segments, segments > 0 ? job->n / segments : 0,
                       zipf ? LENGTHS_ZIPF : LENGTHS_EVEN, job->seed);
    offsets[segments] = job->n;
    return GF_OK;
}

gf_status prim_segments_take(struct prim_job *job, int i)
{
    const char *const *text = job->options.text;
    if (text[PRIM_OFFSETS] && (text[PRIM_SEGMENTS] || text[PRIM_ROWS])) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "segments come from a file, --offsets FILE, or are made, --segments N and --rows HOW");
    }
    return text[PRIM_OFFSETS] ? read_offsets(job, text[PRIM_OFFSETS], &job->in[i])
                              : make_offsets(job, &job->in[i]);
}
