/* The spool: frames come back from memory and from its file, in both directions, and a full disk has a name.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "floats.h"

#include "signal/signal_spool.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, BLOCK = 1 << 18, FRAMES = 15 * BLOCK + 1234 /* 45 MiB */, MOST = 100000 };

static float frame(int64_t channel, int64_t i)
{
    return (float)((i * 7 + channel * 1000003) % 16000000);
}

static gf_status fill(struct gf_spool *spool, gf_error *error)
{
    float *rows = malloc(sizeof(float) * MOST * CHANNELS);
    gf_status status = rows ? GF_OK : GF_ERROR_MEMORY;
    for (int64_t turn = 0; status == GF_OK && spool->frames < FRAMES; turn++) {
        int64_t some = 1 + (int64_t)(random_at(1, (uint64_t)turn) % MOST);
        some = some < FRAMES - spool->frames ? some : FRAMES - spool->frames;
        for (int64_t c = 0; c < CHANNELS; c++) {
            for (int64_t i = 0; i < some; i++) {
                rows[c * MOST + i] = frame(c, spool->frames + i);
            }
        }
        status = gf_spool_append(spool, rows, MOST, some, error);
    }
    free(rows);
    return status;
}

static void both_ways(void)
{
    for (int backward = 0; backward < 2; backward++) {
        struct gf_spool spool = gf_spool_begin(CHANNELS, BLOCK);
        gf_error error = GF_ERROR_INIT;
        REQUIRE(fill(&spool, &error) == GF_OK);
        CHECK(spool.fd >= 0 && spool.n_held > 2 && spool.n_held < 14 && spool.frames == FRAMES);
        int64_t wrong = 0;
        for (int64_t k = 0; k < 16; k++) {
            const int64_t index = backward ? 15 - k : k, first = index * BLOCK;
            float *rows = NULL;
            REQUIRE(gf_spool_take(&spool, index, backward, &rows, &error) == GF_OK);
            for (int64_t i = 0; i < BLOCK && first + i < FRAMES; i++) {
                for (int64_t c = 0; c < CHANNELS; c++) {
                    wrong += rows[c * BLOCK + i] != frame(c, first + i);
                }
            }
        }
        CHECK_EQ_INT(wrong, 0);
        gf_spool_free(&spool);
        gf_spool_free(&spool);
    }
}

static void no_file(void)
{
    const char *before = getenv("TMPDIR");
    char *kept = before ? strdup(before) : NULL;
    struct gf_spool spool = gf_spool_begin(CHANNELS, BLOCK);
    gf_error error = GF_ERROR_INIT;
    setenv("TMPDIR", "/nonexistent/folder", 1);
    CHECK(fill(&spool, &error) == GF_ERROR_OUTPUT);
    CHECK_MSG(strstr(error.message, "temporary file in /nonexistent/folder cannot be made"), "%s",
              error.message);
    gf_spool_free(&spool);
    if (kept) {
        setenv("TMPDIR", kept, 1);
    } else {
        unsetenv("TMPDIR");
    }
    free(kept);
}

static const struct check_case cases[] = {{"forward and backward", both_ways}, {"no file", no_file}};
CHECK_MAIN(cases)
