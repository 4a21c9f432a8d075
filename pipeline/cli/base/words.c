#include "base/words.h"

#include <string.h>

const char *words_at(const char *list, int index, size_t *length)
{
    while (list && *list) {
        *length = strcspn(list, "|");
        if (index-- == 0) {
            return list;
        }
        list += *length + (list[*length] == '|');
    }
    return NULL;
}

int words_index(const char *list, const char *word)
{
    size_t length;
    const char *at;
    for (int i = 0; (at = words_at(list, i, &length)); i++) {
        if (length == strlen(word) && !memcmp(at, word, length)) {
            return i;
        }
    }
    return -1;
}

void words_add(struct buffer *buffer, const char *list)
{
    size_t length, after;
    const char *at;
    for (int i = 0; (at = words_at(list, i, &length)); i++) {
        buffer_add(buffer, i == 0 ? "" : words_at(list, i + 1, &after) ? ", " : " or ");
        buffer_add_bytes(buffer, at, length);
    }
}

enum { LONGEST = 32 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: insertions, deletions, changes, and swaps of neighbours. */
static int edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= nb; j++) {
        rows[0][j] = (int)j;
    }
    for (size_t i = 1; i <= na; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int change = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(change, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return rows[na % 3][nb];
}

void nearest_try(struct nearest *nearest, const char *candidate, size_t length)
{
    size_t word_length = strlen(nearest->word);
    if (word_length > LONGEST || length > LONGEST) {
        return;
    }
    int distance = edit_distance(nearest->word, word_length, candidate, length);
    int shorter = (int)(word_length < length ? word_length : length);
    int bound = shorter < 6 ? 1 : shorter / 3;
    if (distance <= bound && distance < (int)length && (!nearest->best || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->best_length = length;
        nearest->distance = distance;
    }
}

void nearest_try_list(struct nearest *nearest, const char *list)
{
    size_t length;
    const char *at;
    for (int i = 0; (at = words_at(list, i, &length)); i++) {
        nearest_try(nearest, at, length);
    }
}

void nearest_add(struct buffer *buffer, const struct nearest *nearest, const char *prefix)
{
    if (nearest->best) {
        buffer_printf(buffer, "; did you mean '%s%.*s'?", prefix, (int)nearest->best_length, nearest->best);
    }
}
