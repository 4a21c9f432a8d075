#define _POSIX_C_SOURCE 200809L
#include "name_table.h"

#include <stdlib.h>
#include <string.h>

void name_table_free(struct name_table *table)
{
    for (size_t i = 0; i < table->capacity; i++) {
        free(table->slots[i].name);
    }
    free(table->slots);
    *table = (struct name_table){0};
}

uint64_t name_hash(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Where the name is, or would be. */
static struct name_slot *slot_of(const struct name_table *table, const char *name)
{
    size_t at = (size_t)name_hash(NAME_HASH_START, name, strlen(name)) & (table->capacity - 1);
    while (table->slots[at].name && strcmp(table->slots[at].name, name) != 0) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->slots[at];
}

int64_t *name_table_find(const struct name_table *table, const char *name)
{
    struct name_slot *slot = table->capacity ? slot_of(table, name) : NULL;
    return slot && slot->name ? &slot->value : NULL;
}

static bool grow(struct name_table *table)
{
    struct name_table larger = {.capacity = table->capacity ? 2 * table->capacity : 64,
                                .count = table->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; larger.slots && i < table->capacity; i++) {
        if (table->slots[i].name) {
            *slot_of(&larger, table->slots[i].name) = table->slots[i];
        }
    }
    if (larger.slots) {
        free(table->slots);
        *table = larger;
    }
    return larger.slots != NULL;
}

int64_t *name_table_add(struct name_table *table, const char *name, int64_t value)
{
    if (2 * table->count >= table->capacity && !grow(table)) {
        return NULL;
    }
    struct name_slot *slot = slot_of(table, name);
    if (!slot->name) {
        slot->name = strdup(name);
        if (!slot->name) {
            return NULL;
        }
        slot->value = value;
        table->count++;
    }
    return &slot->value;
}
