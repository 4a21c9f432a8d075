#include "context/pieces.h"

#include "base/device.h"

#include <stdlib.h>

enum { KEPT = 64 }; /* by a context, at most */

static void free_piece(struct gf_piece *piece)
{
    const struct gf_backend *backend = gf_backend_for(piece->device);
    if (piece->mark) {
        backend->mark_destroy(piece->device, piece->mark);
    }
    backend->pinned_release(piece->device, piece->memory);
    free(piece);
}

/* One of the device's that is kept; NULL: there is none. */
static struct gf_piece *take_kept(gf_context *context, gf_device device)
{
    pthread_mutex_lock(&context->lock);
    struct gf_piece **link = &context->pieces;
    while (*link && (*link)->device != device) {
        link = &(*link)->next;
    }
    struct gf_piece *piece = *link;
    if (piece) {
        *link = piece->next;
        context->n_pieces--;
    }
    pthread_mutex_unlock(&context->lock);
    return piece;
}

static gf_status make_piece(gf_device device, struct gf_piece **piece, gf_error *error)
{
    const struct gf_backend *backend = gf_backend_for(device);
    void *memory = NULL;
    struct gf_piece *made = calloc(1, sizeof *made);
    GF_TRY(gf_need_memory(made != NULL, error));
    made->device = device;
    gf_status status = backend->pinned_allocate(device, (size_t)GF_PIECE_BYTES, &memory, error);
    made->memory = memory;
    status = status == GF_OK ? backend->mark_create(device, false, &made->mark, error) : status;
    if (status != GF_OK) {
        free_piece(made);
        return status;
    }
    *piece = made;
    return GF_OK;
}

gf_status gf_pieces_take(gf_context *context, gf_device device, int32_t n, struct gf_piece **pieces,
                         gf_error *error)
{
    for (int32_t i = 0; i < n; i++) {
        pieces[i] = take_kept(context, device);
        gf_status status = pieces[i] ? GF_OK : make_piece(device, &pieces[i], error);
        if (status != GF_OK) {
            gf_pieces_give(context, pieces, i);
            return status;
        }
    }
    return GF_OK;
}

void gf_pieces_give(gf_context *context, struct gf_piece **pieces, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        struct gf_piece *piece = pieces[i];
        pthread_mutex_lock(&context->lock);
        const bool kept = context->n_pieces < KEPT;
        if (kept) {
            piece->used = false;
            piece->next = context->pieces;
            context->pieces = piece;
            context->n_pieces++;
        }
        pthread_mutex_unlock(&context->lock);
        if (!kept) {
            free_piece(piece);
        }
    }
}

void gf_pieces_free(gf_context *context)
{
    while (context->pieces) {
        struct gf_piece *piece = context->pieces;
        context->pieces = piece->next;
        free_piece(piece);
    }
}
