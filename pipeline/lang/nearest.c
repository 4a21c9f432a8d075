#include "lang/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 40 }; /* longer words are never suggested, nor helped */

struct gf_nearest gf_nearest_to(const char *typed, size_t length)
{
    return (struct gf_nearest){.typed = typed, .typed_length = length};
}

static char fold(char c)
{
    return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    /* rows i - 2, i - 1 and i of the table of distances between beginnings */
    size_t rows[3][LONGEST + 1];
    size_t *older = rows[0], *old = rows[1], *now = rows[2];
    memset(older, 0, sizeof rows[0]);
    for (size_t j = 0; j <= m; j++) {
        old[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            bool same = fold(a[i - 1]) == fold(b[j - 1]);
            now[j] = least(least(old[j], now[j - 1]) + 1, old[j - 1] + !same);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1])) {
                now[j] = least(now[j], older[j - 2] + 1);
            }
        }
        size_t *free_row = older;
        older = old;
        old = now;
        now = free_row;
    }
    return old[m];
}

static bool begins(const char *word, size_t length, const char *typed, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i == length || fold(word[i]) != fold(typed[i])) {
            return false;
        }
    }
    return n >= 3;
}

void gf_nearest_offer(struct gf_nearest *nearest, const char *word, size_t length)
{
    size_t n = nearest->typed_length;
    if (n == 0 || n > LONGEST || length > LONGEST) {
        return;
    }
    size_t shorter = least(n, length);
    size_t limit = shorter < 6 ? 1 : shorter / 3;
    size_t d = distance(nearest->typed, n, word, length);
    bool begun = d > limit && begins(word, length, nearest->typed, n);
    if (begun) {
        d = limit;
    }
    bool nearer = !nearest->best || d < nearest->distance ||
                  (begun && d == nearest->distance && length < nearest->best_length);
    if (d <= limit && d < n && nearer) {
        nearest->best = word;
        nearest->best_length = length;
        nearest->distance = d;
    }
}

void gf_nearest_offer_list(struct gf_nearest *nearest, const char *words)
{
    while (words && *words) {
        size_t n = strcspn(words, "|");
        gf_nearest_offer(nearest, words, n);
        words += n + (words[n] == '|');
    }
}

/* Whether the longer one holds the shorter one, of at least four letters. */
static bool holds(const char *a, size_t n, const char *b, size_t m)
{
    if (m > n) {
        return holds(b, m, a, n);
    }
    for (size_t at = 0; m >= 4 && at + m <= n; at++) {
        size_t same = 0;
        while (same < m && fold(a[at + same]) == fold(b[same])) {
            same++;
        }
        if (same == m) {
            return true;
        }
    }
    return false;
}

/* 0: they are not alike. */
static size_t rank_of(const char *typed, size_t n, const char *word, size_t m)
{
    if (n == 0 || n > LONGEST || m > LONGEST) {
        return 0;
    }
    const size_t d = distance(typed, n, word, m), shorter = least(n, m);
    return holds(typed, n, word, m)                    ? 1
           : shorter >= 3 && begins(word, m, typed, 3) ? 2 + d
           : 2 * d <= shorter                          ? 3 + d
                                                       : 0;
}

void gf_alike_offer(struct gf_alike *alike, const char *typed, size_t length, const char *word)
{
    const size_t rank = rank_of(typed, length, word, strlen(word));
    int at = alike->count;
    while (at > 0 && alike->ranks[at - 1] > rank) {
        at--;
    }
    if (rank == 0 || at == GF_ALIKE_MOST) {
        return;
    }
    for (int i = alike->count < GF_ALIKE_MOST ? alike->count++ : GF_ALIKE_MOST - 1; i > at; i--) {
        alike->words[i] = alike->words[i - 1];
        alike->ranks[i] = alike->ranks[i - 1];
    }
    alike->words[at] = word;
    alike->ranks[at] = rank;
}
