#include "huffman.h"

#include <string.h>

/* Symbols that come at all, from seldom to often: count and symbol in one word. Returns how many. */
static int sort(const uint32_t *counts, int symbols, uint32_t *sorted)
{
    uint32_t from[GF_HUFFMAN_SYMBOLS], places[2][256] = {{0}};
    int n = 0;
    for (int i = 0; i < symbols; i++) {
        if (counts[i] > 0) {
            from[n++] = counts[i] << 9 | (uint32_t)i;
            places[0][counts[i] & 255]++;
            places[1][counts[i] >> 8 & 255]++;
        }
    }
    uint32_t *in = from, *out = sorted, other[GF_HUFFMAN_SYMBOLS];
    for (int pass = 0; pass < 2; pass++) {
        int shift = 9 + 8 * pass;
        uint32_t sum = 0;
        for (int i = 0; i < 256; i++) {
            uint32_t count = places[pass][i];
            places[pass][i] = sum;
            sum += count;
        }
        out = pass == 0 ? other : sorted;
        for (int i = 0; i < n; i++) {
            out[places[pass][in[i] >> shift & 255]++] = in[i];
        }
        in = out;
    }
    return n;
}

/* Huffman's tree of n >= 2 counts in order: how many leaves lie at each depth, none deeper than `most`. */
static void count_depths(const uint32_t *sorted, int n, int most, int *at_depth)
{
    uint32_t sums[GF_HUFFMAN_SYMBOLS];
    int parents[2 * GF_HUFFMAN_SYMBOLS], leaf = 0,
                                         node = 0; /* parents: of leaves, and behind them of nodes */
    for (int made = 0; made < n - 1; made++) {
        sums[made] = 0;
        for (int child = 0; child < 2; child++) {
            if (leaf < n && (node == made || sorted[leaf] >> 9 <= sums[node])) {
                sums[made] += sorted[leaf] >> 9;
                parents[leaf++] = made;
            } else {
                sums[made] += sums[node];
                parents[n + node++] = made;
            }
        }
    }
    int depths[GF_HUFFMAN_SYMBOLS];
    memset(at_depth, 0, sizeof *at_depth * (size_t)(most + 1));
    depths[n - 2] = 0;
    for (int i = n - 3; i >= 0; i--) {
        depths[i] = depths[parents[n + i]] + 1;
    }
    uint32_t taken = 0; /* of all codes of `most` bits */
    for (int i = 0; i < n; i++) {
        int depth = depths[parents[i]] + 1;
        depth = depth < most ? depth : most;
        at_depth[depth]++;
        taken += UINT32_C(1) << (most - depth);
    }
    for (; taken > UINT32_C(1) << most; taken--) { /* two leaves of the greatest depth under one above */
        int depth = most - 1;
        while (at_depth[depth] == 0) {
            depth--;
        }
        at_depth[most]--;
        at_depth[depth]--;
        at_depth[depth + 1] += 2;
    }
}

static uint32_t reversed(uint32_t code, int length)
{
    uint32_t out = 0;
    for (int i = 0; i < length; i++) {
        out |= (code >> i & 1) << (length - 1 - i);
    }
    return out;
}

void gf_huffman_make(const uint32_t *counts, int symbols, int most, struct gf_code *codes)
{
    uint32_t sorted[GF_HUFFMAN_SYMBOLS], next = 0;
    int at_depth[GF_HUFFMAN_BITS + 1];
    int n = sort(counts, symbols, sorted), i = n;
    memset(codes, 0, sizeof *codes * (size_t)symbols);
    count_depths(sorted, n, most, at_depth);
    for (int depth = 1; depth <= most; depth++) {
        for (int k = 0; k < at_depth[depth]; k++) {
            codes[sorted[--i] & 511].length = (uint16_t)depth;
        }
    }
    for (int depth = 1; depth <= most; depth++) { /* of one length in the order of symbols */
        for (int s = 0; s < symbols; s++) {
            if (codes[s].length == depth) {
                codes[s].bits = (uint16_t)reversed(next++, depth);
            }
        }
        next <<= 1;
    }
}
