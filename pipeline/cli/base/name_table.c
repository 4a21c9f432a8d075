#include "base/name_table.h"

#include <stdlib.h>
#include <string.h>

void name_table_free(struct name_table *table)
{
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

/* Returns where the key is, or would be. */
static struct name_slot *slot_of(const struct name_table *table, const uint64_t key[2])
{
    size_t at = (size_t)key[0] & (table->capacity - 1);
    while (table->slots[at].key[1] && memcmp(table->slots[at].key, key, sizeof table->slots[at].key) != 0) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->slots[at];
}

static void make_key(const char *name, uint64_t key[2])
{
    size_t length = strlen(name);
    key[0] = name_hash(NAME_HASH_START, name, length);
    key[1] = name_hash(~NAME_HASH_START, name, length) | 1;
}

int64_t *name_table_find(const struct name_table *table, const char *name)
{
    uint64_t key[2];
    make_key(name, key);
    struct name_slot *slot = table->capacity ? slot_of(table, key) : NULL;
    return slot && slot->key[1] ? &slot->value : NULL;
}

static bool grow(struct name_table *table)
{
    struct name_table larger = {.capacity = table->capacity ? 2 * table->capacity : 64,
                                .count = table->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; larger.slots && i < table->capacity; i++) {
        if (table->slots[i].key[1]) {
            *slot_of(&larger, table->slots[i].key) = table->slots[i];
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
    uint64_t key[2];
    if (8 * table->count >= 7 * table->capacity && !grow(table)) {
        return NULL;
    }
    make_key(name, key);
    struct name_slot *slot = slot_of(table, key);
    if (!slot->key[1]) {
        *slot = (struct name_slot){{key[0], key[1]}, value};
        table->count++;
    }
    return &slot->value;
}
