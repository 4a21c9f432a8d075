/* What a picture makes of the pipeline: trim finds an area in it, and a resize has a size where a JPEG is
 * read smaller. The queue knows such a pipeline by a number, its kind, which no other ever has. */
#pragma once

#include "gpufilter/io.h"

#include <pthread.h>

struct batch_variant {
    char *text;
    const gf_format *format; /* of outputs; NULL: there are none */
    gf_shape shrunk;         /* as in a job */
    int32_t kind;
    int users;                  /* files on their way */
    struct batch_variant *next; /* used less lately */
};

struct batch_variants {
    pthread_mutex_t lock;
    struct batch_variant *first;
    int32_t next; /* kind */
};

void batch_variants_begin(struct batch_variants *variants);
void batch_variants_free(struct batch_variants *variants);

/* The queue's number for a kind and what the last channel of 2 or 4 is; and back. */
static inline int32_t batch_kind_make(int32_t kind, gf_alpha alpha)
{
    return 4 * kind + (int32_t)alpha;
}

static inline gf_alpha batch_kind_split(int32_t *kind)
{
    const int32_t alpha = *kind & 3;
    *kind = (*kind - alpha) / 4;
    return (gf_alpha)alpha;
}

/* The variant of a text, which is copied, and of what is read smaller; the caller becomes a user of it. NULL:
 * no memory. */
struct batch_variant *batch_variant_take(struct batch_variants *variants, const char *text,
                                         const gf_format *format, const gf_shape *shrunk);
/* One user less; NULL-safe. Some that nobody uses are kept. */
void batch_variant_leave(struct batch_variants *variants, struct batch_variant *variant);
/* The variant of a kind, while somebody uses it; NULL: the kind is no variant's. */
const struct batch_variant *batch_variant_find(struct batch_variants *variants, int32_t kind);
