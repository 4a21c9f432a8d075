#include "io/exr/exr_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local struct gf_budget *counted; /* of the call that runs */

void gf_exr_enter(struct gf_exr *exr)
{
    counted = &exr->budget;
}

void gf_exr_leave(void)
{
    counted = NULL;
}

static void *take(size_t size)
{
    return gf_budget_alloc(counted, size);
}

static void give_back(void *memory)
{
    gf_budget_free(counted, memory);
}

static void listen(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *user = NULL;
    (void)code;
    if (exr_get_user_data(context, &user) == EXR_ERR_SUCCESS && user != NULL) {
        struct gf_exr *exr = user;
        snprintf(exr->said, sizeof exr->said, "%s", message);
        for (char *c = exr->said; *c != '\0'; c++) {
            *c = *c < ' ' || *c > '~' ? '?' : *c; /* names of a damaged file */
        }
    }
}

static int64_t size_of(exr_const_context_t context, void *user)
{
    const struct gf_exr *exr = user;
    (void)context;
    return exr->size <= INT64_MAX ? (int64_t)exr->size : -1;
}

static int64_t read_bytes(exr_const_context_t context, void *user, void *to, uint64_t size, uint64_t at,
                          exr_stream_error_func_ptr_t fail)
{
    struct gf_exr *exr = user;
    (void)context;
    (void)fail;
    const uint64_t left = at < exr->size ? exr->size - at : 0;
    const size_t want = (size_t)(left < size ? left : size);
    if (exr->bytes == NULL) {
        return (int64_t)gf_bytes_in_at(exr->in, at, to, want);
    }
    memcpy(to, exr->bytes + (want > 0 ? at : 0), want);
    return (int64_t)want;
}

/* The library goes back to the table of chunks at the end, so the file is made in memory. */
static int64_t write_bytes(exr_const_context_t context, void *user, const void *from, uint64_t size,
                           uint64_t at, exr_stream_error_func_ptr_t fail)
{
    struct gf_exr *exr = user;
    (void)context;
    (void)fail;
    const uint64_t end = at + size;
    if (end > exr->made_room) {
        const uint64_t room = end + end / 2 + 65536;
        uint8_t *more = realloc(exr->made, (size_t)room);
        if (more == NULL) {
            exr->budget.exhausted = 1;
            return -1;
        }
        exr->made = more;
        exr->made_room = room;
    }
    if (at > exr->made_size) {
        memset(exr->made + exr->made_size, 0, (size_t)(at - exr->made_size));
    }
    memcpy(exr->made + at, from, (size_t)size);
    exr->made_size = end > exr->made_size ? end : exr->made_size;
    return (int64_t)size;
}

exr_context_initializer_t gf_exr_initializer(struct gf_exr *exr)
{
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;
    init.error_handler_fn = listen;
    init.alloc_fn = take;
    init.free_fn = give_back;
    init.user_data = exr;
    init.read_fn = read_bytes;
    init.size_fn = size_of;
    init.write_fn = write_bytes;
    init.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return init;
}

gf_status gf_exr_fail(const struct gf_exr *exr, exr_result_t result, const char *label, gf_error *error)
{
    const struct gf_budget *budget = &exr->budget;
    if (exr->in != NULL && (exr->in->errno_seen != 0 || exr->in->over_limit)) {
        return gf_bytes_in_fail(exr->in, "the EXR data", error);
    }
    if (budget->refused != 0) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the %" PRIu64
                       " it holds, beyond max_memory, %" PRIu64,
                       label, budget->refused, budget->used, budget->limit);
    }
    if (budget->exhausted || (result == EXR_ERR_OUT_OF_MEMORY && exr->in == NULL)) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for EXR", label);
    }
    return gf_fail(error, exr->in != NULL ? GF_ERROR_INPUT : GF_ERROR_OUTPUT, "%s: %s EXR: %s", label,
                   exr->in != NULL ? "damaged" : "cannot write",
                   exr->said[0] != '\0' ? exr->said : exr_get_default_error_message(result));
}

void gf_exr_free(struct gf_exr *exr)
{
    if (exr != NULL) {
        gf_exr_enter(exr);
        exr_finish(&exr->context);
        gf_exr_leave();
        free(exr->band);
        free(exr->held);
        free(exr->made);
        free(exr);
    }
}
