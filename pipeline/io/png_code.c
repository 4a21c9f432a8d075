/* RFC 1951: blocks with codes of their own, first counted, then written. */
#include "png_code.h"

#include "huffman.h"

#include <string.h>

#define BLOCK     32768 /* symbols; counts of so many fit into 16 bits */
#define END       256
#define MOST_BITS 14 /* of a code: four of them and what is left of a byte fit into 64 bits */
#define MOST_RUN  258

/* ---- bits ---- */

struct bits {
    uint64_t held;
    int count; /* of those held, at most 7 between two calls of flush */
    uint8_t *at;
};

static inline void add(struct bits *bits, uint32_t value, int count)
{
    bits->held |= (uint64_t)value << bits->count;
    bits->count += count;
}

/* Writes eight bytes, of which those that are whole count. */
static inline void flush(struct bits *bits)
{
    uint64_t bytes = bits->held;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(bits->at, &bytes, 8);
    bits->at += bits->count >> 3;
    bits->held >>= bits->count & ~7;
    bits->count &= 7;
}

/* ---- symbols ---- */

/* A run's length as a symbol and bits behind it. */
struct run {
    int symbol, extra_count;
    uint32_t extra;
};

static inline struct run run_of(size_t length)
{
    unsigned less = (unsigned)length - 3;
    if (length == MOST_RUN) {
        return (struct run){285, 0, 0};
    }
    if (less < 8) {
        return (struct run){257 + (int)less, 0, 0};
    }
    int extra = 29 - __builtin_clz(less);
    return (struct run){257 + 4 * extra + 4 + (int)(less >> extra & 3), extra, less & ((1u << extra) - 1)};
}

static inline uint32_t four(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

/* How many bytes from `at` on are like the one before, if they are at least so many; else 0. */
static inline size_t run_at(const uint8_t *bytes, size_t at, size_t size, size_t least)
{
    size_t most = size - at < MOST_RUN ? size - at : MOST_RUN, length = 0;
    if (at == 0 || bytes[at] != bytes[at - 1]) {
        return 0;
    }
    while (most - length >= 4 && four(bytes + at + length) == four(bytes + at - 1)) {
        length += 4;
    }
    while (length < most && bytes[at + length] == bytes[at]) {
        length++;
    }
    return length >= least ? length : 0;
}

/* Whether none of the least - 1 bytes from `at` on begins a run: that would have the last of them in it and
 * the byte behind that, both like the one before. False where too few bytes are left. */
static inline int no_run_near(const uint8_t *bytes, size_t at, size_t size, size_t least)
{
    uint16_t now, before;
    if (size - at < least) {
        return 0;
    }
    memcpy(&now, bytes + at + least - 2, 2);
    memcpy(&before, bytes + at + least - 3, 2);
    return now != before;
}

/* What is coded: a byte, or a run as RUN and its length. */
#define RUN    256
#define TOKENS (RUN + MOST_RUN + 1)

/* A block, which begins at `from`. */
struct block {
    const uint8_t *bytes;
    size_t size, from, to; /* size: of all; to: where the block ends */
    enum gf_png_runs runs;
    uint16_t tokens[BLOCK + 4]; /* where runs are looked for */
    int count;
    uint32_t counts[GF_HUFFMAN_SYMBOLS];
    uint64_t bits; /* behind the codes of runs */
    struct gf_code codes[GF_HUFFMAN_SYMBOLS];
};

/* Counters in fours, so that one does not wait for the other where bytes are alike. */
struct counts {
    uint32_t at[4][256];
};

static void sum_up(const struct counts *counts, uint32_t *sums)
{
    for (int s = 0; s < 256; s++) {
        sums[s] = counts->at[0][s] + counts->at[1][s] + counts->at[2][s] + counts->at[3][s];
    }
}

static void count_bytes(struct block *block)
{
    struct counts counts = {{{0}}};
    const uint8_t *bytes = block->bytes;
    block->to = block->size - block->from < BLOCK ? block->size : block->from + BLOCK;
    size_t i = block->from;
    for (; block->to - i >= 4; i += 4) {
        for (size_t k = 0; k < 4; k++) {
            counts.at[k][bytes[i + k]]++;
        }
    }
    for (; i < block->to; i++) {
        counts.at[0][bytes[i]]++;
    }
    sum_up(&counts, block->counts);
}

static inline void count_runs(struct block *block, size_t least)
{
    struct counts counts = {{{0}}};
    const uint8_t *bytes = block->bytes;
    uint16_t *token = block->tokens;
    size_t i = block->from, length;
    while (token - block->tokens < BLOCK && i < block->size) {
        if (no_run_near(bytes, i, block->size, least)) {
            for (size_t k = 0; k < least - 1; k++) {
                counts.at[k][bytes[i]]++;
                *token++ = bytes[i++];
            }
        } else if ((length = run_at(bytes, i, block->size, least)) > 0) {
            struct run run = run_of(length);
            block->counts[run.symbol]++;
            block->bits += (uint64_t)run.extra_count + 1; /* and the distance */
            *token++ = (uint16_t)(RUN + length);
            i += length;
        } else {
            counts.at[0][bytes[i]]++;
            *token++ = bytes[i++];
        }
    }
    sum_up(&counts, block->counts);
    block->count = (int)(token - block->tokens);
    block->to = i;
}

static void count(struct block *block)
{
    memset(block->counts, 0, sizeof block->counts);
    block->bits = 0;
    if (block->runs == GF_PNG_NO_RUNS) {
        count_bytes(block);
    } else if (block->runs == GF_PNG_LONG_RUNS) {
        count_runs(block, 5);
    } else {
        count_runs(block, 3);
    }
    block->counts[END] = 1;
}

/* ---- writing ---- */

static inline void add_code(struct bits *bits, struct gf_code code)
{
    add(bits, code.bits, code.length);
}

static inline void write_four(struct bits *bits, const struct gf_code *codes, const uint8_t *bytes)
{
    add_code(bits, codes[bytes[0]]);
    add_code(bits, codes[bytes[1]]);
    add_code(bits, codes[bytes[2]]);
    add_code(bits, codes[bytes[3]]);
    flush(bits);
}

static void write_bytes(const struct block *block, struct bits *bits)
{
    size_t i = block->from;
    struct bits b = *bits;
    for (; block->to - i >= 4; i += 4) {
        write_four(&b, block->codes, block->bytes + i);
    }
    for (; i < block->to; i++) {
        add_code(&b, block->codes[block->bytes[i]]);
        flush(&b);
    }
    *bits = b;
}

/* What each token is written as. */
struct word {
    uint32_t bits, length;
};

static void make_words(const struct gf_code *codes, struct word words[TOKENS])
{
    for (int s = 0; s < RUN; s++) {
        words[s] = (struct word){codes[s].bits, codes[s].length};
    }
    for (int length = 3; length <= MOST_RUN; length++) {
        struct run run = run_of((size_t)length);
        struct gf_code code = codes[run.symbol];
        words[RUN + length] =
            (struct word){code.bits | run.extra << code.length, /* a zero: the only distance */
                          (uint32_t)(code.length + run.extra_count + 1)};
    }
}

static void write_tokens(const struct block *block, struct bits *bits)
{
    struct word words[TOKENS];
    struct bits b = *bits;
    make_words(block->codes, words);
    for (int i = 0; i < block->count; i += 2) {
        struct word first = words[block->tokens[i]];
        add(&b, first.bits, (int)first.length);
        if (i + 1 < block->count) {
            struct word second = words[block->tokens[i + 1]];
            add(&b, second.bits, (int)second.length);
        }
        flush(&b);
    }
    *bits = b;
}

/* ---- the head of a block: its codes' lengths, coded themselves ---- */

#define LENGTH_SYMBOLS 19
#define MOST_LENGTHS   (GF_HUFFMAN_SYMBOLS + 1)

struct head {
    int literals, count; /* lengths that are given, the rest is 0; and as how many symbols */
    uint8_t symbols[MOST_LENGTHS], extra[MOST_LENGTHS];
    uint32_t counts[LENGTH_SYMBOLS];
    struct gf_code codes[LENGTH_SYMBOLS];
};

/* In which their own lengths are written; all of them, as the last, of the distance, comes always. */
static const uint8_t length_order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                     11, 4,  12, 3, 13, 2, 14, 1, 15};

static int extra_bits(int symbol)
{
    return symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0;
}

static void add_length(struct head *head, int symbol, int extra)
{
    head->symbols[head->count] = (uint8_t)symbol;
    head->extra[head->count++] = (uint8_t)extra;
    head->counts[symbol]++;
}

/* `repeat` times the same length. */
static void add_lengths(struct head *head, int length, int repeat)
{
    if (length > 0 && repeat > 0) {
        add_length(head, length, 0);
        repeat--;
    }
    while (repeat > 0) {
        int most = length > 0 ? 6 : 138, n = repeat < most ? repeat : most;
        if (n < 3) {
            add_length(head, length, 0);
            repeat--;
            continue;
        }
        int symbol = length > 0 ? 16 : n < 11 ? 17 : 18;
        add_length(head, symbol, n - (symbol == 18 ? 11 : 3));
        repeat -= n;
    }
}

static void make_head(const struct block *block, struct head *head)
{
    *head = (struct head){.literals = GF_HUFFMAN_SYMBOLS};
    while (block->codes[head->literals - 1].length == 0) { /* END comes */
        head->literals--;
    }
    for (int i = 0, n; i < head->literals; i += n) {
        n = 1;
        while (i + n < head->literals && block->codes[i + n].length == block->codes[i].length) {
            n++;
        }
        add_lengths(head, block->codes[i].length, n);
    }
    add_lengths(head, 1, 1); /* of the distance 1 */
    gf_huffman_make(head->counts, LENGTH_SYMBOLS, 7, head->codes);
}

static uint64_t head_bits(const struct head *head)
{
    uint64_t bits = 3 + 5 + 5 + 4 + 3 * LENGTH_SYMBOLS;
    for (int i = 0; i < LENGTH_SYMBOLS; i++) {
        bits += (uint64_t)head->counts[i] * (unsigned)(head->codes[i].length + extra_bits(i));
    }
    return bits;
}

static void write_head(const struct head *head, int last, struct bits *bits)
{
    add(bits, (uint32_t)last, 1);
    add(bits, 2, 2);
    add(bits, (uint32_t)head->literals - 257, 5);
    add(bits, 0, 5); /* one distance */
    add(bits, LENGTH_SYMBOLS - 4, 4);
    flush(bits);
    for (int i = 0; i < LENGTH_SYMBOLS; i++) {
        add(bits, head->codes[length_order[i]].length, 3);
        flush(bits);
    }
    for (int i = 0; i < head->count; i++) {
        add_code(bits, head->codes[head->symbols[i]]);
        add(bits, head->extra[i], extra_bits(head->symbols[i]));
        flush(bits);
    }
}

/* ---- the whole ---- */

size_t gf_png_code_bound(size_t size)
{
    /* A code of a byte is at most 1 / 256 longer than the byte on average, but for what MOST_BITS costs; a
     * head is less than 300 bytes. */
    return size + size / 128 + (size / BLOCK + 1) * 300 + 32;
}

/* Codes the block; false: there is no room. */
static int code_block(struct block *block, int is_last, struct bits *bits, const uint8_t *end)
{
    struct head head;
    count(block);
    gf_huffman_make(block->counts, GF_HUFFMAN_SYMBOLS, MOST_BITS, block->codes);
    make_head(block, &head);
    uint64_t all = block->bits + head_bits(&head);
    for (int s = 0; s < GF_HUFFMAN_SYMBOLS; s++) {
        all += (uint64_t)block->counts[s] * block->codes[s].length;
    }
    if (all / 8 + 24 > (uint64_t)(end - bits->at)) { /* flush writes a few bytes more, and so does the end */
        return 0;
    }
    write_head(&head, is_last && block->to == block->size, bits);
    if (block->runs != GF_PNG_NO_RUNS) {
        write_tokens(block, bits);
    } else {
        write_bytes(block, bits);
    }
    add_code(bits, block->codes[END]);
    flush(bits);
    return 1;
}

size_t gf_png_code(const uint8_t *bytes, size_t size, enum gf_png_runs runs, int last, uint8_t *out,
                   size_t room)
{
    struct bits bits = {.at = out};
    struct block block;
    block.bytes = bytes;
    block.size = size;
    block.runs = runs;
    for (block.from = 0; block.from < size; block.from = block.to) {
        if (!code_block(&block, last, &bits, out + room)) {
            return 0;
        }
    }
    if (!last) { /* an empty block as it is, which begins at a byte */
        add(&bits, 0, 3);
        add(&bits, 0, -bits.count & 7);
        flush(&bits);
        memcpy(bits.at, "\0\0\xff\xff", 4);
        bits.at += 4;
    } else if (bits.count > 0) {
        *bits.at++ = (uint8_t)bits.held;
    }
    return (size_t)(bits.at - out);
}
