#include "io/png/png_ahead.h"

#include "base/team.h"
#include "io/png/png_inflate.h"
#include "io/png/png_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 4,      /* pieces */
    MOST = 60000,   /* bytes of a stored block, which has room for 65535 */
    BLOCK_HEAD = 5, /* of a stored block */
    CHECKSUM = 4,   /* zlib's, behind the stream */
    BEHIND = 16,    /* bytes behind the checksum that are passed on: that they are there is said once */
    INPUT = 1 << 15,
    PIECE = BLOCK_HEAD + MOST + BLOCK_HEAD + CHECKSUM + BEHIND
};

/* One chunk of libpng's: a block, and with the last one an empty block and what is behind it. */
struct piece {
    size_t size, made; /* bytes; those of the stream among them, behind the block's head */
    uint8_t bytes[PIECE];
};

struct gf_png_ahead {
    struct gf_bytes_in *in;
    struct gf_png_inflate inflate;
    uint8_t input[GF_PNG_INFLATE_LEAD + INPUT];
    uint8_t chunk[8]; /* the head that was read last */
    uint32_t unread;  /* bytes of the chunk that the input does not hold yet */
    uint32_t crc;     /* of those that it does */
    uint32_t sum;     /* Adler-32 of the stream, where `summed` */
    uint8_t zlib[GF_PNG_AHEAD_FIRST];
    bool begun, finished; /* zlib's two bytes are out; no piece follows */
    bool summed, sum_is_right, has_behind;
    enum gf_png_ahead_end why;
    char fault[64];

    /* The pieces. The thread that inflates changes `filled` and `over`, the other one the rest. */
    struct piece pieces[DEPTH];
    int64_t filled, taken;
    bool over, stop, threaded;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t at; /* of the piece being read */
    bool reading;
};

/* ---- chunks ---- */

static void finish(struct gf_png_ahead *a, enum gf_png_ahead_end why, const char *fault)
{
    a->finished = true;
    a->why = why;
    if (fault != NULL) {
        snprintf(a->fault, sizeof a->fault, "IDAT: %s", fault);
    }
}

static bool check_crc(struct gf_png_ahead *a)
{
    uint8_t stored[4];
    if (gf_bytes_in_read(a->in, stored, 4) != 4) {
        finish(a, GF_PNG_AHEAD_SHORT, NULL);
    } else if (gf_png_uint(stored) != a->crc) {
        finish(a, GF_PNG_AHEAD_DAMAGED, "CRC error");
    }
    return !a->finished;
}

static void enter_chunk(struct gf_png_ahead *a, uint32_t length)
{
    a->unread = length;
    a->crc = gf_png_crc(0, (const uint8_t *)"IDAT", 4);
}

static bool next_chunk(struct gf_png_ahead *a)
{
    if (!check_crc(a)) {
        return false;
    }
    if (gf_bytes_in_read(a->in, a->chunk, 8) != 8) {
        finish(a, GF_PNG_AHEAD_SHORT, NULL);
    } else if (memcmp(a->chunk + 4, "IDAT", 4) != 0 || a->chunk[0] > 0x7f) {
        finish(a, GF_PNG_AHEAD_CHUNK, NULL);
    } else {
        enter_chunk(a, gf_png_uint(a->chunk));
    }
    return !a->finished;
}

/* Up to `most` bytes of the chunk: how many. */
static size_t read_chunk(struct gf_png_ahead *a, uint8_t *to, size_t most)
{
    const size_t want = a->unread < most ? a->unread : most;
    const size_t got = gf_bytes_in_read(a->in, to, want);
    a->crc = gf_png_crc(a->crc, to, got);
    a->unread -= (uint32_t)got;
    if (got < want) {
        finish(a, GF_PNG_AHEAD_SHORT, NULL);
    }
    return got;
}

/* More input, where all was taken; false: there is no more. */
static bool more_input(struct gf_png_ahead *a)
{
    while (a->unread == 0) {
        if (!next_chunk(a)) {
            return false;
        }
    }
    memmove(a->input, a->inflate.in - GF_PNG_INFLATE_LEAD, GF_PNG_INFLATE_LEAD);
    a->inflate.in = a->input + GF_PNG_INFLATE_LEAD;
    a->inflate.left = read_chunk(a, a->input + GF_PNG_INFLATE_LEAD, INPUT);
    return a->inflate.left > 0;
}

/* The rest of the chunk is of no use, but is to be as its checksum says. */
static void leave_chunk(struct gf_png_ahead *a)
{
    while (!a->finished && a->unread > 0) {
        read_chunk(a, a->input, INPUT);
    }
    if (!a->finished && check_crc(a)) {
        finish(a, GF_PNG_AHEAD_DONE, NULL);
    }
}

/* ---- pieces ---- */

/* What is wrong with zlib's first bytes, as libpng and zlib say it; NULL: nothing. */
static const char *head_fault(const uint8_t head[GF_PNG_AHEAD_FIRST])
{
    return head[0] >> 4 > 7                ? "invalid window size (libpng)"
           : (head[0] << 8 | head[1]) % 31 ? "incorrect header check"
           : (head[0] & 15) != 8           ? "unknown compression method"
           : head[1] & 0x20                ? "missing LZ dictionary"
                                           : NULL;
}

static void begin_stream(struct gf_png_ahead *a, struct piece *piece)
{
    a->begun = true;
    piece->size = read_chunk(a, piece->bytes, GF_PNG_AHEAD_FIRST);
    memcpy(a->zlib, piece->bytes, sizeof a->zlib);
    if (a->finished) {
        piece->size = 0;
    } else if (head_fault(a->zlib) != NULL) {
        finish(a, GF_PNG_AHEAD_DAMAGED, head_fault(a->zlib));
    } else if (!gf_png_inflate_begin(&a->inflate, 8 + (a->zlib[0] >> 4))) {
        finish(a, GF_PNG_AHEAD_NO_MEMORY, NULL);
    }
    a->inflate.in = a->input + GF_PNG_INFLATE_LEAD;
}

static void stored_head(uint8_t *to, bool last, size_t size)
{
    const uint8_t head[BLOCK_HEAD] = {last, size & 255, (uint8_t)(size >> 8), ~size & 255,
                                      (uint8_t)(~size >> 8)};
    memcpy(to, head, BLOCK_HEAD);
}

static void pass_on(struct gf_png_ahead *a, struct piece *piece)
{
    piece->bytes[piece->size++] = *a->inflate.in++;
    a->inflate.left--;
}

/* An empty last block, the checksum, and some of what is behind it in the same chunk. */
static void end_stream(struct gf_png_ahead *a, struct piece *piece)
{
    stored_head(piece->bytes + piece->size, true, 0);
    piece->size += BLOCK_HEAD;
    const uint8_t *sum = piece->bytes + piece->size, *behind = sum + CHECKSUM;
    for (int i = 0; i < CHECKSUM && (a->inflate.left > 0 || more_input(a)); i++) {
        pass_on(a, piece);
    }
    for (int i = 0; i < BEHIND && (a->inflate.left > 0 || (a->unread > 0 && more_input(a))); i++) {
        pass_on(a, piece);
    }
    a->sum_is_right = piece->bytes + piece->size >= behind && gf_png_uint(sum) == a->sum;
    a->has_behind = piece->bytes + piece->size > behind;
    leave_chunk(a);
}

/* false: there is no more. */
static bool make_piece(struct gf_png_ahead *a, struct piece *piece)
{
    piece->size = piece->made = 0;
    if (a->finished) {
        return false;
    }
    if (!a->begun) {
        begin_stream(a, piece);
        return piece->size > 0;
    }
    size_t made = 0;
    do { /* of what was taken before there may be bytes to come, too */
        made += gf_png_inflate_run(&a->inflate, piece->bytes + BLOCK_HEAD + made, MOST - made);
    } while (made < MOST && !a->inflate.ended && a->inflate.fault == NULL &&
             (a->inflate.left > 0 || more_input(a)));
    if (made > 0) {
        stored_head(piece->bytes, false, made);
        piece->size = BLOCK_HEAD + made;
        piece->made = made;
        a->sum = a->summed ? gf_png_adler(a->sum, piece->bytes + BLOCK_HEAD, made) : 0;
    }
    if (a->inflate.fault != NULL) {
        finish(a, GF_PNG_AHEAD_DAMAGED, a->inflate.fault);
    } else if (a->inflate.ended) {
        end_stream(a, piece);
    }
    return piece->size > 0;
}

static bool is_full(const struct gf_png_ahead *a)
{
    return a->filled >= a->taken + DEPTH;
}

static void *run(void *argument)
{
    struct gf_png_ahead *a = argument;
    pthread_mutex_lock(&a->lock);
    while (!a->over && !a->stop) {
        if (is_full(a)) {
            pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        pthread_mutex_unlock(&a->lock);
        const bool made = make_piece(a, &a->pieces[a->filled % DEPTH]);
        pthread_mutex_lock(&a->lock);
        a->filled += made;
        a->over = !made;
        pthread_cond_signal(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* ---- what libpng reads ---- */

struct gf_png_ahead *gf_png_ahead_begin(struct gf_bytes_in *in, uint32_t length, bool summed)
{
    struct gf_png_ahead *a = malloc(sizeof *a); /* pieces are written before they are read */
    if (a == NULL) {
        return NULL;
    }
    memset(a, 0, offsetof(struct gf_png_ahead, pieces));
    a->in = in;
    a->sum = 1;
    a->summed = summed;
    enter_chunk(a, length);
    a->filled = a->taken = 0;
    a->over = a->stop = a->reading = false;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    a->threaded = gf_thread_create(&a->thread, run, a);
    return a;
}

/* Waits for the piece after the one that was taken last. */
static bool await_piece(struct gf_png_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    while (a->threaded && a->filled == a->taken && !a->over) {
        pthread_cond_wait(&a->changed, &a->lock);
    }
    if (!a->threaded && a->filled == a->taken && !a->over) {
        a->over = !make_piece(a, &a->pieces[a->filled % DEPTH]);
        a->filled += !a->over;
    }
    a->reading = a->filled > a->taken;
    pthread_mutex_unlock(&a->lock);
    a->at = 0;
    return a->reading;
}

static void release_piece(struct gf_png_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    a->taken++;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    a->reading = false;
}

bool gf_png_ahead_head(struct gf_png_ahead *a, uint8_t head[8])
{
    if (a->reading) {
        release_piece(a);
    }
    if (!await_piece(a)) {
        return false;
    }
    const size_t size = a->pieces[a->taken % DEPTH].size;
    for (int i = 0; i < 4; i++) {
        head[i] = (uint8_t)(size >> (24 - 8 * i));
    }
    memcpy(head + 4, "IDAT", 4);
    return true;
}

bool gf_png_ahead_data(struct gf_png_ahead *a, uint8_t *bytes, size_t size)
{
    if (!a->reading && !await_piece(a)) {
        return false;
    }
    memcpy(bytes, a->pieces[a->taken % DEPTH].bytes + a->at, size);
    a->at += size;
    return true;
}

size_t gf_png_ahead_take(struct gf_png_ahead *a, uint8_t *to, size_t size)
{
    size_t got = 0;
    while (got < size && (a->reading || await_piece(a))) {
        const struct piece *piece = &a->pieces[a->taken % DEPTH];
        const size_t left = piece->made - a->at, part = left < size - got ? left : size - got;
        memcpy(to + got, piece->bytes + BLOCK_HEAD + a->at, part);
        got += part;
        a->at += part;
        if (a->at == piece->made) {
            release_piece(a);
        }
    }
    return got;
}

void gf_png_ahead_settle(struct gf_png_ahead *a, struct gf_png_ahead_rest *rest)
{
    static const uint8_t nothing[BLOCK_HEAD + CHECKSUM] = {1, 0, 0, 255, 255, 0, 0, 0, 1};
    *rest = (struct gf_png_ahead_rest){0};
    while (a->reading || await_piece(a)) {
        rest->samples = rest->samples || a->pieces[a->taken % DEPTH].made > a->at;
        release_piece(a);
    }
    rest->sum_is_right = a->sum_is_right;
    rest->bytes = a->has_behind;
    memcpy(a->pieces[0].bytes, a->zlib, a->pieces[0].size = sizeof a->zlib);
    memcpy(a->pieces[1].bytes, nothing, a->pieces[1].size = sizeof nothing);
    a->taken = 0;
    a->filled = 2;
}

enum gf_png_ahead_end gf_png_ahead_why(const struct gf_png_ahead *a, const uint8_t **head, const char **fault)
{
    *head = a->chunk;
    *fault = a->fault;
    return a->why;
}

void gf_png_ahead_end(struct gf_png_ahead *a)
{
    if (a == NULL) {
        return;
    }
    if (a->threaded) {
        pthread_mutex_lock(&a->lock);
        a->stop = true;
        pthread_cond_signal(&a->changed);
        pthread_mutex_unlock(&a->lock);
        pthread_join(a->thread, NULL);
    }
    gf_png_inflate_end(&a->inflate);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}
