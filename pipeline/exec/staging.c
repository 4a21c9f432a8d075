#include "exec/staging.h"

#include "base/device.h"
#include "base/planted_fault.h"
#include "base/status.h"
#include "base/team.h"
#include "plan/staged.h"

#include <string.h>

/* ---- queues of pieces ---- */

static void append(struct gf_piece_queue *queue, struct gf_piece *piece)
{
    queue->piece[(queue->first + queue->n++) % GF_MOST_PIECES] = piece;
}

/* NULL: it is empty. */
static struct gf_piece *take_first(struct gf_piece_queue *queue)
{
    if (queue->n == 0) {
        return NULL;
    }
    struct gf_piece *piece = queue->piece[queue->first];
    queue->first = (queue->first + 1) % GF_MOST_PIECES;
    queue->n--;
    return piece;
}

/* ---- making ---- */

void gf_staging_begin(const gf_plan *plan, struct gf_staging *staging)
{
    *staging = (struct gf_staging){0};
    if (plan->pieces > 0) {
        staging->context = plan->context;
        staging->backend = gf_backend_for(plan->device);
        staging->queue.device = plan->device;
        staging->most = plan->pieces;
        staging->team = gf_team_create(gf_plan_staging_threads(plan));
        pthread_mutex_init(&staging->lock, NULL);
        pthread_cond_init(&staging->came, NULL);
    }
}

void gf_staging_stop(struct gf_staging *staging)
{
    if (staging->context) {
        gf_pieces_give(staging->context, staging->pieces, staging->held);
        staging->held = staging->most = 0;
    }
}

void gf_staging_end(struct gf_staging *staging)
{
    if (staging->context) {
        gf_staging_stop(staging);
        gf_team_destroy(staging->team);
        pthread_cond_destroy(&staging->came);
        pthread_mutex_destroy(&staging->lock);
        staging->context = NULL;
    }
}

/* The first n pieces are there. */
static gf_status need(struct gf_staging *staging, int32_t n, gf_error *error)
{
    if (n > staging->held) {
        GF_TRY(gf_pieces_take(staging->context, staging->queue.device, n - staging->held,
                              &staging->pieces[staging->held], error));
        staging->held = n;
    }
    return GF_OK;
}

gf_status gf_staging_wants(const struct gf_staging *staging, const struct gf_transfer *transfer, bool *wants,
                           gf_error *error)
{
    bool is_pinned = false;
    *wants = staging->most > 1 && transfer->row * transfer->rows >= GF_STAGED_LEAST;
    if (*wants) {
        const size_t extent = (size_t)((transfer->rows - 1) * transfer->host.pitch + transfer->row);
        GF_TRY(staging->backend->is_pinned(staging->queue.device, transfer->host.data, extent, &is_pinned,
                                           error));
    }
    *wants = *wants && !is_pinned;
    return GF_OK;
}

/* ---- parts: the rows, or the columns of one row, that one piece takes ---- */

struct part {
    int64_t first, rows; /* rows of the picture */
    int64_t from, bytes; /* of each */
};

/* Returns how many of them a row has; 0: a part has several rows. */
static int64_t parts_of_row(const struct gf_transfer *t)
{
    const int64_t pitch = t->rows > 1 ? t->device.pitch : t->row;
    return pitch <= GF_PIECE_BYTES ? 0 : (t->row + GF_PIECE_BYTES - 1) / GF_PIECE_BYTES;
}

static int64_t rows_of_part(const struct gf_transfer *t)
{
    return t->rows > 1 ? GF_PIECE_BYTES / t->device.pitch : 1;
}

static int64_t count_parts(const struct gf_transfer *t)
{
    const int64_t across = parts_of_row(t), down = rows_of_part(t);
    return across ? across * t->rows : (t->rows + (GF_FAULT(staged_tail) ? 0 : down - 1)) / down;
}

static struct part part_at(const struct gf_transfer *t, int64_t index)
{
    const int64_t across = parts_of_row(t);
    struct part part = {.rows = 1, .bytes = t->row};
    if (across) {
        part.first = index / across;
        part.from = index % across * GF_PIECE_BYTES;
        part.bytes = t->row - part.from < GF_PIECE_BYTES ? t->row - part.from : GF_PIECE_BYTES;
    } else {
        const int64_t down = rows_of_part(t);
        part.first = index * down;
        part.rows = t->rows - part.first < down ? t->rows - part.first : down;
    }
    return part;
}

static uint8_t *place_in(struct gf_place place, const struct part *part)
{
    return (uint8_t *)place.data + part->first * place.pitch + part->from;
}

/* Rows lie in a piece as they do on the device, so that an upload is one copy without gaps. */
static size_t bytes_on_device(const struct gf_transfer *t, const struct part *part)
{
    return (size_t)((part->rows - 1) * t->device.pitch + part->bytes);
}

static void copy_rows(uint8_t *to, int64_t to_pitch, const uint8_t *from, int64_t from_pitch,
                      const struct part *part)
{
    if (to_pitch == part->bytes && from_pitch == part->bytes) {
        memcpy(to, from, (size_t)(part->rows * part->bytes));
        return;
    }
    for (int64_t y = 0; y < part->rows; y++) {
        memcpy(to + y * to_pitch, from + y * from_pitch, (size_t)part->bytes);
    }
}

/* ---- one part, by any thread ---- */

/* One that no thread fills: there are as many pieces as threads, and each puts back what it took. NULL: after
 * a failure. */
static struct gf_piece *take_idle(struct gf_staging *staging)
{
    pthread_mutex_lock(&staging->lock);
    struct gf_piece *piece = staging->status == GF_OK ? take_first(&staging->idle) : NULL;
    pthread_mutex_unlock(&staging->lock);
    return piece;
}

/* One that a download fills. Where there is none, other threads are about to bring as many as are wanted: one
 * of them may be held up between taking a part and putting its piece here, while the others empty the queue.
 * NULL: after a failure. */
static struct gf_piece *take_filling(struct gf_staging *staging)
{
    pthread_mutex_lock(&staging->lock);
    while (staging->status == GF_OK && staging->filling.n == 0) {
        pthread_cond_wait(&staging->came, &staging->lock);
    }
    struct gf_piece *piece = staging->status == GF_OK ? take_first(&staging->filling) : NULL;
    pthread_mutex_unlock(&staging->lock);
    return piece;
}

/* The first failure is kept, and ends all. */
static void put_piece(struct gf_staging *staging, struct gf_piece_queue *queue, struct gf_piece *piece,
                      gf_status status, const gf_error *error)
{
    pthread_mutex_lock(&staging->lock);
    append(queue, piece);
    if (status != GF_OK && staging->status == GF_OK) {
        staging->status = status;
        gf_error_copy(&staging->error, error);
    }
    pthread_cond_broadcast(&staging->came);
    pthread_mutex_unlock(&staging->lock);
}

/* Queues a copy of a part, to or from a piece that no copy uses. */
static gf_status queue_part(struct gf_staging *staging, struct gf_piece *piece, enum gf_copy_kind kind,
                            const struct part *part, gf_error *error)
{
    const struct gf_transfer *t = &staging->transfer;
    uint8_t *there = place_in(t->device, part);
    if (kind == GF_COPY_UPLOAD) {
        GF_TRY(staging->backend->copy(staging->queue, kind, there, 0, piece->memory, 0,
                                      bytes_on_device(t, part), 1, error));
    } else { /* what lies between rows on the device nobody may have written */
        GF_TRY(staging->backend->copy(staging->queue, kind, piece->memory, t->device.pitch, there,
                                      t->device.pitch, (size_t)part->bytes, part->rows, error));
    }
    GF_TRY(staging->backend->mark_record(staging->queue, piece->mark, error));
    piece->used = true;
    return GF_OK;
}

static gf_status wait_for(const struct gf_staging *staging, struct gf_piece *piece, gf_error *error)
{
    return piece->used ? staging->backend->mark_wait(staging->queue.device, piece->mark, error) : GF_OK;
}

static gf_status fill_piece(struct gf_staging *staging, struct gf_piece *piece, const struct part *part,
                            gf_error *error)
{
    const struct gf_transfer *t = &staging->transfer;
    GF_TRY(GF_FAULT(staged_early) ? GF_OK : wait_for(staging, piece, error));
    copy_rows(piece->memory, t->device.pitch, place_in(t->host, part), t->host.pitch, part);
    return queue_part(staging, piece, GF_COPY_UPLOAD, part, error);
}

static void upload_part(void *argument, int i, int n)
{
    (void)n;
    struct gf_staging *staging = argument;
    struct gf_piece *piece = take_idle(staging);
    if (piece) { /* whose last copy is the oldest, and mostly done */
        const struct part part = part_at(&staging->transfer, i);
        gf_error why = GF_ERROR_INIT;
        gf_status status = fill_piece(staging, piece, &part, &why);
        put_piece(staging, &staging->idle, piece, status, &why);
    }
}

/* Takes the next part that nobody brings yet. */
static bool next_part(struct gf_staging *staging, struct gf_piece *piece)
{
    pthread_mutex_lock(&staging->lock);
    const bool is_left = staging->next < count_parts(&staging->transfer);
    piece->item = is_left ? staging->next++ : 0;
    pthread_mutex_unlock(&staging->lock);
    return is_left;
}

/* Queues the download of one more part; without one the piece is idle. */
static void bring_part(struct gf_staging *staging, struct gf_piece *piece, gf_status status, gf_error *why)
{
    const bool brings = status == GF_OK && next_part(staging, piece);
    if (brings) {
        const struct part part = part_at(&staging->transfer, piece->item);
        status = queue_part(staging, piece, GF_COPY_DOWNLOAD, &part, why);
    }
    put_piece(staging, brings ? &staging->filling : &staging->idle, piece, status, why);
}

/* Does any of the parts: there are as many calls as parts, and each fills a piece once. */
static void download_part(void *argument, int i, int n)
{
    (void)i;
    (void)n;
    struct gf_staging *staging = argument;
    struct gf_piece *piece = take_filling(staging);
    if (piece) {
        const struct gf_transfer *t = &staging->transfer;
        const struct part part = part_at(t, piece->item);
        gf_error why = GF_ERROR_INIT;
        gf_status status = GF_FAULT(staged_late) ? GF_OK : wait_for(staging, piece, &why);
        if (status == GF_OK) {
            copy_rows(place_in(t->host, &part), t->host.pitch, piece->memory, t->device.pitch, &part);
        }
        bring_part(staging, piece, status, &why);
    }
}

/* ---- pictures ---- */

static gf_status begin(struct gf_staging *staging, gf_queue queue, const struct gf_transfer *transfer,
                       gf_error *error)
{
    GF_TRY(need(staging, staging->most, error));
    staging->queue = queue;
    staging->transfer = *transfer;
    staging->status = GF_OK;
    staging->error = (gf_error)GF_ERROR_INIT;
    staging->next = 0;
    staging->idle.n = staging->filling.n = 0;
    for (int32_t i = 1; i < staging->held; i++) {
        append(&staging->idle, staging->pieces[i]);
    }
    return GF_OK;
}

static gf_status end(const struct gf_staging *staging, gf_error *error)
{
    if (staging->status != GF_OK) {
        gf_error_copy(error, &staging->error);
    }
    return staging->status;
}

gf_status gf_staging_upload(struct gf_staging *staging, gf_queue queue, const struct gf_transfer *transfer,
                            gf_error *error)
{
    GF_TRY(begin(staging, queue, transfer, error));
    gf_team_run(staging->team, (int)count_parts(transfer), upload_part, staging);
    return end(staging, error);
}

gf_status gf_staging_download(struct gf_staging *staging, gf_queue queue, const struct gf_transfer *transfer,
                              gf_error *error)
{
    GF_TRY(begin(staging, queue, transfer, error));
    for (int32_t n = staging->idle.n; n > 0; n--) {
        gf_error why = GF_ERROR_INIT;
        bring_part(staging, take_first(&staging->idle), GF_OK, &why);
        GF_TRY(end(staging, error));
    }
    staging->downloads = true;
    return GF_OK;
}

gf_status gf_staging_finish(struct gf_staging *staging, gf_error *error)
{
    if (!staging->downloads) {
        return GF_OK;
    }
    staging->downloads = false;
    gf_team_run(staging->team, (int)count_parts(&staging->transfer), download_part, staging);
    return end(staging, error);
}

/* ---- blocks ---- */

gf_status gf_staging_block(struct gf_staging *staging, size_t bytes, void **room, gf_error *error)
{
    enum { ALIGN = 256 };
    const size_t taken = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    *room = NULL;
    if (staging->most < 1 || taken > (size_t)GF_PIECE_BYTES - staging->block_bytes) {
        return GF_OK;
    }
    GF_TRY(need(staging, 1, error));
    *room = staging->pieces[0]->memory + staging->block_bytes;
    staging->block_bytes += taken;
    return GF_OK;
}

void gf_staging_drop(struct gf_staging *staging)
{
    staging->downloads = false;
    staging->block_bytes = 0;
}
