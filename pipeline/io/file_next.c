/* Pictures behind the first, in formats where one follows the other. */
#define _POSIX_C_SOURCE 200809L
#include "io/reader.h"

#include "base/status.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#define MOST_WAIT 100 /* ms, for the first bytes of a second picture */

size_t gf_peek_behind(struct gf_bytes_in *in, const uint8_t **bytes)
{
    struct pollfd ready = {.fd = in->fd, .events = POLLIN};
    if (in->begin == in->end && in->size == GF_SIZE_UNKNOWN && in->fd >= 0 &&
        poll(&ready, 1, MOST_WAIT) <= 0) {
        return 0;
    }
    gf_bytes_in_peek(in, bytes, 1); /* and with it what else has come */
    return in->end - in->begin;
}

/* What was read counts no more: limits and places begin behind it. */
static void begin_anew(struct gf_bytes_in *in)
{
    const uint64_t passed = in->taken - (in->end - in->begin);
    in->size -= in->size != GF_SIZE_UNKNOWN ? passed : 0;
    in->start += in->start >= 0 ? (int64_t)passed : 0;
    in->taken = in->end - in->begin;
    in->over_limit = 0;
}

/* Messages name the picture of a stream. */
static void count_picture(gf_reader *reader)
{
    char *label = reader->in.label;
    reader->labelled = reader->number == 0 ? strlen(label) : reader->labelled;
    snprintf(label + reader->labelled, GF_LABEL_SIZE - reader->labelled, ", picture %lld",
             (long long)(++reader->number + 1));
}

gf_status gf_reader_next(gf_reader *reader, int32_t *there, gf_error *error)
{
    if (reader == NULL || there == NULL || reader->failed || reader->rows_left != 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_reader_next: no picture was read to its end before");
    }
    *there = 0;
    if (reader->in.fd < 0 || reader->codec->next == NULL) {
        return GF_OK;
    }
    begin_anew(&reader->in);
    count_picture(reader);
    gf_status status = reader->codec->next(&reader->decoder, there, error);
    if (reader->in.errno_seen != 0 || reader->in.over_limit) {
        status = gf_bytes_in_fail(&reader->in, "the next picture", error);
    }
    reader->failed = status != GF_OK;
    if (!*there || reader->failed) {
        return status;
    }
    begin_anew(&reader->in);
    if (!reader->codec->keeps_state) {
        reader->codec->close(&reader->decoder);
    }
    status = gf_reader_begin(reader, error);
    reader->failed = status != GF_OK;
    reader->is_reread = 0;
    return status;
}
