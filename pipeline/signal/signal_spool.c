#define _GNU_SOURCE /* O_TMPFILE */
#include "signal/signal_spool.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELD_BYTES = 32 << 20 };

static size_t bytes_of(const struct gf_spool *spool)
{
    return (size_t)spool->block * (size_t)spool->channels * sizeof(float);
}

struct gf_spool gf_spool_begin(int32_t channels, int64_t block)
{
    return (struct gf_spool){.channels = channels, .block = block, .fd = -1};
}

static const char *folder(void)
{
    const char *named = getenv("TMPDIR");
    return named && named[0] ? named : "/tmp";
}

static gf_status failed(const struct gf_spool *spool, gf_status status, const char *what, int why,
                        gf_error *error)
{
    return gf_fail(error, status,
                   "a stage needs the whole signal, and a temporary file in %.200s cannot be %s behind %lld "
                   "frames: %s%s",
                   folder(), what, (long long)spool->frames, strerror(why),
                   why == ENOSPC || why == EDQUOT || why == EFBIG ? "; TMPDIR may name another folder" : "");
}

/* A file that is gone once it is closed, or the process has ended. */
static gf_status open_file(struct gf_spool *spool, gf_error *error)
{
    char path[4096];
#ifdef O_TMPFILE
    spool->fd = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    const int length = snprintf(path, sizeof path, "%s/gpufilter-XXXXXX", folder());
    if (spool->fd < 0 && length < (int)sizeof path) { /* some file systems have none without a name */
        spool->fd = mkostemp(path, O_CLOEXEC);
        if (spool->fd >= 0) {
            unlink(path);
        }
    }
    return spool->fd >= 0 ? GF_OK : failed(spool, GF_ERROR_OUTPUT, "made", errno, error);
}

/* Writes or reads the whole of block `index` of the file. Returns 0, or why not. */
static int transfer(const struct gf_spool *spool, int64_t index, void *memory, bool writes)
{
    const size_t bytes = bytes_of(spool);
    const off_t at = (off_t)(index - spool->n_held) * (off_t)bytes;
    for (size_t done = 0; done < bytes;) {
        char *rest = (char *)memory + done;
        const ssize_t n = writes ? pwrite(spool->fd, rest, bytes - done, at + (off_t)done)
                                 : pread(spool->fd, rest, bytes - done, at + (off_t)done);
        if (n == 0) {
            return EIO; /* no byte is missing but by somebody else's doing */
        }
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* The open block is full. */
static gf_status put_away(struct gf_spool *spool, int64_t index, gf_error *error)
{
    if (index < (int64_t)(HELD_BYTES / bytes_of(spool))) {
        float **held = realloc(spool->held, ((size_t)index + 1) * sizeof *held);
        GF_TRY(gf_need_memory(held != NULL, error));
        held[index] = spool->open;
        spool->held = held;
        spool->n_held = index + 1;
        spool->open = NULL;
        return GF_OK;
    }
    GF_TRY(spool->fd < 0 ? open_file(spool, error) : GF_OK);
    const int why = transfer(spool, index, spool->open, true);
    return why ? failed(spool, GF_ERROR_OUTPUT, "written", why, error) : GF_OK;
}

static gf_status have(const struct gf_spool *spool, float **memory, gf_error *error)
{
    *memory = *memory ? *memory : malloc(bytes_of(spool));
    return gf_need_memory(*memory != NULL, error);
}

gf_status gf_spool_append(struct gf_spool *spool, const float *rows, int64_t pitch, int64_t frames,
                          gf_error *error)
{
    while (frames > 0) {
        const int64_t at = spool->frames % spool->block, room = spool->block - at;
        const int64_t some = frames < room ? frames : room;
        GF_TRY(have(spool, &spool->open, error));
        for (int32_t c = 0; c < spool->channels; c++) {
            memcpy(spool->open + c * spool->block + at, rows + c * pitch, (size_t)some * sizeof *rows);
        }
        GF_TRY(some == room ? put_away(spool, spool->frames / spool->block, error) : GF_OK);
        spool->frames += some;
        rows += some;
        frames -= some;
    }
    return GF_OK;
}

gf_status gf_spool_take(struct gf_spool *spool, int64_t index, bool last, float **rows, gf_error *error)
{
    if (index < spool->n_held || (index == spool->frames / spool->block && spool->open)) {
        *rows = index < spool->n_held ? spool->held[index] : spool->open;
        return GF_OK;
    }
    GF_TRY(have(spool, &spool->read, error));
    const int why = transfer(spool, index, spool->read, false);
    if (why) {
        return failed(spool, GF_ERROR_INPUT, "read", why, error);
    }
    if (last) { /* its room is for what is made of it; where that fails, the file is only larger */
        const off_t stays = (off_t)(index - spool->n_held) * (off_t)bytes_of(spool);
        (void)!ftruncate(spool->fd, stays);
    }
    *rows = spool->read;
    return GF_OK;
}

void gf_spool_free(struct gf_spool *spool)
{
    for (int64_t i = 0; i < spool->n_held; i++) {
        free(spool->held[i]);
    }
    free(spool->held);
    free(spool->open);
    free(spool->read);
    if (spool->block > 0 && spool->fd >= 0) {
        close(spool->fd);
    }
    *spool = gf_spool_begin(0, 0);
}
