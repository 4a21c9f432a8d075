/* A table of names with a number each, found in constant time. Of each name it keeps 127 bits of a hash. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialised: empty. */
struct name_table {
    struct name_slot {
        uint64_t key[2]; /* key[1] 0: free */
        int64_t value;
    } * slots;
    size_t capacity, count;
};

void name_table_free(struct name_table *table);

/* FNV-1a, 64 bits, going on from `hash`, at first NAME_HASH_START. */
#define NAME_HASH_START UINT64_C(14695981039346656037)
uint64_t name_hash(uint64_t hash, const void *bytes, size_t count);

/* The number of the name, which can be changed; NULL where it is not in the table. Valid until one is
 * added. */
int64_t *name_table_find(const struct name_table *table, const char *name);

/* The same, adding the name with `value` where it is not there yet. NULL: no memory. */
int64_t *name_table_add(struct name_table *table, const char *name, int64_t value);
