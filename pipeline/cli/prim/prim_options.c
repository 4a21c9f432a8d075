#include "prim/prim_options.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/words.h"
#include "prim/element.h"
#include "prim/prim.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AT_CHOICES "first, middle, last, absent or an index"

const struct cli_option prim_option_table[] = {
    [PRIM_N] = {"n", 0, false, "N", NULL, "elements: 500000, 16M, 2^24-3, 1e6 (16M)"},
    [PRIM_M] = {"m", 0, false, "N", NULL,
                "merge: elements of the second array (as many); bounds: keys (as many); top_k: how many are "
                "taken (100)"},
    [PRIM_SHAPE] = {"shape", 0, false, "MxKxN", NULL,
                    "matmul: rows of a, its columns, columns of b; spmv: rows, columns, entries a row; "
                    "stencil: rows, columns; fft: rows, columns, or columns"},
    [PRIM_NX] = {"nx", 0, false, "N", NULL, "ragged: iterations of the outer loop (1M)"},
    [PRIM_NY_MAX] = {"ny-max", 0, false, "N", NULL, "ragged: of the inner one at most (1000)"},
    [PRIM_COUNTS] = {"counts", 0, false, "FILE", NULL,
                     "ragged: iterations of each inner loop, from a .npy file of i32"},
    [PRIM_TYPE] = {"type", 0, false, "TYPE", ELEMENT_TYPES, "u8 u16 i16 u32 i32 u64 i64 f32 f64"},
    [PRIM_DATA] = {"data", 0, false, "KIND", NULL,
                   "random unique sorted reverse constant ramp twovalued density:P runs:MEAN; ragged: "
                   "skew:K zipf"},
    [PRIM_ROWS] = {"rows", 0, false, "HOW", "even|zipf",
                   "of the made matrix, or segments: equally long (default), or the i-th longest as 1/i"},
    [PRIM_AT] = {"at", 0, false, "PLACE", NULL, "search: only there is the value: " AT_CHOICES},
    [PRIM_SEED] = {"seed", 0, false, "S", NULL, "of the data (0)"},
    [PRIM_IN] = {"in", 0, false, "FILE", NULL,
                 "the elements from a .npy file of one dimension; stencil, fft: a .npy file of two; ragged: "
                 "segments or runs from a .npy file"},
    [PRIM_IN2] = {"in2", 0, false, "FILE", NULL,
                  "merge: the second array; bounds: the keys; histogram_2d: the rows' array"},
    [PRIM_A] = {"a", 0, false, "FILE", NULL, "matmul: the first matrix, from a .npy file of two dimensions"},
    [PRIM_B] = {"b", 0, false, "FILE", NULL, "matmul: the second matrix"},
    [PRIM_MATRIX] = {"matrix", 0, false, "FILE", NULL, "spmv: the matrix, from a Matrix Market file (.mtx)"},
    [PRIM_X] = {"x", 0, false, "FILE", NULL, "spmv: the vector, from a .npy file (made, as --data says)"},
    [PRIM_GRAPH] =
        {"graph", 0, false, "GRAPH", NULL,
         "bfs, sssp, components: a file (.mtx, or a list of edges), or grid:WxH path:N star:N random:NxD "
         "rmat:S (rmat:16)"},
    [PRIM_UNDIRECTED] = {"undirected", 0, false, NULL, NULL, "--graph FILE: each edge goes both ways"},
    [PRIM_SOURCE] = {"source", 0, false, "ID|most", NULL,
                     "bfs, sssp: the vertex to begin from, of .mtx from 0 on (the first that has an edge); "
                     "most: that of most edges"},
    [PRIM_PICTURE] =
        {"picture", 0, false, "PICTURE", NULL,
         "bfs, sssp, components: the pixels of a file, or of blank:WxH or noise:WxH, are the graph"},
    [PRIM_CONNECT] = {"connect", 0, false, "N", "4|8", "--picture: with 4 pixels (default), or with 8"},
    [PRIM_JOIN] =
        {"join", 0, false, "WHICH", "all|nonzero|equal",
         "bfs, components --picture: edges are between these (nonzero); sssp --picture: between these (all)"},
    [PRIM_COST] = {"cost", 0, false, "WHAT", "enter|difference",
                   "sssp --picture: a step costs the pixel entered (default), or what both differ by"},
    [PRIM_VALUES] =
        {"values", 0, false, "FILE", NULL,
         "sort, segmented_sort, merge: .npy of values that travel along; unique_by_key: .npy of as many "
         "values (index); index: 0, 1, 2..."},
    [PRIM_VALUES2] = {"values2", 0, false, "FILE", NULL, "merge: those of the second array"},
    [PRIM_FLAGS] = {"flags", 0, false, "FILE", NULL, "compact, partition --keep flags: .npy of u8"},
    [PRIM_KEYS] = {"keys", 0, false, "KEYS", NULL,
                   "reduce_by_key, scan_by_key: .npy of as many keys as elements, or made of u32: runs:MEAN "
                   "(runs:16)"},
    [PRIM_EDGES] = {"edges", 0, false, "FILE", NULL, "histogram: .npy of f64, the edges of the bins"},
    [PRIM_OFFSETS] =
        {"offsets", 0, false, "FILE", NULL,
         "segmented_sort, segmented_reduce, segmented_scan: .npy of i64, where segments begin, and "
         "the end"},
    [PRIM_SEGMENTS] =
        {"segments", 0, false, "N", NULL,
         "segmented_sort, segmented_reduce, segmented_scan: make so many (one for 32 elements)"},
    [PRIM_OP] =
        {"op", 0, false, "OP", NULL,
         "reduce: sum product min max argmin argmax and or mean var xor any all; segmented_reduce, "
         "reduce_by_key: sum product min max argmin argmax and or; scan, segmented_scan, scan_by_key: "
         "sum min max"},
    [PRIM_KIND] = {"kind", 0, false, "KIND", "exclusive|inclusive",
                   "scan, segmented_scan, scan_by_key: exclusive (default) or inclusive"},
    [PRIM_OUT_TYPE] = {"out-type", 0, false, "TYPE", ELEMENT_TYPES,
                       "scan, segmented_scan, scan_by_key: of the sums (the elements' type)"},
    [PRIM_KEEP] = {"keep", 0, false, "RULE", NULL,
                   "compact, partition: nonzero (default) eq:V ne:V lt:V le:V gt:V ge:V flags"},
    [PRIM_INDICES] =
        {"indices", 0, false, NULL, NULL,
         "compact, partition: indices, not elements; run_length: where runs begin, not their keys"},
    [PRIM_UNIQUE] = {"unique", 0, false, NULL, NULL, "run_length: the key of each run, without counts"},
    [PRIM_ORDER] =
        {"order", 0, false, "ORDER", "asc|desc",
         "sort, segmented_sort, merge, bounds: asc (default) or desc; top_k: desc (default) or asc"},
    [PRIM_BITS] = {"bits", 0, false, "FIRST:COUNT", NULL,
                   "sort of integers: by so many bits from this one on (all)"},
    [PRIM_SIDE] = {"side", 0, false, "SIDE", "lower|upper|count",
                   "bounds: the first place of a key (default), the last, or how many equal it"},
    [PRIM_WEIGHTS] =
        {"weights", 0, false, "TYPE|FILE", NULL,
         "histogram_2d: what each pair adds, made of this type, or from a .npy file of integers"},
    [PRIM_BINS] =
        {"bins", 0, false, "N", NULL,
         "histogram: of a channel (256); histogram_2d: COLUMNSxROWS (64x64), or COLUMNS of one array"},
    [PRIM_RANGE] = {"range", 0, false, "LO:HI", NULL,
                    "histogram, histogram_2d: of all bins (the type's; floats: 0:1)"},
    [PRIM_CHANNELS] = {"channels", 0, false, "N", NULL, "histogram: interleaved, 1 to 4 (1)"},
    [PRIM_VALUE] =
        {"value", 0, false, "V", NULL,
         "search: the value (the one --at is about); stencil: that of --border constant (0); ragged: that "
         "iy is multiplied by, or that fills (1)"},
    [PRIM_TO] = {"to", 0, false, "V", NULL, "search: values from --value to this one"},
    [PRIM_MODE] = {"mode", 0, false, "MODE", "first|all|count", "search: first (default), all or count"},
    [PRIM_BATCH] = {"batch", 0, false, "N", NULL,
                    "matmul: products of that shape, their matrices one below the other (1)"},
    [PRIM_TRANSPOSE] = {"transpose", 0, false, "WHICH", "a|b|ab",
                        "matmul: of these the transposed matrices are given"},
    [PRIM_ACCURACY] = {"accuracy", 0, false, "HOW", "f32|f32x",
                       "matmul of f32: f32 (default), or f32x: exact sums of slices of 8 bits"},
    [PRIM_SLICES] = {"slices", 0, false, "N", "3|4", "matmul --accuracy f32x: slices of an element (3)"},
    [PRIM_WINDOW] = {"window", 0, false, "LIST", NULL,
                     "stencil: weights row by row ([0 .2 0; .2 .2 .2; 0 .2 0])"},
    [PRIM_STEPS] = {"steps", 0, false, "N", NULL, "stencil: how often, each time on the one before (1)"},
    [PRIM_BORDER] = {"border", 0, false, "HOW", "replicate|reflect101|reflect|wrap|constant",
                     "stencil: what lies outside (replicate)"},
    [PRIM_REAL] = {"real", 0, false, NULL, NULL, "fft: the samples are real, the spectrum half as wide"},
    [PRIM_INVERSE] = {"inverse", 0, false, NULL, NULL, "fft: from the spectrum to the samples"},
    [PRIM_DIMENSIONS] = {"dimensions", 0, false, "N", "1|2",
                         "fft: each row by itself (default), or rows and columns"},
    [PRIM_DELTA] = {"delta", 0, false, "D", NULL, "sssp: distances are settled in steps of so much"},
    [PRIM_DEPTH] = {"depth", 0, false, "N", NULL, "bfs: edges that a vertex is away at most (any number)"},
    [PRIM_BODY] =
        {"body", 0, false, "BODY", RAGGED_BODIES,
         "ragged: sum of iy * value (default), segment-sum segment-min segment-max fill expand decode"},
    [PRIM_FRAME_AREA] = {"frame-area", 0, false, "N", NULL, "ragged: iterations of a frame (4M)"},
    [PRIM_ALPHA] = {"alpha", 0, false, "A", NULL,
                    "ragged: above this part of the sorted counts are frames (0.75)"},
    [PRIM_NY_TH] = {"ny-th", 0, false, "N|@FILE", NULL,
                    "ragged: the greatest count from which on smart sorts, or a table of lines \"NX NY\""},
    [PRIM_BLOCK_XY] = {"block-xy", 0, false, "XxY", NULL, "ragged: threads of a CUDA block (32x32)"},
    [PRIM_ALGO] = {"algo", 0, false, "NAME", NULL, "a variant, auto (default), or all: a table"},
    [PRIM_DEVICE] = {"device", 0, false, "DEVICE", NULL, "cpu, cuda, cuda:N or emu"},
    [PRIM_THREADS] = {"threads", 0, false, "N", NULL, "CPU threads (one per usable processor)"},
    [PRIM_BLOCK] = {"block", 0, false, "N", NULL, "threads of a CUDA block, by variant"},
    [PRIM_TILE] = {"tile", 0, false, "N", NULL, "elements of a tile, by variant"},
    [PRIM_K] = {"k", 0, false, "N", NULL, "elements a thread takes (unroll), by variant"},
    [PRIM_HOST] = {"host", 0, false, NULL, NULL, "count the time of copies from and to the host"},
    [PRIM_REPEAT] = {"repeat", 0, false, "N", NULL, "timed runs (50, or what 4 seconds hold)"},
    [PRIM_TIME] = {"time", 0, false, NULL, NULL,
                   "time it, though it goes from a file to --out (--repeat and --host do too)"},
    [PRIM_VERIFY] = {"verify", 0, false, NULL, NULL, "check the result of every run, not of one"},
    [PRIM_NO_CHECK] = {"no-check", 0, false, NULL, NULL, "do not check: sequential would take too long"},
    [PRIM_OUT] = {"out", 0, false, "FILE", NULL, "write the result as .npy"},
    [PRIM_VALUES_OUT] =
        {"values-out", 0, false, "FILE", NULL,
         "sort, segmented_sort, merge: values as .npy; top_k: the places; ragged --body expand: iy"},
    [PRIM_PARENTS_OUT] = {"parents-out", 0, false, "FILE", NULL, "bfs: write the parents as .npy"},
    [PRIM_COUNTS_OUT] = {"counts-out", 0, false, "FILE", NULL, "run_length: write how long runs are as .npy"},
    [PRIM_KEYS_OUT] = {"keys-out", 0, false, "FILE", NULL,
                       "unique_by_key, reduce_by_key: write the key of each run as .npy"},
    [PRIM_JSON] = {"json", 0, false, NULL, NULL, "print JSON"},
    [PRIM_QUIET] = {"quiet", 'q', false, NULL, NULL, "only errors; with --out no result either"},
    [PRIM_HELP] = {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

gf_status prim_options_read(int count, char **words, struct prim_options *options)
{
    struct cli_arguments arguments = cli_arguments_begin(prim_option_table, count, words);
    const char *value = NULL;
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        if (option == CLI_BAD) {
            return arguments.status;
        }
        if (option != CLI_POSITIONAL) {
            options->text[option] = value ? value : "";
        } else if (options->primitive) {
            return cli_fail(GF_ERROR_ARGUMENT, "'%s' is one word too many: gpufilter prim NAME [options]",
                            value);
        } else {
            options->primitive = value;
        }
    }
    return GF_OK;
}

/* ---- How ------------------------------------------------------------------------------------ */

static gf_status read_small(const struct prim_options *options, enum prim_option option, int64_t most,
                            int32_t *number)
{
    char name[24] = "--";
    int64_t value = 0;
    if (!options->text[option]) {
        return GF_OK;
    }
    strncat(name, prim_option_table[option].name, sizeof name - 3);
    gf_status status = value_integer(name, options->text[option], 1, most, &value);
    *number = (int32_t)value;
    return status;
}

static gf_status read_device(const struct prim_options *options, struct prim_how *how)
{
    const char *text = options->text[PRIM_DEVICE], *name = "--device";
    if (!text) {
        name = "GPUFILTER_DEVICE";
        text = getenv(name);
    }
    how->device = GF_DEVICE_AUTO;
    if (!text || !*text) {
        return GF_OK;
    }
    if (!strcmp(text, "emu")) {
        how->emulated = true;
        how->device = 0;
        return GF_OK;
    }
    if (!strcmp(text, gf_device_kind(GF_DEVICE_REFERENCE))) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "%s is 'reference', which judges pictures; a primitive's judge is its variant "
                        "'sequential'",
                        name);
    }
    return value_device(name, text, false, &how->device);
}

gf_status prim_options_how(const struct prim_options *options, struct prim_how *how)
{
    const char *threads = getenv("GPUFILTER_THREADS"), *memory = getenv("GPUFILTER_MEMORY");
    int64_t number = 0;
    *how = (struct prim_how){.algo = options->text[PRIM_ALGO] ? options->text[PRIM_ALGO] : "auto"};
    how->seconds = PRIM_SECONDS;
    how->host = options->text[PRIM_HOST] != NULL;
    how->verify = options->text[PRIM_VERIFY] != NULL;
    how->timed = true;
    how->check = !options->text[PRIM_NO_CHECK];
    if (how->verify && !how->check) {
        return cli_fail(GF_ERROR_ARGUMENT, "--verify and --no-check: choose one");
    }
    if (!options->text[PRIM_THREADS] && threads && *threads) {
        CLI_TRY(value_integer("GPUFILTER_THREADS", threads, 1, 1024, &number));
        how->threads = (int32_t)number;
    }
    CLI_TRY(memory && *memory ? value_size("GPUFILTER_MEMORY", memory, &how->memory) : GF_OK);
    CLI_TRY(read_device(options, how));
    CLI_TRY(read_small(options, PRIM_THREADS, 1024, &how->threads));
    CLI_TRY(read_small(options, PRIM_BLOCK, 1024, &how->block));
    CLI_TRY(read_small(options, PRIM_TILE, INT32_MAX, &how->tile));
    CLI_TRY(read_small(options, PRIM_K, INT32_MAX, &how->k));
    return read_small(options, PRIM_REPEAT, 1000000, &how->repeat);
}

/* ---- Sameness, and the text of it ------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

bool prim_options_same_job(const struct prim_options *a, const struct prim_options *b)
{
    bool same = same_text(a->primitive, b->primitive);
    for (int i = 0; same && i < PRIM_OPTIONS_OF_JOB; i++) {
        same = same_text(a->text[i], b->text[i]);
    }
    return same;
}

void prim_options_add(struct buffer *text, const struct prim_options *options)
{
    const char *separator = "";
    for (int i = 0; i < PRIM_REPEAT; i++) {
        bool apart = i == PRIM_N || i == PRIM_SHAPE || i == PRIM_TYPE || i == PRIM_DATA || i == PRIM_IN ||
                     i == PRIM_A || i == PRIM_MATRIX || (i >= PRIM_ALGO && i <= PRIM_DEVICE);
        if (options->text[i] && !apart) {
            buffer_printf(text, "%s%s%s%s", separator, prim_option_table[i].name,
                          *options->text[i] ? "=" : "", options->text[i]);
            separator = " ";
        }
    }
}

/* ---- Numbers of elements ---------------------------------------------------------------------- */

static bool read_digits(const char **at, uint64_t *value)
{
    char *end;
    errno = 0;
    bool good = isdigit((unsigned char)**at);
    *value = good ? strtoull(*at, &end, 10) : 0;
    *at = good ? end : *at;
    return good && errno == 0;
}

/* base^exponent; false beyond 2^62. */
static bool power(uint64_t base, uint64_t exponent, uint64_t *value)
{
    const uint64_t most = UINT64_C(1) << 62;
    bool good = true;
    for (uint64_t i = 0; good && i<exponent && * value> 0; i++) {
        good = base <= most / *value;
        *value *= base;
        good = good && (base > 1 || i < 64);
    }
    return good;
}

/* The number with its unit, power or exponent. */
static bool read_scaled(const char **at, uint64_t *value)
{
    static const char units[] = "KMG";
    uint64_t first, exponent;
    if (!read_digits(at, &first)) {
        return false;
    }
    *value = first;
    const char *unit = **at ? strchr(units, toupper((unsigned char)**at)) : NULL;
    if (unit) {
        (*at)++;
        return power(1024, (uint64_t)(unit - units) + 1, value);
    }
    if (**at == '^' || **at == 'e') {
        bool is_power = *(*at)++ == '^';
        *value = is_power ? 1 : first;
        return read_digits(at, &exponent) && power(is_power ? first : 10, exponent, value);
    }
    return true;
}

/* A number of elements at the beginning of *at, which is moved behind it. */
static bool read_count(const char **at, int64_t *count)
{
    uint64_t value = 0, more = 0;
    bool good = read_scaled(at, &value) && value <= (uint64_t)1 << 62;
    if (good && (**at == '+' || **at == '-')) {
        bool minus = *(*at)++ == '-';
        good = read_digits(at, &more) && more <= (uint64_t)1 << 62 && (!minus || more <= value);
        value = minus ? value - more : value + more;
    }
    *count = (int64_t)value;
    return good;
}

gf_status prim_count(const char *option, const char *text, int64_t least, int64_t *count)
{
    const char *at = text;
    if (!read_count(&at, count) || *at || *count < least) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "%s is '%s': must be a whole number from %lld, like 500000, 16M, 2^24-3 or 1e6",
                        option, text, (long long)least);
    }
    return GF_OK;
}

bool prim_sizes(const char *text, int count, int64_t *sizes)
{
    bool good = true;
    for (int i = 0; good && i < count; i++) {
        good = (i == 0 || *text++ == 'x') && read_count(&text, &sizes[i]);
    }
    return good && !*text;
}

gf_status prim_shape(const char *text, int count, int64_t *sizes)
{
    return prim_sizes(text, count, sizes)
               ? GF_OK
               : cli_fail(GF_ERROR_ARGUMENT, "--shape is '%s': must be %d whole numbers, like %s", text,
                          count, count == 2 ? "512x300" : "512x300x1000");
}
