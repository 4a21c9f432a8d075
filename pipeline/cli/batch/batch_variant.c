#define _POSIX_C_SOURCE 200809L /* strdup */
#include "batch/batch_variant.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_KIND = 1 << 16 /* above those of formats */, MOST_KEPT = 64 };

void batch_variants_begin(struct batch_variants *variants)
{
    *variants = (struct batch_variants){.next = FIRST_KIND};
    pthread_mutex_init(&variants->lock, NULL);
}

static void free_one(struct batch_variant *variant)
{
    if (variant) {
        free(variant->text);
        free(variant);
    }
}

void batch_variants_free(struct batch_variants *variants)
{
    while (variants->first) {
        struct batch_variant *variant = variants->first;
        variants->first = variant->next;
        free_one(variant);
    }
}

/* Under the lock: takes it out of the list. */
static struct batch_variant *take_out(struct batch_variants *variants, const char *text,
                                      const gf_format *format, const gf_shape *shrunk)
{
    for (struct batch_variant **at = &variants->first; *at; at = &(*at)->next) {
        struct batch_variant *variant = *at;
        if (variant->format == format && variant->shrunk.width == shrunk->width &&
            variant->shrunk.height == shrunk->height && !strcmp(variant->text, text)) {
            *at = variant->next;
            return variant;
        }
    }
    return NULL;
}

struct batch_variant *batch_variant_take(struct batch_variants *variants, const char *text,
                                         const gf_format *format, const gf_shape *shrunk)
{
    pthread_mutex_lock(&variants->lock);
    struct batch_variant *variant = take_out(variants, text, format, shrunk);
    if (!variant && (variant = calloc(1, sizeof *variant)) != NULL) {
        *variant = (struct batch_variant){.text = strdup(text), .format = format, .shrunk = *shrunk};
        if (variant->text) {
            variant->kind = variants->next++;
        } else {
            free(variant);
            variant = NULL;
        }
    }
    if (variant) {
        variant->users++;
        variant->next = variants->first;
        variants->first = variant;
    }
    pthread_mutex_unlock(&variants->lock);
    return variant;
}

void batch_variant_leave(struct batch_variants *variants, struct batch_variant *variant)
{
    struct batch_variant *old = NULL;
    if (!variant) {
        return;
    }
    pthread_mutex_lock(&variants->lock);
    variant->users--;
    int unused = 0;
    struct batch_variant **last = NULL;
    for (struct batch_variant **at = &variants->first; *at; at = &(*at)->next) {
        unused += (*at)->users == 0;
        last = (*at)->users == 0 ? at : last;
    }
    if (unused > MOST_KEPT) {
        old = *last;
        *last = old->next;
    }
    pthread_mutex_unlock(&variants->lock);
    free_one(old);
}

const struct batch_variant *batch_variant_find(struct batch_variants *variants, int32_t kind)
{
    pthread_mutex_lock(&variants->lock);
    const struct batch_variant *variant = variants->first;
    while (variant && variant->kind != kind) {
        variant = variant->next;
    }
    pthread_mutex_unlock(&variants->lock);
    return variant;
}
